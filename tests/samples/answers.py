"""What the tests of answers share: a short way to write down what was read, and what is read of each task."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.answers.grammar.blank import BlankStep
from grader.answers.grammar.hinges import HingeTurn
from grader.answers.grammar.vehicles import SaidDirection, VehicleMove
from grader.answers.result import Parsed, Reading, Unread
from grader.answers.tasks import parse_form_board, parse_hinge_folding, parse_paper_fold, parse_rush_hour, parse_sliding

FIXTURES = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "mentisoculi"

PARSERS: dict[str, Callable[[str, Reading], Parsed[Any] | Unread]] = {
    "rush_hour": parse_rush_hour,
    "sliding": parse_sliding,
    "hinge_folding": parse_hinge_folding,
    "form_board": parse_form_board,
    "paper_fold": parse_paper_fold,
}


def short(result: Parsed[Any] | Unread) -> list[str] | str | None:
    """A+ for a move forward, A90 for a turn, up for a step; a list of these, a label, or None for what is unread."""
    if isinstance(result, Unread):
        return None
    return result.value if isinstance(result.value, str) else [_short(item) for item in result.value]


def _short(item: VehicleMove | BlankStep | HingeTurn | str) -> str:
    match item:
        case VehicleMove(label, direction):
            return label + ("+" if direction is SaidDirection.FORWARD else "-")
        case HingeTurn(hinge, angle_deg):
            return f"{hinge}{angle_deg}"
        case BlankStep():
            return item.value
    return item
