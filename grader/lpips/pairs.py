"""Pairs of pictures that LPIPS is measured of, and their way between processes; see `grader.lpips.messages`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.lpips.messages import HEADER_BYTES, PairHeader, read_header, write_header
from grader.lpips.nets import LpipsNet


@dataclass(frozen=True)
class PicturePair:
    """What is compared.

    Attributes
    ----------
    candidate, reference : (H, W, 3) RGB, both uint8, or both floating in [0, 1]
    kept : (H, W) bool, the pixels that count; None for all
    """

    candidate: NDArray[np.uint8] | NDArray[np.floating]
    reference: NDArray[np.uint8] | NDArray[np.floating]
    kept: NDArray[np.bool_] | None = None


def write_pair(net: LpipsNet, pair: PicturePair, *, before: bytes = b"") -> bytes:
    """A pair of uint8 pictures as a message, after the bytes ``before``."""
    height, width = pair.candidate.shape[:2]
    header = write_header(net, height, width, masked=pair.kept is not None)
    arrays = [pair.candidate, pair.reference] if pair.kept is None else [pair.candidate, pair.reference, pair.kept]
    return b"".join([before, header, *(np.ascontiguousarray(array).data for array in arrays)])


def read_pair(message: bytes | memoryview) -> tuple[PairHeader, PicturePair]:
    """A message back as what it asks for and the pair; raises `MessageError` as `read_header` does."""
    header = read_header(message)
    shape = header.height_px, header.width_px
    pixels = shape[0] * shape[1]
    values = np.frombuffer(message, np.uint8, offset=HEADER_BYTES)
    candidate, reference = (values[start : start + 3 * pixels].reshape(*shape, 3) for start in (0, 3 * pixels))
    kept: NDArray[np.bool_] | None = values[6 * pixels :].reshape(shape) != 0 if header.masked else None
    return header, PicturePair(candidate, reference, kept)
