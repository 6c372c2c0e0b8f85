"""Boxes in the picture beside boxes in space, at the boundary of each overlap."""

from __future__ import annotations

import pytest

from grader.metrics.space.edit_types import Detection
from grader.metrics.space.rectangles import PixelRectangle
from grader.metrics.space.sightings import Sighting
from grader.tasks.spatial_edit.judging.sightings import SightingCheck, check_sightings
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.settings import SightingsSettings
from tests.spatial_edit.judging.scenes import scene, seen, solid

SETTINGS = SightingsSettings()
# A face of 0.3 x 0.3 m that is 2 - 0.05 = 1.95 m away, from (160, 120) on: 300 * 0.15 / 1.95 to all sides.
FLAT = (0.3, 0.3, 0.1)
HALF = 300 * 0.15 / 1.95


def rectangle(x: float = 0.0, share: float = 1.0) -> PixelRectangle:
    """The left part of the rectangle around a flat box at x metres, near the middle of the picture."""
    middle = 160 + 300 * x / 1.95
    return PixelRectangle(middle - HALF, 120 - HALF, middle - HALF + share * 2 * HALF, 120 + HALF)


def check(operation, found, only_seen=(), match=None, destination=None, camera=True):
    made = scene(operation, destination) if camera else scene(operation, destination, camera=None)
    return check_sightings(made, found, only_seen, match, SETTINGS)


def at(x: float, place: PixelRectangle | None, label: str = "mug") -> Detection:
    return Detection(label, solid(x, size=FLAT), place)


@pytest.mark.parametrize(("share", "codes"), [(0.26, set()), (0.24, {"PLACE_NOT_CONFIRMED"})])
def test_a_quarter_of_an_object_confirms_its_place(share, codes):
    found = check(EditOperation.MOVE, (at(0.0, rectangle(share=share)),), match=0, destination=solid())
    assert found.codes == codes
    assert found.overlap == pytest.approx(share)
    assert not found.only_seen


def test_what_was_only_seen_confirms_it_too():
    found = check(EditOperation.ROTATE, (at(0.0, None),), (Sighting("mug", rectangle()),), 0, solid())
    assert found == SightingCheck(pytest.approx(1.0))
    other = check(EditOperation.ROTATE, (at(0.0, None),), (Sighting("cup", rectangle()),), 0, solid())
    assert other == SightingCheck(0.0, frozenset({"PLACE_NOT_CONFIRMED"}))


@pytest.mark.parametrize(("share", "only"), [(0.51, True), (0.49, False)])
def test_half_of_an_object_where_it_should_be_was_missed_in_space(share, only):
    wanted = solid(size=FLAT)
    assert check(EditOperation.MOVE, (), (Sighting("mug", rectangle(share=share)),), destination=wanted) == (
        SightingCheck(only_seen=only)
    )
    assert check(EditOperation.MOVE, (), (Sighting("cup", rectangle()),), destination=wanted) == SightingCheck()


def test_without_boxes_in_the_picture_or_a_camera_nothing_is_said():
    assert check(EditOperation.MOVE, (at(0.0, None),), match=0, destination=solid()) == SightingCheck()
    nowhere = (at(0.0, rectangle()),)
    assert check(EditOperation.MOVE, nowhere, match=0, destination=solid(), camera=False) == SightingCheck()
    assert check(EditOperation.REMOVE, nowhere, camera=False) == SightingCheck()
    assert check(EditOperation.MOVE, nowhere, destination=None) == SightingCheck()


@pytest.mark.parametrize(("share", "codes"), [(0.51, {"STILL_SEEN"}), (0.49, set())])
def test_half_of_an_object_that_should_be_gone_is_still_seen(share, codes):
    """The source box is 0.4 m deep: its face is 1.8 m away, 300 * 0.2 / 1.8 = 33.3 wide and 50 high."""
    whole = PixelRectangle(160 - 30 / 1.8, 120 - 45 / 1.8, 160 - 30 / 1.8 + share * 60 / 1.8, 120 + 45 / 1.8)
    found = check(EditOperation.REMOVE, (), (Sighting("mug", whole),))
    assert found.codes == codes
    assert found.overlap == pytest.approx(share)
    assert check(EditOperation.REMOVE, (), (Sighting("cup", whole),)).codes == set()


def test_others_of_the_label_that_are_seen_are_left_aside():
    """Another mug stands 0.2 m behind: what is seen may be it, if half of what it covers is seen."""
    behind = seen("Mug", z=2.2)
    own = PixelRectangle(160 - 15.0, 120 - 22.5, 160 + 15.0, 120 + 22.5)  # its face is 2 m away
    assert check(EditOperation.REMOVE, (behind,), (Sighting("mug", own),)) == SightingCheck(0.0)
    cut = PixelRectangle(160 - 15.0, 120 - 22.5, 160 + 15.0, 120 - 22.5 + 0.49 * 45)
    assert check(EditOperation.REMOVE, (behind,), (Sighting("mug", cut),)).overlap > 0
    other = seen("cup", z=2.2)
    assert check(EditOperation.REMOVE, (other,), (Sighting("mug", own),)).codes == {"STILL_SEEN"}
