"""Rotations: how they are read, what is refused, and the angle between two."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from grader.metrics.space.geometry_errors import GeometryError, GeometryFault
from grader.metrics.space.rotations import (
    from_axis,
    from_euler,
    from_matrix,
    from_quaternion,
    from_six,
    geodesic,
    matmul,
    yaw_of,
)

DICE = np.random.default_rng(3)
ANY = from_quaternion(DICE.normal(size=(200, 4)), scalar_first=True)


def test_six_numbers_are_the_first_two_rows() -> None:
    """Rows y and -x: the third is y x (-x) = z. As columns it would be the inverse."""
    assert from_six([0, 1, 0, -1, 0, 0]).tolist() == [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
    # Lengths do not matter, and of the second what lies along the first is taken off: (3, 2, 0) becomes y.
    assert from_six([5, 0, 0, 3, 2, 0]).tolist() == np.eye(3).tolist()
    six = ANY[:, :2].reshape(-1, 6)
    assert np.abs(from_six(six) - ANY).max() < 1e-14


def test_quaternions_agree_with_scipy() -> None:
    quaternions = DICE.normal(size=(100, 4))
    expected = Rotation.from_quat(quaternions).as_matrix()
    assert np.abs(from_quaternion(quaternions, scalar_first=False) - expected).max() < 1e-14
    assert np.abs(from_quaternion(np.roll(quaternions, 1, axis=1), scalar_first=True) - expected).max() < 1e-14
    # A half turn about z.
    assert from_quaternion([0, 0, 0, 2], scalar_first=True).tolist() == [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]


@pytest.mark.parametrize("order", ["yxz", "xyz", "zyx", "zyz"])
def test_angles_agree_with_scipy(order: str) -> None:
    """Capital letters are scipy's name for a product from left to right."""
    angles = DICE.uniform(-math.pi, math.pi, (100, 3))
    expected = Rotation.from_euler(order.upper(), angles).as_matrix()
    assert np.abs(from_euler(angles, order) - expected).max() < 1e-14


def test_the_default_order_is_that_of_the_source() -> None:
    yaw, pitch, roll = 0.3, -0.2, 0.5
    product = from_axis("y", yaw) @ from_axis("x", pitch) @ from_axis("z", roll)
    assert np.abs(from_euler([yaw, pitch, roll]) - product).max() < 1e-15


def test_a_yaw() -> None:
    """R_y(a) takes z to (sin a, 0, cos a)."""
    a = 0.7
    assert from_axis("y", a)[:, 2].tolist() == [math.sin(a), 0, math.cos(a)]
    for angle in (-3.0, -0.4, 0.0, 0.4, 3.0):
        assert yaw_of(from_axis("y", angle)) == pytest.approx(angle, abs=1e-15)


def test_rounded_entries_become_a_rotation_again() -> None:
    rounded = np.round(ANY, 4)
    found = from_matrix(rounded)
    assert np.abs(matmul(np.swapaxes(found, 1, 2), found) - np.eye(3)).max() < 1e-14
    assert np.abs(found - ANY).max() < 2e-4
    # The nearest one is the orthogonal factor of a polar decomposition: U V^T of U S V^T.
    u, _, v = np.linalg.svd(rounded)
    assert np.abs(found - u @ v).max() < 1e-14
    assert (from_matrix(found) == found).all()
    assert from_matrix(np.eye(3)).tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-9, 1e-6, 0.1, 1.0, math.pi / 2, 3.0, math.pi - 1e-6, math.pi])
def test_the_angle_between_rotations(angle: float) -> None:
    """Left and right of any rotation; arccos would be off by 1e-8 near 0 and pi."""
    turn = from_axis("y", angle)
    for rotation in ANY[:20]:
        assert float(geodesic(rotation, matmul(rotation, turn))) == pytest.approx(angle, abs=1e-14)
        assert float(geodesic(matmul(turn, rotation), rotation)) == pytest.approx(angle, abs=1e-14)


def test_angles_agree_with_scipy_and_are_symmetric() -> None:
    one, other = ANY[:100], ANY[100:]
    expected = (Rotation.from_matrix(one).inv() * Rotation.from_matrix(other)).magnitude()
    assert np.abs(geodesic(one, other) - expected).max() < 1e-12
    assert (geodesic(one, other) == geodesic(other, one)).all()


@pytest.mark.parametrize(
    ("rotation", "reason", "says"),
    [
        ([[1, 0, 0], [0, 1, 0], [0, 0, -1]], GeometryFault.REFLECTION, "determinant is -1"),
        ([[0, 1, 0], [1, 0, 0], [0, 0, 1]], GeometryFault.REFLECTION, "determinant is -1"),
        ([[1, 0.01, 0], [0, 1, 0], [0, 0, 1]], GeometryFault.NOT_ORTHONORMAL, "not orthonormal"),
        (np.zeros((3, 3)), GeometryFault.NOT_ORTHONORMAL, "not orthonormal"),
        (np.full((3, 3), 1e300), GeometryFault.NOT_ORTHONORMAL, "not orthonormal"),
        ([[math.nan, 0, 0], [0, 1, 0], [0, 0, 1]], GeometryFault.NOT_FINITE, "not finite"),
        ([[math.inf, 0, 0], [0, 1, 0], [0, 0, 1]], GeometryFault.NOT_FINITE, "not finite"),
        ([1, 0, 0], GeometryFault.WRONG_SHAPE, "3 x 3"),
        ([[1, 0, 0], [0, 1], [0, 0, 1]], GeometryFault.WRONG_SHAPE, "3 x 3"),
        ("rotated", GeometryFault.WRONG_SHAPE, "3 x 3"),
    ],
)
def test_matrices_that_are_no_rotation(rotation: object, reason: GeometryFault, says: str) -> None:
    with pytest.raises(GeometryError, match=says) as caught:
        from_matrix(rotation, "edit.rotation")  # type: ignore[arg-type]
    assert (caught.value.field, caught.value.reason) == ("edit.rotation", reason)


def test_one_wrong_matrix_of_many_is_found() -> None:
    many = ANY.copy()
    many[7, 0, 0] += 0.01
    with pytest.raises(GeometryError, match="not orthonormal"):
        from_matrix(many)


def test_other_forms_that_are_no_rotation() -> None:
    faults = [
        (lambda: from_quaternion([0, 0, 0, 0], scalar_first=True), "quaternion", GeometryFault.ZERO_QUATERNION),
        (lambda: from_quaternion([0, 0, 0, math.nan], scalar_first=True), "quaternion", GeometryFault.NOT_FINITE),
        (lambda: from_quaternion([1, 0, 0], scalar_first=True), "quaternion", GeometryFault.WRONG_SHAPE),
        (lambda: from_quaternion([1e200, 0, 0, 0], scalar_first=True), "quaternion", GeometryFault.OUT_OF_RANGE),
        (lambda: from_six([0, 0, 0, 1, 0, 0]), "pose_6d", GeometryFault.DEGENERATE_AXES),
        (lambda: from_six([1, 0, 0, -2, 0, 0]), "pose_6d", GeometryFault.DEGENERATE_AXES),
        (lambda: from_six([1, 0, 0, 0, 1]), "pose_6d", GeometryFault.WRONG_SHAPE),
        (lambda: from_euler([90, 0, 0]), "angles_rad", GeometryFault.OUT_OF_RANGE),
        (lambda: from_euler([0, 0, math.inf]), "angles_rad", GeometryFault.NOT_FINITE),
        (lambda: from_axis("y", 45.0, "yaw"), "yaw", GeometryFault.OUT_OF_RANGE),
    ]
    for read, field, reason in faults:
        with pytest.raises(GeometryError) as caught:
            read()
        assert (caught.value.field, caught.value.reason) == (field, reason)
    with pytest.raises(ValueError, match="no axis"):
        from_axis("w", 0.0)
    with pytest.raises(ValueError, match="no order"):
        from_euler([0, 0, 0], "xxz")
