"""Chains with all that is needed to draw them rightly or wrongly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from benchmarks.accuracy.scenes import encoded
from benchmarks.cheats.subjects import Subject
from benchmarks.companions import BENEATH, UPON
from grader.model.jobs import TaskInput
from grader.tasks.hinge_folding.model import ChainPlaceInput, HingeFoldingInput, HingeTurnInput
from puzzles.common.raster import Picture, cover_polygon, new_coverage
from puzzles.hinge_folding.chain import Floats, folded
from puzzles.hinge_folding.generator import HingePuzzle, generate_hinges
from puzzles.hinge_folding.render import (
    ChainFrame,
    beside,
    draw_hinges,
    draw_pieces,
    frame_of,
    joints_of,
    render_chain,
    render_target,
)
from puzzles.hinge_folding.style import HINGE_STYLES, HingeStyle, colors_of, random_hinge_style


@dataclass(frozen=True, eq=False)
class ChainSubject(Subject):
    """A chain by its level and seed, in a style, with pictures of a side in pixels."""

    level: int
    seed: int
    style: HingeStyle
    side: int = 640

    @cached_property
    def puzzle(self) -> HingePuzzle:
        """The chain with its program."""
        return generate_hinges(self.level, self.seed)

    @property
    def colors(self) -> tuple[str, ...]:
        """Of each piece."""
        return colors_of(self.level + 1, self.seed)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the chain's picture."""
        return self.side, self.side

    @property
    def frame(self) -> ChainFrame:
        """Where the chain is."""
        return frame_of(self.puzzle.shapes, self.size, self.style.margin)

    def drawn(
        self, angles: tuple[float, ...], colors: tuple[str, ...] = (), style: HingeStyle | None = None
    ) -> Picture:
        """The chain with its hinges at angles in radians."""
        return render_chain(self.puzzle.shapes, angles, colors or self.colors, style or self.style, self.size)

    def laid(self, pieces: list[Floats], colors: tuple[str, ...] = (), style: HingeStyle | None = None) -> Picture:
        """Pieces by their corners in units, wherever they lie, with the discs of the right hinges where they belong."""
        look = style or self.style
        picture = self.ground()
        draw_pieces(
            picture,
            [self.frame.at(one) for one in pieces],
            colors or self.colors[: len(pieces)],
            look,
            self.frame.unit_px,
        )
        return picture

    def with_companions(self, dice: np.random.Generator, beneath: str = "", upon: str = "") -> Picture:
        """The right chain with companions, by their names in `benchmarks.companions`: beneath all of it, upon each."""
        pieces = [self.frame.at(one) for one in self.placed]
        covers = []
        for corners in pieces:
            covers.append(new_coverage(self.side, self.side))
            cover_polygon(covers[-1], corners[::-1])
        picture, unit = self.ground(), self.frame.unit_px
        if beneath:
            picture = BENEATH[beneath](picture, np.max(covers, axis=0), unit, dice)
        start = int(dice.integers(1 << 30))
        order = range(len(pieces)) if self.style.last_on_top else range(len(pieces))[::-1]
        for at in order:
            draw_pieces(picture, [pieces[at]], [self.colors[at]], self.style, unit)
            if upon:
                # The same light on all of them.
                picture = UPON[upon](picture, [covers[at]], unit, np.random.default_rng(start))
        return self.discs(picture, self.puzzle.angles)

    def discs(self, picture: Picture, angles: tuple[float, ...]) -> Picture:
        """Draws the discs of hinges in place."""
        draw_hinges(picture, self.frame.at(joints_of(self.puzzle.shapes, angles)), self.style, self.frame.unit_px)
        return picture

    def ground(self) -> Picture:
        """The picture without any piece: that of the silhouette in the colour of the ground."""
        style = replace(self.style, target=self.style.ground, target_line_width=0.0, texture=None)
        return render_target(self.puzzle.shapes, self.puzzle.angles, style, self.size)

    @property
    def placed(self) -> list[Floats]:
        """The corners of the pieces where they belong, in units."""
        return [one.copy() for one in folded(self.puzzle.shapes, self.puzzle.angles)]

    @cached_property
    def target(self) -> Picture:
        """The silhouette."""
        return render_target(self.puzzle.shapes, self.puzzle.angles, self.style, self.size)

    @cached_property
    def initial(self) -> Picture:
        """The chain before any turn."""
        return self.drawn((0.0,) * self.level)

    @property
    def input(self) -> Picture:
        """The question: the chain, and the silhouette beside it."""
        return beside(self.initial, self.target)

    @property
    def solution(self) -> Picture:
        """The folded chain, and the silhouette beside it."""
        return beside(self.drawn(self.puzzle.angles), self.target)

    @cached_property
    def task(self) -> TaskInput:
        """The chain, where it is in the question, and its program."""
        frame = self.frame
        return HingeFoldingInput(
            self.puzzle.shapes,
            tuple(HingeTurnInput(*turn) for turn in self.puzzle.turns),
            encoded(self.input),
            ChainPlaceInput(frame.unit_px, frame.x_px, frame.y_px),
        )


def chain_subject(level: int, seed: int, style: str = "") -> ChainSubject:
    """A chain in a named style, or in one of its own."""
    return ChainSubject(level, seed, HINGE_STYLES[style] if style else random_hinge_style(seed))


def moved(
    corners: Floats, about: Floats, angle: float = 0.0, scale: float = 1.0, by: tuple[float, float] = (0.0, 0.0)
) -> Floats:
    """Corners turned and scaled about a point, and moved."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray((corners - about) @ np.array([[cos, sin], [-sin, cos]]) * scale + about + by, np.float64)
