"""How pictures are compared: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CompareSettings:
    """How pictures are compared."""
