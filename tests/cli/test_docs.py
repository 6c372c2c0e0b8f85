"""The page of the command line names every key of --json."""

from dataclasses import fields
from pathlib import Path

from grader.cli.doctor import Check
from grader.cli.weights import Got
from grader.importers.common.manifest_file import ImportSummary
from grader.importers.gsi.importer import GsiSummary
from grader.importers.mentisoculi.importer import MentisSummary
from grader.runs.selection import KEYS as SELECTION_KEYS
from tests.calibration import test_calibrate
from tests.cli import test_grade, test_label
from tests.cli.run import run_json

PAGE = (Path(__file__).resolve().parent.parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")


def missing(names):
    return [name for name in names if f"`{name}`" not in PAGE]


def test_keys_of_answers_are_named():
    assert missing(test_grade.KEYS) == []
    for kind in (ImportSummary, MentisSummary, GsiSummary, Check, Got):
        assert missing(field.name for field in fields(kind)) == [], kind
    assert missing(SELECTION_KEYS) == []
    assert missing(test_calibrate.KEYS) == []
    assert missing(test_label.KEYS) == []


def test_keys_of_what_is_made_are_named(tmp_path):
    code, said = run_json("make", "queens", "--out", tmp_path, "--n", "4", "--count", "1", "--jobs", "1", "--training")
    assert (code, said["made"], said["training_lines"]) == (0, 1, 1)
    assert said["training"] == str(tmp_path / "train.jsonl")
    assert missing(said) == []
    code, said = run_json("make", "list")
    assert code == 0
    assert missing(said) == []
    of_tasks = {"maze", "queens", "rush-hour", "sliding", "form-board", "hinge-folding", "paper-fold"}
    assert of_tasks == set(said["styles"])
    assert missing(said["presets"]["maze"][0]) == []
