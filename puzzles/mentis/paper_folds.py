"""Paper folds as MentisOculi has them: recipes, looks, and records as the public ones are, with the geometry."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from puzzles.amaze.recipes import MAX_SEED
from puzzles.common.lettering import Font
from puzzles.common.texture import Texture, TextureKind
from puzzles.mentis.writer import step_name
from puzzles.paper_fold.generator import LABELS, MAX_LEVEL, PaperFoldPuzzle, generate_paper_fold
from puzzles.paper_fold.patterns import LEAST_DIFFERENCE, RADIUS, difference
from puzzles.paper_fold.render import UnitSquare
from puzzles.paper_fold.style import FoldStyle

_Chosen = TypeVar("_Chosen")

_APART = 28
"""Levels by which paper is darker than the ground, at least."""
QUESTION_NAME = "combined.png"
QUESTION = "If you fold the paper as shown, punch holes, and unfold it, where will all the holes be?"

FOLD_STYLES: Mapping[str, FoldStyle] = MappingProxyType(
    {
        "published": FoldStyle(),
        "white": FoldStyle(front=(255, 255, 255), back=(226, 226, 226), edge_width=0.012),
        "dark": FoldStyle(
            ground=(24, 26, 34),
            front=(92, 108, 140),
            back=(120, 96, 120),
            edge=(220, 224, 232),
            hole=(24, 26, 34),
            rim=(220, 224, 232),
            ink=(220, 224, 232),
        ),
        "bare": FoldStyle(front=(168, 196, 170), back=(214, 206, 150), edge_width=0.0, rim_width=0.0),
        "dots": FoldStyle(hole=(30, 30, 36), rim=(30, 30, 36)),
        "margins": FoldStyle(sheet_share=0.6, ground=(240, 240, 240), hole=(240, 240, 240)),
        "paper": FoldStyle(
            ground=(246, 243, 236),
            front=(226, 204, 160),
            back=(206, 180, 136),
            hole=(246, 243, 236),
            texture=Texture(TextureKind.GRAIN, amplitude=4, period=0.006),
        ),
    }
)
"""Looks by name."""


def random_fold_style(seed: int) -> FoldStyle:
    """Return a look of its own for a seed: paper, edges, holes, margins."""
    dice = random.Random(seed)
    light = 225 + int(dice.random() * 31)
    ground = (light, light, light)
    front = tuple(light - _APART - int(dice.random() * 60) for _ in range(3))
    # Holes that show the ground have to be seen on either side.
    back = tuple(min(light - _APART, part + 14 + int(dice.random() * 20)) for part in reversed(front))
    dark = 20 + int(dice.random() * 50)
    rim = _pick(dice, (0.0, 0.006, 0.01))
    return FoldStyle(
        ground=ground,
        front=(front[0], front[1], front[2]),
        back=(back[0], back[1], back[2]),
        edge=(dark, dark, dark + 10),
        edge_width=0.004 + 0.008 * dice.random(),
        hole=_pick(dice, (ground, (dark, dark, dark))),
        rim=(dark, dark, dark),
        rim_width=rim,
        sheet_share=0.6 + 0.25 * dice.random(),
        font=_pick(dice, tuple(Font)),
    )


def _pick(dice: random.Random, choices: Sequence[_Chosen]) -> _Chosen:
    return choices[int(dice.random() * len(choices))]


@dataclass(frozen=True)
class PaperFoldRecipe:
    """A paper fold that can be made: level, its folds, 1 to 6; seed 0 to 9,999,999. Else ValueError."""

    level: int
    seed: int

    def __post_init__(self) -> None:
        for name, value, least, most in (("level", self.level, 1, MAX_LEVEL), ("seed", self.seed, 0, MAX_SEED)):
            if not least <= value <= most:
                raise ValueError(f"{name} must be from {least} to {most}, not {value}")

    @property
    def name(self) -> str:
        """Such as ``paper-fold-3-0000012``."""
        return f"paper-fold-{self.level}-{self.seed:07}"

    def puzzle(self) -> PaperFoldPuzzle:
        """Return the puzzle; RuntimeError if none was found from this seed."""
        return generate_paper_fold(self.level, self.seed)


def sheet_name(number: int) -> str:
    """Return the name of the picture of the sheet without holes after so many folds."""
    return f"sheet_{number:02}.png"


def paper_fold_record(puzzle: PaperFoldPuzzle, style: FoldStyle, side: int, puzzle_id: int) -> bytes:
    """Return a puzzle as JSON in UTF-8; the same arguments give the same bytes.

    Parameters
    ----------
    puzzle
        The puzzle.
    style, side
        As its pictures are drawn, which says where the sheet lies in them.
    puzzle_id
        What the record says of its place.
    """
    folds = len(puzzle.folds)
    frame = UnitSquare(side, style.sheet_share)
    left, top = frame.of([(0.0, 1.0)])[0].tolist()
    pairs = [
        {"answer_pair": [one, other], "distance": round(difference(puzzle.options[one], puzzle.options[other]), 4)}
        for other in range(len(puzzle.options))
        for one in range(other)
    ]
    record = {
        "puzzle_id": puzzle_id,
        "level": puzzle.level,
        "num_folds": folds,
        "fold_types": [fold.kind.value for fold in puzzle.folds],
        "combined_image": QUESTION_NAME,
        "cot_images": [step_name(number) for number in range(folds)],
        "correct_choice": puzzle.label,
        "correct_choice_index": LABELS.index(puzzle.label),
        "choices": list(LABELS),
        "question": QUESTION,
        "distinguishability_metrics": {
            "min_required_distance": LEAST_DIFFERENCE,
            "min_pairwise_distance": min(float(str(one["distance"])) for one in pairs),
            "all_pairwise_distances": pairs,
        },
        "folds": [{"line": one.kind.value, "offset": one.offset, "above": one.above} for one in puzzle.folds],
        "punches": [list(one) for one in puzzle.punches],
        "hole_radius": RADIUS,
        "sheet_images": [sheet_name(number) for number in range(folds + 1)],
        "sheet_frame": {"left_px": left, "top_px": top, "side_px": frame.scale},
        "options": [[list(hole) for hole in option] for option in puzzle.options],
        "mistakes": [None if one is None else {"mistake": one[0].value, "fold": one[1]} for one in puzzle.wrong],
    }
    return (json.dumps(record, indent=1) + "\n").encode("utf-8")
