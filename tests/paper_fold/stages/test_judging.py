"""What findings on a sheet are worth, told from findings alone; and which sheets are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from detectors.paper_fold.finding import SheetFindings
from detectors.paper_fold.holes import Blot, BlotKind, Disc
from grader.media.types import MediaLimits
from grader.model.errors import InvalidRequestError
from grader.model.jobs import CandidateKind
from grader.model.places import PixelBox
from grader.tasks.paper_fold.judge import judge_sheet, match
from grader.tasks.paper_fold.model import SheetFrame
from grader.tasks.paper_fold.pictures import sheet_metrics
from grader.tasks.paper_fold.puzzle import prepare_paper_fold
from grader.tasks.paper_fold.settings import HoleRules, PaperFoldSettings
from puzzles.paper_fold.rules import MOST_FOLDS, Fold, FoldType
from tests.paper_fold.drawn import SIDE, flat_task, sheet

HOLES = ((40.0, 40.0), (100.0, 40.0))
RADIUS = 5.0


def disc(x, y, fits=True, outside=False, radius=RADIUS):
    return Disc((x, y), radius, 0.5, fits, outside)


BOTH = tuple(disc(*at) for at in HOLES)


def judged(discs=BOTH, blots=(), repainted=False, whole=1.0, beside=False):
    found = SheetFindings(tuple(discs), tuple(blots), 0.0, repainted, whole)
    return judge_sheet(found, HOLES, RADIUS, HoleRules(), beside=beside)


def codes(judgement):
    return [one.code for one in judgement.reasons]


def test_holes_in_their_places_are_all_there_is_to_it():
    found = judged()
    assert (found.reasons, found.right, found.wrong, found.missing, found.moved) == ((), BOTH, (), (), ())
    assert (found.score, found.reward) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("off", "reasons"),
    [
        (4.9, []),  # one radius is 5 pixels
        (5.0, []),
        (5.1, ["HOLES_MISPLACED"]),
        (20.0, ["HOLES_MISPLACED"]),  # four radii
        (20.1, ["HOLES_EXTRA", "HOLES_MISSING"]),
    ],
)
def test_how_far_from_its_place_a_hole_may_lie(off, reasons):
    found = judged([disc(40.0, 40.0 - off), BOTH[1]])
    assert codes(found) == reasons
    right = 1 if reasons else 2
    assert (found.precision, found.recall) == (right / 2, right / 2)
    # pass_score is recall less (1 - precision): 0.5 - 0.5 of one right hole of two, drawn two.
    assert (found.score, found.reward) == ((0.0, 0.0) if reasons else (1.0, 1.0))
    assert len(found.missing) == len(found.wrong) == 2 - right
    assert found.moved == (((found.wrong[0], HOLES[0]),) if "HOLES_MISPLACED" in reasons else ())


@pytest.mark.parametrize(("more", "reasons"), [(2, ["HOLES_EXTRA"]), (3, ["HOLES_EVERYWHERE", "HOLES_EXTRA"])])
def test_more_than_twice_as_many_holes_are_no_answer(more, reasons):
    found = judged([*BOTH, *(disc(40.0 + 30 * at, 150.0) for at in range(more))])
    assert codes(found) == reasons
    assert found.precision == 2 / (2 + more)
    # Of four holes two are right: 1 - (1 - 0.5) is 0.5, and a failure is worth at most 0.9 of it.
    assert found.reward == (0.45 if more == 2 else 0.0)
    assert [one.message for one in found.reasons if one.code == "HOLES_EXTRA"] == [f"{more} holes where none belongs."]


def test_one_hole_more_is_named_and_placed():
    found = judged([*BOTH, disc(40.0, 150.0, radius=6.0)])
    (reason,) = found.reasons
    assert (reason.code, reason.message) == ("HOLES_EXTRA", "1 hole where none belongs.")
    assert [one.box for one in reason.places] == [PixelBox(34.0, 144.0, 12.0, 12.0)]
    assert found.reward == pytest.approx(0.9 * (1 - (1 - 2 / 3)))


def test_a_missing_hole_is_placed_where_it_belongs():
    found = judged(BOTH[:1])
    (reason,) = found.reasons
    assert (reason.code, reason.message) == ("HOLES_MISSING", "1 hole of 2 missing.")
    assert [one.box for one in reason.places] == [PixelBox(95.0, 35.0, 10.0, 10.0)]
    assert (found.score, found.reward) == (0.5, 0.45)


@pytest.mark.parametrize(("whole", "reasons"), [(0.98, []), (0.97, ["SHEET_ALTERED"])])
def test_the_share_of_the_sheet_that_has_to_be_as_it_was(whole, reasons):
    found = judged(whole=whole)
    assert codes(found) == reasons
    assert found.reward == (0.0 if reasons else 1.0)
    assert all("97 % of it is" in one.message for one in found.reasons)


def test_marks_are_told_by_their_kind():
    blot = Blot(BlotKind.MARK, (1.0, 2.0, 3.0, 4.0), 9.0)
    found = judged(blots=[blot])
    assert [(one.code, one.message) for one in found.reasons] == [
        ("MARK_NOT_A_HOLE", "1 mark on the sheet that is no hole.")
    ]
    assert [one.box for one in found.reasons[0].places] == [PixelBox(1.0, 2.0, 3.0, 4.0)]
    assert found.reward == 0.45
    faint = judged(blots=[blot, replace(blot, kind=BlotKind.FAINT)])
    assert faint.reasons[0].message == "2 marks on the sheet that are no holes, 1 of them faint."
    torn = judged(blots=[replace(blot, kind=BlotKind.TORN)])
    assert (codes(torn), torn.reward) == (["SHEET_ALTERED"], 0.0)
    assert [one.box for one in torn.reasons[0].places] == [PixelBox(1.0, 2.0, 3.0, 4.0)]
    assert "another colour" in judged(repainted=True).reasons[0].message


def test_a_hole_of_another_size_is_in_place_and_not_right():
    found = judged([disc(40.0, 40.0, fits=False, radius=10.0), BOTH[1]])
    assert [(one.code, one.message) for one in found.reasons] == [
        ("HOLE_SIZE", "1 hole of another size; the first 2.00 times as large.")
    ]
    assert [one.box for one in found.reasons[0].places] == [PixelBox(30.0, 30.0, 20.0, 20.0)]
    assert (found.right, found.missing, found.moved) == (BOTH[1:], (), ())


def test_holes_beside_the_sheet_count_neither_way():
    found = judged([*BOTH, disc(300.0, 40.0, outside=True)])
    assert (codes(found), found.precision, found.recall, found.reward) == (["HOLE_OUTSIDE"], 1.0, 1.0, 0.45)
    alone = judged([disc(40.0, 40.0, outside=True)])
    assert (codes(alone), alone.score) == (["NO_HOLES", "HOLE_OUTSIDE", "HOLES_MISSING"], 0.0)


def test_other_drawings_and_no_sheet_at_all_earn_nothing():
    found = judged(beside=True)
    assert (codes(found), found.score, found.reward) == (["OTHER_DRAWINGS"], 1.0, 0.0)
    none = judge_sheet(None, HOLES, RADIUS, HoleRules())
    assert (codes(none), none.missing, none.score, none.reward) == (["NOT_THE_PUZZLE"], HOLES, 0.0, 0.0)
    assert [(one.name, one.value) for one in sheet_metrics(none)] == [
        ("hole_precision", 0.0), ("hole_recall", 0.0), ("sheet_iou", 0.0), ("holes", 0.0),
    ]  # fmt: skip


def test_pairs_are_made_one_to_one_the_nearest_first():
    near = [disc(48.0, 40.0), disc(43.0, 40.0)]
    assert match(near, HOLES, 10.0) == [(1, 0)]
    # 2 pixels before 5: the second disc takes the first place, which leaves the second, 57 off, for the first.
    assert match([disc(43.0, 40.0), disc(42.0, 40.0)], HOLES, 60.0) == [(1, 0), (0, 1)]
    assert match([], HOLES, 60.0) == []


# --- which sheets are refused ---

HALF = Fold(FoldType.HORIZONTAL, 0.5, True)  # the upper half comes down


def refused(candidate=CandidateKind.IMAGE, **changes):
    """The field and reason of each fault of a sheet."""
    try:
        prepare_paper_fold(replace(flat_task(), **changes), PaperFoldSettings(), MediaLimits(), candidate)
    except InvalidRequestError as error:
        return [(one.field.removeprefix("paper_fold.puzzle."), one.reason) for one in error.violations]
    return []


@pytest.mark.parametrize(
    ("radius", "faults"),
    [
        (0.0099, [("hole_radius", "OUT_OF_RANGE")]),
        (0.0101, [("sheets", "OUT_OF_RANGE")]),  # which is 2 pixels, less than 5
        (0.079, [("punches[0]", "OUT_OF_RANGE"), ("punches", "MISMATCH")]),
        (0.081, [("hole_radius", "OUT_OF_RANGE")]),
    ],
)
def test_holes_have_a_size(radius, faults):
    # The punch lies 0.08 off the fold, its image 0.16 off the punch: 1.2 radii of 0.079 are 0.0948, and 2.5 are 0.1975.
    assert refused(folds=(HALF,), punches=((0.3, 0.42),), hole_radius=radius) == faults


@pytest.mark.parametrize(("pixels", "faults"), [(4.9, [("sheets", "OUT_OF_RANGE")]), (5.1, [])])
def test_a_hole_has_so_many_pixels(pixels, faults):
    frame = flat_task().frame
    found = refused(folds=(HALF,), punches=((0.3, 0.2),), hole_radius=pixels / frame.side_px)
    assert found == faults


@pytest.mark.parametrize(
    ("punches", "faults"),
    [
        (((0.3, 0.453),), [("punches[0]", "OUT_OF_RANGE"), ("punches", "MISMATCH")]),  # 1.2 radii are 0.048
        (((0.3, 0.451),), [("punches", "MISMATCH")]),  # its image is 0.098 off, and 2.5 radii are 0.1
        (((0.3, 0.449),), []),
        (((0.3, 0.2), (0.398, 0.2)), [("punches", "MISMATCH")]),
        (((0.3, 0.2), (0.402, 0.2)), []),
        (((0.3, 0.2), (0.6, 0.047)), [("punches[1]", "OUT_OF_RANGE")]),
        (((0.3, 0.2), (0.6, 0.049)), []),
        (((4.1, 0.2),), [("punches", "OUT_OF_RANGE")]),
        (((0.3, float("nan")),), [("punches", "OUT_OF_RANGE")]),
        (((3.9, 0.2),), [("punches[0]", "OUT_OF_RANGE")]),
    ],
)
def test_holes_lie_apart_and_off_edges(punches, faults):
    assert refused(folds=(HALF,), punches=punches, hole_radius=0.04) == faults


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ({"folds": (HALF,) * (MOST_FOLDS + 1)}, [("folds", "OUT_OF_RANGE")]),
        ({"folds": (HALF, None, HALF)}, [("folds[1].line", "MISSING")]),
        ({"folds": (replace(HALF, offset=4.1),)}, [("folds[0].offset", "OUT_OF_RANGE")]),
        ({"folds": (replace(HALF, offset=3.9),)}, [("folds", "MISMATCH")]),
        ({"sheets": ()}, [("sheets", "MISSING")]),
        ({"sheets": (b"no picture",)}, [("sheets[0]", "UNKNOWN_FORMAT")]),
        ({"frame": SheetFrame(-1.0, 0.0, 100.0)}, [("frame", "OUT_OF_RANGE")]),
        ({"frame": SheetFrame(0.0, -1.0, 100.0)}, [("frame", "OUT_OF_RANGE")]),
        ({"frame": SheetFrame(1.0, 0.0, float(SIDE))}, [("frame", "OUT_OF_RANGE")]),
        ({"frame": SheetFrame(0.0, 1.0, float(SIDE))}, [("frame", "OUT_OF_RANGE")]),
        ({"frame": SheetFrame(0.0, 0.0, float("nan"))}, [("frame", "OUT_OF_RANGE")]),
    ],
)
def test_what_can_not_be_is_named(changes, faults):
    assert refused(**changes) == faults


@pytest.mark.parametrize(
    ("candidate", "least"), [(CandidateKind.IMAGE, 1), (CandidateKind.FRAMES, 2), (CandidateKind.VIDEO, 3)]
)
def test_how_many_pictures_of_the_sheet_a_candidate_needs(candidate, least):
    """Two folds: a picture needs the flat sheet, a series what is to be undone, a clip the folded one too."""
    sheets = sheet().task.sheets
    for number in range(len(sheets) + 1):
        fault = [] if number >= least else [("sheets", "OUT_OF_RANGE" if number else "MISSING")]
        assert refused(candidate, sheets=sheets[:number]) == fault
    assert refused(candidate, sheets=(*sheets, sheets[0])) == [("sheets", "OUT_OF_RANGE")]


def test_states_know_where_their_holes_are():
    task = sheet().task
    puzzle = prepare_paper_fold(task, PaperFoldSettings(), MediaLimits(), CandidateKind.VIDEO)
    assert [one.number for one in puzzle.states] == [0, 1, 2]
    frame = task.frame
    for state, holes in zip(puzzle.states, sheet().puzzle.holes, strict=True):
        assert state.radius == task.hole_radius * frame.side_px
        x, y = holes[0]  # counted from below
        assert state.holes[0] == pytest.approx(
            (frame.left_px + frame.side_px * x, frame.top_px + frame.side_px * (1 - y))
        )
