"""Features of pictures that went through a network already, so that candidates of one reference share its pass."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import Any

import numpy as np
from numpy.typing import NDArray

Key = tuple[str, tuple[int, ...], str]


class FeatureCache:
    """Keeps what was used last, up to a number of bytes. Several threads may use it.

    Parameters
    ----------
    max_bytes : int
        Most that all features take together. What is larger by itself is not kept.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, tuple[list[Any], int]] = OrderedDict()
        self._bytes = 0

    @property
    def bytes_kept(self) -> int:
        """What the features take that are kept now."""
        return self._bytes

    @staticmethod
    def key_of(picture: NDArray[np.uint8] | NDArray[np.floating]) -> Key:
        """What equal pictures have in common: kind, shape, and SHA-256 of the values."""
        digest = hashlib.sha256(np.ascontiguousarray(picture).data).hexdigest()
        return picture.dtype.str, picture.shape, digest

    def get(self, key: Key) -> list[Any] | None:
        """The features of a picture, if they are kept."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: Key, features: list[Any]) -> None:
        """Keeps the tensors of a picture; those that were used longest ago make room."""
        size = sum(tensor.element_size() * tensor.nelement() for tensor in features)
        with self._lock:
            if key in self._kept or size > self._max_bytes:
                return
            self._kept[key] = features, size
            self._bytes += size
            while self._bytes > self._max_bytes:
                _, (_, freed) = self._kept.popitem(last=False)
                self._bytes -= freed
