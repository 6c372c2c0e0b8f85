"""MentisOculi folders written by hand, for tests of imports and of reports."""

import io
import json
from pathlib import Path

import numpy as np
from google.protobuf import json_format
from PIL import Image

from grader.contract.requests import job_from_proto
from grader.importers.mentisoculi.importer import MentisSources, import_mentisoculi
from grader.v1 import service_pb2

FIXTURES = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "mentisoculi"


def body(identity, x, y, theta=0.0, *, length=2.0, width=0.9, movable=True, label=None, axis=(1.0, 0.0)):
    said = {
        "id": identity,
        "shape": "rectangle",
        "size": [length, width],
        "pose": {"x": x, "y": y, "theta": theta},
        "local_axis": list(axis),
        "movable": movable,
        "color_hex": "#0090C1",
    }
    return said if label is None else said | {"label": label}


def lot_record(level=1, puzzle_id=1, *more):
    """A lot of 10 x 10 whose red car leaves on the right by one move forward, unless ``more`` stands in its way."""
    return {
        "level": level,
        "puzzle_id": puzzle_id,
        "board": {
            "width": 10.0,
            "height": 10.0,
            "exits": [{"side": "right", "opening_start": 4.5, "opening_end": 5.5}],
        },
        "objects": [body("red_car", 1.0, 5.0, length=1.8), *more],
        "actions": [{"object_id": "red_car", "direction": 1, "distance": 8.1}],
        "solution_length": level,
    }


def tiles_record(puzzle_id=1, **changed):
    """Two rows of two whose blank has to go right."""
    return {
        "puzzle_id": puzzle_id,
        "grid_size": 2,
        "initial_state": [[1, 2], [-1, 3]],
        "target_state": [[1, 2], [3, -1]],
        "solution_moves": ["right"],
        "source_image": "photo.jpg",
        "initial_image": "initial.png",
    } | changed


def png(width=8, height=8):
    stream = io.BytesIO()
    Image.fromarray(np.full((height, width, 3), 200, np.uint8)).save(stream, "PNG")
    return stream.getvalue()


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def data_set(root, lots=(1, 2), tiles=(1,)):
    """Level 1 of both tasks, as the public data set has them."""
    for number in lots:
        write(root / f"rushhour/level_01/puzzle_{number:04d}/metadata.json", lot_record(1, number))
    for number in tiles:
        home = root / f"sliding-puzzle/level_01/puzzle_{number:04d}"
        write(home / "metadata.json", tiles_record(number))
        write(home / "initial.png", png())
    return root


def answers(path, *texts, task="rushhour", **said):
    """A file that says itself what it is about; texts are those of puzzles 1, 2 and so on, or (puzzle, text)."""
    pairs = [text if isinstance(text, tuple) else (place, text) for place, text in enumerate(texts, 1)]
    head = {"model": "m", "strategy": "simple", "task": task, "level": 1} | said
    responses = [{"puzzle_id": number, "raw_text": text} for number, text in pairs]
    return write(path, head | {"responses": responses})


def requests_of(made):
    lines = made.manifest.read_text(encoding="utf-8").splitlines()
    requests = [json_format.Parse(line, service_pb2.GradeRequest()) for line in lines]
    assert len(requests) == made.requests == len({request.request_id for request in requests})
    return requests


def imported(tmp_path, **sources):
    return import_mentisoculi(
        MentisSources(instances=tmp_path / "data", **sources), tmp_path / "run.jsonl", progress=False
    )


def job_of(request):
    return job_from_proto(request, lambda media, _: media.data or None)


def public(path, texts, **said):
    """A file as the public results have it."""
    responses = [
        {"puzzle_dir": f"../../../datasets/rushhour/output/level_01/puzzle_{number:04d}", "output_text": text}
        for number, text in texts.items()
    ]
    return write(path, {"task": "rushhour", "model": "provider/m-1", "responses": responses} | said)
