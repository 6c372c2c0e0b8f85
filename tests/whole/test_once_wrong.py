"""Pictures whose verdict was wrong once, by what was mistaken for what. Their truth is known by construction."""

from __future__ import annotations

from functools import cache

import pytest

from benchmarks.accuracy.cases import parse_case
from benchmarks.accuracy.grading import grade_case
from grader.engine.engine import Engine

# The names are those of `python -m benchmarks.accuracy --case NAME`, which shows the picture; of mistakes that were
# made at many pictures one is kept, a small one rather than a large one.
ONCE_WRONG = {
    "a dashed line for a broken one": "maze-triangle-08-bfs-thick/right/dashed-3",
    "a line into the goal for one that stops short": "maze-triangle-08-dfs-red/right/fine-3",
    "a dash before the goal for one that points at it": "maze-triangle-05-dfs-magenta/short/dashed-2",
    "a way beneath a wall for none": "maze-triangle-08-dfs-thick/shunt/downup-3",
    "a gap on a wall for two ends": "maze-hexagon-08-bfs-thin/shunt/dashed-2",
    "dust or the edge of a stroke for a wall": "maze-hexagon-08-dfs-paper/right/saturation-1+pepper-3",
    "a wall aside for one that is gone": "maze-circle-08-bfs-thin/right/warp-3",
    "light, tints and captions for strokes": "maze-triangle-08-bfs-paper/right/light-3",
    "an oval disc for none": "queens-board-05-b-native/right/oval-3+shift-white-1",
    "lines at the edge for marks": "queens-board-04-a-ruled/right/zoom-out-2+blur-2",
    "bars around a board for its cells": "queens-board-04-a-vivid/right/letterbox-black-1+gamma-3",
    "light for other regions": "queens-board-05-a-rimless/right/watermark-1+light-3",
}


@cache
def engine() -> Engine:
    return Engine()


@pytest.mark.parametrize("case_id", ONCE_WRONG.values())
def test_what_was_mistaken_once_is_right_now(case_id: str) -> None:
    found = grade_case(engine(), parse_case(case_id))
    assert found is not None
    assert found.right, found.reasons
    assert (found.coverage_error, found.violation_error) == (0, 0)
