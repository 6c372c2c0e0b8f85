"""Form boards as MentisOculi has them: recipes, looks, and the public record, with the coordinates beside."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from puzzles.amaze.recipes import MAX_SEED
from puzzles.common.lettering import Font
from puzzles.common.texture import Texture, TextureKind
from puzzles.form_board.generator import MAX_LEVEL, FormBoardPuzzle, generate_form_board
from puzzles.form_board.layout import LaidOut
from puzzles.form_board.style import PALETTE, FormStyle
from puzzles.mentis.writer import INITIAL_NAME, step_name

_DIGITS = 4
"""Coordinates are written in pixels with so many digits."""
_FIRST_ID = 1

FORM_STYLES: Mapping[str, FormStyle] = MappingProxyType(
    {
        "published": FormStyle(),
        "bare": FormStyle(edge=None),
        "bold": FormStyle(outline_width=0.22, edge=(0, 0, 0), edge_width=0.14),
        "dark": FormStyle(ground=(26, 28, 36), outline=(230, 230, 230), edge=(240, 240, 240), letter=(235, 235, 235)),
        "grey": FormStyle(ground=(226, 228, 230), edge=(70, 70, 70), font=Font.OPENCV),
        "paper": FormStyle(
            ground=(246, 241, 228), edge=(64, 60, 56), texture=Texture(TextureKind.GRAIN, amplitude=6, period=0.08)
        ),
        "pastel": FormStyle(
            colors=tuple(tuple((3 * channel + 2 * 255) // 5 for channel in color) for color in PALETTE)  # type: ignore[misc]
        ),
    }
)
"""Looks of form boards by name."""


@dataclass(frozen=True)
class FormBoardRecipe:
    """A form board that can be made: its level, 1 to 8, is the number of pieces that fill it; seed 0 to 9,999,999.

    ValueError if a number is out of range.
    """

    level: int
    seed: int

    def __post_init__(self) -> None:
        for name, value, least, most in (("level", self.level, 1, MAX_LEVEL), ("seed", self.seed, 0, MAX_SEED)):
            if not least <= value <= most:
                raise ValueError(f"{name} must be from {least} to {most}, not {value}")

    @property
    def name(self) -> str:
        """Such as ``form-board-3-0000012``."""
        return f"form-board-{self.level}-{self.seed:07}"

    def puzzle(self) -> FormBoardPuzzle:
        """Return the board with what fills it; RuntimeError if none was found from this seed."""
        return generate_form_board(self.level, self.seed)


def form_style(name: str, seed: int) -> FormStyle:
    """A look by its name for a seed, which draws the colours; KeyError for an unknown name."""
    style = replace(FORM_STYLES[name], seed=seed)
    return style if style.texture is None else replace(style, texture=replace(style.texture, seed=seed))


def random_form_style(seed: int) -> FormStyle:
    """Return a look of its own for a seed: paper, outlines, letters, colours."""
    dice = random.Random(f"look of form board {seed}")
    dark = dice.random() < 0.2
    grey = int(20 + 30 * dice.random()) if dark else int(225 + 30 * dice.random())
    warm = int(10 * dice.random())
    ink = 225 + int(30 * dice.random()) if dark else int(60 * dice.random())
    edge = (ink, ink, ink) if dice.random() < 0.75 else None
    pale = 0.0 if dark or dice.random() < 0.6 else 0.4 * dice.random()
    colors = tuple(
        (round(r + pale * (255 - r)), round(g + pale * (255 - g)), round(b + pale * (255 - b))) for r, g, b in PALETTE
    )
    return FormStyle(
        ground=(grey, grey, grey - warm),
        outline=(ink, ink, ink),
        outline_width=0.1 + 0.12 * dice.random(),
        edge=edge,
        edge_width=0.05 + 0.09 * dice.random(),
        letter=(ink, ink, ink),
        font=tuple(Font)[int(3 * dice.random())],
        colors=colors,
        seed=seed,
    )


def form_board_record(puzzle: FormBoardPuzzle, laid: LaidOut, puzzle_id: int) -> bytes:
    """Return a form board as JSON in UTF-8, in the public form, with ``geometry`` added; the same bytes each time."""
    right = puzzle.labels
    labels = [piece.label for piece in puzzle.board.pieces]
    record = {
        "puzzle_id": puzzle_id,
        "shape_name": puzzle.shape,
        "level": puzzle.level,
        "combined_image": INITIAL_NAME,
        "cot_images": [step_name(number) for number in range(len(right))],
        "pieces": [
            {"piece_id": number, "is_solution": label in right, "label": label}
            for number, label in enumerate(labels, _FIRST_ID)
        ],
        "question": "Which pieces in (2) are necessary to form the figure of (1)?",
        "solution_pieces": list(right),
        "num_solution_pieces": len(right),
        "geometry": {
            "width_px": laid.size[0],
            "height_px": laid.size[1],
            "silhouette": [_point(corner) for corner in laid.board.silhouette],
            "pieces": {piece.label: [_point(corner) for corner in piece.corners] for piece in laid.board.pieces},
            "moves": {label: _point(laid.solution.offsets[label]) for label in puzzle.order},
        },
    }
    return (json.dumps(record, indent=1) + "\n").encode("utf-8")


def _point(point: tuple[float, float]) -> list[float]:
    return [round(point[0], _DIGITS), round(point[1], _DIGITS)]
