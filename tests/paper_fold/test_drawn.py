"""Pictures of the unfolded sheet: right ones in many looks, wrong ones with their reasons, wrong requests."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

import grader
from benchmarks.paper_fold.drawing import HoleLook
from benchmarks.paper_fold.faults import FAULTS
from grader.model.errors import InvalidRequestError
from grader.model.verdict import Outcome
from grader.tasks.paper_fold.model import SheetFrame
from puzzles.paper_fold.rules import Fold, FoldType, creases
from tests.paper_fold.drawn import codes, drawn, flat_task, sheet, verdict

RIGHT = sheet().puzzle.holes[0]


@pytest.mark.parametrize(
    "look",
    [
        HoleLook(),
        HoleLook(fill=(20, 20, 20), rim=(20, 20, 20)),
        HoleLook(fill=(210, 40, 40), rim=(210, 40, 40), radius=1.2),
        HoleLook(hollow=True, rim=(30, 30, 30), rim_width=0.25),
        HoleLook(astray=0.3, aspect=1.15),
    ],
    ids=["own", "black", "red", "ring", "astray"],
)
def test_holes_of_any_look_pass(look):
    found = verdict(drawn(look=look))
    assert (found.outcome, found.score, found.reward, found.reasons) == (Outcome.PASS, 1.0, 1.0, ())
    assert {one.name: one.value for one in found.metrics} == {
        "hole_precision": 1.0, "hole_recall": 1.0, "sheet_iou": 1.0, "holes": float(len(RIGHT)),
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["bars", "small", "bright", "jpeg"])
def test_what_happens_to_pictures_does_no_harm(kind):
    picture = drawn()
    if kind == "bars":
        picture = cv2.copyMakeBorder(picture, 0, 0, 40, 40, cv2.BORDER_CONSTANT, value=(0, 0, 0))
    elif kind == "small":
        picture = cv2.resize(picture, (200, 200), interpolation=cv2.INTER_AREA)
    elif kind == "bright":
        picture = np.clip(picture.astype(np.int16) + 20, 0, 255).astype(np.uint8)
    else:
        data = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 60])[1]
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]
    assert codes(np.ascontiguousarray(picture)) == []


def test_a_wide_bar_is_no_sheet():
    """It agrees better with a large plain area than a pale sheet with dark rings does, but is four times as high."""
    rings = drawn(look=HoleLook(hollow=True, rim=(30, 30, 36), rim_width=0.22))
    assert codes(cv2.copyMakeBorder(rings, 0, 0, 78, 78, cv2.BORDER_CONSTANT, value=(128, 128, 128))) == []


def test_one_hole_less_and_one_more():
    less = verdict(drawn(RIGHT[1:]))
    assert [one.code for one in less.reasons] == ["HOLES_MISSING"]
    recall = (len(RIGHT) - 1) / len(RIGHT)
    assert [one.value for one in less.metrics[:2]] == [1.0, recall]
    assert less.reward == 0.9 * recall
    more = verdict(drawn([*RIGHT, (0.5, 0.5)]))
    assert [one.code for one in more.reasons] == ["HOLES_EXTRA"]
    assert more.metrics[0].value == len(RIGHT) / (len(RIGHT) + 1)


def test_a_hole_beside_its_place_is_misplaced():
    (x, y), rest = RIGHT[0], RIGHT[1:]
    aside = (x + (0.08 if x < 0.5 else -0.08), y)
    assert codes(drawn([aside, *rest])) == ["HOLES_MISPLACED"]


def test_a_hole_may_lie_half_its_width_off():
    (x, y), rest = RIGHT[0], RIGHT[1:]
    assert codes(drawn([(x + 0.02, y), *rest])) == []


CHEATS = {
    "faint_rings": {"NO_HOLES"},
    "half_drawn": {"NO_HOLES"},
    "half_size": {"HOLE_SIZE"},
    "twice_size": {"HOLE_SIZE"},
    "sprinkled": {"HOLES_EVERYWHERE"},
    "close_in_color": {"MARK_NOT_A_HOLE"},
    "holes_outside": {"HOLE_OUTSIDE"},
    "corner_folded": {"SHEET_ALTERED"},
    "torn": {"SHEET_ALTERED"},
    "options_copied": {"NOT_THE_PUZZLE", "OTHER_DRAWINGS", "SHEET_ALTERED"},
}


@pytest.mark.parametrize(("fault", "first"), CHEATS.items())
def test_cheats_fail_for_their_reason(fault, first):
    picture = FAULTS[fault](sheet(), HoleLook(), np.random.default_rng(3))
    found = verdict(picture)
    assert found.outcome is Outcome.FAIL
    assert found.reasons[0].code in first
    assert found.reward <= 0.45


def test_creases_are_harmless_and_told_and_other_lines_are_not():
    one = sheet()
    creased, ruled = drawn(), drawn()
    for ends in creases(one.puzzle.sheets, one.puzzle.folds, 0):
        start, end = np.rint(one.frame.of(ends)).astype(int).tolist()
        cv2.line(creased, start, end, (120, 130, 150), 1, cv2.LINE_AA)
    found = verdict(creased)
    assert found.outcome is Outcome.PASS
    assert [note.code for note in found.notes] == ["CREASES"]
    for at in (0.12, 0.88):
        start, end = np.rint(one.frame.of([(0.02, at), (0.98, at - 0.07)])).astype(int).tolist()
        cv2.line(ruled, start, end, (120, 130, 150), 1, cv2.LINE_AA)
    assert "MARK_NOT_A_HOLE" in codes(ruled)


def test_another_picture_is_not_the_sheet():
    noise = np.random.default_rng(0).integers(0, 256, (256, 256, 3)).astype(np.uint8)
    found = verdict(noise, overlay=True)
    assert found.reasons[0].code in ("NOT_THE_PUZZLE", "SHEET_ALTERED")
    assert (found.reward, found.overlay is not None) == (0.0, True)


def test_the_overlay_shows_the_verdict():
    picture = drawn([*RIGHT[1:], (0.5, 0.5)])
    assert verdict(picture, overlay=True).overlay.png.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"folds": ()}, "paper_fold.puzzle.folds", "MISSING"),
        ({"folds": (None,)}, "paper_fold.puzzle.folds[0].line", "MISSING"),
        ({"folds": (Fold(FoldType.HORIZONTAL, 0.2, True),)}, "paper_fold.puzzle.folds", "MISMATCH"),
        ({"punches": ()}, "paper_fold.puzzle.punches", "MISSING"),
        ({"punches": ((0.999, 0.999),)}, "paper_fold.puzzle.punches[0]", "OUT_OF_RANGE"),
        ({"hole_radius": 0.5}, "paper_fold.puzzle.hole_radius", "OUT_OF_RANGE"),
        ({"sheets": ()}, "paper_fold.puzzle.sheets", "MISSING"),
        ({"frame": None}, "paper_fold.puzzle.frame", "MISSING"),
        ({"frame": SheetFrame(0.0, 0.0, 9000.0)}, "paper_fold.puzzle.frame", "OUT_OF_RANGE"),
        ({"frame": SheetFrame(0.0, 0.0, 20.0)}, "paper_fold.puzzle.sheets", "OUT_OF_RANGE"),
    ],
)
def test_wrong_fields_are_named(change, field, reason):
    with pytest.raises(InvalidRequestError) as caught:
        grader.grade(replace(flat_task(), **change), drawn())
    assert (field, reason) in [(one.field, one.reason) for one in caught.value.violations]


def test_a_sheet_is_described_with_plain_values():
    task = flat_task()
    folds = [(one.kind.value, one.offset, one.above) for one in task.folds]
    picture = cv2.imdecode(np.frombuffer(task.sheets[0], np.uint8), cv2.IMREAD_COLOR)[..., ::-1]
    frame = (task.frame.left_px, task.frame.top_px, task.frame.side_px)
    described = grader.paper_fold(
        folds=folds, punches=task.punches, hole_radius=task.hole_radius, sheets=[picture], frame=frame
    )
    assert grader.grade(described, drawn()).outcome is Outcome.PASS
    with pytest.raises(ValueError, match="fold"):
        grader.paper_fold(folds=[("sideways", 0.5, True)])
