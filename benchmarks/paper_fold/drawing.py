"""Unfolded sheets as a model might draw them: holes of many looks, at places that are known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from benchmarks.accuracy.scenes import encoded
from benchmarks.companions import BENEATH, UPON, Cover
from grader.tasks.paper_fold.model import PaperFoldInput, SheetFrame
from puzzles.common.raster import Color, Picture
from puzzles.paper_fold.generator import LABELS, PaperFoldPuzzle
from puzzles.paper_fold.patterns import RADIUS
from puzzles.paper_fold.render import UnitSquare, render_sheet
from puzzles.paper_fold.rules import Point
from puzzles.paper_fold.style import FoldStyle

_SUBPIXEL_BITS = 4
_WITHIN = 0.93
"""Share of a hole's radius within its rim."""


@dataclass(frozen=True)
class HoleLook:
    """How holes are drawn; the defaults are the sheet's own holes.

    Attributes
    ----------
    fill : colour within; None for the sheet's own hole
    rim : colour of the line around; None for the sheet's own
    rim_width : in radii; None for the sheet's own
    radius : times the radius
    opacity : 0 to 1
    aspect : width over height
    astray : largest offset of the middle, in radii
    hollow : whether only the line is drawn
    soft : blur of the holes, in radii
    beneath, upon : companions of all of them, by their names in `benchmarks.companions`
    """

    fill: Color | None = None
    rim: Color | None = None
    rim_width: float | None = None
    radius: float = 1.0
    opacity: float = 1.0
    aspect: float = 1.0
    astray: float = 0.0
    hollow: bool = False
    soft: float = 0.0
    beneath: str = ""
    upon: str = ""


@dataclass(frozen=True, eq=False)
class DrawnSheet:
    """A puzzle in a look, at a size: what is asked, and what can be drawn of it."""

    puzzle: PaperFoldPuzzle
    style: FoldStyle
    side: int

    @property
    def frame(self) -> UnitSquare:
        """Where the unit square lies."""
        return UnitSquare(self.side, self.style.sheet_share)

    @property
    def radius_px(self) -> float:
        """Of a hole."""
        return RADIUS * self.frame.scale

    @cached_property
    def flat(self) -> Picture:
        """The unfolded sheet without holes."""
        return render_sheet(self.puzzle.sheets[0], (), self.style, self.side)

    @cached_property
    def task(self) -> PaperFoldInput:
        """The request's puzzle and truth, with the pictures of all states."""
        left, top = self.frame.of([(0.0, 1.0)])[0].tolist()
        states = [render_sheet(one, (), self.style, self.side) for one in self.puzzle.sheets]
        return PaperFoldInput(
            labels=tuple(LABELS),
            solution=self.puzzle.label,
            folds=self.puzzle.folds,
            punches=self.puzzle.punches,
            hole_radius=RADIUS,
            sheets=tuple(encoded(one) for one in states),
            frame=SheetFrame(left, top, self.frame.scale),
        )

    def holes(
        self,
        places: list[Point] | tuple[Point, ...],
        look: HoleLook,
        dice: np.random.Generator,
        on: Picture | None = None,
    ) -> Picture:
        """Holes at places of the unit square, on the flat sheet or another picture."""
        base = (self.flat if on is None else on).copy()
        covers = [self._cover(one, look.radius) for one in places]
        length = 3 * self.radius_px
        if look.beneath and covers:
            base = BENEATH[look.beneath](base, np.max(covers, axis=0), length, dice)
        drawn = base.copy()
        one = 1 << _SUBPIXEL_BITS
        fill = self.style.hole if look.fill is None else look.fill
        rim = self.style.rim if look.rim is None else look.rim
        width = self.style.rim_width / RADIUS if look.rim_width is None else look.rim_width
        for x, y in self.frame.of(places).tolist() if places else []:
            angle, away = dice.uniform(0, 2 * np.pi), look.astray * self.radius_px * dice.uniform()
            middle = (round((x + away * np.cos(angle) - 0.5) * one), round((y + away * np.sin(angle) - 0.5) * one))
            radius = look.radius * self.radius_px
            axes = (round(radius * np.sqrt(look.aspect) * one), round(radius / np.sqrt(look.aspect) * one))
            turn = float(dice.uniform(0, 180)) if look.aspect != 1 else 0.0
            if not look.hollow:
                cv2.ellipse(drawn, middle, axes, turn, 0, 360, fill, -1, cv2.LINE_AA, _SUBPIXEL_BITS)
            if width > 0:
                line = max(1, round(width * self.radius_px))
                cv2.ellipse(drawn, middle, axes, turn, 0, 360, rim, line, cv2.LINE_AA, _SUBPIXEL_BITS)
        if look.upon:
            drawn = UPON[look.upon](drawn, covers, length, dice)
        if look.soft:
            drawn = np.asarray(cv2.GaussianBlur(drawn, (0, 0), max(0.4, look.soft * self.radius_px)), np.uint8)
            away = (np.abs(drawn.astype(np.int16) - cv2.GaussianBlur(base, (0, 0), 0.5))).max(axis=2) > 3
            near = cv2.dilate(_spots(self, places).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
            drawn = np.where((near & away)[..., None], drawn, base)
        return np.asarray(cv2.addWeighted(drawn, look.opacity, base, 1 - look.opacity, 0), np.uint8)

    def _cover(self, place: Point, radius: float) -> Cover:
        """How much of each pixel a hole covers within its rim."""
        found = np.zeros((self.side, self.side), np.uint8)
        one = 1 << _SUBPIXEL_BITS
        x, y = (round((part - 0.5) * one) for part in self.frame.of([place])[0].tolist())
        cv2.circle(found, (x, y), round(_WITHIN * radius * self.radius_px * one), 255, -1, cv2.LINE_AA, _SUBPIXEL_BITS)
        return np.asarray(found, np.float32) / np.float32(255)


def _spots(
    sheet: DrawnSheet, places: list[Point] | tuple[Point, ...]
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    found = np.zeros((sheet.side, sheet.side), np.uint8)
    for x, y in sheet.frame.of(places).tolist() if places else []:
        cv2.circle(found, (round(x), round(y)), round(1.6 * sheet.radius_px), 1, -1)
    return found > 0
