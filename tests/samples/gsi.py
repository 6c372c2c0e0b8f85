"""Small data sets in GSI-Bench's own layout, for tests of their import."""

import json
import math

import numpy as np
from google.protobuf import json_format
from PIL import Image

from grader.contract.requests import job_from_proto
from grader.importers.gsi.importer import GsiSources, import_gsi
from grader.v1 import service_pb2

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
    """A grey picture; one that a model made, or that should result, shows something else where the chair stood."""
    path.parent.mkdir(parents=True, exist_ok=True)
    grey = np.full((size[1], size[0], 3), 90, np.uint8)
    if "generated_images" in str(path.parent) or "gtedit" in path.name:
        grey[20:38, 26:39] = 200  # around 50 x 0 / 2 + 32 and 50 x 0.2 / 2 + 24
    Image.fromarray(grey).save(path)
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


def around(box):
    """The rectangle around a box as a cache has it: in pixels of a frame whose longer side is 896 (here 64 * 14)."""
    center, size, turn = np.array(box[:3]), np.array(box[3:6]), np.array(yaw(box[6]))
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size / 2 @ turn.T + center
    pixels = (corners @ np.array(CAMERA).T)[:, :2] / corners[:, 2:]
    return [*(pixels.min(axis=0) * 14).tolist(), *(pixels.max(axis=0) * 14).tolist()]


def detection(box, label="chair", **more):
    return {"label": label, "bbox_3d": box, "bbox_2d": around(box), "iou_score": 0.9} | more


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


def cache(folder, entries, model="toy", dataset="fine"):
    return write(folder / f"eval/{model}/{dataset}_eval/infer_cache.json", entries)


def whole_set(folder):
    """All five kinds of edit with pictures, a cache and ratings; the view has no entry in the cache."""
    edits(folder / "fine_dataset", RECORDS.values())
    picture(folder / "fine_dataset" / "room_new_gtedit_4.png")
    for number in range(5):
        picture(folder / f"eval/toy/generated_images_fine/room_edit_{number}.png")
    before = [detection(SOURCE)]
    after = [[detection(MOVED)], [detection(SOURCE, rotation_matrix=yaw(1.4))], [detection(GROWN)], []]
    cache(folder, {f"room_{number}": entry(before, found) for number, found in enumerate(after)})
    write(
        folder / "infer_results/predictions_infer_9_judge_fine_toy.json",
        [rating("room_edit_0", said(9)), rating("room_edit_1.png", said(7.5)), rating("room_edit_2", "_ERROR_")],
    )
    return folder


def two_models(folder):
    for short in ("fine", "robothor"):
        edits(folder / f"{short}_dataset", [RECORDS["remove"]], pictures=False)
    for model in ("m_1", "m_2"):
        for short in ("fine", "robothor"):
            cache(folder, {"room_0": entry([detection(SOURCE)], [])}, model, short)


def imported(folder, **sources):
    made = import_gsi(GsiSources(folder, **sources), folder / "run.jsonl", progress=False)
    lines = made.manifest.read_text(encoding="utf-8").splitlines()
    requests = [json_format.Parse(line, service_pb2.GradeRequest()) for line in lines]
    assert len(requests) == made.requests
    return made, {request.request_id: request for request in requests}


def job_of(request, folder):
    """The request as a job, its media read."""
    return job_from_proto(request, lambda media, _: (folder / media.uri).read_bytes() if media.uri else media.data)


def value(verdict, name):
    return next(metric.value for metric in verdict.metrics if metric.name == name)
