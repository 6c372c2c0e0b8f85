"""``grader make form-board``: whole files, the same each time, whose right answers are graded as right."""

from __future__ import annotations

import json

import pytest
from PIL import Image
from typer.testing import CliRunner

import grader
from grader.cli.main import app
from grader.importers.common.missing import MissingAnswers
from grader.importers.mentisoculi.importer import MentisSources, import_mentisoculi
from grader.make.errors import MakeError
from grader.make.form_board import make_form_boards, plan_form_board
from grader.make.plans import PlanLook
from grader.model.verdict import Outcome
from puzzles.mentis.form_boards import FORM_STYLES, FormBoardRecipe, random_form_style

LOOK = PlanLook("published", 320, None)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    out = tmp_path_factory.mktemp("boards")
    make_form_boards(out, [FormBoardRecipe(level, 4) for level in (1, 2)], LOOK, training=True, progress=False)
    return out


def bytes_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_same_options_give_the_same_bytes_and_what_is_there_is_kept(made, tmp_path):
    recipes = [FormBoardRecipe(level, 4) for level in (2, 1)]
    first = make_form_boards(tmp_path, recipes[:1], LOOK, progress=False)
    second = make_form_boards(tmp_path, recipes, LOOK, training=True, progress=False)
    assert (first.made, second.made, second.kept) == (1, 1, 1)
    assert bytes_below(tmp_path) == bytes_below(made)


def test_files_hold_what_the_public_ones_do_and_the_outlines(made):
    folder = made / "instances" / "form-board-2-0000004"
    record = json.loads((folder / "metadata.json").read_text())
    assert [piece["label"] for piece in record["pieces"]] == list("ABCDE")
    right = [piece["label"] for piece in record["pieces"] if piece["is_solution"]]
    assert right == record["solution_pieces"]
    assert json.loads((folder / "answer.json").read_text()) == {"answer": " ".join(right)}
    assert record["cot_images"] == ["cot_00.png", "cot_01.png"]
    assert set(record["geometry"]["moves"]) == set(right)
    with Image.open(folder / "initial.png") as picture:
        assert picture.size == (record["geometry"]["width_px"], record["geometry"]["height_px"]) == (320, 240)
    assert (folder / "solution.png").read_bytes() == (folder / "cot_01.png").read_bytes()
    line = json.loads((made / "train.jsonl").read_text().splitlines()[1])
    assert (line["id"], line["task"], line["level"]) == ("form-board-2-0000004", "form_board", 2)


def test_answers_are_imported_with_the_outlines(made, tmp_path):
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"puzzle": "form-board-2-0000004", "model": "m", "text": "all of them: A, B, C, D, E"}\n')
    manifest = made / "words.jsonl"
    import_mentisoculi(MentisSources(made, answers=answers, missing=MissingAnswers.LEAVE_OUT), manifest, progress=False)
    (job,) = grader.load_manifest(manifest).jobs()
    verdict = grader.Engine().grade(job)
    assert verdict.outcome is Outcome.FAIL
    assert [note.code for note in verdict.notes] == ["JUDGED_BY_OUTLINES"]
    assert json.loads(manifest.read_text())["tags"]["level"] == "2"


def test_a_folder_is_a_puzzle_for_drawn_answers(made):
    folder = made / "instances" / "form-board-2-0000004"
    board = grader.load_puzzle(folder)
    assert grader.grade(board, folder / "solution.png").outcome is Outcome.PASS
    assert grader.grade(board, folder / "initial.png").outcome is Outcome.FAIL


def test_looks_are_named_or_drawn_by_the_seed():
    assert random_form_style(3) == random_form_style(3) != random_form_style(4)
    recipe = FormBoardRecipe(3, 7)
    assert plan_form_board(recipe, PlanLook("random")).style == random_form_style(7)
    assert all(plan_form_board(recipe, PlanLook(name)).style.seed == 7 for name in FORM_STYLES)
    with pytest.raises(MakeError, match="pastel"):
        plan_form_board(recipe, PlanLook("neon"))
    with pytest.raises(ValueError, match="level"):
        FormBoardRecipe(9, 0)


def test_the_command_says_what_to_do_next(tmp_path):
    arguments = ["make", "form-board", "--out", str(tmp_path), "--level", "1", "--count", "1", "--size", "256"]
    result = CliRunner().invoke(app, [*arguments, "--jobs", "1", "--video-size", "128"])
    assert result.exit_code == 0, result.output
    assert "grader grade" in result.output
    assert (tmp_path / "instances" / "form-board-1-0000000" / "solution.mp4").is_file()
