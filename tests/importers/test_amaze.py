"""AMAZE to manifests: public files, made-up files, and what is wrong with files."""

from __future__ import annotations

import base64
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from google.protobuf import json_format
from PIL import Image

from grader.importers.amaze.importer import ImportFormatError, ImportSummary, import_amaze
from grader.importers.common.missing import MissingAnswers
from grader.media.pictures import decode_image, decode_labels, read_uri
from grader.model.errors import GraderError
from grader.v1 import maze_pb2, service_pb2

AMAZE = Path(__file__).parents[2] / ".." / "shared" / "fixtures" / "amaze"


def requests_of(summary: ImportSummary) -> list[service_pb2.GradeRequest]:
    """Parse every line back, and decode all that it names."""
    requests = []
    folder = summary.manifest.parent
    for line in summary.manifest.read_text(encoding="utf-8").splitlines():
        request = json_format.Parse(line, service_pb2.GradeRequest())
        task = request.maze if request.HasField("maze") else request.queens
        media = [request.image, task.puzzle.image, task.truth.solution_image]
        if request.HasField("maze"):
            media.append(request.maze.truth.mask)
            ids = decode_labels(read_uri(request.maze.puzzle.cell_map.uri, (folder, Path("/"))))
            assert set(request.maze.truth.path_cell_ids) <= set(np.unique(ids).tolist())
        for medium in media:
            assert "\\" not in medium.uri
            assert not Path(medium.uri).is_absolute()
            decode_image(read_uri(medium.uri, (folder, Path("/"))))
        requests.append(request)
    assert len(requests) == summary.requests == len({request.request_id for request in requests})
    return requests


def png(pixels: np.ndarray) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    return stream.getvalue()


MAZE = {
    "path_cell_ids": [1, 2],
    "maze_config": {"shape": "square", "width": 2, "height": 1, "layers": 10, "algorithm": "prim"},
    "image_size": {"width": 8, "height": 4, "cell_size": 4.0, "wall_width": 0.5},
    "difficulty": {"difficulty": 0.55097},
}
BOARD = {
    "n": 2,
    "width": 8,
    "height": 4,
    "queens": [[0, 1], [1, 0]],
    "regions": [[0, 1], [1, 0]],
}
PICTURE = png(np.full((4, 8, 3), 200, np.uint8))
CELLS = png(np.repeat(np.array([[[1, 0, 0], [2, 0, 0]]], np.uint8), 4, 0).repeat(4, 1))


def instance(folder: Path, metadata: dict[str, Any], **files: bytes) -> Path:
    folder.mkdir(parents=True)
    whole = {"input": PICTURE, "solution": PICTURE, "mask": PICTURE, "cell_map": CELLS} | files
    for name, data in whole.items():
        (folder / f"{name}.png").write_bytes(data)
    (folder / "metadata.json").write_text(json.dumps(metadata))
    return folder


def drawn(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(PICTURE)


def table(path: Path, ids: list[str], record: dict[str, Any] = MAZE, **columns: object) -> Path:
    text = base64.b64encode(PICTURE).decode()
    values: dict[str, object] = {"id": ids, "m_original_img": [text] * len(ids), "sol_img": [text] * len(ids)}
    if "n" in record:
        values["sample_json"] = [json.dumps(record)] * len(ids)
    else:
        values |= {"mask_img": [text] * len(ids), "metadata": [json.dumps(record)] * len(ids)}
        values["cell_map"] = [base64.b64encode(CELLS).decode()] * len(ids)
    path.parent.mkdir(parents=True, exist_ok=True)
    pyarrow.parquet.write_table(pyarrow.table(values | columns), path)
    return path


def test_folders(tmp_path: Path) -> None:
    root = tmp_path / "data"
    for name in ("maze-10", "maze-2"):
        instance(root / "instances" / name, MAZE)
    instance(root / "instances" / "queen-2", BOARD)
    instance(root / "instances" / "unused", MAZE)
    out = root / "outputs"
    drawn(
        out / "maze-10" / "a_10.jpg", out / "maze-10" / "a_9.png", out / "maze-2" / "b.webp", out / "queen-2" / "c.PNG"
    )
    drawn(out / "other" / "x.png", out / "maze-2_1.png", out / "maze-2" / "deep" / "y.png")
    (out / "maze-2" / "notes.txt").write_text("no picture")
    summary = import_amaze(root, None, root / "run.jsonl", missing=MissingAnswers.LEAVE_OUT, progress=False)
    assert summary == ImportSummary(
        (root / "run.jsonl").resolve(),
        requests=4,
        instances=4,
        instances_without_outputs=1,
        unmatched_outputs=(Path("maze-2/deep/y.png"), Path("maze-2_1.png"), Path("other/x.png")),
        missing_answers=("unused/missing_1", "unused/missing_2"),
        missing=MissingAnswers.LEAVE_OUT,
    )
    moved = root.rename(tmp_path / "moved")
    requests = requests_of(ImportSummary(moved / "run.jsonl", 4, 4, 1, ()))
    assert [r.request_id for r in requests] == ["maze-2/b.webp", "maze-10/a_9.png", "maze-10/a_10.jpg", "queen-2/c.PNG"]
    maze, queens = requests[0], requests[3]
    puzzle = maze.maze.puzzle
    assert (puzzle.geometry, puzzle.width_cells, puzzle.height_cells, puzzle.rings) == (1, 2, 1, 0)
    assert (puzzle.cell_size_px, puzzle.wall_width_px, maze.puzzle_id, maze.attempt) == (4.0, 0.5, "maze-2", 0)
    assert dict(maze.tags) == {"geometry": "square", "scale": "2x1", "algorithm": "prim", "difficulty": "0.551"}
    assert puzzle.image.uri == "instances/maze-2/input.png"
    assert (queens.queens.puzzle.size_cells, list(queens.queens.puzzle.regions)) == (2, [0, 1, 1, 0])
    assert [(q.row, q.column) for q in queens.queens.truth.queens] == [(0, 1), (1, 0)]
    assert dict(queens.tags) == {"scale": "2"}


def test_the_same_manifest_comes_from_instances_itself_and_elsewhere(tmp_path: Path) -> None:
    instance(tmp_path / "data" / "instances" / "m", MAZE)
    drawn(tmp_path / "data" / "outputs" / "m" / "ä.png")
    runs = tmp_path / "deep" / "runs"
    first = import_amaze(tmp_path / "data", None, runs / "a.jsonl", progress=False)
    second = import_amaze(
        tmp_path / "data" / "instances", tmp_path / "data" / "outputs", runs / "b.jsonl", progress=False
    )
    assert first.manifest.read_bytes() == second.manifest.read_bytes()
    assert requests_of(first)[0].image.uri == "../../data/outputs/m/ä.png"


@pytest.mark.parametrize(
    ("names", "attempts"),
    [
        (["try_1.png", "try_2.png", "try_10.png"], [1, 2, 10]),
        (["0.png", "1.png"], [1, 2]),
        (["a1.png", "b1.png"], [0, 0]),
        (["a_1.png", "final.png"], [0, 0]),
        (["only.png"], [0]),
    ],
)
def test_attempts_are_read_off_names_where_all_say(tmp_path: Path, names: list[str], attempts: list[int]) -> None:
    instance(tmp_path / "instances" / "m", MAZE)
    drawn(*(tmp_path / "outputs" / "m" / name for name in names))
    requests = requests_of(import_amaze(tmp_path, None, tmp_path / "run.jsonl", model="mine", progress=False))
    assert [(request.attempt, request.model) for request in requests] == [(attempt, "mine") for attempt in attempts]


def test_a_name_that_is_no_text_is_named(tmp_path: Path) -> None:
    instance(tmp_path / "instances" / "m", MAZE)
    drawn(tmp_path / "outputs" / "m" / os.fsdecode(b"\xff.png"))
    with pytest.raises(ImportFormatError, match="not UTF-8"):
        import_amaze(tmp_path, None, tmp_path / "run.jsonl", progress=False)


def test_parquet_matches_outputs_by_id_and_attempt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = table(tmp_path / "data.parquet", ["level_4", "level_4_0001", "../x y", "unused"])
    out = tmp_path / "outputs"
    drawn(out / "level_4_10.png", out / "level_4_2.jpg", out / "level_4_0001.png", out / "level_4_0001_3.png")
    drawn(out / "stranger_1.png")
    source = source.rename(tmp_path / "d.parquet")
    summary = import_amaze(source, None, tmp_path / "run.jsonl", missing=MissingAnswers.LEAVE_OUT, progress=True)
    # Stderr is no terminal here, and a bar would fill a log.
    assert capsys.readouterr().err == ""
    assert (summary.requests, summary.instances, summary.instances_without_outputs) == (4, 4, 2)
    assert summary.unmatched_outputs == (Path("stranger_1.png"),)
    requests = requests_of(summary)
    assert [(r.request_id, r.attempt) for r in requests] == [
        ("level_4/level_4_2.jpg", 2),
        ("level_4/level_4_10.png", 10),
        ("level_4_0001/level_4_0001.png", 0),
        ("level_4_0001/level_4_0001_3.png", 3),
    ]
    assert requests[0].maze.puzzle.image.uri == "run_media/d/level_4/input.png"
    assert requests[0].image.uri == "outputs/level_4_2.jpg"
    assert not (tmp_path / "run_media" / "d" / "unused").exists()
    assert not list(tmp_path.rglob("*.tmp"))


def test_ids_are_kept_apart_and_below_the_media_folder(tmp_path: Path) -> None:
    table(tmp_path / "d" / "a.parquet", ["same", "../up"])
    table(tmp_path / "d" / "b.parquet", ["same", "own"], BOARD)
    out = tmp_path / "outputs"
    drawn(out / "same_1.png")
    with pytest.raises(ImportFormatError, match=r"b\.parquet, row 1: the id 'same' is also in .*a\.parquet, row 1"):
        import_amaze(tmp_path / "d", out, tmp_path / "run.jsonl", progress=False)
    drawn(out / "a" / "same_1.png", out / "b" / "same_1.png", out / "b" / "own_2.png")
    table(tmp_path / "d" / "a.parquet", ["same", ".up"])
    drawn(out / "a" / ".up_1.png")
    requests = requests_of(import_amaze(tmp_path / "d", out, tmp_path / "run.jsonl", progress=False))
    ids = [request.request_id for request in requests]
    assert ids == ["a/same/same_1.png", ".up/.up_1.png", "b/same/same_1.png", "own/own_2.png"]
    assert requests[1].maze.puzzle.image.uri.startswith("run_media/a/_.up-")


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({**MAZE, "path_cell_ids": [1, 3]}, r"cells \[3\] of 'path_cell_ids' are not in the cell map"),
        ({**MAZE, "path_cell_ids": []}, "'path_cell_ids' is empty"),
        ({**MAZE, "path_cell_ids": [1, "2"]}, r"'path_cell_ids'\[1\] is '2'; it has to be a whole number"),
        ({**MAZE, "maze_config": {**MAZE["maze_config"], "shape": "cube"}}, "the shape is 'cube'"),
        ({**MAZE, "maze_config": {"shape": "circle"}}, "'layers' is missing"),
        ({**MAZE, "image_size": {**MAZE["image_size"], "width": 9}}, "8 x 4 px, its record says"),
        ({**MAZE, "image_size": {**MAZE["image_size"], "cell_size": float("nan")}}, "'cell_size' is 'nan'"),
        ({**MAZE, "image_size": {**MAZE["image_size"], "cell_size": 10**400}}, "a number that is not so large"),
        ({**BOARD, "queens": [[0, 1]]}, "1 queens for n = 2"),
        ({**BOARD, "queens": [[0, 1], [1, 2]]}, "from 0 to 1"),
        ({**BOARD, "regions": [[0, 1], [1]]}, "'regions' has 2 rows and one of 1"),
        ({"n": 4}, "neither 'maze_config' nor 'regions'"),
    ],
)
def test_broken_records_are_named(tmp_path: Path, metadata: dict[str, Any], message: str) -> None:
    instance(tmp_path / "instances" / "one", metadata)
    drawn(tmp_path / "outputs" / "one" / "a.png")
    with pytest.raises(ImportFormatError, match=message) as caught:
        import_amaze(tmp_path, None, tmp_path / "run.jsonl", progress=False)
    assert "one" in str(caught.value)
    assert isinstance(caught.value, GraderError)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["instances", "outputs"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"cell_map": PICTURE}, "not in the cell map"),
        ({"cell_map": png(np.ones((4, 4, 3), np.uint8))}, "the cell map has 4 x 4 px, the picture 8 x 4"),
        ({"cell_map": b"no picture"}, "the cell map is unusable"),
        ({"input": PICTURE[:50]}, "the picture of the puzzle is unusable"),
        ({"solution": b""}, "the solution is unusable"),
        ({"mask": b"?"}, "the mask is unusable"),
    ],
)
def test_broken_pictures_are_named(tmp_path: Path, files: dict[str, bytes], message: str) -> None:
    instance(tmp_path / "instances" / "one", MAZE, **files)
    drawn(tmp_path / "outputs" / "one" / "a.png")
    with pytest.raises(ImportFormatError, match=message):
        import_amaze(tmp_path, None, tmp_path / "run.jsonl", progress=False)


def test_missing_things_are_named(tmp_path: Path) -> None:
    manifest = tmp_path / "run.jsonl"

    def refused(source: Path, message: str, outputs: Path | None = None, to: Path = manifest) -> None:
        with pytest.raises(ImportFormatError, match=message):
            import_amaze(source, outputs, to, progress=False)

    refused(tmp_path / "none", "there is no")
    refused(tmp_path, "holds neither")
    one = instance(tmp_path / "instances" / "one", MAZE)
    refused(tmp_path, "name the folder of the model's outputs")
    (tmp_path / "outputs").mkdir()
    refused(tmp_path, r"none of the 1 instances .* put them at")
    drawn(tmp_path / "outputs" / "one" / "a.png")
    refused(tmp_path, "is a folder", to=tmp_path)
    refused(tmp_path, "check the path", outputs=tmp_path / "nowhere")
    (one / "mask.png").unlink()
    refused(tmp_path, r"mask\.png is missing")
    (one / "metadata.json").write_text("{")
    refused(tmp_path, "is no JSON")
    (one / "metadata.json").write_bytes(b"\xff")
    refused(tmp_path, "is not UTF-8")
    junk = tmp_path / "junk.parquet"
    junk.write_bytes(b"PAR1 junk")
    refused(junk, "no readable parquet")
    refused(table(tmp_path / "p" / "t.parquet", ["a"]), "name the folder of the model's outputs")
    drawn(tmp_path / "p" / "outputs" / "a_1.png")
    refused(table(tmp_path / "p" / "t.parquet", ["a", "a"]), r"row 2: the id 'a' is also in .*row 1")
    refused(table(tmp_path / "p" / "t.parquet", ["b"]), r"name them .*<id>_<attempt>\.png, with ids such as 'b'")
    refused(table(tmp_path / "p" / "t.parquet", ["a"], sol_img=["%%"]), r"row 1, column 'sol_img' is no base64")
    refused(table(tmp_path / "p" / "t.parquet", ["a"], cell_map=[None]), "column 'cell_map' holds NoneType")
    refused(table(tmp_path / "p" / "t.parquet", ["a"], metadata=[json.dumps(BOARD)]), "not of the kind of its file")
    pyarrow.parquet.write_table(pyarrow.table({"id": ["a"]}), tmp_path / "p" / "t.parquet")
    refused(tmp_path / "p", r"lacks the columns \['m_original_img'")
    assert not manifest.exists()


def test_a_failed_import_leaves_the_old_manifest(tmp_path: Path) -> None:
    one = instance(tmp_path / "instances" / "one", MAZE)
    drawn(tmp_path / "outputs" / "one" / "a.png")
    before = import_amaze(tmp_path, None, tmp_path / "run.jsonl", progress=False).manifest.read_bytes()
    (one / "metadata.json").write_text("[]")
    with pytest.raises(ImportFormatError):
        import_amaze(tmp_path, None, tmp_path / "run.jsonl", progress=False)
    assert (tmp_path / "run.jsonl").read_bytes() == before


@pytest.mark.shared
def test_public_instances(tmp_path: Path) -> None:
    summary = import_amaze(AMAZE, None, tmp_path / "run.jsonl", missing=MissingAnswers.LEAVE_OUT, progress=False)
    lines = [json.loads(line) for line in summary.manifest.read_text().splitlines()]
    expected = list((AMAZE / "outputs").rglob("*.*"))
    assert summary.requests == len(expected) == len(lines)
    assert {line["requestId"] for line in lines} == {f"{path.parent.name}/{path.name}" for path in expected}
    assert (summary.instances, summary.unmatched_outputs) == (16, ())
    kept = {line["puzzleId"]: json_format.ParseDict(line, service_pb2.GradeRequest()) for line in lines}
    circle = kept["circle-3-0"].maze
    assert (circle.puzzle.geometry, circle.puzzle.rings) == (maze_pb2.MAZE_GEOMETRY_CIRCLE, 3)
    assert list(circle.truth.path_cell_ids) == [20007, 20008, 20009, 20010, 20011, 20012, 10006, 1]
    assert dict(kept["circle-3-0"].tags)["algorithm"] == "recursiveBacktrack"
    assert (circle.puzzle.width_cells, circle.puzzle.cell_size_px, circle.puzzle.wall_width_px) == (0, 102.4, 10.24)
    small = [lines[0], *(line for line in lines if line["puzzleId"] in ("square-3-0", "queen-4-0"))]
    summary.manifest.write_text("\n".join(json.dumps(line) for line in small))
    requests_of(ImportSummary(summary.manifest, len(small), 0, 0, ()))


@pytest.mark.shared
def test_public_parquet(tmp_path: Path) -> None:
    out = tmp_path / "answers"
    for path in (AMAZE / "parquet").glob("*.parquet"):
        for name in pyarrow.parquet.read_table(path, columns=["id"]).column("id").to_pylist():
            drawn(out / f"{name}_1.png", out / f"{name}_2.png")
    summary = import_amaze(AMAZE / "parquet", out, tmp_path / "run.jsonl", progress=False)
    assert (summary.requests, summary.instances, summary.unmatched_outputs) == (22, 11, ())
    requests = requests_of(summary)
    assert sum(request.HasField("queens") for request in requests) == 6
    assert {request.attempt for request in requests} == {1, 2}
    board = next(request for request in requests if request.puzzle_id == "level_4_0001")
    assert list(board.queens.puzzle.regions) == [0, 0, 0, 0, 1, 1, 1, 0, 1, 3, 2, 2, 3, 3, 2, 2]
    assert [(q.row, q.column) for q in board.queens.truth.queens] == [(0, 2), (1, 0), (2, 3), (3, 1)]
