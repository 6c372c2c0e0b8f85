"""What searches over the states of a puzzle have in common."""

from __future__ import annotations


class StateLimitError(RuntimeError):
    """A search met more states than it may; whether there is a solution is not known."""
