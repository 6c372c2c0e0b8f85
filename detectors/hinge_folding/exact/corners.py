"""Whether the corners of pieces are there, from the picture along the middle between both sides."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from detectors.hinge_folding.exact.close import CloseView, Owners
from detectors.hinge_folding.exact.config import ExactConfig
from detectors.hinge_folding.view import Floats
from puzzles.hinge_folding.chain import HingeShape, outline_of


def cut_corners(
    close: CloseView, owner: Owners, colors: Floats, shapes: Sequence[HingeShape], poses: Floats, config: ExactConfig
) -> tuple[int, ...]:
    """Pieces at poses in pixels that lack a corner; ``colors`` are those of the pieces and of the ground.

    A corner at a hinge, or beside another piece, is not looked at.
    """
    count = 2 * int(np.ceil(config.reach * close.unit)) + 1
    reach = np.linspace(-config.reach, config.reach, count)
    most = config.corner_off + config.corner_px / close.unit
    height, width = owner.shape
    left, top, right, bottom = close.inner
    ground = len(shapes)
    cut = []
    for number, shape in enumerate(shapes):
        outline, pose = outline_of(shape), poses[number]
        corners = np.array(outline.corners)
        ends = ([outline.left] if number else []) + ([outline.right] if number < len(shapes) - 1 else [])
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        turn = np.array([[cos, -sin], [-sin, -cos]])  # y down
        for at, corner in enumerate(corners):
            if any(np.hypot(corner[0] - end, corner[1]) <= config.joint for end in ends):
                continue
            sides = [corners[at - 1] - corner, corners[(at + 1) % len(corners)] - corner]
            inwards = np.sum([side / np.hypot(*side) for side in sides], axis=0)
            inwards /= np.hypot(*inwards)
            places = pose[:2] + (corner - reach[:, None] * inwards) @ turn.T * close.unit
            if not ((places > (left + 1, top + 1)) & (places < (right - 1, bottom - 1))).all():
                continue
            owners = owner[
                np.clip(np.floor(places[:, 1]).astype(np.intp), 0, height - 1),
                np.clip(np.floor(places[:, 0]).astype(np.intp), 0, width - 1),
            ]
            plain = (owners[reach < -config.near] == number).all() and (owners[reach > config.near] == ground).all()
            contrast = float(np.abs(colors[number] - colors[ground]).max())
            if not plain or contrast < 2 * config.contrast:
                continue
            spot = (places - 0.5).astype(np.float32)
            shown = cv2.remap(close.pixels, spot[:, :1], spot[:, 1:], cv2.INTER_LINEAR)[:, 0]
            piece = np.abs(shown - colors[ground]).max(axis=1) > contrast / 2
            if not piece.any() or float(reach[np.flatnonzero(piece)[-1]]) < -most:
                cut.append(number)
    return tuple(dict.fromkeys(cut))
