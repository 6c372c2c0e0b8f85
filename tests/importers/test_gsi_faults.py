"""GSI-Bench's import: files that are broken, missing or not clear are named, and nothing is written."""

import json
import re

import pytest
from typer.testing import CliRunner

from grader.cli.main import app
from grader.engine.engine import Engine
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.missing import MissingAnswers
from grader.importers.gsi.edits import PUBLIC, parse_dataset, read_edits
from grader.importers.gsi.importer import GsiSources, LeftOut, Why, import_gsi
from grader.model.verdict import Outcome
from tests.samples.gsi import (
    MOVED,
    RECORDS,
    SOURCE,
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
    whole_set,
    write,
)


@pytest.fixture
def whole(tmp_path):
    return whole_set(tmp_path)


def _break(name, content):
    def change(folder):
        write(folder / name, content)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_break("eval/toy/fine_eval/infer_cache.json", "[]"), r"infer_cache\.json: must hold an object"),
        (_break("eval/toy/infer_cache.json", {"room_0": {}}), r"room_0 is in .*fine_eval.* too"),
        (_break("infer_results/predictions_infer_1_k_fine_toy.json", "3"), r"ratings must be a list"),
        (
            _break("infer_results/predictions_infer_1_k_fine_toy.json", [rating("room_edit_0", said(1))]),
            r"room_edit_0 of toy is rated in .* too",
        ),
        (lambda folder: picture(folder / "fine_dataset/room.jpg"), r"is the same picture as room\.jpg"),
        (
            lambda folder: picture(folder / "eval/toy/generated_images_fine/room_edit_0_rgb.png"),
            r"is of the same edit as room_edit_0\.png",
        ),
        (lambda folder: picture(folder / "fine_dataset/room_gtedit_4.png"), r"is the same picture as"),
    ],
)
def test_a_file_that_says_nothing_or_two_things_is_named(whole, change, message):
    change(whole)
    with pytest.raises(ImportFormatError, match=message):
        imported(whole)
    assert not (whole / "run.jsonl").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_break("fine_dataset/room_edit_0.json", "{"), r"room_edit_0\.json: is not JSON"),
        (_break("fine_dataset/room_edit_0.json", {"target": "a"}), r"room_edit_0\.json: prompt is missing"),
        (
            _break("fine_dataset/room_edit_0.json", record("Paint it.")),
            r"room_edit_0\.json: prompt begins with no word",
        ),
        (
            _break("fine_dataset/room_edit_0.json", record("Move it.", operation="paint")),
            r"room_edit_0\.json: operation is 'paint'",
        ),
        (
            _break("fine_dataset/room_edit_0.json", RECORDS["move"] | {"original_bbox_3d": [1, 2]}),
            r"room_edit_0\.json: original_bbox_3d must be \[x, y, z, w, h, l, yaw\], not 2 numbers",
        ),
        (
            _break("fine_dataset/room_edit_0.json", RECORDS["move"] | {"new_bbox_3d": [*MOVED[:6], "a"]}),
            r"room_edit_0\.json: new_bbox_3d\[6\] must be a finite number",
        ),
        (_break("fine_dataset/room_edit_0.json", record("Move it.")), r"room_edit_0\.json: new_bbox_3d is missing"),
        (
            _break("fine_dataset/room_edit_0.json", RECORDS["move"] | {"rotation_matrix": [[1, 0, 0]]}),
            r"room_edit_0\.json: rotation_matrix must be 9 numbers, not 3",
        ),
        (
            _break("fine_dataset/room_edit_0.json", RECORDS["move"] | {"camera_intrinsics": [[1, 0, 0]]}),
            r"room_edit_0\.json: camera_intrinsics is no camera",
        ),
        (
            _break("fine_dataset/room_edit_0.json", record("Remove it.", camera_intrinsics=None)),
            r"room_edit_0\.json: camera_intrinsics is missing",
        ),
        (
            _break("eval/toy/fine_eval/infer_cache.json", {"room_0": entry([{"label": "chair"}], [])}),
            r"infer_cache\.json: room_0\.origin_result\.detections\[0\]\.bbox_3d is missing",
        ),
        (_break("eval/toy/fine_eval/infer_cache.json", {"room_0": 3}), r"room_0 must be an object"),
        (_break("fine_dataset/room.png", "no picture"), r"room\.png is unusable"),
    ],
)
def test_a_broken_record_is_left_out_and_named_and_the_import_goes_on(whole, change, message):
    change(whole)
    made, requests = imported(whole)
    assert len(made.faults) == 1
    assert re.search(message, made.faults[0])
    # It is no answer that is missing, and what belongs to it belongs to something.
    assert (made.missing_answers, made.unmatched_outputs, made.unmatched_ratings) == ((), (), ())
    assert "toy/fine/room_edit_0" not in requests
    assert "toy/fine/room_edit_4" in requests


def test_all_faults_are_told_at_once(whole):
    write(whole / "fine_dataset/room_edit_0.json", record("Paint it."))
    write(whole / "fine_dataset/room_edit_1.json", RECORDS["rotate"] | {"original_bbox_3d": [float("nan")] * 7})
    write(whole / "infer_results/predictions_infer_1_k_fine_toy.json", [rating("room", said(1)), 3])
    done = CliRunner().invoke(app, ["import", "gsi", str(whole), "--manifest", str(whole / "run.jsonl")])
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"{whole / 'run.jsonl'}: 3 requests")
    told = done.stderr.splitlines()
    assert told[0] == "grader: 4 records can't be read and are left out, which is no model's fault:"
    for line, file, what in (
        (told[1], "room_edit_0.json", "prompt begins with no word that says what to do; add the field operation"),
        (told[2], "predictions_infer_1_k_fine_toy.json: [0]", "entry.meta.index must be <img_id>_edit_<qid>"),
        (told[3], "predictions_infer_1_k_fine_toy.json: [1]", "entry must be an object, not 3"),
        (told[4], "room_edit_1.json", "original_bbox_3d[0] must be a finite number, not NaN"),
    ):
        assert file in line
        assert what in line


def test_edits_that_a_model_left_out_are_wrong_or_left_out(whole):
    """Of a dataset of which it made others; an edit that can't be judged is left out for it too."""
    pictures = whole / "eval/toy/generated_images_fine"
    (pictures / "room_edit_0.png").unlink()
    (pictures / "room_edit_4.png").unlink()
    cache_file = whole / "eval/toy/fine_eval/infer_cache.json"
    held = json.loads(cache_file.read_text())
    write(cache_file, held | {"room_0": {"origin_result": held["room_0"]["origin_result"]}})
    made, requests = imported(whole)
    assert made.missing_answers == ("toy/fine/room_edit_0", "toy/fine/room_edit_4")
    for name in made.missing_answers:
        verdict = Engine().grade(job_of(requests[name], whole))
        assert (verdict.outcome, verdict.score, verdict.reasons[0].code) == (Outcome.UNGRADABLE, None, "EMPTY")
        assert requests[name].tags["missing"] == "true"
    made, left = imported(whole, missing=MissingAnswers.LEAVE_OUT)
    assert left.keys() == requests.keys() - set(made.missing_answers)
    (whole / "fine_dataset/room_new_gtedit_4.png").unlink()
    made, _ = imported(whole)
    assert made.missing_answers == ("toy/fine/room_edit_0",)
    assert made.left_out == (LeftOut(Why.NO_RESULT, ("toy/fine/room_edit_4",)),)


def test_pictures_of_no_edit_are_named_wherever_they_lie(whole):
    for place in ("eval/flat.png", "eval/toy/flat.png", "eval/toy/generated_images_fine/more/room_edit_0.png",
                  "eval/toy/generated_images_other/room_edit_0.png"):  # fmt: skip
        picture(whole / place)
    picture(whole / "eval/toy/fine_eval/drawn.png")  # the public evaluation's own
    made, _ = imported(whole)
    assert made.unmatched_outputs == (
        "flat.png",
        "toy/flat.png",
        "toy/generated_images_fine/more/room_edit_0.png",
        "toy/generated_images_other/room_edit_0.png",
    )


@pytest.mark.parametrize(
    ("words", "operation"),
    [
        ({"operation": "RotateLeft"}, "view"),
        ({"operation": "MoveAhead"}, "view"),
        ({"operation": "look_down"}, "view"),
        ({"operation": "delete"}, "remove"),
        ({"prompt": "Slide the chair to the left."}, "move"),
        ({"prompt": "Please lift the chair."}, "move"),
        ({"prompt": "Bring the chair closer."}, "move"),
        ({"prompt": "Delete the chair."}, "remove"),
        ({"prompt": "Rotate left 90 degrees.", "target": ""}, "view"),
        ({"prompt": "Rotate left the chair.", "target": "chair"}, "rotate"),
    ],
)
def test_words_that_prompts_have(tmp_path, words, operation):
    write(tmp_path / "fine_dataset/room_edit_0.json", {"prompt": "", "target": "chair"} | words)
    (edit,) = read_edits(tmp_path, PUBLIC).edits
    assert edit.operation.value == operation


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(ImportFormatError, match="there is no folder"):
        import_gsi(GsiSources(tmp_path / "none"), tmp_path / "run.jsonl", progress=False)
    with pytest.raises(ImportFormatError, match="holds none of fine_dataset"):
        imported(tmp_path)
    (tmp_path / "fine_dataset").mkdir()
    with pytest.raises(ImportFormatError, match=r"there is no <img_id>_edit_<qid>\.json"):
        imported(tmp_path)
    edits(tmp_path / "fine_dataset", [RECORDS["remove"]])
    with pytest.raises(ImportFormatError, match="--outputs, or what was found in it with --cache"):
        imported(tmp_path)
    with pytest.raises(ImportFormatError, match="there is no cache"):
        imported(tmp_path, caches=(tmp_path / "a.json",))
    with pytest.raises(ImportFormatError, match="of what models made; check the path"):
        imported(tmp_path, outputs=tmp_path / "out")
    write(tmp_path / "infer_cache.json", {"room_0": entry([], [])})
    with pytest.raises(ImportFormatError, match="there are no ratings"):
        imported(tmp_path, ratings=tmp_path / "fine_dataset")
    # All edits are left out: nothing is written.
    with pytest.raises(
        ImportFormatError, match="1 edit: each is of a picture before the edit in which nothing found has"
    ):
        imported(tmp_path)
    assert not (tmp_path / "run.jsonl").exists()


def test_models_and_caches_that_are_not_clear(tmp_path):
    two_models(tmp_path)
    with pytest.raises(ImportFormatError, match="has no model 'm_3'; there are: m_1, m_2"):
        imported(tmp_path, model="m_3")
    cache_file = write(tmp_path / "c.json", {"room_0": entry([detection(SOURCE)], [])})
    with pytest.raises(ImportFormatError, match="--cache is of one model"):
        imported(tmp_path, caches=(cache_file,))
    with pytest.raises(ImportFormatError, match="room_0 may be of fine_dataset or robothor_dataset"):
        imported(tmp_path, caches=(cache_file,), model="m_1")


@pytest.mark.parametrize("text", ["a", "a=b", "a=b=c=d", "=b=gsi_syn", "a==gsi_syn", "a/b=c=gsi_syn", "a=b=none"])
def test_a_dataset_option_that_says_too_little(text):
    with pytest.raises(ImportFormatError, match="--dataset"):
        parse_dataset(text)
