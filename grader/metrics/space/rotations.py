"""Rotations of space: read from matrices, six numbers, quaternions or angles, and the angle between two.

A rotation is a float64 array (..., 3, 3), row-major, whose columns are the rotated axes: x_outside = R @ x_inside.
Angles are in radians. Products are written out, without BLAS, so that a result depends neither on the batch nor on
the library that happens to be installed.

References
----------
.. [1] "Exploring Spatial Intelligence from a Generative Perspective" (GSI-Bench), supplement, sections 1 and 2.
.. [2] Y. Zhou et al., "On the Continuity of Rotation Representations in Neural Networks", CVPR 2019, section 4.
.. [3] N. J. Higham, "Computing the Polar Decomposition", SIAM J. Sci. Stat. Comput. 7, 1986 (here Newton-Schulz).
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grader.metrics.space.geometry_errors import GeometryError, GeometryFault

Floats = NDArray[np.float64]

ORTHONORMAL_TOLERANCE: Final = 1e-3
"""Largest Frobenius norm of R^T R - I of a matrix that is taken for a rotation with rounded entries."""
LEAST_LENGTH: Final = 1e-6
"""A quaternion, or an axis of six numbers after orthogonalisation, that is shorter says nothing."""
MOST_ANGLE_RAD: Final = 2 * math.pi
"""Angles go to a full turn either way; larger ones are mostly degrees."""
_ROUNDING: Final = 1e-14
"""A matrix whose |R^T R - I| is less is left as it is, so that what was read once is read again without a change."""
_POLISH_STEPS: Final = 4
"""Steps of [3]_: each squares the error, so 1e-3 is below rounding after three."""


def matmul(a: Floats, b: Floats) -> Floats:
    """The products of matrices (..., 3, 3), as a sum in a fixed order."""
    return (
        a[..., :, 0, None] * b[..., None, 0, :]
        + a[..., :, 1, None] * b[..., None, 1, :]
        + a[..., :, 2, None] * b[..., None, 2, :]
    )


def transpose(a: Floats) -> Floats:
    """The transposes of matrices (..., 3, 3)."""
    return np.swapaxes(a, -1, -2)


def read_numbers(values: ArrayLike, shape: tuple[int, ...], field: str) -> Floats:
    """An array of finite numbers whose last axes have a shape.

    Raises
    ------
    GeometryError
        WRONG_SHAPE where it is ragged, no numbers or of another shape; NOT_FINITE.
    """
    wanted = " x ".join(map(str, shape))
    try:
        numbers = np.array(values, np.float64)
    except (TypeError, ValueError) as error:
        raise GeometryError(field, GeometryFault.WRONG_SHAPE, f"give {wanted} numbers") from error
    if numbers.shape[numbers.ndim - len(shape) :] != shape or numbers.ndim < len(shape):
        raise GeometryError(field, GeometryFault.WRONG_SHAPE, f"its shape is {numbers.shape}; give {wanted} numbers")
    if not np.isfinite(numbers).all():
        raise GeometryError(field, GeometryFault.NOT_FINITE, "it has a number that is not finite")
    return numbers


def from_matrix(matrix: ArrayLike, field: str = "rotation") -> Floats:
    """Reads rotation matrices.

    Parameters
    ----------
    matrix : (..., 3, 3)
        Row-major; columns are the rotated axes. Entries may be rounded, up to `ORTHONORMAL_TOLERANCE`.
    field : str
        What an error names.

    Returns
    -------
    (..., 3, 3) float64
        The nearest rotation [3]_: rounded entries are made orthonormal again, so that volumes and angles are exact.

    Raises
    ------
    GeometryError
        WRONG_SHAPE, NOT_FINITE, NOT_ORTHONORMAL, or REFLECTION where the determinant is negative.
    """
    given = read_numbers(matrix, (3, 3), field)
    # Entries of a rotation are within 1; the bound keeps squares from overflowing.
    error = matmul(transpose(np.clip(given, -2.0, 2.0)), np.clip(given, -2.0, 2.0)) - np.eye(3)
    errors = np.sqrt((error**2).sum(axis=(-1, -2)))
    off = float(errors.max(initial=0.0))
    if off > ORTHONORMAL_TOLERANCE:
        text = f"its columns are not orthonormal: |R^T R - I| is {off:.3g}, at most {ORTHONORMAL_TOLERANCE} is allowed"
        raise GeometryError(field, GeometryFault.NOT_ORTHONORMAL, text)
    if (determinant(given) < 0).any():
        text = "it is a reflection: its determinant is -1, a rotation's is 1"
        raise GeometryError(field, GeometryFault.REFLECTION, text)
    if off <= _ROUNDING:
        return given
    nearest = given
    for _ in range(_POLISH_STEPS):
        nearest = 1.5 * nearest - 0.5 * matmul(nearest, matmul(transpose(nearest), nearest))
    return np.where((errors > _ROUNDING)[..., None, None], nearest, given)


def determinant(matrix: Floats) -> Floats:
    """The determinants (...) of matrices (..., 3, 3)."""
    (a, b, c), (d, e, f), (g, h, i) = (tuple(matrix[..., row, column] for column in range(3)) for row in range(3))
    return np.asarray(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g), np.float64)


def from_six(six: ArrayLike, field: str = "pose_6d") -> Floats:
    """Rotations from six numbers: two vectors that become the first two ROWS, by Gram-Schmidt [2]_.

    Parameters
    ----------
    six : (..., 6)
        Neither vector needs to have length 1, nor do they need to be perpendicular.

    Raises
    ------
    GeometryError
        WRONG_SHAPE, NOT_FINITE, OUT_OF_RANGE, or DEGENERATE_AXES where a vector is zero or both are parallel.
    """
    given = read_numbers(six, (6,), field)
    if (np.abs(given) > 1 / LEAST_LENGTH).any():
        raise GeometryError(field, GeometryFault.OUT_OF_RANGE, f"a number is larger than {1 / LEAST_LENGTH:g}")
    first = _unit(given[..., :3], field)
    # The second is brought to length 1 before, so that "parallel" does not depend on its length.
    second = _unit(given[..., 3:], field)
    along = (first * second).sum(axis=-1, keepdims=True)
    second = _unit(second - along * first, field)
    return from_matrix(np.stack([first, second, np.cross(first, second)], axis=-2), field)


def _unit(vector: Floats, field: str) -> Floats:
    length = np.sqrt((vector**2).sum(axis=-1, keepdims=True))
    if (length < LEAST_LENGTH).any():
        text = "it has a vector of length zero, or two parallel ones; give two independent vectors"
        raise GeometryError(field, GeometryFault.DEGENERATE_AXES, text)
    return np.asarray(vector / length, np.float64)


def from_quaternion(quaternion: ArrayLike, *, scalar_first: bool, field: str = "quaternion") -> Floats:
    """Rotations from quaternions.

    Parameters
    ----------
    quaternion : (..., 4)
        Of any length but zero; it is divided by its length.
    scalar_first : bool
        True for (w, x, y, z), False for (x, y, z, w). Both are common, so there is no default.

    Raises
    ------
    GeometryError
        WRONG_SHAPE, NOT_FINITE, OUT_OF_RANGE or ZERO_QUATERNION.
    """
    given = read_numbers(quaternion, (4,), field)
    if (np.abs(given) > 1 / LEAST_LENGTH).any():
        raise GeometryError(field, GeometryFault.OUT_OF_RANGE, f"a number is larger than {1 / LEAST_LENGTH:g}")
    length = np.sqrt((given**2).sum(axis=-1, keepdims=True))
    if (length < LEAST_LENGTH).any():
        raise GeometryError(field, GeometryFault.ZERO_QUATERNION, "it is zero, which is no rotation")
    unit = given / length
    parts = [unit[..., index] for index in range(4)]
    w, x, y, z = parts if scalar_first else (parts[3], *parts[:3])
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_axis(axis: str, angle_rad: ArrayLike, field: str = "angle_rad") -> Floats:
    """Rotations about "x", "y" or "z" by angles (...), counter-clockwise when looked at against the axis.

    R_y(yaw) = [[c, 0, s], [0, 1, 0], [-s, 0, c]] is the yaw of a box of seven numbers.

    Raises
    ------
    GeometryError
        NOT_FINITE, or OUT_OF_RANGE beyond a full turn.
    ValueError
        If there is no such axis.
    """
    angle = read_numbers(angle_rad, (), field)
    if (np.abs(angle) > MOST_ANGLE_RAD).any():
        text = f"it is beyond a full turn, {MOST_ANGLE_RAD:.4f}; angles are in radians"
        raise GeometryError(field, GeometryFault.OUT_OF_RANGE, text)
    if axis not in ("x", "y", "z"):
        raise ValueError(f"there is no axis {axis!r}; give x, y or z")
    at = "xyz".index(axis)
    after, before = (at + 1) % 3, (at + 2) % 3
    rotation = np.zeros((*angle.shape, 3, 3))
    cosine, sine = np.cos(angle), np.sin(angle)
    rotation[..., at, at] = 1.0
    rotation[..., after, after] = rotation[..., before, before] = cosine
    rotation[..., after, before], rotation[..., before, after] = -sine, sine
    return rotation


def from_euler(angles_rad: ArrayLike, order: str = "yxz", field: str = "angles_rad") -> Floats:
    """Rotations from three angles (..., 3): the product of the rotations about the axes of ``order``, left to right.

    The default is R_y(a) R_x(b) R_z(c), as in [1]_, section 1 (3).

    Raises
    ------
    GeometryError
        WRONG_SHAPE, NOT_FINITE, or OUT_OF_RANGE beyond a full turn.
    ValueError
        If the order is not three of x, y and z with no axis twice in a row.
    """
    if len(order) != 3 or not set(order) <= set("xyz") or order[0] == order[1] or order[1] == order[2]:
        raise ValueError(f"{order!r} is no order of axes; give three of x, y and z, none twice in a row")
    angles = read_numbers(angles_rad, (3,), field)
    first, second, third = (from_axis(axis, angles[..., at], field) for at, axis in enumerate(order))
    return matmul(first, matmul(second, third))


def yaw_of(rotation: Floats) -> float:
    """The yaw of one rotation (3, 3): the angle about y of where its z axis points, -pi to pi; of R_y(a) it is a."""
    return math.atan2(float(rotation[0, 2]), float(rotation[2, 2]))


def geodesic(one: Floats, other: Floats) -> Floats:
    """The angles between rotations [1]_, arccos((tr(A^T B) - 1) / 2), accurate at 0 and at half turns.

    Parameters
    ----------
    one, other : (..., 3, 3) float64
        Rotations, as the functions of this module return them.

    Returns
    -------
    (...) float64
        0 to pi radians.

    Notes
    -----
    arccos loses half of the digits at 0 and pi. The angle is atan2(sin, cos), with the sine from the antisymmetric
    part of D = A^T B: 2 sin = |(D32 - D23, D13 - D31, D21 - D12)|, and 2 cos = tr D - 1.
    """
    between = matmul(transpose(one), other)
    x = between[..., 2, 1] - between[..., 1, 2]
    y = between[..., 0, 2] - between[..., 2, 0]
    z = between[..., 1, 0] - between[..., 0, 1]
    trace = between[..., 0, 0] + between[..., 1, 1] + between[..., 2, 2]
    return np.asarray(np.arctan2(np.sqrt(x * x + y * y + z * z), trace - 1.0), np.float64)
