"""Which boxes of a view another picture shows."""

from __future__ import annotations

import numpy as np

from detectors.spatial_edit.boxes.config import BoxesConfig
from detectors.spatial_edit.boxes.findings import BoxKind
from detectors.spatial_edit.boxes.views import ViewsConfig, compare_paints
from tests.spatial_edit.predicted.tables import AFTER, BEFORE, BLUE, RED, STAYS, box, drawn

KINDS = (BoxKind("red box", RED), BoxKind("blue box", BLUE))


def compared(wanted: np.ndarray, shown: np.ndarray) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return compare_paints(wanted, shown, KINDS, BoxesConfig(), ViewsConfig())


def test_a_view_has_its_boxes():
    assert compared(AFTER, AFTER) == ((), ())


def test_a_box_that_is_gone_or_elsewhere_is_missing():
    assert compared(AFTER, drawn([STAYS], [BLUE])) == (("red box",), ())
    assert compared(AFTER, BEFORE) == (("red box",), ("red box",))
    assert compared(AFTER, drawn([], [])) == (("red box", "blue box"), ())


def test_a_box_more_is_told():
    more = drawn([box(-0.02, -0.12, 0.3), STAYS, box(0.26, -0.08)], [RED, BLUE, BLUE])
    assert compared(AFTER, more) == ((), ("blue box",))
