"""GSI-Bench to manifests: edits, pictures, caches and ratings in the public layout, and the command."""

import json
import re
import shutil
from pathlib import Path

import pytest
from google.protobuf import json_format
from typer.testing import CliRunner

from grader.cli.main import app
from grader.engine.engine import Engine
from grader.importers.common.errors import ImportFormatError
from grader.importers.gsi.edits import DatasetName
from grader.importers.gsi.importer import GsiSources, LeftOut, Why, import_gsi
from grader.importers.gsi.ratings import rating_in
from grader.media.types import DEFAULT_LIMITS
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.scene import prepare_edit
from grader.tasks.spatial_edit.settings import SpatialEditSettings
from grader.v1 import service_pb2, spatial_edit_pb2
from tests.samples.gsi import (
    CAMERA,
    MOVED,
    RECORDS,
    SOURCE,
    cache,
    detection,
    edits,
    entry,
    imported,
    job_of,
    picture,
    rating,
    record,
    said,
    two_models,
    value,
    whole_set,
    write,
    yaw,
)

FIXTURE = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "gsi" / "synthetic_official_format"


def graded(request, folder):
    return Engine().grade(job_of(request, folder))


@pytest.fixture
def whole(tmp_path):
    return whole_set(tmp_path)


def test_the_public_layout(whole):
    made, requests = imported(whole)
    assert list(requests) == [f"toy/fine/room_edit_{number}" for number in range(5)]
    assert (made.edits, made.models, made.without_outputs, made.without_pictures) == (5, ("toy",), 0, 0)
    assert (made.left_out, made.unmatched_outputs, made.unmatched_ratings) == ((), (), ())
    assert made.unreadable_ratings == ("toy/fine/room_edit_2",)
    assert made.without_ratings == 3
    for name, request in zip(RECORDS, requests.values(), strict=True):
        assert dict(request.tags) == {"dataset": "GSI-Real", "operation": name}
        assert (request.model, request.attempt, request.options.profile) == ("toy", 0, "gsi_real")
        assert request.WhichOneof("candidate") == "scene"
        scene = prepare_edit(job_of(request, whole).task, SpatialEditSettings(), DEFAULT_LIMITS, CandidateKind.SCENE)
        assert scene.operation is EditOperation(name)
        assert scene.picture is not None
    first, turn, _, removal, view = requests.values()
    assert first.puzzle_id == "fine/room_edit_0"
    assert first.spatial_edit.puzzle.image.uri == "fine_dataset/room.png"
    assert first.scene.image.uri == "eval/toy/generated_images_fine/room_edit_0.png"
    assert first.scene.appearance_rating == 9.0
    assert turn.scene.appearance_rating == 7.5
    # An error is no rating, and no rating is not 0.
    assert not requests["toy/fine/room_edit_2"].scene.HasField("appearance_rating")
    assert not removal.spatial_edit.truth.HasField("destination_box")
    assert not removal.scene.detections
    assert view.spatial_edit.truth.image.uri == "fine_dataset/room_new_gtedit_4.png"
    assert not view.scene.detections


def test_boxes_and_cameras(whole):
    _, requests = imported(whole)
    move, turn, growth = (requests[f"toy/fine/room_edit_{number}"] for number in range(3))
    camera = move.spatial_edit.puzzle.intrinsics
    assert (camera.fx_px, camera.fy_px, camera.cx_px, camera.cy_px, camera.skew_px) == (50, 50, 32, 24, 0)
    flat = [number for row in yaw(0.4) for number in row]
    source, goal = move.spatial_edit.puzzle.source_box, move.spatial_edit.truth.destination_box
    assert (source.center_m.x, source.center_m.y, source.center_m.z) == (0.0, 0.2, 2.0)
    assert (source.size_m.x, source.size_m.y, source.size_m.z) == (0.3, 0.5, 0.4)
    assert list(source.rotation.matrix.entries) == flat
    # The move does not turn the object: it keeps its matrix.
    assert list(goal.rotation.matrix.entries) == flat
    assert growth.spatial_edit.truth.destination_box.size_m.x == 0.45
    # A detection without a matrix has its yaw.
    assert move.scene.detections[0].box.rotation.yaw_rad == 0.4
    # A turn without a new box stays in its place.
    turned = turn.spatial_edit.truth.destination_box
    assert (turned.center_m.x, turned.size_m.x) == (0.0, 0.3)
    assert list(turned.rotation.matrix.entries) == [number for row in yaw(1.4) for number in row]


@pytest.mark.parametrize(
    ("more", "form"),
    [
        ({}, "yaw_rad"),
        ({"rotation_matrix": None, "pose_6d": None}, "yaw_rad"),
        ({"pose_6d": [1, 0, 0, 0, 1, 0]}, "two_rows"),
        ({"pose_6d": [[1, 0, 0], [0, 1, 0]]}, "two_rows"),
        ({"pose_6d": [1, 0, 0, 0, 1, 0], "rotation_matrix": yaw(0.1)}, "matrix"),
        ({"rotation_matrix": yaw(0.1), "bbox_3d": SOURCE[:6]}, "matrix"),
    ],
)
def test_forms_of_a_detections_rotation(tmp_path, more, form):
    edits(tmp_path / "fine_dataset", [RECORDS["resize"]], pictures=False)
    cache(tmp_path, {"room_0": entry(None, [detection(SOURCE) | more])})
    _, requests = imported(tmp_path)
    (found,) = requests["toy/fine/room_edit_0"].scene.detections
    assert found.box.rotation.WhichOneof("form") == form


@pytest.mark.parametrize(
    ("more", "form", "angle"),
    [
        ({"rotation_matrix": None}, "yaw_rad", 0.4),
        ({"rotation_matrix": None, "new_bbox_3d": [*MOVED[:6], 0.9]}, "yaw_rad", 0.9),
        # The matrix is that of another yaw, so it is not the destination's.
        ({"new_bbox_3d": [*MOVED[:6], 0.9]}, "yaw_rad", 0.9),
        ({"new_bbox_3d": [*MOVED[:6], 0.9], "new_rotation_matrix": yaw(0.9)}, "matrix", None),
    ],
)
def test_the_rotation_of_a_destination(tmp_path, more, form, angle):
    edits(tmp_path / "fine_dataset", [RECORDS["move"] | more], pictures=False)
    cache(tmp_path, {"room_0": entry([detection(SOURCE)], [])})
    _, requests = imported(tmp_path)
    rotation = requests["toy/fine/room_edit_0"].spatial_edit.truth.destination_box.rotation
    assert rotation.WhichOneof("form") == form
    if angle is not None:
        assert rotation.yaw_rad == angle


def test_boxes_in_the_picture_are_brought_to_its_size(tmp_path):
    """A cache has them in pixels of a frame 896 long; the picture is 64 wide: 140 * 64 / 896 = 10."""
    after = [detection(MOVED, bbox_2d=[140, 280, 420, 560]), detection(SOURCE, bbox_2d=[5, 5, 5, 9])]
    edits(tmp_path / "fine_dataset", [RECORDS["move"]])
    cache(tmp_path, {"room_0": entry([detection(SOURCE)], after)})
    _, requests = imported(tmp_path)
    seen = requests["toy/fine/room_edit_0"].scene.detections
    assert not seen[0].HasField("box_2d"), "without the edited picture, its size is not known"
    picture(tmp_path / "eval/toy/generated_images_fine/room_edit_0.png")
    _, requests = imported(tmp_path)
    seen = requests["toy/fine/room_edit_0"].scene.detections
    place = seen[0].box_2d
    assert (place.left_px, place.top_px, place.width_px, place.height_px) == (10, 20, 20, 20)
    assert not seen[1].HasField("box_2d"), "it has no area"


def test_without_pictures_edits_are_measured(tmp_path):
    """A perfect move: IoU 1 and f(1) = 1, so SA = 0.3 + 0.7; and nothing found after one."""
    edits(tmp_path / "fine_dataset", [RECORDS["move"], RECORDS["move"]], pictures=False)
    after = [detection(MOVED, rotation_matrix=yaw(0.4))]
    write(
        tmp_path / "infer_cache.json",
        {"room_0": entry([detection(SOURCE)], after), "room_1": entry([detection(SOURCE)], [])},
    )
    made, requests = imported(tmp_path, model="mine")
    assert (made.models, made.without_pictures, made.without_ratings) == (("mine",), 2, 2)
    right, lost = (graded(requests[f"mine/fine/room_edit_{number}"], tmp_path) for number in range(2))
    for verdict in (right, lost):
        assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.MEASURED, None, None)
        assert value(verdict, "ic") is None
    assert (value(right, "ic_ungated"), value(right, "sa_ungated")) == (1.0, pytest.approx(1.0, abs=1e-12))
    assert (value(lost, "ic_ungated"), value(lost, "sa_ungated")) == (0.0, 0.0)


def test_a_view_is_judged_by_its_picture(tmp_path):
    edits(tmp_path / "fine_dataset", [RECORDS["view"], RECORDS["remove"]])
    picture(tmp_path / "fine_dataset/room_gtedit_0.png")
    cache(tmp_path, {"room_0": entry([], []), "room_1": entry([detection(SOURCE)], [])})
    made, requests = imported(tmp_path)
    assert list(requests) == ["toy/fine/room_edit_1"]
    assert made.left_out == (LeftOut(Why.NO_VIEW, ("toy/fine/room_edit_0",)),)


@pytest.mark.parametrize(
    ("camera", "size", "fits"),
    [
        (CAMERA, (64, 48), True),
        (CAMERA, (128, 96), False),  # (32, 24) is a quarter in, more than 0.15 off the middle
        ([[700.0, 0, 448.0], [0, 700.0, 336.0], [0, 0, 1]], (64, 48), False),  # of the frame of 896 x 672
    ],
)
def test_a_camera_is_in_pixels_of_its_picture(tmp_path, camera, size, fits):
    edits(tmp_path / "fine_dataset", [RECORDS["remove"] | {"camera_intrinsics": camera}, RECORDS["view"]])
    picture(tmp_path / "fine_dataset/room.png", size)
    picture(tmp_path / "fine_dataset/room_gtedit_1.png", size)
    for number in range(2):
        picture(tmp_path / f"eval/toy/generated_images_fine/room_edit_{number}.png", size)
    cache(tmp_path, {"room_0": entry([detection(SOURCE)], [])})
    made, requests = imported(tmp_path)
    # A view's camera is not needed, and not looked at.
    assert len(requests) == (2 if fits else 1)
    assert made.left_out == (() if fits else (LeftOut(Why.OTHER_CAMERA, ("toy/fine/room_edit_0",)),))


@pytest.mark.parametrize(
    ("prompt", "more", "operation"),
    [
        ("Move the camera forward by 0.1 meters.", {}, "VIEW"),
        ("Rotate the camera 15 degrees to the left.", {}, "VIEW"),
        ("Move the chair 20 cm closer to the camera.", {}, "MOVE"),
        ("Move the chair 20 cm away from the camera.", {}, "MOVE"),
        ("Rotate the chair, relative to the camera, by 30 degrees.", {}, "ROTATE"),
        ("Remove the camera from the shelf.", {"target": "camera"}, "REMOVE"),
        ("Move the camera 20 cm to the left.", {"target": "the toy camera"}, "MOVE"),
        ("please put the chair there", {}, "MOVE"),
        ("Move the camera forward.", {"operation": "scale"}, "RESIZE"),
        ("The chair is wrong.", {"operation": "Remove"}, "REMOVE"),
    ],
)
def test_what_a_prompt_asks_for(tmp_path, prompt, more, operation):
    edits(tmp_path / "fine_dataset", [record(prompt, new_bbox_3d=MOVED, **more)])
    picture(tmp_path / "fine_dataset/room_gtedit_0.png")
    picture(tmp_path / "eval/toy/generated_images_fine/room_edit_0.png")
    cache(tmp_path, {"room_0": entry([detection(SOURCE, more.get("target", "chair").removeprefix("the "))], [])})
    _, requests = imported(tmp_path)
    asked = requests["toy/fine/room_edit_0"].spatial_edit.puzzle.operation
    assert asked == spatial_edit_pb2.EditOperation.Value(f"EDIT_OPERATION_{operation}")


def test_names_of_pictures(tmp_path):
    """``_rgb`` is taken from names; results belong to the longest name and the whole number; ``_vis`` is nothing."""
    room = tmp_path / "fine_dataset"
    edits(room, [RECORDS["view"]] * 11, image="a", pictures=False)
    edits(room, [RECORDS["view"]] * 2, image="a_1", pictures=False)
    for name in ("a_rgb.png", "a_1.jpg", "a_edit_0_vis.jpg", "a_x_gtedit_10_rgb.png", "a_1_gtedit_1.png"):
        picture(room / name)
    for name in ("a_edit_1_rgb.png", "a_edit_10.jpg", "a_1_edit_1_rgb.jpg", "b_edit_0.png"):
        picture(tmp_path / f"eval/toy/generated_images_fine/{name}")
    made, requests = imported(tmp_path)
    assert made.missing_answers == ()  # nobody can be asked a view without the picture that should result
    assert {
        name: (request.spatial_edit.puzzle.image.uri, request.spatial_edit.truth.image.uri, request.scene.image.uri)
        for name, request in requests.items()
    } == {
        "toy/fine/a_1_edit_1": (
            "fine_dataset/a_1.jpg",
            "fine_dataset/a_1_gtedit_1.png",
            "eval/toy/generated_images_fine/a_1_edit_1_rgb.jpg",
        ),
        "toy/fine/a_edit_10": (
            "fine_dataset/a_rgb.png",
            "fine_dataset/a_x_gtedit_10_rgb.png",
            "eval/toy/generated_images_fine/a_edit_10.jpg",
        ),
    }
    (left,) = made.left_out
    assert (left.why, "toy/fine/a_edit_1" in left.names, len(left.names)) == (Why.NO_RESULT, True, 11)
    assert made.unmatched_outputs == ("toy/generated_images_fine/b_edit_0.png",)


def test_a_turn_whose_new_box_is_null_stays_in_its_place(tmp_path):
    edits(tmp_path / "fine_dataset", [RECORDS["rotate"] | {"new_bbox_3d": None}], pictures=False)
    cache(tmp_path, {"room_0": entry([], [])})
    _, requests = imported(tmp_path)
    edit = requests["toy/fine/room_edit_0"].spatial_edit
    assert edit.truth.destination_box.center_m == edit.puzzle.source_box.center_m
    assert edit.truth.destination_box.size_m == edit.puzzle.source_box.size_m


# --- models, datasets, caches ---


def test_models_and_datasets(tmp_path):
    two_models(tmp_path)
    # Files of ratings write a model's name without underscores.
    write(
        tmp_path / "infer_results/predictions_infer_9_j_robothor_m2.json",
        [rating("room_edit_0", said(3), "robothor", "m2"), rating("room_edit_0", said(3), "fine", "other")],
    )
    made, requests = imported(tmp_path)
    assert list(requests) == [
        f"{model}/{short}/room_edit_0" for model in ("m_1", "m_2") for short in ("fine", "robothor")
    ]
    assert [(dict(one.tags)["dataset"], one.options.profile) for one in requests.values()] == [
        ("GSI-Real", "gsi_real"),
        ("GSI-Syn-room", "gsi_syn"),
    ] * 2
    rated = [name for name, one in requests.items() if one.scene.HasField("appearance_rating")]
    assert rated == ["m_2/robothor/room_edit_0"]
    assert made.unmatched_ratings == ("other/fine/room_edit_0",)
    assert list(imported(tmp_path, model="m_2")[1]) == ["m_2/fine/room_edit_0", "m_2/robothor/room_edit_0"]
    # One model's own folder.
    assert imported(tmp_path, outputs=tmp_path / "eval" / "m_1")[0].models == ("m_1",)


def test_datasets_may_be_called_otherwise(tmp_path):
    edits(tmp_path / "kitchen", [RECORDS["remove"]], pictures=False)
    cache(tmp_path, {"room_0": entry([detection(SOURCE)], [])}, dataset="kitchen")
    _, requests = imported(tmp_path, datasets=(DatasetName("kitchen", "Kitchen", "gsi_bench_code"),))
    (request,) = requests.values()
    assert (request.request_id, request.options.profile) == ("toy/kitchen/room_edit_0", "gsi_bench_code")
    assert dict(request.tags)["dataset"] == "Kitchen"


def test_a_cache_of_the_whole_model(tmp_path):
    two_models(tmp_path)
    shutil.rmtree(tmp_path / "eval")
    edits(tmp_path / "robothor_dataset", [RECORDS["remove"]], image="hall", pictures=False)
    (tmp_path / "robothor_dataset/room_edit_0.json").unlink()
    write(
        tmp_path / "infer_cache.json",
        {f"{image}_0": entry([detection(SOURCE)], []) for image in ("room", "hall", "cellar")},
    )
    made, requests = imported(tmp_path)
    # Nobody said who made them.
    assert list(requests) == ["fine/room_edit_0", "robothor/hall_edit_0"]
    assert made.unmatched_outputs == ("cellar_0",)


# --- ratings ---


def test_a_rating_that_may_be_of_two_models_is_refused(tmp_path):
    two_models(tmp_path)
    (tmp_path / "eval/m_2").rename(tmp_path / "eval/m1")
    path = write(tmp_path / "infer_results/predictions_infer_9_j_fine_x.json", [rating("room_edit_0", said(3))])
    assert imported(tmp_path)[0].models == ("m1", "m_1")  # nobody rated them
    write(path, [rating("room_edit_0", said(3), "fine", "m1")])
    with pytest.raises(ImportFormatError, match="ratings of m1 may be of m1 or m_1"):
        imported(tmp_path)
    assert imported(tmp_path, model="m_1")[0].without_ratings == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (said(9), 9.0),
        (said(0), 0.0),
        (said(10), 10.0),
        ('{"score": 4.5}', 4.5),
        ('It is fine. {"score": 4, "reasoning": "fine"} Indeed.', 4.0),
        ("_ERROR_", None),
        ("", None),
        (said('"9"'), None),
        (said("true"), None),
        (said(11), None),
        (said(-1), None),
        (said("NaN"), None),
        (said("1" + "0" * 400), None),
        ("||V^=^V|| nothing ||V^=^V||", None),
        ('{"reasoning": "no score"}', None),
        ("} {", None),
        ("{" * 100_000 + "}", None),
    ],
)
def test_ratings_in_a_judges_text(text, found):
    assert rating_in(text) == found


def test_a_files_name_says_what_its_entries_do_not(whole):
    path = whole / "infer_results/predictions_infer_9_judge_fine_toy.json"
    write(path, [rating("room_edit_0", said(4), None, None), rating("room_edit_1", None)])
    made, requests = imported(whole)
    assert requests["toy/fine/room_edit_0"].scene.appearance_rating == 4.0
    assert made.unreadable_ratings == ("toy/fine/room_edit_1",)
    path.rename(whole / "said.json")
    made, _ = imported(whole, ratings=whole / "said.json")
    assert len(made.faults) == 1
    assert re.search(r"said\.json: \[0\]: entry\.meta must say dataset and model", made.faults[0])


# --- the command ---


def test_the_command(whole):
    shutil.rmtree(whole / "infer_results")
    (whole / "eval/toy/generated_images_fine/room_edit_1.png").unlink()
    write(
        whole / "ratings.json", [rating("room_edit_0", said(9)), rating("x_edit_0", said(9)), rating("a_edit_1", "?")]
    )
    cache_file = whole / "eval/toy/fine_eval/infer_cache.json"
    entries = json.loads(cache_file.read_text())
    del entries["room_3"]
    write(cache_file, entries | {"strange": entry([], [])})
    command = ["import", "gsi", str(whole), "--manifest", str(whole / "m.jsonl"), "--ratings"]
    done = CliRunner().invoke(
        app, [*command, str(whole / "ratings.json"), "--dataset", "fine_dataset=Rooms=gsi_syn", "--model", "toy"]
    )
    assert done.exit_code == 0, done.output
    for text in (
        "m.jsonl: 4 requests",
        "left out: 1 edit; each has no entry in a detector's cache, which is not the same as nothing found: "
        "toy/fine/room_edit_3",
        "1 request without a picture before or after the edit: measured, not judged",
        "3 requests without a rating of looks: no AC there, which is not 0",
        "1 rating can't be read and has no value: toy/fine/a_edit_1",
        "1 rating of no edit or model that is there: toy/fine/x_edit_0",
        "1 output of no edit: strange",
    ):
        assert text in done.output
    lines = [json.loads(line) for line in (whole / "m.jsonl").read_text().splitlines()]
    assert {(line["tags"]["dataset"], line["options"]["profile"]) for line in lines} == {("Rooms", "gsi_syn")}
    wrong = CliRunner().invoke(app, [*command, str(whole / "ratings.json"), "--dataset", "fine_dataset"])
    assert wrong.exit_code != 0
    assert "FOLDER=LABEL=PROFILE" in wrong.output


# --- data that this project did not make up ---


@pytest.mark.shared
def test_samples_in_the_benchmarks_own_format(tmp_path):
    assert FIXTURE.is_dir(), f"{FIXTURE} is missing; it lies beside the checkout"
    made = import_gsi(GsiSources(FIXTURE, model="toy"), tmp_path / "run.jsonl", progress=False)
    assert (made.requests, made.without_pictures, made.without_ratings, made.left_out) == (4, 4, 0, ())
    assert made.unreadable_ratings == ("toy/fine/scene0001_frame_000010_edit_4",)
    expected = json.loads((FIXTURE / "expected.json").read_text())
    lines = made.manifest.read_text().splitlines()
    assert len(lines) == len(expected) == 4
    for line, (number, rated) in zip(lines, enumerate((9.0, 8.0, 7.0, 6.0)), strict=True):
        request = json_format.Parse(line, service_pb2.GradeRequest())
        wanted = expected[f"scene0001_frame_000010_{number}"]
        assert request.tags["operation"] == wanted["operation"].replace("scale", "resize")
        verdict = graded(request, tmp_path)
        assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.MEASURED, None, None)
        text = wanted["expected_text"]
        assert value(verdict, "ic_ungated") == text["ic"]
        assert value(verdict, "sa_ungated") == pytest.approx(text["sa"], abs=1e-9)
        assert value(verdict, "ac_ungated") == 10 * rated
        assert (value(verdict, "ic"), value(verdict, "sa"), value(verdict, "el")) == (None, None, None)
        if number == 0:
            assert value(verdict, "iou") == pytest.approx(text["iou"], abs=1e-9)
            assert value(verdict, "d_pred_m") == pytest.approx(text["d_pred"], abs=1e-12)
        if number == 2:
            assert value(verdict, "wrongly_removed") == text["wrongly_removed"]
