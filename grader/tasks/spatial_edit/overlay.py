"""Draws a verdict on a spatial edit: boxes before, wanted and found, and what changed around them. Never on the
scoring path."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from grader.drawing import canvas as brush
from grader.drawing.canvas import AMBER, BLUE, GREEN, PAPER, PURPLE, Canvas, Color, Points, Sheet
from grader.drawing.pair import CAPTION_PX, Panel, caption, draw_pair, levels_apart
from grader.drawing.strip import LegendEntry, Strip, with_strip
from grader.media.pyramid import resize
from grader.metrics.space.edit_types import MoveScore, ResizeScore, RotateScore
from grader.metrics.space.projection import box_outline
from grader.model.verdict import Outcome

if TYPE_CHECKING:
    from grader.metrics.space.boxes3d import OrientedBox
    from grader.metrics.space.edit_types import Detection
    from grader.tasks.spatial_edit.judging.judge import EditJudgement
    from grader.tasks.spatial_edit.scene.scene import EditScene

_CHANGED = 24
"""Levels by which a pixel of the background differs visibly, in its most different channel."""
_FAR_FROM_DONE = 10.0
"""Per cent of what was asked for; an edit of which less is left to do is said to be as asked."""
_LINE_PX = 48.0
_GAP_PX = 16


def draw_edit_overlay(
    scene: EditScene, picture: NDArray[np.uint8], found: Sequence[Detection], judged: EditJudgement
) -> NDArray[np.uint8]:
    """Draws a verdict on an edit.

    Parameters
    ----------
    scene : EditScene
    picture : ndarray of shape (H, W, 3), uint8 RGB
        The edited picture, at the size of the one before, or, of a view, of the one that was wanted.
    found : sequence of Detection
        After the edit.
    judged : EditJudgement

    Returns
    -------
    ndarray of shape (h, w, 3), uint8 RGB
    """
    if scene.result is not None:
        canvas, entries = _draw_view(scene.result, scene.picture, picture)
        praise = "The view is like the one that was wanted."
    else:
        sheet = brush.make_sheet(picture, None, _LINE_PX)
        entries = (*_draw_changes(sheet, scene, picture), *_draw_boxes(sheet, scene, found, judged))
        canvas = _beside_before(sheet.canvas, scene)
        # What a detector is off by is no part of an edit that was not done.
        whole = judged.left * 100.0 < _FAR_FROM_DONE
        asked = "The edit is as asked" if whole else f"The edit goes the right way, with {judged.left:.0%} left to do"
        praise = f"{asked}, and what lies around it is as it was, or alike enough."
    is_judged = judged.outcome is not Outcome.MEASURED
    if not is_judged:
        praise = "Measured, not judged: what lies around the object could not be looked at."
    strip = Strip(
        facts=_facts(judged) if is_judged else _ungated_facts(judged),
        praise=praise,
        reasons=judged.reasons,
        entries=entries,
        footer=_asked(scene, judged),
        judged=is_judged,
    )
    return with_strip(canvas, strip)


def _asked(scene: EditScene, judged: EditJudgement) -> str:
    """What was asked for, in short."""
    measures = judged.shown.measures
    if isinstance(measures, MoveScore):
        return f"move: {scene.target}, by {measures.d_gt_m:.3g} m"
    if isinstance(measures, RotateScore):
        return f"rotate: {scene.target}, by {math.degrees(measures.theta_gt_rad):.3g} degrees"
    if isinstance(measures, ResizeScore):
        return f"resize: {scene.target}, extents times " + ", ".join(f"{factor:.3g}" for factor in measures.s_gt)
    return f"{scene.operation.value}: {scene.target}" if scene.target else scene.operation.value


def _beside_before(drawn: Canvas, scene: EditScene) -> Canvas:
    """What was drawn, and to its right, at half the size, the picture before."""
    if scene.picture is None:
        return drawn
    height, width = drawn.shape[:2]
    small = resize(scene.picture, (max(1, width // 2), max(1, height // 2)))
    canvas = np.full((height, width + _GAP_PX + small.shape[1], 3), PAPER, np.uint8)
    canvas[:, :width] = drawn
    canvas[: small.shape[0], width + _GAP_PX :] = small
    caption(canvas[small.shape[0] : small.shape[0] + CAPTION_PX * 2, width + _GAP_PX :], "before")
    return canvas


def _facts(judged: EditJudgement) -> tuple[tuple[str, str], ...]:
    scores = judged.shown.scores
    return (
        ("score", _number(judged.score)),
        ("reward", _number(judged.reward)),
        ("IC", _number(scores.ic.value)),
        ("SA", _number(scores.sa.value)),
        ("EL", _number(scores.el.value, 1)),
        ("AC", _number(scores.ac.value, 1)),
    )


def _ungated_facts(judged: EditJudgement) -> tuple[tuple[str, str], ...]:
    """What boxes alone say."""
    shown = judged.shown
    return ("IC of the boxes", _number(shown.ic_ungated)), ("SA of the boxes", _number(shown.sa_ungated))


def _draw_view(
    wanted: NDArray[np.uint8], before: NDArray[np.uint8] | None, picture: NDArray[np.uint8]
) -> tuple[Canvas, tuple[LegendEntry, ...]]:
    """The edited picture beside the wanted one, and the one before, where there is one."""
    earlier = None
    if before is not None:
        earlier = Panel("before", resize(before, (wanted.shape[1], wanted.shape[0])))
    return draw_pair(Panel("edited", picture), Panel("wanted", wanted), before=earlier)


def _number(value: float | None, digits: int = 3) -> str:
    return "n/a" if value is None else f"{value:.{digits}f}"


def _draw_changes(sheet: Sheet, scene: EditScene, picture: NDArray[np.uint8]) -> Iterable[LegendEntry]:
    """What changed in the background, and what is not looked at."""
    if scene.picture is None or scene.background is None:
        return
    changed = (levels_apart(picture, scene.picture) > _CHANGED) & scene.background
    if changed.any():
        cover = sheet.spread(changed).astype(np.float32)
        brush.paint_wrong(sheet.canvas, cover, sheet.unit, over_ink=True)
        yield LegendEntry("changed background", partial(_cover_key, brush.paint_wrong))
    if not scene.background.all():
        brush.outline(
            sheet.canvas,
            ~sheet.spread(scene.background).astype(np.bool_),
            brush.GREY,
            0.5 * sheet.unit,
            inset=0.0,
            dashes=True,
        )
        yield LegendEntry("not compared", partial(_box_key, brush.GREY, True))


def _draw_boxes(
    sheet: Sheet, scene: EditScene, found: Sequence[Detection], judged: EditJudgement
) -> Iterable[LegendEntry]:
    others = [one.box for place, one in enumerate(found) if place != judged.target]
    target = [] if judged.target is None else [found[judged.target].box]
    kinds: tuple[tuple[str, list[OrientedBox], Color, bool], ...] = (
        ("other objects found", others, BLUE, False),
        ("before", [] if scene.source is None else [scene.source], AMBER, True),
        ("the object, as found", target, PURPLE, False),
        ("wanted", [] if scene.destination is None else [scene.destination], GREEN, True),
    )
    for label, boxes, color, dashes in kinds:
        drawn = [outline for box in boxes if len(outline := _outline(box, scene))]
        for outline in drawn:
            # Where the object stands as wanted, both lie on each other, and both are seen.
            wide = 1.6 if color is PURPLE else 1.0
            _draw_outline(sheet.canvas, sheet.at(outline), color, wide * sheet.unit, dashes)
        if drawn:
            yield LegendEntry(label, partial(_box_key, color, dashes))


def _outline(box: OrientedBox, scene: EditScene) -> Points:
    if scene.camera is None:
        return np.zeros((0, 2))
    return box_outline(box, scene.camera)


def _draw_outline(canvas: Canvas, corners: Points, color: Color, width: float, dashes: bool) -> None:
    draw = brush.dashed_line if dashes else brush.line
    draw(canvas, corners, color, width, closed=True, casing=0.0 if dashes else 1.0)


def _box_key(color: Color, dashes: bool, canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    corners = np.array([[12.0, 8.0], [width - 12.0, 8.0], [width - 12.0, height - 8.0], [12.0, height - 8.0]])
    _draw_outline(canvas, corners, color, 3.0, dashes)


def _cover_key(paint: Callable[..., None], canvas: Canvas) -> None:
    paint(canvas, np.ones(canvas.shape[:2], np.float32), 3.0, over_ink=True)
