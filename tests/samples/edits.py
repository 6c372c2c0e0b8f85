"""Requests for spatial edits and comparisons, and measures that need no network."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from google.protobuf import json_format

from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.model.jobs import Similarity
from grader.model.verdict import Verdict
from grader.serving.work import inline_only
from grader.tools.similarity import Measured, Measures
from grader.v1 import service_pb2

WIDTH, HEIGHT = 320, 240
CAMERA = {"fx_px": 300.0, "fy_px": 300.0, "cx_px": 160.0, "cy_px": 120.0}


class PlainMeasures(Measures):
    """SSIM as it is; in place of LPIPS the mean absolute difference on [0, 1], over what is kept."""

    def take(self, similarity, candidate, reference, kept):
        if similarity is Similarity.SSIM:
            return super().take(similarity, candidate, reference, kept)
        difference = np.abs(candidate.astype(np.float64) - reference).mean(axis=2) / 255
        return Measured(float(difference.mean() if kept is None else difference[kept].mean()))


def png(picture: np.ndarray) -> bytes:
    return cv2.imencode(".png", picture[..., ::-1] if picture.ndim == 3 else picture)[1].tobytes()


def scenery(seed: int = 0) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(size=(HEIGHT, WIDTH, 3))
    smooth = cv2.GaussianBlur(noise, (0, 0), 3)
    return np.clip(128 + 40 * smooth / smooth.std(), 0, 255).astype(np.uint8)


BEFORE = scenery()
MIDDLE = np.s_[104:136, 144:176]
"""Pixels well inside of the mug's place, which spans 24 px from the middle to each side."""


def touched(picture: np.ndarray, where: tuple[slice, slice] = MIDDLE) -> np.ndarray:
    """A picture in which something else is to be seen in one place."""
    made = picture.copy()
    made[where] = 255 - made[where]
    return made


AFTER = touched(BEFORE)
AROUND = touched(touched(touched(AFTER, np.s_[104:136, 236:266]), np.s_[104:136, 56:84]), np.s_[104:136, 296:320])
"""With something else where the plate stands, and at x = -0.6 and 1 m."""


def box(
    x: float = 0.0, z: float = 2.0, yaw: float = 0.0, size: tuple[float, float, float] = (0.3, 0.3, 0.3)
) -> dict[str, Any]:
    return {
        "center_m": {"x": x, "y": 0.0, "z": z},
        "size_m": dict(zip("xyz", size, strict=True)),
        "rotation": {"yaw_rad": yaw},
    }


def found(*objects: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"label": label, "box": place} for label, place in objects]


PLATE = ("plate", box(0.6))
MUG = ("mug", box())


def edit(
    operation: str,
    objects: list[dict[str, Any]],
    destination: dict[str, Any] | None = None,
    *,
    before: np.ndarray | None = BEFORE,
    after: np.ndarray | None = AFTER,
    original: list[dict[str, Any]] | None = None,
    **puzzle: Any,
) -> service_pb2.GradeRequest:
    """A request to edit the mug, which stands at x = 0, 2 m away; pictures differ in its place alone unless others
    are given."""
    made: dict[str, Any] = {
        "request_id": "edit",
        "spatial_edit": {
            "puzzle": {
                "operation": f"EDIT_OPERATION_{operation}",
                "target": "mug",
                "source_box": box(),
                "intrinsics": CAMERA,
                "detections": found(MUG, PLATE) if original is None else original,
                **puzzle,
            },
            "truth": {} if destination is None else {"destination_box": destination},
        },
        "scene": {"detections": objects},
    }
    request = json_format.ParseDict(made, service_pb2.GradeRequest())
    if before is not None:
        request.spatial_edit.puzzle.image.data = png(before)
    if after is not None:
        request.scene.image.data = png(after)
    return request


def graded(request: service_pb2.GradeRequest) -> Verdict:
    return Engine(measures=PlainMeasures()).grade(job_from_proto(request, inline_only))


def values(verdict: Verdict) -> dict[str, float | None]:
    return {metric.name: metric.value for metric in verdict.metrics}


def codes(verdict: Verdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]
