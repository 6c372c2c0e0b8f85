"""Random numbers that depend on a name alone, so that any case can be built again by itself."""

from __future__ import annotations

import hashlib

import numpy as np


def number_of(name: str) -> int:
    """A whole number from 0 to 2^64 - 1 that is the same for the same name on every machine."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")


def dice_of(name: str) -> np.random.Generator:
    """A random generator that depends on a name alone."""
    return np.random.default_rng(number_of(name))
