"""A small run with pictures, and a study of it."""

import base64
import io
import json

from PIL import Image

from calibration.labelling.model import DrawnItem
from calibration.labelling.protocol import load_protocol
from calibration.labelling.store import StudyStore
from tests.samples.report import FAIL, PASS, Line, request, write_run

SECRETS = ("PASS", "FAIL", "score", "WALL_CROSSED", "model-x", "right_one", "reason", "outcome", "verdict")
"""What a page must not say; names of candidates and of files are among them."""


def picture(side=32, color=(200, 30, 30), kind="PNG"):
    stream = io.BytesIO()
    Image.new("RGB", (side, side), color).save(stream, kind)
    return stream.getvalue()


def pictured_run(folder, n=6):
    """n mazes: each has a picture of its puzzle and of its candidate; ids and files name how it ended."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "right_one.png").write_bytes(picture())
    (folder / "puzzle.png").write_bytes(picture(color=(255, 255, 255)))
    lines = [
        Line(f"right_one/{at}", PASS if at % 2 else FAIL, f"puzzle {at}", score=at / n, model="model-x",
             codes=() if at % 2 else ("WALL_CROSSED",), picture="right_one.png")
        for at in range(n)
    ]  # fmt: skip
    return write_run(folder, lines, asked=with_puzzle)


def with_puzzle(line):
    said = request(line)
    said["maze"] = {
        "puzzle": {"image": {"uri": "puzzle.png"}, "cellMap": {"uri": "right_one.png"}},
        "truth": {"solutionImage": {"uri": "right_one.png"}},
    }
    return said


def inline(data):
    return {"data": base64.b64encode(data).decode()}


def begun(folder, names="abcdef", protocol="right_or_wrong", twice=0.0):
    folder.mkdir(parents=True, exist_ok=True)
    items = [DrawnItem(name, "random") for name in names]
    return StudyStore.begin(folder / "labels.db", load_protocol(protocol), items, {"twice": twice, "seed": 0})


def say_all(store, rater, label):
    """Answers all that is left; `label` says what to say of a request_id."""
    while asked := store.progress(rater).asked:
        for question in store.protocol.questions:
            if question.name not in asked[0].said:
                store.answer(rater, asked[0].showing, question.name, label(asked[0].request_id), 0.5)


def own_protocol(**more):
    labels = [{"key": "y", "label": "right", "text": "yes"}, {"key": "n", "label": "wrong", "text": "no"}]
    said = {"name": "own", "description": "ours", "questions": [{"name": "q", "text": "Well?", "labels": labels}]}
    return json.dumps(said | more)
