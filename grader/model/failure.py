"""How a candidate failed, in the few words that tables need. Each reason's declaration says which it stands for.

The first two are those of AMAZE [1]_; the rest are ends that a person keeps apart from them.

References
----------
.. [1] "Probing Visual Planning in Image Editing Models" (AMAZE), section 3.5: constraint violation and incomplete
   solution.
"""

from __future__ import annotations

import enum


class FailureMode(enum.Enum):
    """How a candidate failed, in words for tables. The order is that of columns and colours."""

    CONSTRAINT_VIOLATION = "constraint violation"
    INCOMPLETE_SOLUTION = "incomplete solution"
    ALTERED_PUZZLE = "altered puzzle"
    WRONG_FORM = "wrong form"
    NO_ANSWER = "no answer"
    UNREADABLE = "unreadable file"
    BELOW_THRESHOLD = "below the threshold"
    UNKNOWN = "unknown code"

    @property
    def meaning(self) -> str:
        """A sentence for people."""
        return _MEANINGS[self]


_MEANINGS = {
    FailureMode.CONSTRAINT_VIOLATION: "A rule is broken: through a wall, off the right way, queens in conflict, a move "
    "that can't be made.",
    FailureMode.INCOMPLETE_SOLUTION: "Part of the answer is missing: a gap, an end or a goal not reached, too few "
    "queens.",
    FailureMode.ALTERED_PUZZLE: "The puzzle itself was changed, covered, or is another one.",
    FailureMode.WRONG_FORM: "Something was drawn or written, but not in the form that was asked for.",
    FailureMode.NO_ANSWER: "The puzzle came back with no answer drawn, or nothing that is one was written.",
    FailureMode.UNREADABLE: "The candidate does not decode or is over a limit (UNGRADABLE).",
    FailureMode.BELOW_THRESHOLD: "Right by the rules, and below what was fitted to people's labels.",
    FailureMode.UNKNOWN: "A code that this version of the report does not know.",
}
