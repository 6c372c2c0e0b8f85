"""How folded chains are judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HingeFoldingSettings:
    """Nothing tunes it: an answer is right or wrong by the rules."""
