"""The kinds of questions, and what each asks. The words are this project's own."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final

Order = tuple[int, ...]
"""Numbers of the pieces, from 1, in the order top left, top right, bottom left, bottom right."""


class QuestionKind(enum.Enum):
    """What is asked. Two of the six tasks have an easy and a hard setting, and so a column each."""

    MISSING_PIECE_EASY = "missing_piece_easy"
    MISSING_PIECE_HARD = "missing_piece_hard"
    LOCALIZATION_EASY = "localization_easy"
    LOCALIZATION_HARD = "localization_hard"
    CONNECTION = "connection"
    ANOMALY = "anomaly"
    ORDER_RESTORATION = "order_restoration"
    ORDER_GENERATION = "order_generation"


class PieceChange(enum.Enum):
    """What was done to the piece of an anomaly."""

    ROTATED = "rotated"
    MIRRORED = "mirrored"

    @property
    def letter(self) -> str:
        """What it is answered with."""
        return "A" if self is PieceChange.ROTATED else "B"


LABELS: Final = {
    QuestionKind.MISSING_PIECE_EASY: "ABCD",
    QuestionKind.MISSING_PIECE_HARD: "ABCD",
    QuestionKind.LOCALIZATION_EASY: "AB",
    QuestionKind.LOCALIZATION_HARD: "ABCD",
    QuestionKind.CONNECTION: "ABC",
    QuestionKind.ORDER_RESTORATION: "ABCD",
}
"""The letters that can be answered; other kinds are answered with lines or a list."""
POSITIONS: Final = ("top left", "top right", "bottom left", "bottom right")
"""The quarters of a picture, A to D, in the order in which pieces are listed."""

_PIECES: Final = (
    "A photograph was cut through its middle, across and down, into four pieces: top left, top right, bottom left and "
    "bottom right. The four pictures are these pieces in another order, numbered 1 to 4 as they are given."
)
_ORDER: Final = (
    "Which picture belongs at the top left, the top right, the bottom left and the bottom right, in this order?"
)
_MISSING: Final = (
    "The first picture is a photograph with a piece missing; the place is left white. The other four pictures are "
    "candidates for it, A to D in the order in which they are given: A is the second picture, B the third, C the "
    "fourth, D the fifth. One of them fills the place without a break.\n\n"
    "Which one? Answer with its letter alone: A, B, C or D."
)
_TEXTS: Final = {
    QuestionKind.MISSING_PIECE_EASY: _MISSING,
    QuestionKind.MISSING_PIECE_HARD: _MISSING,
    QuestionKind.LOCALIZATION_EASY: (
        "The first picture is a photograph with two covered places, marked A and B. The second picture shows what lies "
        "under one of them.\n\nUnder which? Answer with its letter alone: A or B."
    ),
    QuestionKind.LOCALIZATION_HARD: (
        "The first picture is a photograph with four covered places, marked A, B, C and D. The second picture shows "
        "what lies under one of them.\n\nUnder which? Answer with its letter alone: A, B, C or D."
    ),
    QuestionKind.CONNECTION: (
        "A photograph was cut through its middle, across and down, into four pieces: top left, top right, bottom left "
        "and bottom right. The two pictures are two of these pieces, in either order. How did they lie?\n\n"
        "A. Side by side, left and right\nB. One above the other\nC. At opposite corners, without a common edge\n\n"
        "Answer with the letter alone: A, B or C."
    ),
    QuestionKind.ANOMALY: (
        "The picture is a photograph that was cut into four pieces and put together again: A is the piece at the top "
        "left, B at the top right, C at the bottom left, D at the bottom right. Either all pieces are as they were, or "
        "exactly one of them was rotated or mirrored.\n\n"
        "Answer with exactly three lines and nothing else:\n"
        "Judgment: A if all is as it was, B if not\n"
        "Error Position: the letter of the piece that was changed; nothing if none was\n"
        "Error Type: A if it was rotated, B if it was mirrored; nothing if none was"
    ),
    QuestionKind.ORDER_GENERATION: (
        f"{_PIECES} {_ORDER}\n\nAnswer with a Python list of the four numbers alone, in the form [3, 1, 4, 2]."
    ),
}


def question_text(kind: QuestionKind, options: Sequence[Order] = ()) -> str:
    """What a model is asked; ``options`` are the orders that an order restoration offers, A to D."""
    if kind is not QuestionKind.ORDER_RESTORATION:
        return _TEXTS[kind]
    listed = "\n".join(f"{letter}. {list(order)}" for letter, order in zip(LABELS[kind], options, strict=True))
    return f"{_PIECES} {_ORDER}\n\n{listed}\n\nAnswer with the letter alone: A, B, C or D."
