"""Holds a picture against a chain that was read from it: its pieces as they are given, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from detectors.hinge_folding.config import ChainConfig
from detectors.hinge_folding.exact.cast import CastShade, find_cast, without_cast
from detectors.hinge_folding.exact.close import (
    CloseView,
    codes_of,
    colors_of_pieces,
    look_closely,
    owners_of,
)
from detectors.hinge_folding.exact.config import CastConfig, ExactConfig
from detectors.hinge_folding.exact.corners import cut_corners
from detectors.hinge_folding.exact.discs import GivenDisc
from detectors.hinge_folding.exact.edges import OutlineFit, SeenOutlines, WholeFit, fit_pieces, fit_whole, see_outlines
from detectors.hinge_folding.exact.left import LeftThing, find_left
from detectors.hinge_folding.exact.light import light_on_pieces, without_light
from detectors.hinge_folding.fits import joint_of
from detectors.hinge_folding.plan import corners_of
from detectors.hinge_folding.view import Field, Floats, Pixels
from puzzles.hinge_folding.chain import HingeShape, outline_of


@dataclass(frozen=True, eq=False)
class ExactCheck:
    """How exactly a chain is there.

    Attributes
    ----------
    poses : of each piece its centre in pixels of the picture and its angle, where it is seen
    colors : of each piece, where it lies alone
    ground : its colour
    fits : how the outline of each lies to where it was laid
    cut : pieces, from 0, of which a corner is cut off
    left : what is neither a piece nor ground, boxes in pixels of the picture
    line : width of outlines, in units
    unit : pixels of a unit in the picture, across and down
    box : (left, top, right, bottom) of what was looked at, in pixels of the picture
    """

    poses: Floats
    colors: tuple[Floats, ...]
    ground: Floats
    fits: tuple[OutlineFit, ...]
    cut: tuple[int, ...]
    left: tuple[LeftThing, ...]
    line: float
    unit: tuple[float, float]
    box: tuple[float, float, float, float]


def check_exactly(
    picture: Pixels,
    shapes: Sequence[HingeShape],
    poses: Floats,
    unit: tuple[float, float],
    disc: GivenDisc,
    around: tuple[float, float, float, float],
    config: ChainConfig,
) -> ExactCheck:
    """Checks a chain at poses in pixels of a picture, (H, W, 3) uint8 RGB.

    ``unit`` is its size there, ``disc`` the discs at its hinges as they were given, ``around`` the box
    within which nothing else may be.
    """
    asked, laid = _Asked(picture, shapes, disc, around, config), LaidAt(poses, unit)
    exact = config.exact
    checked, fitted = _checked(asked, laid, None)
    # Either place may have been drawn away by what the chain casts.
    places = [laid, fitted]
    for _ in range(exact.cast.rounds):
        if not _doubtful(checked, exact):
            break
        casts = [(_cast_from(asked, place), place) for place in places]
        cast, place = max(casts, key=lambda one: 0.0 if one[0] is None else one[0].shade.explained)
        if cast is None:
            break
        checked, fitted = _checked(asked, place, cast)
        places = [fitted]
    if _doubtful(checked, exact):
        # Pieces that are lit alike look as if something were drawn on them.
        lit, _ = _checked(asked, laid, cast, checked.line)
        if not _doubtful(lit, exact):
            return lit
    return checked


@dataclass(frozen=True, eq=False)
class _Asked:
    """What `check_exactly` is asked, but for where the chain is."""

    picture: Pixels
    shapes: Sequence[HingeShape]
    disc: GivenDisc
    around: tuple[float, float, float, float]
    config: ChainConfig

    def outlines(self, poses: Floats, unit: float) -> list[Floats]:
        """The corners of pieces at poses in pixels."""
        return [corners_of(shape, pose, unit) for shape, pose in zip(self.shapes, poses, strict=True)]

    def discs(self, poses: Floats, unit: float) -> list[tuple[float, float, float]]:
        """Where discs may be, (x, y, radius) in pixels."""
        exact, shapes = self.config.exact, self.shapes
        radius = max(exact.least_disc, self.disc.radius + exact.disc) * unit
        joints = [joint_of(poses[at], outline_of(shapes[at]).right, unit) for at in range(len(shapes) - 1)]
        return [(float(x), float(y), radius) for x, y in joints]


@dataclass(frozen=True, eq=False)
class LaidAt:
    """Where a chain is in a picture: its poses in pixels, and those of a unit, across and down."""

    poses: Floats
    unit: tuple[float, float]


@dataclass(frozen=True, eq=False)
class _Cast:
    """A shade that a chain casts, with the width of its outlines in units, and whether it has any."""

    shade: CastShade
    line: float
    lined: bool


def _cast_from(asked: _Asked, place: LaidAt) -> _Cast | None:
    """What a chain casts from where it was laid."""
    laid, exact = _laid(asked, place, None, None), asked.config.exact
    rules = exact.cast
    seen, ground = laid.seen, laid.colors[-1]
    # What may be a shade along edges is looked at.
    line = seen.line if _is_lined(seen.ink, ground, rules.strongest, rules) else 0.0
    close = laid.close
    owner = owners_of(close, codes_of(close, asked.outlines(laid.poses, close.unit)), laid.colors, exact)
    shade = find_cast(close, owner, ground, line, asked.discs(laid.poses, close.unit), rules)
    if shade is None:
        return None
    return _Cast(shade, seen.line, _is_lined(seen.ink, shade.ground, shade.strength, rules, lighter=shade.lighter))


def _doubtful(checked: ExactCheck, config: ExactConfig) -> bool:
    """Whether anything is left, or an outline is not where it has to be."""
    if checked.cut or any(not one.mark for one in checked.left):
        return True
    return any(fit.run > config.run or abs(fit.grown) > config.apart_size for fit in checked.fits)


def _is_lined(
    ink: Floats | None, ground: Floats, strength: float, config: CastConfig, *, lighter: bool = False
) -> bool:
    """Whether what lies along edges is a line, and not the ground in a shade that is at most so strong."""
    if ink is None:
        return False
    goal = 255.0 if lighter else 0.0  # not a threshold: white, or black
    axis = goal - ground
    share = float(np.clip((ink - ground) @ axis / max(1.0, float(axis @ axis)), 0, strength))
    return float(np.abs(ink - ground - share * axis).max()) > config.near


def _checked(asked: _Asked, place: LaidAt, cast: _Cast | None, line: float | None = None) -> tuple[ExactCheck, LaidAt]:
    """What is seen of a chain, and where it was laid; a shade that it casts is taken off before.

    So is the light on its pieces where the width of their outlines, in units, is given.
    """
    shapes, disc, around, config = asked.shapes, asked.disc, asked.around, asked.config
    exact = config.exact
    laid = _laid(asked, place, cast, line)
    for _ in range(exact.whole_rounds):
        fit = fit_whole(laid.seen, laid.poses[0, :2], laid.close.unit, exact)
        if not fit.matters:
            break
        place = _fitted(place, fit)
        laid = _laid(asked, place, cast, line)
    close = laid.close
    fits = fit_pieces(laid.seen, len(shapes), close.unit, exact)
    refined = _refined(laid.poses, fits, close.unit)
    if any(max(abs(fit.turned), *map(abs, fit.moved)) > exact.again for fit in fits):
        # From where they are then more of their outlines is seen.
        laid = _looked(close, asked, refined, line)
        fits = fit_pieces(laid.seen, len(shapes), close.unit, exact)
        refined = _refined(laid.poses, fits, close.unit)
    outlines = asked.outlines(refined, close.unit)
    owner = owners_of(close, codes_of(close, outlines), laid.colors, exact)
    if laid.light is not None:
        close = replace(close, pixels=without_light(close.pixels, owner, laid.colors, laid.light))
    # Of a piece of which hardly any edge is seen it is not known where its corners are.
    told = {at for at, fit in enumerate(fits) if np.isfinite(fit.unsure)}
    cut = tuple(at for at in cut_corners(close, owner, laid.colors, shapes, refined, exact) if at in told)
    discs = asked.discs(refined, close.unit)
    ends = (close.at(np.array(around[:2])), close.at(np.array(around[2:])))
    things = [
        replace(
            one,
            left=float(one.left / close.scale[0] + close.origin[0]),
            top=float(one.top / close.scale[1] + close.origin[1]),
            width=float(one.width / close.scale[0]),
            height=float(one.height / close.scale[1]),
        )
        for one in find_left(
            close,
            owner,
            len(shapes),
            ends,
            discs,
            disc.contrast,
            laid.seen.line * close.unit,
            laid.seen.ink,
            config.left,
            outlines,
        )
    ]
    size = np.array(owner.shape[::-1]) / close.scale
    left_px, top_px, right_px, bottom_px = (float(value) for value in (*close.origin, *(close.origin + size)))
    there = np.column_stack([refined[:, :2] / close.scale + close.origin, refined[:, 2]])
    checked = ExactCheck(
        there,
        tuple(laid.colors[:-1]),
        laid.colors[-1],
        fits,
        cut,
        tuple(things),
        0.0 if laid.seen.ink is None else laid.seen.line,
        place.unit,
        (left_px, top_px, right_px, bottom_px),
    )
    return checked, place


@dataclass(frozen=True, eq=False)
class _Laid:
    """A chain laid onto a part of a picture: its poses, colours and light there, and its outlines."""

    close: CloseView
    poses: Floats
    colors: Floats
    seen: SeenOutlines
    light: Field | None


def _laid(asked: _Asked, place: LaidAt, cast: _Cast | None, line: float | None) -> _Laid:
    poses, unit, config = place.poses, place.unit, asked.config
    upright = [np.array([0.0, 0.0, pose[2]]) for pose in poses]
    rough = [
        pose[:2] + corners_of(shape, turned, 1.0) * unit
        for shape, pose, turned in zip(asked.shapes, poses, upright, strict=True)
    ]
    close = look_closely(asked.picture, rough, unit, config.exact, config.view)
    placed = np.column_stack([close.at(poses[:, :2]), poses[:, 2]])
    return _looked(close if cast is None else _without(close, asked, placed, cast), asked, placed, line)


def _without(close: CloseView, asked: _Asked, placed: Floats, cast: _Cast) -> CloseView:
    """A view without the shade that a chain casts."""
    exact, outlines = asked.config.exact, asked.outlines(placed, close.unit)
    codes = codes_of(close, outlines)
    colors = colors_of_pieces(close, codes, outlines, exact)
    owner = owners_of(close, codes, colors, exact)
    zone = asked.config.left.edge_px + exact.near * close.unit
    zone += cast.line / 2 * close.unit if cast.lined else 0.0
    discs = asked.discs(placed, close.unit)
    return replace(close, pixels=without_cast(close, owner, colors, cast.shade, zone, discs, lined=cast.lined))


def _looked(close: CloseView, asked: _Asked, placed: Floats, line: float | None) -> _Laid:
    exact, outlines = asked.config.exact, asked.outlines(placed, close.unit)
    codes = codes_of(close, outlines)
    colors = colors_of_pieces(close, codes, outlines, exact)
    discs = asked.discs(placed, close.unit) if asked.disc.radius else []
    owner = owners_of(close, codes, colors, exact)
    light = None
    if line is not None:
        rules = asked.config.left
        hinges = asked.discs(placed, close.unit)
        light = light_on_pieces(close, owner, colors, outlines, line, hinges, rules.light, rules.companions)
    seen = see_outlines(close, owner, colors, asked.shapes, placed, discs, exact, light)
    return _Laid(close, placed, colors, seen, light)


def _fitted(place: LaidAt, fit: WholeFit) -> LaidAt:
    """A chain that is moved, turned about its first piece's centre, and resized as a whole."""
    poses, unit = place.poses, place.unit
    cos, sin = np.cos(fit.turned), np.sin(fit.turned)
    first, down = poses[0, :2], np.array([1.0, -1.0])
    away = (poses[:, :2] - first) / unit @ np.array([[cos, -sin], [sin, cos]])  # y down
    grown = (unit[0] * fit.grown[0], unit[1] * fit.grown[1])
    places = first + fit.moved * down * unit + away * grown
    return LaidAt(np.column_stack([places, poses[:, 2] + fit.turned]), grown)


def _refined(poses: Floats, fits: Sequence[OutlineFit], unit: float) -> Floats:
    """Poses moved and turned to where outlines are seen."""
    refined = poses.copy()
    for pose, fit in zip(refined, fits, strict=True):
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        along, up = fit.moved
        pose += (unit * (cos * along - sin * up), -unit * (sin * along + cos * up), fit.turned)
    return refined
