"""Which box of an edited picture is which one before, and whether it stands as it stood."""

from __future__ import annotations

import pytest

from grader.tasks.spatial_edit.judging.looks import standing_box
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.settings import ExactBoxesSettings
from tests.spatial_edit.judging.scenes import scene, seen, solid

EXACT = ExactBoxesSettings()
LARGER = (0.24, 0.3, 0.4)
TWIN = seen(x=0.8)
SCENE = scene(EditOperation.MOVE, solid(-0.5), (), (seen(), TWIN, seen("plate", -0.8)))


@pytest.mark.parametrize(
    ("found", "was"),
    [(seen("plate", -0.79, size=LARGER), 2), (seen("plate", -0.8, yaw=0.3), 2), (seen(x=0.81, size=LARGER), 1)],
)
def test_another_box_is_looked_for_where_it_stood_though_it_seems_larger_or_turned(found, was):
    """A twin of the object as well."""
    standing = standing_box(found, SCENE, EXACT)
    assert standing is not None
    assert (standing.was, standing.stays) == (was, True)
    assert (standing.box.center, standing.box.size) == (SCENE.before[was].box.center, SCENE.before[was].box.size)


@pytest.mark.parametrize(
    ("found", "was"), [(seen(size=LARGER), 0), (seen(yaw=0.5), 0), (seen(x=-0.5), 0), (seen("plate", -0.7), 2)]
)
def test_what_was_edited_or_moved_is_looked_for_where_it_is(found, was):
    standing = standing_box(found, SCENE, EXACT)
    assert standing is not None
    assert (standing.was, standing.stays) == (was, False)
    assert (standing.box.center, standing.box.size) == (found.box.center, found.box.size)


def test_a_box_of_a_label_that_was_not_there_is_none():
    assert standing_box(seen("jug"), SCENE, EXACT) is None
