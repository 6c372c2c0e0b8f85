"""``grader import tabletop``: a model's edited pictures to a manifest; what is wrong is named, with what to do."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from benchmarks.edits import NoLpips
from grader.cli import main as cli
from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.importers.common.errors import ImportFormatError
from grader.importers.tabletop.importer import import_tabletop
from grader.make.tabletop import TabletopLook, make_tabletop
from grader.model.verdict import Outcome
from grader.runs.manifest import load_manifest
from puzzles.tabletop.edits import Operation
from puzzles.tabletop.recipes import TabletopRecipe

REMOVAL, VIEW = "tabletop-remove-0000001", "tabletop-view-0000001"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made")
    recipes = [TabletopRecipe(operation, 1) for operation in (Operation.REMOVE, Operation.VIEW)]
    make_tabletop(out, recipes, TabletopLook(320), progress=False)
    return out


@pytest.fixture
def table(made: Path, tmp_path: Path) -> Path:
    """A removal and a change of view, without outputs."""
    return shutil.copytree(made, tmp_path / "table")


def draw(table: Path, instance: str, result: str, name: str, size: tuple[int, int] = (320, 240)) -> None:
    """An output of a model: one of the instance's pictures, in another size and format."""
    place = table / "outputs" / instance / name
    place.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(table / "instances" / instance / result) as picture:
        picture.resize(size).save(place)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, ["import", "tabletop", *map(str, arguments)], env={"COLUMNS": "120"})


def test_outputs_become_requests_with_attempts_model_and_tags(table: Path) -> None:
    for number in (10, 2):
        draw(table, REMOVAL, "after.png", f"try_{number}.jpg")
    draw(table, VIEW, "after.png", "edited.png")
    manifest = table / "edits.jsonl"
    made = import_tabletop(table, None, manifest, model="mine", profile="gsi_syn", progress=False)
    assert (made.requests, made.instances, made.instances_without_outputs, made.unmatched_outputs) == (3, 2, 0, ())
    lines = [json.loads(line) for line in manifest.read_text().splitlines()]
    assert [(line["requestId"], line.get("attempt", 0)) for line in lines] == [
        (f"{REMOVAL}/try_2.jpg", 2),
        (f"{REMOVAL}/try_10.jpg", 10),
        (f"{VIEW}/edited.png", 0),
    ]
    for line, name, operation in ((lines[0], REMOVAL, "remove"), (lines[2], VIEW, "view")):
        assert (line["puzzleId"], line["model"], line["options"]) == (name, "mine", {"profile": "gsi_syn"})
        assert line["tags"] == {"dataset": "tabletop", "operation": operation}
        assert line["spatialEdit"]["puzzle"]["image"] == {"uri": f"instances/{name}/before.png"}
    assert lines[0]["image"] == {"uri": f"outputs/{REMOVAL}/try_2.jpg"}
    assert lines[0]["spatialEdit"]["puzzle"]["operation"] == "EDIT_OPERATION_REMOVE"
    # The right result of a view is what it is compared with; that of other edits is not given to the grader.
    assert lines[2]["spatialEdit"]["truth"] == {"image": {"uri": f"instances/{VIEW}/after.png"}}
    assert "truth" not in lines[0]["spatialEdit"]


def test_a_models_pictures_are_judged_in_any_format_and_size(table: Path) -> None:
    draw(table, REMOVAL, "after.png", "try_1.jpg")
    draw(table, REMOVAL, "before.png", "try_2.webp", (256, 192))
    # Without LPIPS only the gate of photographs can be looked at.
    made = import_tabletop(table, None, table / "edits.jsonl", profile="gsi_real", progress=False)
    assert made.missing_answers == (f"{VIEW}/missing_1", f"{VIEW}/missing_2")
    manifest = load_manifest(made.manifest)
    engine = Engine(measures=NoLpips())
    jobs = [
        job_from_proto(manifest.read(index, max_bytes=1 << 25), lambda media, _: media.data)
        for index in range(len(manifest))
    ]
    right, nothing_done, *absent = (engine.grade(job) for job in jobs)
    assert [(one.outcome, one.score) for one in absent] == [(Outcome.UNGRADABLE, None)] * 2
    assert (right.outcome, right.reasons) == (Outcome.PASS, ())
    assert (nothing_done.outcome, nothing_done.reasons[0].code) == (Outcome.FAIL, "STILL_THERE")


def test_the_command_says_what_it_did_not_take(table: Path) -> None:
    draw(table, REMOVAL, "after.png", "edited.png")
    (table / "outputs" / "stranger").mkdir()
    shutil.copy(table / "outputs" / REMOVAL / "edited.png", table / "outputs" / "stranger" / "x.png")
    shutil.copytree(table / "outputs", table / "drawn")
    shutil.rmtree(table / "outputs")
    # Beside the instances' folders, and below one: where nothing looks for them.
    shutil.copy(table / "drawn" / "stranger" / "x.png", table / "drawn" / f"{VIEW}_1.png")
    shutil.copytree(table / "drawn" / "stranger", table / "drawn" / REMOVAL / "more")
    manifest = table / "edits.jsonl"
    command = (table, "--outputs", table / "drawn", "--model", "mine", "--manifest", manifest)
    strange = (
        f"grader: 3 pictures belong to no instance: stranger/x.png, {REMOVAL}/more/x.png, {VIEW}_1.png; "
        "see --help for how they are named"
    )
    done = run(*command)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"{manifest}: 2 requests")
    assert done.stderr.splitlines() == [
        f"grader: 1 answer is missing and counts as wrong (--missing leave-out leaves such out): {VIEW}/missing",
        strange,
    ]
    done = run(*command, "--missing", "leave-out")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"{manifest}: 1 request")
    assert done.stderr.splitlines() == [
        f"grader: 1 answer is missing and in no denominator (--missing wrong counts such as wrong): {VIEW}/missing",
        strange,
    ]


def test_what_is_wrong_is_said_in_one_line_with_what_to_do(table: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "edits.jsonl"
    (tmp_path / "empty").mkdir()
    for arguments, said in (
        ((table,), f"there is no folder {table / 'outputs'} with the model's outputs; name the folder"),
        ((tmp_path / "empty",), "holds no folder with a before.png; name the folder that `grader make tabletop` wrote"),
        ((table, "--profile", "none"), "there is no profile 'none'; there are: default, amaze_code"),
        ((table, "--outputs", tmp_path / "empty"), f"put them at {tmp_path / 'empty'}/INSTANCE/NAME.png"),
    ):
        done = run(*arguments, "--manifest", manifest)
        assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
        assert said in done.stderr
    assert not manifest.exists()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("operation", "fly", r"metadata\.json.*operation is 'fly'; it is one of move, rotate, resize, remove, view"),
        ("edit", None, r"metadata\.json.*edit"),
        ("original_bbox_3d", [0.0, 1.0], r"metadata\.json.*original_bbox_3d must be \[x, y, z, w, h, l, yaw\]"),
        ("colored_boxes", None, r"metadata\.json.*colored_boxes"),
        ("table_plane", {"normal": [0.0, 1.0], "offset_m": 1.0}, r"metadata\.json.*normal must be three numbers"),
    ],
)
def test_a_broken_record_is_refused_with_its_field(table: Path, field: str, value: object, said: str) -> None:
    draw(table, REMOVAL, "after.png", "edited.png")
    path = table / "instances" / REMOVAL / "metadata.json"
    record = json.loads(path.read_text()) | {field: value}
    path.write_text(json.dumps({key: entry for key, entry in record.items() if entry is not None}))
    with pytest.raises(ImportFormatError, match=said):
        import_tabletop(table, None, table / "edits.jsonl", progress=False)
    assert not (table / "edits.jsonl").exists()


def test_an_instance_that_lost_a_file_is_named(table: Path) -> None:
    draw(table, VIEW, "before.png", "edited.png")
    (table / "instances" / VIEW / "after.png").unlink()
    with pytest.raises(ImportFormatError, match=r"after\.png is missing; remove its folder, and make the instance"):
        import_tabletop(table, None, table / "edits.jsonl", progress=False)
