"""Which found boxes fit the picture worse than others do."""

from __future__ import annotations

import pytest

from grader.tasks.spatial_edit.scene.finding import _loose
from grader.tasks.spatial_edit.settings import FindingSettings

CONFIG = FindingSettings()


@pytest.mark.parametrize(("extent", "loose"), [(200.0, (2,)), (16.0, ())])
def test_of_a_box_of_few_pixels_a_part_of_one_is_much(extent: float, loose: tuple[int, ...]) -> None:
    """The others fit by 1.0: 0.88 less 4 of 200 pixels are 0.86, and less 4 of 16 pixels 0.63."""
    assert _loose([1.0, 1.0, 0.7], [100.0, 100.0, extent], CONFIG) == loose


def test_where_all_fit_badly_none_does() -> None:
    assert _loose([0.6, 0.6, 0.6], [100.0] * 3, CONFIG) == ()
    assert _loose([0.2], [100.0], CONFIG) == (0,)
