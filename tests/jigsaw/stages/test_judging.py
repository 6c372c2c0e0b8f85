"""What is said of an assembly by what was seen of it: each fault by its code, each bound from both sides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from detectors.jigsaw.assembly import Assembly, QuarterSeen
from detectors.jigsaw.pieces import PieceTurn
from grader.model.errors import InvalidRequestError
from grader.model.places import PixelBox
from grader.tasks.jigsaw.judge import judge_assembly
from grader.tasks.jigsaw.model import AssemblyObservation, JigsawInput, QuarterObservation
from grader.tasks.jigsaw.pictures import observed
from grader.tasks.jigsaw.rollouts import _faults
from grader.tasks.jigsaw.settings import DrawnRules, JigsawSettings
from grader.tasks.jigsaw.spec import SPEC

RULES = DrawnRules()
ORDER = (3, 1, 4, 2)


def quarter(piece, **more):
    values = {"rotation_deg": 0, "mirrored": False, "likeness": 0.99, "detail": 0.9, "shift": 0.0, "rough": 1.0,
              "displaced": 0.0, "altered_share": 0.0, "box": PixelBox(piece, 0, 9, 9)}  # fmt: skip
    return QuarterObservation(piece, **(values | more))


RIGHT = tuple(quarter(piece) for piece in ORDER)


def judged(first, *others):
    return judge_assembly((first, *(others or RIGHT[1:])), ORDER, RULES)


def codes(found):
    return [one.code for one in found.reasons]


def test_pieces_in_order_are_right():
    found = judged(RIGHT[0])
    assert (found.reasons, found.right, found.intact, found.found, found.reward, found.unspoilt) == (
        (), (True,) * 4, (True,) * 4, 4, 1.0, True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("altered_share", 0.002, 0.0021),
        ("detail", 0.6, 0.59),
        ("shift", 14.0, 14.1),
        ("displaced", 0.035, 0.036),
        ("rough", 5.8, 5.9),  # 4.5, and 1.3 times the 1.0 of the others
    ],
)
def test_a_piece_is_as_it_was_given_up_to_a_bound(name, good, bad):
    assert codes(judged(replace(RIGHT[0], **{name: good}))) == []
    found = judged(replace(RIGHT[0], **{name: bad}))
    assert (codes(found), found.intact, found.reward, found.unspoilt) == (
        ["PIECE_ALTERED"], (False, True, True, True), 0.0, False,
    )  # fmt: skip
    assert [one.object for one in found.reasons[0].places] == ["3"]


def test_the_second_smoothest_piece_says_how_rough_pieces_are():
    """Of 1, 2, 6 and the first, that is 2: 4.5 + 1.3 x 2 are 7.1."""
    others = [replace(one, rough=rough) for one, rough in zip(RIGHT[1:], (1.0, 2.0, 6.0), strict=True)]
    assert codes(judged(replace(RIGHT[0], rough=7.0), *others)) == []
    assert codes(judged(replace(RIGHT[0], rough=7.2), *others)) == ["PIECE_ALTERED"]


def test_two_pieces_that_changed_places():
    found = judge_assembly((RIGHT[1], RIGHT[0], *RIGHT[2:]), ORDER, RULES)
    (reason,) = found.reasons
    assert reason.code == "WRONG_ORDER"
    assert reason.message == (
        "2 quarters with another piece than its own: piece 1 lies at the top left, where piece 3 belongs."
    )
    assert (found.right, found.reward) == ((False, False, True, True), 0.45)


@pytest.mark.parametrize(
    ("change", "how"),
    [
        ({"rotation_deg": 180}, "piece 3 is rotated by 180 degrees"),
        ({"mirrored": True}, "piece 3 is mirrored"),
        ({"rotation_deg": 90, "mirrored": True}, "piece 3 is mirrored and rotated by 90 degrees"),
    ],
)
def test_a_piece_that_is_not_upright(change, how):
    found = judged(replace(RIGHT[0], **change))
    assert [(one.code, one.message) for one in found.reasons] == [
        ("PIECE_TURNED", f"1 piece not upright: {how} at the top left.")
    ]
    assert (found.right, found.reward) == ((False, True, True, True), pytest.approx(0.9 * 3 / 4))


def test_pieces_that_are_missing_or_there_twice():
    empty = judged(quarter(0))
    assert (codes(empty), empty.found, empty.reward) == (["PIECE_MISSING"], 3, pytest.approx(0.675))
    assert empty.reasons[0].message == "The quarter at the top left shows none of the given pieces."
    assert [one.object for one in empty.reasons[0].places] == [""]
    twice = judged(quarter(1))
    assert codes(twice) == ["PIECE_TWICE", "WRONG_ORDER"]
    assert twice.reasons[0].message == "Piece 1 is there 2 times."
    assert len(twice.reasons[0].places) == 2
    nothing = judge_assembly((quarter(0),) * 4, ORDER, RULES)
    assert (codes(nothing), nothing.reward, nothing.unspoilt) == (["NO_PIECES"], 0.0, False)
    several = judge_assembly((quarter(0), quarter(0), *RIGHT[2:]), ORDER, RULES)
    assert several.reasons[0].message.startswith("The quarters at the top left, top right show")


def test_the_gravest_comes_first():
    quarters = (replace(RIGHT[0], shift=99.0), quarter(0), replace(RIGHT[2], mirrored=True), RIGHT[0])
    found = judge_assembly(quarters, ORDER, RULES)
    assert codes(found) == ["PIECE_ALTERED", "PIECE_MISSING", "PIECE_TWICE", "PIECE_TURNED", "WRONG_ORDER"]


def seen(likeness):
    boxes = ((1.0, 2.0, 11.0, 22.0), (0.0, 0.0, 50.0, 40.0))
    return QuarterSeen(0, 2, PieceTurn(3, True), likeness, 0.1, 0.5, 0.3, 0.8, 1.0, 2.0, 0.01, *boxes)


@pytest.mark.parametrize(("likeness", "piece"), [(0.75, 2), (0.74, 0)])
def test_what_is_like_no_piece_is_none(likeness, piece):
    (one,) = observed(Assembly((seen(likeness),), (0, 0, 100, 80)), JigsawSettings()).quarters
    assert (one.piece, one.rotation_deg, one.mirrored) == ((2, 270, True) if piece else (0, 0, False))
    assert one.box == (PixelBox(1.0, 2.0, 10.0, 20.0) if piece else PixelBox(0.0, 0.0, 50.0, 40.0))
    assert (one.altered_share, one.detail, one.shift, one.rough, one.displaced) == (0.3, 0.8, 1.0, 2.0, 0.01)


@pytest.mark.parametrize(("likeness", "steps"), [(0.49, []), (0.51, [1])])
def test_what_is_left_of_a_piece_in_a_step_was_altered(likeness, steps):
    """Before the last picture; that one is judged as a still."""
    quarters = (quarter(0, likeness=likeness), *RIGHT[1:])
    one = (AssemblyObservation(quarters), judge_assembly(quarters, ORDER, RULES))
    found = _faults([one, one], RULES)
    assert [place.step for reason in found for place in reason.places] == steps
    spoilt = (replace(RIGHT[0], shift=99.0), *RIGHT[1:])
    other = (AssemblyObservation(spoilt), judge_assembly(spoilt, ORDER, RULES))
    found = _faults([other, None, one], RULES)
    assert [(reason.code, [place.step for place in reason.places]) for reason in found] == [
        ("STEP_ALTERED", [1]), ("STEP_UNREADABLE", [2]),
    ]  # fmt: skip


def test_of_an_unknown_kind_no_guess_is_told():
    with pytest.raises(InvalidRequestError) as caught:
        SPEC.chance.levels(JigsawInput(None, (), None))
    assert [(one.field, one.reason) for one in caught.value.violations] == [("jigsaw.puzzle.kind", "MISSING")]
