"""Settings of judges of plans: how exactly things have to be shown."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class StepTolerance:
    """How exactly pictures are to be drawn.

    Attributes
    ----------
    still : a vehicle that is displaced by no more, in units of the lot, stands where it stood
    contact : how far from the contact a move may end, in units of the lot
    aside : how far a vehicle may stand off its axis, in units of the lot
    turned_rad : how far it may be turned
    whole : a vehicle of which less shows, as a share of its area, is not the puzzle's
    """

    still: float = 0.2
    contact: float = 0.2
    aside: float = 0.25
    turned_rad: float = math.radians(12.0)
    whole: float = 0.85
