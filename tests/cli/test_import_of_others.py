"""An import that finds none of its own puzzles says which ones there are, and what reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.importers.amaze.importer import import_amaze
from grader.importers.amaze.records import tasks_of
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.kinds import RECORD_KEYS, RecordKind, kind_of, what_else_is_there
from grader.importers.mentisoculi.importer import MentisSources, import_mentisoculi
from grader.importers.tabletop.importer import import_tabletop
from grader.model.json_fields import JsonObject
from tests.samples.mentis import write

AMAZE = (RecordKind.MAZE, RecordKind.QUEENS)
READERS = {
    RecordKind.FLOOR: "docs/tasks/maze.md",
    RecordKind.RUSH_HOUR: "grader import mentisoculi",
    RecordKind.FORM_BOARD: "grader import mentisoculi",
    RecordKind.HINGE_FOLDING: "grader import mentisoculi",
    RecordKind.PAPER_FOLD: "grader import mentisoculi",
    RecordKind.SLIDING: "grader import mentisoculi",
    RecordKind.GRID_MAZE: "grader import mazebench",
    RecordKind.EDIT: "grader import tabletop",
}


def puzzles(folder: Path, *keys: str) -> Path:
    for key in keys:
        write(folder / "instances" / key / "metadata.json", {key: []})
    return folder


@pytest.mark.parametrize("key", [key for key, kind in RECORD_KEYS.items() if kind not in AMAZE])
def test_amaze_names_puzzles_of_other_tasks_and_what_reads_them(key: str, tmp_path: Path) -> None:
    kind = RECORD_KEYS[key]
    with pytest.raises(ImportFormatError) as refused:
        import_amaze(puzzles(tmp_path, key), None, tmp_path / "m.jsonl", progress=False)
    assert str(refused.value).startswith(f"{tmp_path} holds no mazes or boards of AMAZE; it holds {kind.value}: ")
    assert READERS[kind] in str(refused.value)
    assert not (tmp_path / "m.jsonl").exists()


def test_other_imports_name_mazes_and_boards(tmp_path: Path) -> None:
    puzzles(tmp_path, "maze_config", "regions")
    said = f"it holds mazes and Queens boards: `grader import amaze {tmp_path} --outputs OUTPUTS --manifest "
    with pytest.raises(ImportFormatError, match=said):
        import_tabletop(tmp_path, None, tmp_path / "m.jsonl", progress=False)
    with pytest.raises(ImportFormatError, match=said):
        import_mentisoculi(MentisSources(tmp_path, clips=tmp_path), tmp_path / "m.jsonl", progress=False)


def test_amaze_goes_on_where_one_puzzle_is_its_own(tmp_path: Path) -> None:
    puzzles(tmp_path, "maze_config", "fold_types")
    with pytest.raises(ImportFormatError, match="name the folder of the model's outputs"):
        import_amaze(tmp_path, None, tmp_path / "m.jsonl", progress=False)


def test_what_is_no_record_says_nothing(tmp_path: Path) -> None:
    assert what_else_is_there(tmp_path) == ""
    write(tmp_path / "a/metadata.json", "{")
    write(tmp_path / "b/metadata.json", {"other": 1})
    assert what_else_is_there(tmp_path) == ""


@pytest.mark.parametrize("key", RECORD_KEYS)
def test_amaze_and_all_others_tell_its_records_alike(key: str) -> None:
    kind = kind_of(JsonObject({key: []}, "a.json"))
    assert bool(tasks_of(json.dumps({key: []}))) is (kind in AMAZE)
