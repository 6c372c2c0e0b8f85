"""Tags of requests that mean something to the grader itself; all others are the caller's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

MISSING_TAG: Final = "missing"
"""Says that there is no answer to the puzzle: the request stands for it with an empty candidate, which is wrong."""
MISSING: Final = "true"
"""Its value."""

CONDITION_TAG: Final = "condition"
"""Says what a model was shown where the same puzzle is shown in several ways, such as ``image`` or ``text_grid``."""


def says_missing(tags: Iterable[tuple[str, str]]) -> bool:
    """Whether a request's tags say that it stands for an answer that is missing."""
    return (MISSING_TAG, MISSING) in tags
