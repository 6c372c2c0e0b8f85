"""From a lot to pictures of it: at first, at given poses, after every move."""

from __future__ import annotations

import math
from collections.abc import Sequence

from puzzles.common.raster import Picture
from puzzles.rush_hour.canvas import LotCanvas, LotView, Sprite, lot_view
from puzzles.rush_hour.lot import Lot, Pose
from puzzles.rush_hour.rules import Move, simulate
from puzzles.rush_hour.style import PX_PER_UNIT, LotStyle

__all__ = [
    "PX_PER_UNIT",
    "LotCanvas",
    "LotStyle",
    "LotView",
    "Sprite",
    "lot_view",
    "picture_size",
    "render_lot",
    "render_steps",
    "sprites_of",
]


def picture_size(lot: Lot, style: LotStyle, unit_px: float = PX_PER_UNIT) -> tuple[int, int]:
    """Return the (width, height) in pixels at which a unit of the lot is so many pixels, to the rounding of sides."""
    return round(lot.width * unit_px / style.lot_share), round(lot.height * unit_px / style.lot_share)


def sprites_of(lot: Lot, poses: Sequence[Pose], style: LotStyle) -> tuple[Sprite, ...]:
    """Return the vehicles as they are drawn at poses, in the lot's order; ValueError if there are more or fewer."""
    if len(poses) != len(lot.vehicles):
        raise ValueError(f"the lot has {len(lot.vehicles)} vehicles, but there are {len(poses)} poses")
    return tuple(
        Sprite(
            pose=pose,
            length=vehicle.length,
            width=vehicle.width,
            color=style.color_of(vehicle.color),
            label=vehicle.label,
            # The axis lies along the length, in one direction or in the other.
            heading=0.0
            if vehicle.axis[0] * math.cos(vehicle.pose.theta) + vehicle.axis[1] * math.sin(vehicle.pose.theta) > 0
            else math.pi,
        )
        for vehicle, pose in zip(lot.vehicles, poses, strict=True)
    )


def render_lot(
    lot: Lot, poses: Sequence[Pose] | None = None, style: LotStyle | None = None, size: tuple[int, int] | None = None
) -> Picture:
    """Return a picture of a lot, (H, W, 3) uint8 RGB; the same arguments give the same bytes.

    Parameters
    ----------
    lot
        The lot.
    poses
        Of all vehicles, in the lot's order; ``None`` for where they stand at first.
    style
        The look; ``None`` for the published one.
    size
        (width, height) in pixels; ``None`` for 120 pixels a unit of the lot.

    Raises
    ------
    ValueError
        If there are not as many poses as vehicles, or a side is not positive.
    """
    style = style or LotStyle()
    at = [vehicle.pose for vehicle in lot.vehicles] if poses is None else poses
    canvas = LotCanvas(lot, style, size or picture_size(lot, style))
    return canvas.draw(sprites_of(lot, at, style))


def render_steps(
    lot: Lot, moves: Sequence[Move], style: LotStyle | None = None, size: tuple[int, int] | None = None
) -> tuple[Picture, ...]:
    """Return the pictures of a lot after every move, as many as there are moves; parameters as of `render_lot`.

    Raises
    ------
    ValueError
        If a move cannot be made, or a side is not positive.
    """
    run = simulate(lot, moves)
    if run.failure is not None:
        raise ValueError(run.failure.message)
    style = style or LotStyle()
    canvas = LotCanvas(lot, style, size or picture_size(lot, style))
    return tuple(canvas.draw(sprites_of(lot, poses, style)) for poses in run.poses[1:])
