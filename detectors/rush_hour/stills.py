"""From a single picture of a parking lot, in any state, to the places of its vehicles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.colors import ColorClasses, LotPalette, read_palette, sampled, stated_palette
from detectors.rush_hour.config import LOT_CONFIG, LotConfig
from detectors.rush_hour.findings import Floats, FrameBox, LotStill, StillVehicle
from detectors.rush_hour.place import Picture, find_border, lab_of, placed
from detectors.rush_hour.remainder.finding import LotRemainderFinder
from detectors.rush_hour.remainder.sides import has_gap
from detectors.rush_hour.scene import ExitPlaces, SceneReader
from detectors.rush_hour.tracks import fill_body
from detectors.rush_hour.vehicles import VehicleShape, VehicleSighting, find_anywhere, measure, shares, whole_share
from detectors.rush_hour.view import CameraView, first_view
from puzzles.rush_hour.lot import Lot, Pose, Vehicle


@dataclass(frozen=True, eq=False)
class _Seen:
    """What the pictures so far have shown: where the vehicles stand, the colours, and where exits are drawn."""

    places: tuple[Pose, ...]
    palette: LotPalette
    exits: ExitPlaces


def read_lot_series(
    pictures: Iterable[Picture | None], lot: Lot, config: LotConfig = LOT_CONFIG
) -> Iterator[LotStill | None]:
    """Reads the pictures of a series, (H, W, 3) each, in order; None for one that is none.

    Each starts from the state of the picture before, in the colours that were seen so far.
    """
    before: _Seen | None = None
    for pixels in pictures:
        if pixels is None:
            yield None
            continue
        still, seen = _read(pixels, lot, None, before, config)
        before = seen or before
        yield still


def read_lot_still(
    pixels: Picture, lot: Lot, reference: Picture | None = None, config: LotConfig = LOT_CONFIG
) -> LotStill:
    """Reads one picture of a lot.

    Parameters
    ----------
    pixels : (H, W, 3)
        The picture.
    lot
        The puzzle: its layout, with the vehicles at their first places.
    reference : (H', W', 3)
        A picture of the same look with all vehicles at their first places, from which the colours are learned; None if
        there is none, and then the stated ones are taken.
    config
        The settings.
    """
    return _read(pixels, lot, reference, None, config)[0]


def _read(
    pixels: Picture, lot: Lot, reference: Picture | None, before: _Seen | None, config: LotConfig
) -> tuple[LotStill, _Seen | None]:
    """Reads one picture; also returns what it shows for the next one, None where it shows no lot."""
    # What came before it may have drifted.
    config = replace(config, colors=replace(config.colors, known=config.colors.stated))
    border = find_border(pixels, lot, config, at_start=False)
    if border is None:
        nowhere = tuple(StillVehicle(v.label, False, v.pose.x, v.pose.y, v.pose.theta, 0.0) for v in lot.vehicles)
        return LotStill(0.0, None, nowhere, (), False, False), None
    view = first_view(border, lot, pixels.shape, config.view)
    picture = view.small(pixels)
    palette = _palette(picture, view, lot, reference, before, config)
    classes = ColorClasses(palette, config)
    shapes = [VehicleShape(vehicle, config.vehicles.shape) for vehicle in lot.vehicles]
    last = [v.pose for v in lot.vehicles] if before is None else list(before.places)
    # Again with the colours that the vehicles have in this picture.
    for _ in range(config.stills.rounds):
        labels = classes.classes(picture)
        found = _find(labels, view, lot, shapes, classes, last, config)
        classes.update(_colors(picture, labels, view, shapes, classes, found), classes.floor)
    places = [s.place if s is not None else first for s, first in zip(found, last, strict=True)]
    reader = SceneReader(labels, view, lot, palette, config, None if before is None else before.exits)
    scene = reader.read(labels, view, [(at,) for at in places])
    parts = [whole_share(labels, view, shapes[i], at, classes.alike[i]) for i, at in enumerate(places)]
    vehicles = tuple(
        StillVehicle(v.label, s is not None, at.x, at.y, at.theta, share if s is not None else 0.0)
        for v, s, at, share in zip(lot.vehicles, found, places, parts, strict=True)
    )
    change = config.events.change
    foreign = (scene.foreign_box,) if scene.foreign >= change.foreign_area and scene.foreign_box is not None else ()
    finder = LotRemainderFinder(lot, config.remainder, shapes)
    still = LotStill(
        border.seen,
        FrameBox(*(max(0, round(edge)) for edge in (border.left, border.top, border.right, border.bottom))),
        vehicles, foreign,
        min(scene.exits) >= change.exit_kept and scene.extra < change.exit_run,
        all(share >= change.obstacle_kept for share in scene.obstacles)
        and not has_gap(picture, view, lot, config.stills.sides),
        finder.find(picture, view, [(at,) for at in places]).things,
    )  # fmt: skip
    along = tuple(Pose(at.x, at.y, v.pose.theta) for at, v in zip(places, lot.vehicles, strict=True))
    return still, _Seen(along, replace(palette, vehicles=classes.vehicles), reader.drawn)


def _palette(
    picture: Picture, view: CameraView, lot: Lot, reference: Picture | None, before: _Seen | None, config: LotConfig
) -> LotPalette:
    stated = stated_palette(picture, view, lot, config)
    if before is not None:
        exits = before.palette.exit if before.palette.exit is not None else stated.exit
        return LotPalette(stated.floors, stated.dark, exits, before.palette.vehicles)
    border = find_border(reference, lot, config) if reference is not None else None
    if reference is None or border is None:
        return stated
    first = first_view(border, lot, reference.shape, config.view)
    learned = read_palette(first.small(reference), first, lot, config)
    return LotPalette(stated.floors, learned.dark, learned.exit, learned.vehicles)


def _find(
    labels: NDArray[np.uint8], view: CameraView, lot: Lot, shapes: list[VehicleShape], classes: ColorClasses,
    firsts: list[Pose], config: LotConfig,
) -> list[VehicleSighting | None]:  # fmt: skip
    """Finds the vehicles: those that stay first, then whole ones anywhere, then hidden ones along their axes."""
    stills = config.stills
    found: list[VehicleSighting | None] = [
        measure(labels, view, shape, first, classes.alike[place], stills.stays, config.vehicles)
        for place, (shape, first) in enumerate(zip(shapes, firsts, strict=True))
    ]
    # What shows only a part of a vehicle with nothing over it is part of one that stands beside.
    found = [s if s is not None and (s.whole or s.visible >= stills.sure) else None for s in found]
    for whole in (True, False):
        for place, vehicle in enumerate(lot.vehicles):
            if found[place] is not None:
                continue
            own = classes.alike[place]
            mask = own[labels].astype(np.uint8)
            for other, sighting in enumerate(found):
                if sighting is not None:
                    fill_body(mask, view, shapes[other], sighting.place, 0, config.tracks.claim)
            if whole:
                at = find_anywhere(mask, view, shapes[place], firsts[place], config.vehicles)
                best = min(at, key=lambda spot: _off_axis(vehicle, spot), default=None)
                if best is not None:
                    mine, other_share, _ = shares(labels, view, shapes[place], best, own)
                    found[place] = VehicleSighting(best, mine / max(1e-9, 1 - other_share), other_share, True)
            else:
                free = np.where(own[labels] & (mask == 0), 0, labels).astype(np.uint8)
                reach = max(lot.width, lot.height)
                found[place] = measure(free, view, shapes[place], firsts[place], own, reach, config.vehicles)
    return found


def _off_axis(vehicle: Vehicle, spot: Pose) -> float:
    """Returns how ill a place fits a vehicle: how far it is off the axis, and by how much it is turned."""
    x, y = spot.x - vehicle.pose.x, spot.y - vehicle.pose.y
    turned = abs(math.remainder(spot.theta - vehicle.pose.theta, math.pi))
    return abs(x * vehicle.axis[1] - y * vehicle.axis[0]) + turned


def _colors(
    picture: Picture, labels: NDArray[np.uint8], view: CameraView, shapes: list[VehicleShape], classes: ColorClasses,
    found: list[VehicleSighting | None],
) -> Floats:  # fmt: skip
    """Returns the vehicles' colours as they are seen."""
    colors = classes.vehicles.copy()
    for place, (shape, sighting) in enumerate(zip(shapes, found, strict=True)):
        if sighting is None:
            continue
        at = sighting.place
        spots = placed(shape.inside, at.x, at.y, at.theta)
        mine = classes.alike[place][sampled(labels, view, spots)]
        if mine.any():
            colors[place] = lab_of(sampled(picture, view, spots)[mine]).mean(axis=0, dtype=np.float64)
    return colors
