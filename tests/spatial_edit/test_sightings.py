"""Boxes in the picture (2D) beside boxes in space: where the object is, and whether it is gone."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from grader.model.errors import InvalidRequestError
from grader.model.verdict import Outcome
from tests.samples.edits import BEFORE, MUG, PLATE, box, codes, edit, found, graded, values

LEFT = box(-0.4)
# Faces of the moved mug (0.3 m, at x = -0.4) are 1.85 and 2.15 m away. With f = 300 and the centre at (160, 120):
# left 160 - 300 * 0.55 / 1.85, right 160 - 300 * 0.25 / 2.15, top and bottom 120 -+ 300 * 0.15 / 1.85.
MOVED = (160 - 300 * 0.55 / 1.85, 120 - 45 / 1.85, 160 - 75 / 2.15, 120 + 45 / 1.85)
# Where it stood: 160 -+ 300 * 0.15 / 1.85.
STOOD = (160 - 45 / 1.85, 120 - 45 / 1.85, 160 + 45 / 1.85, 120 + 45 / 1.85)


def flat(left, top, right, bottom):
    return {"left_px": left, "top_px": top, "width_px": right - left, "height_px": bottom - top}


def seen(label, rectangle, place=None):
    """A detection with a box in the picture, and perhaps one in space."""
    made = {"label": label, "box_2d": flat(*rectangle)}
    return made if place is None else made | {"box": place}


def test_a_box_in_the_picture_confirms_the_place():
    verdict = graded(edit("MOVE", [seen("the Mug", MOVED, LEFT), *found(PLATE)], LEFT))
    assert (verdict.outcome, codes(verdict)) == (Outcome.PASS, [])
    assert values(verdict)["box_2d_iou"] == pytest.approx(1.0)


def test_half_an_object_confirms_it_too():
    """What is half hidden has half the box: an overlap of 0.5."""
    left, top, right, bottom = MOVED
    verdict = graded(edit("MOVE", [seen("mug", (left, top, (left + right) / 2, bottom), LEFT), *found(PLATE)], LEFT))
    assert verdict.outcome is Outcome.PASS
    assert values(verdict)["box_2d_iou"] == pytest.approx(0.5)


def test_a_box_elsewhere_leaves_the_place_in_doubt():
    """SA x IC is 1, of which half is earned. Score and IC stay those of the boxes in space."""
    verdict = graded(edit("MOVE", [seen("mug", STOOD, LEFT), *found(PLATE)], LEFT))
    assert (verdict.outcome, codes(verdict)) == (Outcome.FAIL, ["PLACE_NOT_CONFIRMED"])
    assert (verdict.score, verdict.reward) == (pytest.approx(1.0), pytest.approx(0.5))
    assert (values(verdict)["box_2d_iou"], values(verdict)["ic"]) == (0.0, 1.0)


def test_another_label_confirms_nothing():
    verdict = graded(edit("MOVE", [seen("cup", MOVED), *found(("mug", LEFT), PLATE)], LEFT))
    assert codes(verdict) == ["PLACE_NOT_CONFIRMED"]


def test_without_boxes_in_the_picture_nothing_is_checked():
    verdict = graded(edit("MOVE", found(("mug", LEFT), PLATE), LEFT))
    assert (verdict.outcome, values(verdict)["box_2d_iou"]) == (Outcome.PASS, None)


def test_boxes_are_in_pixels_of_their_own_picture():
    """The edited picture is twice as large, and so are its boxes."""
    large = cv2.resize(BEFORE, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    objects = [seen("mug", tuple(2 * number for number in MOVED), LEFT), *found(PLATE)]
    verdict = graded(edit("MOVE", objects, LEFT, after=large))
    assert "PLACE_NOT_CONFIRMED" not in codes(verdict)
    assert values(verdict)["box_2d_iou"] == pytest.approx(1.0)


def test_what_only_a_box_in_the_picture_shows_is_missing_and_said():
    verdict = graded(edit("MOVE", [seen("mug", MOVED), *found(PLATE)], LEFT))
    assert codes(verdict)[0] == "TARGET_MISSING"
    assert "SEEN_IN_PICTURE_ONLY" in [note.code for note in verdict.notes]


def test_a_removal_whose_object_is_still_seen_earns_nothing():
    verdict = graded(edit("REMOVE", [seen("mug", STOOD), *found(PLATE)]))
    assert (verdict.outcome, codes(verdict)) == (Outcome.FAIL, ["STILL_SEEN"])
    assert (verdict.score, verdict.reward) == (1.0, 0.0)
    assert values(verdict)["box_2d_iou"] == pytest.approx(1.0)


def test_a_removal_is_not_blamed_for_another_of_the_label():
    """A second mug stands behind it, its face 2.2 m away: (1.85 / 2.2)^2 = 0.707 of the rectangle of the first."""
    behind = box(z=2.35)
    own = (160 - 45 / 2.2, 120 - 45 / 2.2, 160 + 45 / 2.2, 120 + 45 / 2.2)
    before = found(MUG, PLATE, ("mug", behind))
    verdict = graded(edit("REMOVE", [seen("mug", own, behind), *found(PLATE)], original=before))
    assert (verdict.outcome, codes(verdict)) == (Outcome.PASS, [])
    unplaced = graded(edit("REMOVE", [seen("mug", own), *found(("mug", behind), PLATE)], original=before))
    assert unplaced.outcome is Outcome.PASS
    alone = graded(edit("REMOVE", [seen("mug", own), *found(PLATE)]))
    assert codes(alone) == ["STILL_SEEN"]
    assert values(alone)["box_2d_iou"] == pytest.approx((1.85 / 2.2) ** 2)


@pytest.mark.parametrize("wrong", [{"width_px": 0}, {"height_px": -1}, {"left_px": math.nan}, {"top_px": math.inf}])
def test_a_box_in_the_picture_without_an_area_is_refused(wrong):
    objects = found(("mug", LEFT), PLATE)
    request = edit("MOVE", objects, LEFT)
    detection = request.scene.detections[0]
    for name, value in (flat(*MOVED) | wrong).items():
        setattr(detection.box_2d, name, value)
    with pytest.raises(InvalidRequestError) as refused:
        graded(request)
    assert [(fault.field, fault.reason) for fault in refused.value.violations] == [
        ("scene.detections[0].box_2d", "OUT_OF_RANGE")
    ]


def test_before_the_edit_every_object_needs_a_box_in_space():
    with pytest.raises(InvalidRequestError) as refused:
        graded(edit("MOVE", found(("mug", LEFT), PLATE), LEFT, original=[seen("mug", STOOD)]))
    assert refused.value.violations[0].field.startswith("spatial_edit.puzzle.detections[0].box")


def test_the_check_sees_no_more_than_the_picture():
    """The mug was moved half out of the picture, to x = -1.05: what is cut off counts for neither box."""
    out = box(-1.05)
    # Left 160 - 300 * 1.2 / 1.85 < 0, right 160 - 300 * 0.9 / 2.15.
    shown = (0.0, MOVED[1], 160 - 270 / 2.15, MOVED[3])
    verdict = graded(edit("MOVE", [seen("mug", shown, out), *found(PLATE)], out))
    assert values(verdict)["box_2d_iou"] == pytest.approx(1.0)
    assert np.isclose(shown[2], 34.419, atol=1e-3)
