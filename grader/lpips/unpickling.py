"""Reads arrays from a pickle without running anything that stands in it."""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np

# What numpy pickles an array with; old and new files name the module differently.
_RECONSTRUCT = np.empty(0).__reduce__()[0]
_ALLOWED = {
    ("numpy.core.multiarray", "_reconstruct"): _RECONSTRUCT,
    ("numpy._core.multiarray", "_reconstruct"): _RECONSTRUCT,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
}


class PickleRefusedError(Exception):
    """A pickle that is damaged, or asks for anything but plain containers and arrays."""


class _ArraysOnly(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        try:
            return _ALLOWED[module, name]
        except KeyError:
            raise PickleRefusedError(f"the pickle asks for {module}.{name}, which is not allowed") from None


def read_pickled_arrays(data: bytes) -> Any:
    """Unpickles containers, numbers, words and numpy arrays; everything else is refused before it is looked up.

    Parameters
    ----------
    data : bytes
        Compare its digest first: what is let through may still take any amount of memory.

    Returns
    -------
    object
        As pickled.

    Raises
    ------
    PickleRefusedError
        If anything else is asked for, or the pickle is damaged.
    """
    try:
        return _ArraysOnly(io.BytesIO(data)).load()
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise PickleRefusedError(f"the pickle is damaged: {error}") from error
