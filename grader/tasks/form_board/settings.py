"""How form boards are judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FormBoardSettings:
    """Nothing tunes it: an answer is right or wrong by the rules."""
