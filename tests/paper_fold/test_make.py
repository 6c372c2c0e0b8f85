"""Puzzles as files: what is written, the manifest of right answers, and drawings that are imported."""

from __future__ import annotations

import json
import shutil

import pytest

import grader
from grader.importers.mentisoculi.importer import MentisSources, import_mentisoculi
from grader.importers.mentisoculi.shapes import read_paper_fold
from grader.make.errors import MakeError
from grader.make.paper_folds import make_paper_folds, plan_paper_fold, write_paper_fold
from grader.make.plans import PlanLook
from puzzles.mentis.paper_folds import FOLD_STYLES, PaperFoldRecipe, paper_fold_record, random_fold_style

RECIPE = PaperFoldRecipe(1, 3)
LOOK = PlanLook("published", 128, None)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    out = tmp_path_factory.mktemp("folds")
    make_paper_folds(out, [RECIPE], LOOK, training=True, progress=False)
    return out


def test_files_and_manifest(made):
    folder = made / "instances" / "paper-fold-1-0000003"
    assert {path.name for path in folder.iterdir()} == set(plan_paper_fold(RECIPE, LOOK).files)
    lines = [json.loads(line) for line in (made / "manifest.jsonl").read_text().splitlines()]
    assert [line["tags"]["strategy"] for line in lines] == ["text", "image", "frames"]
    assert json.loads((made / "train.jsonl").read_text())["level"] == 1
    again = make_paper_folds(made, [RECIPE], LOOK, progress=False)
    assert (again.made, again.kept) == (0, 1)


def test_a_made_folder_is_a_puzzle_to_draw_on(tmp_path):
    folder = tmp_path / "paper-fold-1-0000003"
    write_paper_fold(folder, plan_paper_fold(RECIPE, PlanLook("published", 192, None)))
    puzzle = grader.load_puzzle(folder)
    assert grader.grade(puzzle, folder / "cot_00.png").reward == 1.0
    assert grader.grade(puzzle, folder / "sheet_00.png").codes == ("NO_HOLES", "HOLES_MISSING")


def test_drawings_are_imported(made, tmp_path):
    name = "paper-fold-1-0000003"
    shutil.copy(made / "instances" / name / "cot_00.png", tmp_path / f"{name}.png")
    done = import_mentisoculi(
        MentisSources(made, pictures=tmp_path, model="mine"), tmp_path / "drawn.jsonl", progress=False
    )
    (line,) = (tmp_path / "drawn.jsonl").read_text().splitlines()
    request = json.loads(line)
    assert done.requests == 1
    assert request["image"]["uri"] == f"{name}.png"
    assert len(request["paperFold"]["puzzle"]["sheets"]) == 2
    assert request["tags"] == {"level": "1", "strategy": "image", "task": "paper-fold"}


def _changed(made, tmp_path, **changes):
    record = json.loads((made / "instances" / "paper-fold-1-0000003" / "metadata.json").read_text())
    place = tmp_path / "metadata.json"
    place.write_text(json.dumps(record | changes))
    return place


@pytest.mark.parametrize(
    "changes",
    [
        {"folds": [{"line": "askew", "offset": 0, "above": True}]},
        {"punches": [[1]]},
        {"sheet_images": ["../x.png"]},
        {"correct_choice": "F"},
    ],
    ids=["line", "punch", "sheet", "choice"],
)
def test_broken_records_name_the_field(made, tmp_path, changes):
    with pytest.raises(ValueError, match=next(iter(changes))):
        read_paper_fold(_changed(made, tmp_path, **changes))


def test_a_record_without_geometry_has_labels_alone(made, tmp_path):
    place = _changed(made, tmp_path)
    record = json.loads(place.read_text())
    del record["folds"]
    place.write_text(json.dumps(record))
    read = read_paper_fold(place)
    assert (len(read.message.puzzle.labels), len(read.message.puzzle.folds), read.sheets) == (5, 0, ())


def test_records_and_looks_are_the_same_each_time():
    puzzle, style = RECIPE.puzzle(), FOLD_STYLES["published"]
    assert paper_fold_record(puzzle, style, 128, 3) == paper_fold_record(RECIPE.puzzle(), style, 128, 3)
    assert random_fold_style(7) == random_fold_style(7) != random_fold_style(8)


def test_other_levels_and_styles_are_refused():
    with pytest.raises(ValueError, match="level"):
        PaperFoldRecipe(9, 0)
    with pytest.raises(MakeError, match="there is no style"):
        plan_paper_fold(RECIPE, PlanLook("plaid", 128, None))
