"""What is wrong with a geometric input: which field, which rule, and what to do. Tasks make field violations of it."""

from __future__ import annotations

import enum


class GeometryFault(enum.Enum):
    """The rule that an input breaks; the values are stable and go into field violations as they are."""

    WRONG_SHAPE = "WRONG_SHAPE"
    NOT_FINITE = "NOT_FINITE"
    OUT_OF_RANGE = "OUT_OF_RANGE"
    NOT_ORTHONORMAL = "NOT_ORTHONORMAL"
    REFLECTION = "REFLECTION"
    ZERO_QUATERNION = "ZERO_QUATERNION"
    DEGENERATE_AXES = "DEGENERATE_AXES"
    ZERO_SIZE = "ZERO_SIZE"
    NOT_A_CAMERA = "NOT_A_CAMERA"
    OTHER_PICTURE_SIZE = "OTHER_PICTURE_SIZE"
    DEGENERATE_EDIT = "DEGENERATE_EDIT"
    EMPTY_LABEL = "EMPTY_LABEL"


class GeometryError(ValueError):
    """An input that can't be measured.

    Parameters
    ----------
    field : str
        The path of what is wrong, relative to what the raising function was given, such as ``size`` or ``rotation``.
    reason : GeometryFault
        The rule that is broken.
    description : str
        A sentence with the value that was found and what to give instead.
    """

    def __init__(self, field: str, reason: GeometryFault, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.reason = reason
        self.description = description

    def within(self, prefix: str) -> GeometryError:
        """The same fault, seen from outside: ``size`` within ``source`` is ``source.size``."""
        return GeometryError(f"{prefix}.{self.field}", self.reason, self.description)

    def __reduce__(self) -> tuple[type[GeometryError], tuple[str, GeometryFault, str]]:
        return type(self), (self.field, self.reason, self.description)
