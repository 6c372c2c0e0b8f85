"""Chains on hinges as MentisOculi has them: what an instance is made from, and its public record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from puzzles.amaze.recipes import MAX_SEED
from puzzles.hinge_folding.generator import MAX_LEVEL, HingePuzzle, generate_hinges
from puzzles.hinge_folding.render import ChainFrame
from puzzles.mentis.writer import INITIAL_NAME, TARGET_NAME, step_name

COMBINED_NAME = "combined.png"


@dataclass(frozen=True)
class HingeRecipe:
    """A chain that can be made: its level, 1 to 8, is its number of hinges; seed 0 to 9,999,999. Else ValueError."""

    level: int
    seed: int

    def __post_init__(self) -> None:
        for name, value, least, most in (("level", self.level, 1, MAX_LEVEL), ("seed", self.seed, 0, MAX_SEED)):
            if not least <= value <= most:
                raise ValueError(f"{name} must be from {least} to {most}, not {value}")

    @property
    def name(self) -> str:
        """Such as ``hinge-folding-3-0000012``."""
        return f"hinge-folding-{self.level}-{self.seed:07}"

    def puzzle(self) -> HingePuzzle:
        """Returns the chain with its program; RuntimeError if none was found from this seed."""
        return generate_hinges(self.level, self.seed)


def hinge_record(puzzle: HingePuzzle, colors: Sequence[str], frame: ChainFrame) -> bytes:
    """Returns a chain as JSON in UTF-8; the same arguments give the same bytes.

    Beside what the public records have it says where the chain is in its pictures (``frame``), for drawn answers.

    Parameters
    ----------
    puzzle : HingePuzzle
    colors : sequence of str
        Of each piece.
    frame : ChainFrame
        Of the question's picture.
    """
    turns = puzzle.turns
    record = {
        "puzzle_id": puzzle.seed,
        "level": puzzle.level,
        "seed": puzzle.seed,
        "num_pieces": len(puzzle.shapes),
        "num_hinges": puzzle.level,
        "shape_chain": [shape.value for shape in puzzle.shapes],
        "rotation_angles": [angle for _, angle in turns],
        "rotation_steps": [{"hinge_id": hinge, "angle": angle} for hinge, angle in turns],
        "rotation_sequence": answer_of(puzzle),
        "piece_colors": list(colors),
        "initial_image": INITIAL_NAME,
        "target_image": TARGET_NAME,
        "combined_image": COMBINED_NAME,
        "cot_images": [step_name(number) for number in range(puzzle.level)],
        "frame": {"unit_px": frame.unit_px, "x_px": frame.x_px, "y_px": frame.y_px},
    }
    return (json.dumps(record, indent=1) + "\n").encode("utf-8")


def answer_of(puzzle: HingePuzzle) -> str:
    """The program as an answer in words, such as ``A 90, B 270``."""
    return ", ".join(f"{hinge} {angle}" for hinge, angle in puzzle.turns)
