"""Types of arrays that all puzzles use."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
"""Coordinates and coverages: float64 of any shape."""
