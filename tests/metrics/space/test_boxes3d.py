"""Overlap of boxes in space: by arithmetic, against manifold3d, and where clippers go wrong. Case A11."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from benchmarks.boxes import KINDS, Pairs, half_space_iou, manifold_ious
from grader.metrics.space.box_clipping import above, cut
from grader.metrics.space.boxes3d import (
    BoxArray,
    OrientedBox,
    box_iou,
    box_ious,
    box_overlaps,
    iou_table,
    upright,
    yaw_box,
)
from grader.metrics.space.geometry_errors import GeometryError, GeometryFault
from grader.metrics.space.rotations import from_axis, from_quaternion, matmul

IDENTITY = np.eye(3).tolist()
TURN = from_quaternion([0.3, -0.5, 0.7, 0.2], scalar_first=True)
UNIT = OrientedBox((0.0, 0.0, 2.0), (1.0, 1.0, 1.0))


def cube(x: float, y: float, z: float) -> OrientedBox:
    return OrientedBox((x, y, z), (1.0, 1.0, 1.0))


# --- A11: box overlap ---


def test_offset_by_half_in_two_axes() -> None:
    """A11: unit cubes offset by (0.5, 0.5, 0) share 0.25 of 1.75: 1/7."""
    one, other = cube(0, 0, 0), cube(0.5, 0.5, 0)
    assert box_iou(one, other) == pytest.approx(1 / 7, abs=1e-15)
    assert box_iou(one, other) == box_iou(other, one)
    overlap = box_overlaps(BoxArray.of([one]), BoxArray.of([other]))
    assert (overlap.intersection[0], overlap.union[0]) == (0.25, 1.75)


@pytest.mark.parametrize("size", [(0.0, 1.0, 1.0), (1.0, -0.5, 1.0), (1.0, 1.0, 1e-10)])
def test_a_box_without_volume_is_an_error(size: tuple[float, float, float]) -> None:
    """A11: a box of zero volume is an error that names its size."""
    with pytest.raises(GeometryError, match=r"^size: .*at least 1e-09 m") as caught:
        OrientedBox((0, 0, 0), size)
    assert (caught.value.field, caught.value.reason) == ("size", GeometryFault.ZERO_SIZE)


# --- Arithmetic ---


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (UNIT, UNIT, 1.0),
        (UNIT, cube(0.5, 0, 2), 0.5 / 1.5),
        (UNIT, cube(1, 0, 2), 0.0),
        (UNIT, cube(1, 1, 2), 0.0),
        (UNIT, cube(1, 1, 3), 0.0),
        (UNIT, cube(30, 0, 2), 0.0),
        # Corner in corner, almost as far apart as cubes can be that share something: 0.05^3.
        (UNIT, cube(0.95, 0.95, 2.95), 0.05**3 / (2 - 0.05**3)),
        # A square and itself turned by 45 degrees share a regular octagon of 2 (sqrt 2 - 1).
        (
            UNIT,
            OrientedBox((0, 0, 2), (1, 1, 1), from_axis("y", math.pi / 4).tolist()),
            2 * (math.sqrt(2) - 1) / (2 - 2 * (math.sqrt(2) - 1)),
        ),
        # A cube and itself turned by 60 degrees about its diagonal share a hexagonal bipyramid of 3/4.
        (UNIT, OrientedBox((0, 0, 2), (1, 1, 1), from_quaternion([3, 1, 1, 1], scalar_first=True).tolist()), 0.6),
        # 1 x 1 x 2 along z and along x share 1 of 3.
        (
            OrientedBox((0, 0, 2), (1, 1, 2)),
            OrientedBox((0, 0, 2), (1, 1, 2), from_axis("y", math.pi / 2).tolist()),
            1 / 3,
        ),
        # One within the other: 0.5 x 0.4 x 0.6 of 2 x 2 x 2.
        (OrientedBox((0, 0, 2), (2, 2, 2)), OrientedBox((0.1, -0.1, 2), (0.5, 0.4, 0.6), TURN.tolist()), 0.12 / 8),
    ],
)
def test_by_arithmetic(one: OrientedBox, other: OrientedBox, expected: float) -> None:
    assert box_iou(one, other) == pytest.approx(expected, abs=1e-14)
    assert box_iou(one, other) == box_iou(other, one)


@pytest.mark.parametrize("thin", [1e-1, 1e-3, 1e-6, 1e-8])
def test_crossed_plates(thin: float) -> None:
    """Two 1 x 1 plates of thickness t that cross at right angles share 1 x t x t of 2 t - t^2: t / (2 - t)."""
    one = OrientedBox((0, 0, 0), (1, thin, 1), TURN.tolist())
    other = OrientedBox((0, 0, 0), (thin, 1, 1), TURN.tolist())
    assert box_iou(one, other) == pytest.approx(thin / (2 - thin), rel=1e-6)


@pytest.mark.parametrize("offset", [1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-9])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_nearly_coplanar_faces(offset: float, axis: int) -> None:
    """Cubes of edge 1 offset by d along an axis of theirs: (1 - |d|) / (1 + |d|); touching ones: about d / 2 or 0."""
    center = TURN[:, axis]
    one = OrientedBox((0, 0, 0), (1, 1, 1), TURN.tolist())
    near = OrientedBox((offset * center).tolist(), (1, 1, 1), TURN.tolist())
    assert box_iou(one, near) == pytest.approx((1 - abs(offset)) / (1 + abs(offset)), abs=1e-14)
    touching = OrientedBox(((1 + offset) * center).tolist(), (1, 1, 1), TURN.tolist())
    assert box_iou(one, touching) == pytest.approx(max(0.0, -offset) / (2 + offset), abs=1e-15)


@pytest.mark.parametrize("angle", [1e-4, 1e-7, 1e-9, 1e-12])
@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_hardly_turned(angle: float, axis: str) -> None:
    """A unit square turned by a shares 2 / (1 + sin a + cos a) with itself; so does a cube about its axis."""
    turned = OrientedBox((0, 0, 2), (1, 1, 1), from_axis(axis, angle).tolist())
    shared = 2 / (1 + math.sin(angle) + math.cos(angle))
    assert box_iou(UNIT, turned) == pytest.approx(shared / (2 - shared), abs=1e-14)


def test_yaw_alone_sees_no_pitch() -> None:
    """A cube pitched by 30 degrees shares 2 / (1 + 1/2 + sqrt(3)/2) = 0.8453 with itself: IoU sqrt(3) - 1, not 1."""
    pitched = OrientedBox((0, 0, 2), (1, 1, 1), from_axis("x", math.pi / 6).tolist())
    assert box_iou(UNIT, pitched) == pytest.approx(math.sqrt(3) - 1, abs=1e-14)
    assert box_iou(UNIT, upright(pitched)) == pytest.approx(1.0, abs=1e-14)
    turned = OrientedBox((0, 0, 2), (1, 1, 1), from_axis("y", 0.4).tolist())
    assert np.allclose(upright(turned).matrix, turned.matrix, rtol=0, atol=1e-15)


def test_seven_numbers() -> None:
    box = yaw_box([0.1, 0.2, 2.0, 0.3, 0.4, 0.5, 0.6])
    assert (box.center, box.size) == ((0.1, 0.2, 2.0), (0.3, 0.4, 0.5))
    c, s = math.cos(0.6), math.sin(0.6)
    assert np.allclose(box.matrix, [[c, 0, s], [0, 1, 0], [-s, 0, c]], rtol=0, atol=1e-15)
    # The corner w/2, h/2, l/2 in the box's own axes: x = 0.15 c + 0.25 s, z = -0.15 s + 0.25 c, from the centre.
    corner = (0.1 + 0.15 * c + 0.25 * s, 0.4, 2.0 - 0.15 * s + 0.25 * c)
    assert np.allclose(box.corners()[7], corner, rtol=0, atol=1e-15)
    assert box.volume == pytest.approx(0.06, abs=1e-16)


# --- Against outside implementations ---


def thousands(at: int, n: int = 250) -> Pairs:
    return KINDS[at][0](np.random.default_rng(100 + at), n)


@pytest.mark.parametrize("at", range(len(KINDS)), ids=[make.__name__ for make, _ in KINDS])
def test_against_manifold3d(at: int) -> None:
    """Eight kinds of 250 pairs, most nearly degenerate: within 1e-6, never above 1, alike both ways to the bit."""
    pairs = thousands(at)
    found = box_overlaps(pairs.one, pairs.other)
    assert np.abs(found.iou - manifold_ious(pairs.one, pairs.other)).max() < 1e-6
    assert found.iou.min() >= 0.0
    assert found.iou.max() <= 1.0
    assert (found.iou > 0.0).sum() > 60
    turned = box_overlaps(pairs.other, pairs.one)
    assert (found.iou == turned.iou).all()
    assert (found.intersection == turned.intersection).all()


def test_against_half_spaces() -> None:
    pairs = thousands(0, 40)
    found = box_ious(pairs.one, pairs.other)
    assert max(abs(half_space_iou(pairs.one, pairs.other, at) - found[at]) for at in range(40)) < 1e-9


# --- Properties ---


def test_a_pair_does_not_depend_on_its_batch() -> None:
    """Batches are computed in parts of 2048; alone, in another order and in a table, a pair gives the same bits."""
    dice = np.random.default_rng(5)
    make = [KINDS[at][0] for at in (0, 3)]
    pairs = [one(dice, 1500) for one in make]
    one, other = (
        BoxArray(
            *(
                np.concatenate([getattr(getattr(p, side), name) for p in pairs])
                for name in ("centers", "sizes", "rotations")
            )
        )
        for side in ("one", "other")
    )
    found = box_ious(one, other)
    order = dice.permutation(len(one))
    shuffled = [BoxArray(b.centers[order], b.sizes[order], b.rotations[order]) for b in (one, other)]
    assert (box_ious(*shuffled) == found[order]).all()
    for at in (0, 1, 1499, 1500, 2047, 2048, 2999):
        alone = [BoxArray(b.centers[at : at + 1], b.sizes[at : at + 1], b.rotations[at : at + 1]) for b in (one, other)]
        assert box_ious(*alone)[0] == found[at]


def test_rigid_motion_and_scale_change_nothing() -> None:
    pairs = thousands(0)
    found = box_ious(pairs.one, pairs.other)
    for factor, shift in ((1.0, [3.0, -2.0, 5.0]), (1e-3, [0.0, 0.0, 0.0]), (1e4, [1e4, 0.0, 0.0])):
        moved = [
            BoxArray(
                factor * (b.centers @ TURN.T) + shift,
                factor * b.sizes,
                matmul(np.broadcast_to(TURN, b.rotations.shape), b.rotations),
            )
            for b in (pairs.one, pairs.other)
        ]
        assert np.abs(box_ious(*moved) - found).max() < 1e-12


def test_any_shape_from_needle_to_plate() -> None:
    """Extents from 1 to 1e-6 m, nearly common axes: naming the axes of a box otherwise does not change the solid.

    Down to 1e-9 and up to 1e9 m, the numbers of the boxes say less, but an overlap stays one.
    """
    dice = np.random.default_rng(42)
    for least, most in ((-6, 0), (-9, 9)):
        sizes = [10 ** dice.uniform(least, most, (1000, 3)) for _ in range(2)]
        sizes[1] = np.where(dice.random((1000, 3)) < 0.4, sizes[0], sizes[1])
        turns = from_quaternion(dice.normal(size=(1000, 4)), scalar_first=True)
        nearly = matmul(turns, from_axis("x", dice.choice([0.0, 1e-7, 1e-12, 1.0], 1000)))
        shift = dice.choice([-0.5, 0.0, 0.1, 0.5, 0.5 + 1e-9], (1000, 3)) * np.minimum(*sizes)
        one = BoxArray(np.zeros((1000, 3)), sizes[0], turns)
        other = BoxArray((turns * shift[:, None, :]).sum(axis=2), sizes[1], nearly)
        found = box_ious(one, other)
        assert ((found >= 0.0) & (found <= 1.0)).all()
        assert (found == box_ious(other, one)).all()
        if least == -6:
            renamed = [
                BoxArray(b.centers, np.roll(b.sizes, 1, axis=1), np.roll(b.rotations, 1, axis=2)) for b in (one, other)
            ]
            assert np.abs(box_ious(*renamed) - found).max() < 1e-9
            assert (found > 0.0).mean() > 0.9


def test_a_table_of_overlaps() -> None:
    boxes, others = [UNIT, cube(0.5, 0, 2), cube(9, 0, 2)], [cube(0.5, 0, 2), UNIT]
    assert iou_table(boxes, others).tolist() == [[box_iou(a, b) for b in others] for a in boxes]
    assert iou_table([], others).shape == (0, 2)
    assert iou_table(boxes, []).shape == (3, 0)


def test_corners_in_a_plane_keep_a_polygon_whole() -> None:
    """A square whose one edge has a third corner is cut along this edge, with rounding either way: its area stays 1."""
    noise = 1e-17
    for signs in np.ndindex(2, 2, 2):
        a, b, c = ((2 * sign - 1) * noise for sign in signs)
        y, z = [a, b, c, -1.0, -1.0], [0.0, 0.5, 1.0, 1.0, 0.0]
        polygon = np.array([[1.0] * 5, y, z])[:, :, None]
        for rolled in range(5):
            found, inside = cut(np.roll(polygon, rolled, axis=1), 1, np.zeros(1), 1.0)
            assert inside.all()
            assert abs(above(found, np.zeros(1))[0]) == pytest.approx(1.0, abs=1e-15)


# --- What is given wrongly ---


@pytest.mark.parametrize(
    ("given", "field", "reason"),
    [
        (((0, 0), (1, 1, 1), IDENTITY), "center", GeometryFault.WRONG_SHAPE),
        (((0, math.nan, 0), (1, 1, 1), IDENTITY), "center", GeometryFault.NOT_FINITE),
        (((0, 2e9, 0), (1, 1, 1), IDENTITY), "center", GeometryFault.OUT_OF_RANGE),
        ((("a", 0, 0), (1, 1, 1), IDENTITY), "center", GeometryFault.WRONG_SHAPE),
        (((0, 0, 0), (1, math.inf, 1), IDENTITY), "size", GeometryFault.NOT_FINITE),
        (((0, 0, 0), (1, 2e9, 1), IDENTITY), "size", GeometryFault.OUT_OF_RANGE),
        (((0, 0, 0), (1, 1, 1), [[1, 0], [0, 1]]), "rotation", GeometryFault.WRONG_SHAPE),
        (((0, 0, 0), (1, 1, 1), [[1, 0, 0], [0, 1, 0], [0, 0, -1]]), "rotation", GeometryFault.REFLECTION),
        (((0, 0, 0), (1, 1, 1), [[1, 0, 0], [0, 1, 0], [0, 0, 1.1]]), "rotation", GeometryFault.NOT_ORTHONORMAL),
        (((0, 0, 0), [(1, 1, 1)] * 2, IDENTITY), "size", GeometryFault.WRONG_SHAPE),
    ],
)
def test_wrong_boxes_are_named(given: tuple[object, object, object], field: str, reason: GeometryFault) -> None:
    with pytest.raises(GeometryError) as caught:
        OrientedBox(*given)  # type: ignore[arg-type]
    assert (caught.value.field, caught.value.reason) == (field, reason)
    outside = caught.value.within("edit.source")
    assert (outside.field, outside.reason) == (f"edit.source.{field}", reason)
    assert pickle.loads(pickle.dumps(outside)).args == outside.args


def test_wrong_batches_are_named() -> None:
    with pytest.raises(GeometryError, match=r"^centers: shapes are"):
        BoxArray(np.zeros((2, 3)), np.ones((3, 3)), np.stack([np.eye(3)] * 2))
    with pytest.raises(ValueError, match="1 and 2 boxes"):
        box_ious(BoxArray.of([UNIT]), BoxArray.of([UNIT, UNIT]))
    with pytest.raises(GeometryError, match=r"^bbox_3d: .*extent"):
        yaw_box([0, 0, 2, 1, 0, 1, 0])
    assert len(box_ious(BoxArray.of([]), BoxArray.of([]))) == 0
