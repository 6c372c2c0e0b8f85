"""What is said of a chain by what was seen of it: each fault by its code, each bound from both sides."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from grader.model.places import PixelBox
from grader.tasks.hinge_folding.judge import ChainFaults, apart, judge_chain, steps_of, whole_reasons
from grader.tasks.hinge_folding.model import ChainHingeSeen, ChainObservation, ChainPieceSeen
from grader.tasks.hinge_folding.settings import DrawnChainRules
from puzzles.hinge_folding.chain import HingeShape, folded

SQUARE, DIAMOND, TRIANGLE, RECTANGLE = HingeShape
SHAPES = (SQUARE, RECTANGLE, TRIANGLE)
TARGET = (math.pi / 2, math.pi / 4)
RULES = DrawnChainRules()
BOX = PixelBox(10.0, 20.0, 30.0, 5.0)


def seen(*angles, gaps=(0.0, 0.0), absent=()):
    """A chain of three pieces at angles in degrees, the second of which lies at (10, 20) to (40, 25)."""
    corners = [((0.0, 0.0), (4.0, 2.0)), ((10.0, 20.0), (40.0, 25.0)), ((7.0, 7.0), (9.0, 9.0))]
    pieces = (ChainPieceSeen(at not in absent, corners[at], 1.2, 0.0) for at in range(3))
    hinges = (ChainHingeSeen("AB"[at], angle, gaps[at]) for at, angle in enumerate(angles))
    return ChainObservation(tuple(pieces), tuple(hinges))


def units(angles):
    return tuple(tuple(map(tuple, one)) for one in folded(SHAPES, angles))


def judged(chain, faults=None, target=TARGET):
    return judge_chain(SHAPES, target, chain, faults or ChainFaults(units=units(TARGET)), RULES)


def codes(judgement):
    return [one.code for one in judgement.reasons]


def test_the_right_angles_are_right_up_to_four_degrees():
    right = judged(seen(90.0, 45.0))
    assert (codes(right), right.reward, right.iou, right.joined, right.found) == ([], 1.0, 1.0, 1.0, 1.0)
    assert (right.steps, right.hinges_right, right.spoilt) == ((2, 1), (True, True), False)
    # 86 and 49 are next to 90 and 45: (4 + 4) / 2 degrees off in the mean.
    near = judged(seen(86.0, 49.0))
    assert (codes(near), near.angle_error_deg) == ([], pytest.approx(4.0))
    between = judged(seen(90.0, 49.1))
    assert (codes(between), between.steps) == (["HINGE_BETWEEN"], None)
    assert between.reasons[0].places[0].object == "B"
    # The first hinge is right, one of two: 0.9 x 1/2.
    assert (between.hinges_right, between.reward) == ((True, False), pytest.approx(0.45))


def test_a_full_turn_more_is_the_same_angle():
    assert steps_of(seen(358.0, -43.0), RULES) == (0, 7)
    assert steps_of(seen(None, 0.0), RULES) is None
    assert [apart(one, other) for one, other in ((350.0, 10.0), (10.0, 350.0), (0.0, 180.0), (None, 1.0))] == [
        20.0, 20.0, 180.0, None,
    ]  # fmt: skip


def test_another_silhouette_is_told_with_the_hinges_that_make_it():
    wrong = judged(seen(90.0, 90.0), ChainFaults(units=units((math.pi / 2, math.pi / 2))))
    assert codes(wrong) == ["WRONG_SILHOUETTE"]
    assert [one.object for one in wrong.reasons[0].places] == ["B"]
    assert wrong.reward == pytest.approx(0.45)
    assert 0.3 < wrong.iou < 1.0
    # The first hinge is not off, the second by 45 degrees.
    assert wrong.angle_error_deg == pytest.approx(22.5)


def test_a_hinge_is_joined_up_to_a_twentieth_of_a_unit():
    assert codes(judged(seen(90.0, 45.0, gaps=(0.0, 0.05)))) == []
    cut = judged(seen(90.0, 45.0, gaps=(0.0, 0.051)))
    assert (codes(cut), cut.joined, cut.reward, cut.spoilt) == (["CHAIN_CUT"], 0.5, 0.0, True)
    assert [one.object for one in cut.reasons[0].places] == ["B"]


def test_the_first_piece_may_be_turned_by_eight_degrees():
    faults = ChainFaults(units=units(TARGET))
    for degrees, told in ((8.0, []), (-8.0, []), (8.1, ["CHAIN_TURNED"]), (-8.1, ["CHAIN_TURNED"])):
        assert codes(judged(seen(90.0, 45.0), replace(faults, turned_deg=degrees))) == told


@pytest.mark.parametrize(
    ("fault", "code", "objects"),
    [
        ({"one_color": True}, "SILHOUETTE_ONLY", ["1", "2", "3"]),
        ({"merged": ((0, 2),)}, "SILHOUETTE_ONLY", ["1", "3"]),
        ({"second": True}, "SECOND_CHAIN", []),
        ({"extras": (BOX,)}, "SOMETHING_DRAWN", [""]),
        ({"scaled": (1,)}, "PIECE_ALTERED", ["2"]),
        ({"bent": (1,)}, "PIECE_ALTERED", ["2"]),
        ({"faint": (2,)}, "PIECE_FAINT", ["3"]),
        ({"blended": ((0, 1),)}, "PIECE_SEE_THROUGH", ["1", "2"]),
    ],
)
def test_what_is_no_longer_the_chain_is_told_and_earns_nothing(fault, code, objects):
    found = judged(seen(90.0, 45.0), ChainFaults(units=units(TARGET), **fault))
    assert (codes(found), found.reward, found.spoilt) == ([code], 0.0, True)
    assert [one.object or "" for one in found.reasons[0].places] == objects
    # What is drawn beside it does not change how much of the silhouette is there.
    assert found.iou == pytest.approx(1.0)
    for place in found.reasons[0].places:
        if place.object in ("", "2"):
            assert place.box == BOX


def test_of_a_piece_that_is_missing_nothing_else_is_said():
    gone = seen(90.0, None, gaps=(0.0, None), absent=(2,))
    faults = ChainFaults(units=(*units(TARGET)[:2], ()), scaled=(2,), bent=(2,))
    found = judged(gone, faults)
    assert codes(found) == ["PIECE_MISSING"]
    assert (found.steps, found.angle_error_deg, found.joined) == (None, pytest.approx(0.0), 0.5)
    assert (found.found, found.hinges_right) == (pytest.approx(2 / 3), (True, False))
    assert found.iou < 1.0
    nothing = whole_reasons(seen(None, None, gaps=(None, None), absent=(0, 1, 2)), ChainFaults(), RULES)
    assert [one.code for one in nothing] == ["NO_CHAIN"]


def test_the_gravest_comes_first_and_harmless_things_are_noted():
    faults = ChainFaults(second=True, faint=(0,), turned_deg=90.0, marks=2, around=True, units=units(TARGET))
    found = judged(seen(90.0, 45.0), faults)
    assert codes(found) == ["SECOND_CHAIN", "PIECE_FAINT", "CHAIN_TURNED"]
    assert [one.code for one in found.notes] == ["MARKS", "AROUND"]
    assert found.notes[0].message.startswith("2 small marks")


def test_a_program_that_turns_once_more_is_right():
    """What is given is a full turn, what is seen is none: the silhouettes are one, and no angle is off."""
    shapes, target = (SQUARE, SQUARE), (0.0,)
    laid = tuple(tuple(map(tuple, one)) for one in folded(shapes, target))
    chain = seen(0.0, gaps=(0.0,))
    chain = ChainObservation(chain.pieces[:2], chain.hinges)
    found = judge_chain(shapes, (2 * math.pi,), chain, ChainFaults(units=laid), RULES)
    assert (codes(found), found.angle_error_deg, found.iou) == ([], 0.0, 1.0)
