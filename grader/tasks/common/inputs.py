"""Decoding and checking what tasks are given. Every fault names its field and says what to do."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from grader.media.pictures import MediaError, MediaLimits, decode_image, decode_labels, decode_mask
from grader.model.errors import FieldViolation, InvalidRequestError

T = TypeVar("T")


class Inputs:
    """Gathers the faults of one request, so that a caller learns of all of them at once."""

    def __init__(self, limits: MediaLimits) -> None:
        self.limits = limits
        self._violations: list[FieldViolation] = []

    def fault(self, field: str, reason: str, description: str) -> None:
        """Notes a fault."""
        self._violations.append(FieldViolation(field, reason, description))

    def check(self) -> None:
        """Raises InvalidRequestError if any fault was noted."""
        if self._violations:
            raise InvalidRequestError(*self._violations)

    def checked(self, value: T | None) -> T:
        """What was read of a required field, once no fault was noted."""
        self.check()
        if value is None:
            raise ValueError("what is missing was not noted as a fault")
        return value

    def picture(self, field: str, data: bytes | None, *, required: bool = True) -> NDArray[np.uint8] | None:
        """Decodes a picture, (H, W, 3) uint8 RGB; None where it is missing or faulty."""
        if not self._present(field, data, required) or data is None:
            return None
        try:
            return decode_image(data, self.limits).pixels
        except MediaError as error:
            self.fault(field, error.reason.value, str(error))
            return None

    def same_size(self, field: str, extra: NDArray[np.generic] | None, picture: NDArray[np.uint8]) -> None:
        """Notes a fault where an optional picture is not of the puzzle's size."""
        if extra is not None and extra.shape[:2] != picture.shape[:2]:
            have, want = f"{extra.shape[1]}x{extra.shape[0]}", f"{picture.shape[1]}x{picture.shape[0]}"
            self.fault(field, "SIZE_MISMATCH", f"it is {have} and what it belongs to {want}; give them in one size")

    def labels(self, field: str, data: bytes | None, *, required: bool = True) -> NDArray[np.int32] | None:
        """Decodes a cell map, (H, W) int32; None where it is missing or faulty."""
        if not self._present(field, data, required) or data is None:
            return None
        try:
            return decode_labels(data, self.limits)
        except MediaError as error:
            self.fault(field, error.reason.value, str(error))
            return None

    def mask(self, field: str, data: bytes | None) -> NDArray[np.bool_] | None:
        """Decodes an optional mask, (H, W) bool; None where it is missing or faulty."""
        if not self._present(field, data, False) or data is None:
            return None
        try:
            return decode_mask(data, self.limits)
        except MediaError as error:
            self.fault(field, error.reason.value, str(error))
            return None

    def _present(self, field: str, data: bytes | None, required: bool) -> bool:
        if data is None and required:
            self.fault(field, "MISSING", "set this picture's data or uri")
        return data is not None
