"""Small data sets in GSI-Bench's own layout, for tests of their import."""

import json
import math

import numpy as np
from PIL import Image

WIDTH, HEIGHT = 64, 48
CAMERA = [[50.0, 0, 32.0], [0, 50.0, 24.0], [0, 0, 1.0]]
SOURCE = [0.0, 0.2, 2.0, 0.3, 0.5, 0.4, 0.4]
MOVED = [0.5, 0.2, 2.0, 0.3, 0.5, 0.4, 0.4]
GROWN = [0.0, 0.2, 2.0, 0.45, 0.75, 0.6, 0.4]


def yaw(angle):
    """The matrix of a turn about y: [[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]]."""
    return [[math.cos(angle), 0.0, math.sin(angle)], [0.0, 1.0, 0.0], [-math.sin(angle), 0.0, math.cos(angle)]]


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def picture(path, size=(WIDTH, HEIGHT)):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.full((size[1], size[0], 3), 90, np.uint8)).save(path)
    return path


def record(prompt, **more):
    """A record of an edit; a field that is None is left out."""
    said = {
        "prompt": prompt,
        "target": "chair",
        "original_bbox_3d": SOURCE,
        "camera_intrinsics": CAMERA,
        "rotation_matrix": yaw(0.4),
    } | more
    return {name: value for name, value in said.items() if value is not None}


RECORDS = {
    "move": record("Move the chair 50 cm to the right.", new_bbox_3d=MOVED),
    "rotate": record("Please rotate the chair.", new_rotation_matrix=yaw(1.4)),
    "resize": record("Scale up the chair by 50%.", new_bbox_3d=GROWN),
    "remove": record("Remove the chair."),
    "view": record("Look up by 15 degrees."),
}


def detection(box, label="chair", **more):
    return {"label": label, "bbox_3d": box, "bbox_2d": [1, 2, 3, 4], "iou_score": 0.9} | more


def entry(before, after):
    """An entry of a cache; a side that is None is left out."""
    sides = {"origin_result": before, "new_result": after}
    return {name: {"detections": found} for name, found in sides.items() if found is not None}


def rating(index, prediction, dataset="fine", model="toy"):
    meta = {"db_idx": 0, "index": index, "dataset": dataset, "model": model}
    return {"prediction": prediction, "meta": {name: value for name, value in meta.items() if value is not None}}


def said(score):
    """A judge's text, as the public judge writes it."""
    return f'||V^=^V||\n{{\n"score" : {score},\n"reasoning" : "two\nlines"\n}}\n||V^=^V||\n'


def edits(folder, records, image="room", pictures=True):
    """A dataset folder with one picture; queries are numbered from 0."""
    for number, content in enumerate(records):
        write(folder / f"{image}_edit_{number}.json", content)
    if pictures:
        picture(folder / f"{image}.png")
    return folder
