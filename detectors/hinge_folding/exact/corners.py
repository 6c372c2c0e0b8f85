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
    height, width = owner.shape
    left, top, right, bottom = close.inner
    ground = len(shapes)
    tips: list[tuple[int, Floats]] = []
    blunt: list[float] = []
    for number, shape in enumerate(shapes):
        outline, pose = outline_of(shape), poses[number]
        corners = np.array(outline.corners)
        ends = ([outline.left] if number else []) + ([outline.right] if number < len(shapes) - 1 else [])
        contrast = float(np.abs(colors[number] - colors[ground]).max())
        if contrast < 2 * config.contrast:
            continue
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        turn = np.array([[cos, -sin], [-sin, -cos]]) * close.unit  # y down
        # Of these shapes the middle between two sides goes through the centre, or nearly so.
        outwards = corners / np.hypot(corners[:, :1], corners[:, 1:])
        for at, (corner, outward) in enumerate(zip(corners, outwards, strict=True)):
            if all(np.hypot(corner[0] - end, corner[1]) > config.joint for end in ends):
                tips.append((number, pose[:2] + (corner + reach[:, None] * outward) @ turn.T))
                blunt.append(_tangent(corners, at))
    if not tips:
        return ()
    places = np.array([place for _, place in tips])
    spot = (places - 0.5).astype(np.float32)
    shown = cv2.remap(close.pixels, spot[..., 0], spot[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    owners = owner[
        np.clip(np.floor(places[..., 1]).astype(np.intp), 0, height - 1),
        np.clip(np.floor(places[..., 0]).astype(np.intp), 0, width - 1),
    ]
    pieces = np.array([number for number, _ in tips])
    plain = ((places > (left + 1, top + 1)) & (places < (right - 1, bottom - 1))).all(axis=(1, 2))
    plain &= (owners[:, reach < -config.near] == pieces[:, None]).all(axis=1)
    plain &= (owners[:, reach > config.near] == ground).all(axis=1)
    half = np.abs(colors[pieces] - colors[ground]).max(axis=1) / 2
    there = np.abs(shown - colors[ground]).max(axis=2) > half[:, None]
    last = np.where(there.any(axis=1), reach[count - 1 - there[:, ::-1].argmax(axis=1)], reach[0])
    # The sharper a corner is the more of it is lost to the same blur.
    most = config.corner_off + config.corner_px / close.unit / np.minimum(1.0, np.array(blunt))
    return tuple(int(number) for number in np.unique(pieces[plain & (last < -most)]))


def _tangent(corners: Floats, at: int) -> float:
    """The tangent of half of the angle at a corner, by its number, of an outline."""
    before, after = (corners[(at + step) % len(corners)] - corners[at] for step in (-1, 1))
    cos = float(before @ after) / float(np.hypot(*before) * np.hypot(*after))
    return float(np.sqrt((1 - cos) / (1 + cos)))
