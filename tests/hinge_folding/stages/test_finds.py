"""Which find of a chain is the best, and what is read of it: what was found is given."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.hinge_folding import finding as finding_module
from detectors.hinge_folding.config import ChainConfig
from detectors.hinge_folding.exact.check import ExactCheck, LaidAt, _fitted, _refined
from detectors.hinge_folding.exact.edges import OutlineFit, WholeFit
from detectors.hinge_folding.exact.left import LeftThing
from detectors.hinge_folding.finding import (
    ChainFindings,
    _astray,
    _better,
    _chains,
    _clean,
    _different,
    _doubtful,
    _empty,
    _found,
    _loose,
    _mostly,
    _recoloured,
    _searches,
    _second,
)
from detectors.hinge_folding.placing import LaidChain, _apart_by
from detectors.hinge_folding.scan import ChainPart, ChainRemainder, ChainScan
from detectors.hinge_folding.search import search_chain, search_colored, search_native
from grader.media.pyramid import Pyramid
from grader.tasks.hinge_folding.puzzle import HingeChain
from grader.tasks.hinge_folding.reading import _faults, _hinges, _in_units
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from puzzles.hinge_folding.chain import HingeShape
from tests.hinge_folding.stages.test_search_stages import given

SQUARE, DIAMOND, TRIANGLE, RECTANGLE = HingeShape
CONFIG = ChainConfig()


def part(found=True, bare=0.0, pose=(100.0, 50.0, 0.0), contrast=(-100.0, 0.0, 0.0)):
    return ChainPart(
        np.array(pose), np.zeros((4, 2)), np.array(contrast) + 250, np.array(contrast), 0.5, bare, 1.0, found
    )


def finding(*parts, held=1.0, left=(), unit=20.0, scale=(1.0, 1.0), exact=None, **more):
    values = {
        "outside": np.zeros((2, 2), bool), "merged": (), "one_color": False, "blended": (), "faint": (), "scaled": (),
    }  # fmt: skip
    scan = ChainScan(parts or (part(), part()), unit, left, held=held, **(values | more))
    return ChainFindings(scan, scale, None, exact=exact)


def test_the_better_of_two_leaves_less_unexplained():
    """An edge that is not held counts a third."""
    worse, better = finding(part(bare=0.3)), finding(part(bare=0.2))
    assert _better(worse, better) is better
    assert _better(better, worse) is better
    assert _better(None, worse) is worse
    assert _better(better, replace(better)) is better
    held, loose = finding(part(bare=0.1), held=1.0), finding(part(bare=0.0), held=0.71)
    assert _better(held, loose) is loose  # 0.29 / 3 are less than 0.1
    assert _better(held, finding(part(bare=0.0), held=0.69)) is held


def test_a_stretched_chain_has_to_be_held():
    """From a factor of 1.02 on, on 0.9 of each edge."""
    assert _clean(finding(held=0.5), CONFIG)
    assert _clean(finding(held=0.5, scale=(1.0, 1.019)), CONFIG)
    assert not _clean(finding(held=0.89, scale=(1.0, 1.021)), CONFIG)
    assert _clean(finding(held=0.91, scale=(1.021, 1.0)), CONFIG)
    assert _clean(finding(part(bare=0.029)), CONFIG)
    assert not _clean(finding(part(bare=0.031)), CONFIG)


@pytest.mark.parametrize(("apart", "loose"), [(0.0, False), (0.045, False), (0.055, True)])
def test_pieces_that_are_apart_are_not_joined(apart, loose):
    """By 0.05 units of 20 pixels: rectangles are a unit long."""
    far = part(pose=(100.0 + 20 * (1 + apart), 50.0, 0.0))
    assert _loose(finding(part(), far), (RECTANGLE, RECTANGLE), CONFIG) == loose


def test_where_a_chain_is_looked_for_elsewhere():
    """The given picture is 200 x 100, and the chain's part of it 100 x 100."""
    mostly, other = finding(part(), part(found=True)), finding(part(found=False), part())
    every = (search_native, search_colored, search_chain)
    for size, found, searches in (
        ((100, 200), mostly, ()),
        ((100, 100), mostly, ()),
        ((150, 300), mostly, every[:2]),  # it may have been cut out of a larger one
        ((150, 200), mostly, every),
        ((100, 200), other, every),
        ((100, 200), None, every),
        ((150, 300), finding(part(found=False), part(found=False)), ()),  # nothing is drawn
    ):
        assert _searches(np.zeros((*size, 3), np.uint8), found, given(), CONFIG) == searches


def test_most_of_a_chain():
    """More than half of its pieces, the first among them, with less than 4 square units beside them."""
    gone = part(found=False)
    assert _mostly(finding(part(), part(), gone), CONFIG)
    assert not _mostly(finding(part(), gone), CONFIG)
    assert not _mostly(finding(gone, part(), part()), CONFIG)
    left = [ChainRemainder(0, 0, 9, 9, area, False) for area in (3.9, 4.1)]
    assert _mostly(finding(left=(left[0],)), CONFIG)
    assert not _mostly(finding(left=(left[1],)), CONFIG)


def test_nothing_but_ground():
    gone = part(found=False)
    assert _empty(finding(gone, gone))
    assert not _empty(finding(gone, part()))
    assert not _empty(finding(gone, left=(ChainRemainder(0, 0, 9, 9, 1.0, True),)))
    assert not _empty(finding(gone, outside=np.ones((2, 2), bool)))


@pytest.mark.parametrize(("off", "other"), [(59.0, False), (61.0, True)])
def test_pieces_of_other_colours_than_given(off, other):
    found = finding(part(contrast=(-100.0, off, 0)), part(contrast=(off, -100.0, 0)))
    assert _recoloured(found, given(), CONFIG) == other


def test_how_far_a_chain_begins_from_where_it_may():
    """In units of its own: 100 pixels at twice the size are 50 of the picture, 30 off and 10 to a unit."""
    found = finding(scale=(2.0, 2.0))
    assert _astray(found, [((9.0, 9.0), (20.0, 25.0)), ((9.0, 9.0), (500.0, 25.0))]) == pytest.approx(3.0)
    assert _astray(found, []) == 0.0


@pytest.mark.parametrize(
    ("x", "unit", "second"), [(159.0, 20.0, False), (161.0, 20.0, True), (161.0, 25.9, True), (170.0, 26.1, False)]
)
def test_another_chain_begins_out_of_reach(x, unit, second):
    """Of three units of 20 pixels, with a size that differs by up to 1.3."""
    assert _second(finding(), finding(part(pose=(x, 50.0, 0.0)), part(), unit=unit), given(), CONFIG) == second
    assert not _second(finding(), finding(part(pose=(x, 50.0, 0.0), found=False), unit=unit), given(), CONFIG)


def test_chains_with_the_same_angles_are_one():
    def laid(*turns):
        return LaidChain(np.array([(0.0, 0.0, turn) for turn in turns]), np.ones(len(turns)))

    chains = [laid(0.0, 0.5), laid(1.0, 1.5), laid(0.0, 0.6)]
    assert [chains.index(one) for one in _different(chains)] == [0, 2]
    assert _apart_by(np.array([0.0, 0.0, 0.1]), np.array([3.0, 4.0, 2 * np.pi])) == pytest.approx(5 + 1)


# --- how exactly it is there ---


def test_a_whole_chain_is_moved_turned_and_resized_about_its_first_piece():
    """A quarter of a turn: what is two units to the right is two units up, which are 2 x 1.1 x 20 pixels."""
    poses = np.array([(100.0, 100.0, 0.0), (140.0, 100.0, 0.5)])
    there = _fitted(LaidAt(poses, (20.0, 20.0)), WholeFit(np.array([0.5, 0.25]), np.pi / 2, (1.2, 1.1)))
    assert there.unit == pytest.approx((24.0, 22.0))
    assert there.poses == pytest.approx(np.array([(110, 95, np.pi / 2), (110, 95 - 44, 0.5 + np.pi / 2)]))


def fit(moved=(0.0, 0.0), turned=0.0, grown=0.0, run=0.0, unsure=0.01):
    return OutlineFit(moved, turned, unsure, grown, 1.0, run)


def test_a_piece_is_moved_along_its_own_axis():
    poses = np.array([(100.0, 100.0, np.pi / 2)])
    assert _refined(poses, [fit((0.1, 0.2), 0.3)], 20.0) == pytest.approx(np.array([(96.0, 98.0, np.pi / 2 + 0.3)]))


def exactly(fits, poses=((100.0, 50.0, 0.0), (120.0, 50.0, 0.0)), cut=(), left=()):
    colors = tuple(np.array(one) + 250 for one in ((-100.0, 0, 0), (0, -100.0, 0)))
    return ExactCheck(np.array(poses), colors, np.full(3, 250.0), tuple(fits), cut, left, 0.0, (20.0, 20.0),
                      (0.0, 0.0, 200.0, 100.0))  # fmt: skip


def thing(mark, on_piece=False):
    return LeftThing(1.0, 2.0, 3.0, 4.0, 0.1, mark, on_piece, 0.1, 30.0)


def test_something_drawn_makes_a_find_doubtful():
    assert _doubtful(finding())
    assert not _doubtful(finding(exact=exactly([fit(), fit()], left=(thing(True),))))
    assert _doubtful(finding(exact=exactly([fit(), fit()], left=(thing(False),))))


SETTINGS = HingeFoldingSettings()
PUZZLE = HingeChain((RECTANGLE, RECTANGLE), (0.0,), given())


def faults(*fits, **more):
    return _faults(PUZZLE, finding(exact=exactly(fits, **more)), SETTINGS)


@pytest.mark.parametrize(("grown", "scaled"), [(0.034, ()), (0.036, (1,))])
def test_a_piece_of_another_size_than_the_first(grown, scaled):
    """By 0.035 units; the middle of both is half of that, and so they have not both another size."""
    assert faults(fit(grown=-0.015), fit(grown=grown - 0.015)).scaled == scaled


@pytest.mark.parametrize(("grown", "scaled"), [(0.0155, ()), (0.0165, (0, 1)), (-0.0165, (0, 1))])
def test_all_pieces_of_another_size(grown, scaled):
    assert faults(fit(grown=grown), fit(grown=grown)).scaled == scaled


@pytest.mark.parametrize(("run", "bent"), [(0.119, ()), (0.121, (0,))])
def test_a_stretch_of_edge_that_may_be_off(run, bent):
    assert faults(fit(run=run), fit()).bent == bent
    assert faults(fit(run=run), fit(), cut=(1,)).bent == (*bent, 1)


def test_things_that_are_left_are_told_once():
    found = faults(fit(), fit(), left=(thing(False), thing(True)))
    assert [(one.left, one.top, one.width, one.height) for one in found.extras] == [(1.0, 2.0, 3.0, 4.0)]
    rough = (ChainRemainder(150, 80, 20, 20, 0.1, False), ChainRemainder(190, 90, 20, 20, 0.1, False),
             ChainRemainder(0, 0, 2, 2, 0.01, True))  # fmt: skip
    whole = _faults(PUZZLE, finding(left=rough, exact=exactly([fit(), fit()])), SETTINGS)
    # The first lies where the picture was looked at more closely, up to 200 x 100.
    assert [(one.left, one.top) for one in whole.extras] == [(190, 90)]
    assert whole.marks == 1
    assert len(_faults(PUZZLE, finding(left=rough), SETTINGS).extras) == 2


def test_pieces_shine_through_where_something_is_seen_on_them():
    for on_piece, pairs in ((False, ()), (True, ((0, 1),))):
        found = finding(blended=((0, 1),), exact=exactly([fit(), fit()], left=(thing(True, on_piece),)))
        assert _faults(PUZZLE, found, SETTINGS).blended == pairs
    assert _faults(PUZZLE, finding(blended=((0, 1),)), SETTINGS).blended == ((0, 1),)


def test_the_first_piece_is_turned_by_at_most_half_a_turn():
    for turn, degrees in ((0.1, 5.7296), (-0.1, -5.7296), (2 * math.pi - 0.1, -5.7296), (3.0, 171.887)):
        assert _faults(PUZZLE, finding(part(pose=(0.0, 0.0, turn)), part()), SETTINGS).turned_deg == pytest.approx(
            degrees, abs=1e-3
        )


def test_corners_in_units_of_the_chain():
    """A rectangle a quarter of a turn on, a unit to the right of the first piece, and half of one above it."""
    found = _in_units(part(pose=(120.0, 40.0, math.pi / 2)), RECTANGLE, np.array([100.0, 50.0, 0.0]), 20.0)
    assert np.array(found) == pytest.approx(np.array([(1.25, 0.0), (1.25, 1.0), (0.75, 1.0), (0.75, 0.0)]))


def hinge(turn, unsure=0.01, second=(120.0, 50.0), found=True):
    poses = ((100.0, 50.0, 0.0), (*second, turn))
    exact = exactly([fit(), fit(unsure=unsure)], poses=poses)
    (one,) = _hinges(PUZZLE, finding(part(), part(found=found), exact=exact), CONFIG)
    return one


def test_an_angle_and_a_gap_of_a_hinge():
    """Their ends are 0.1 units apart where the second lies 2 pixels of 20 too far to the right."""
    one = hinge(0.0, second=(122.0, 50.0))
    assert (one.hinge, one.angle_deg) == ("A", 0.0)
    assert one.gap_units == pytest.approx(0.1)
    assert hinge(-0.1).angle_deg == pytest.approx(360 - 5.7296, abs=1e-3)
    gone = hinge(0.0, found=False)
    assert (gone.angle_deg, gone.gap_units) == (None, None)


@pytest.mark.parametrize(("degrees", "told"), [(33.5, 45.0), (32.5, 32.5), (56.5, 45.0), (58.0, 58.0), (352.0, 0.0)])
def test_an_angle_of_which_no_edge_is_seen_is_the_next_step(degrees, told):
    """Up to 12 degrees from it."""
    assert hinge(math.radians(degrees), math.inf).angle_deg == pytest.approx(told)
    assert hinge(math.radians(degrees)).angle_deg == pytest.approx(degrees)


def test_within_a_frame_a_chain_is_held_against_that_alone(monkeypatch):
    """What lies beyond the frame is looked at afterwards."""
    picture = np.full((60, 80, 3), 250, np.uint8)
    alone, inside, looked = np.zeros((60, 80, 3), np.uint8), finding(), []

    def near(pyramid, *_):
        looked.append(pyramid.picture)
        return inside

    for name, value in {
        "sizes_to_try": lambda *_: (),
        "inner_frame": lambda *_: (10, 10, 70, 50),
        "alone_in": lambda *_: alone,
        "sizes_within": lambda *_: [((20.0, 20.0), (1.0, 2.0))],
        "_near": near,
        "_view": lambda pyramid, *_: pyramid,
        "_exactly": lambda given_alone, _shapes, found, *_: (given_alone, found),
        "_with_beyond": lambda exactly, whole, *_: (exactly, whole),
    }.items():
        monkeypatch.setattr(finding_module, name, value)
    pyramid = Pyramid(picture)
    (given_alone, found), whole = _found(pyramid, (SQUARE, SQUARE), given(), CONFIG)
    assert found is inside
    assert given_alone is alone
    assert whole is pyramid
    assert len(looked) == 1
    assert looked[0] is alone


@pytest.mark.parametrize(("more", "free"), [(-0.001, False), (0.0, True)])
def test_other_angles_are_looked_for_where_enough_lies_there(monkeypatch, more, free):
    least = CONFIG.placing.rigid_least * 2 + more
    rigid, other = (LaidChain(np.zeros((2, 3)), np.full(2, total / 2)) for total in (least, 0.5))
    monkeypatch.setattr(finding_module, "lay_rigid", lambda *_: [rigid])
    monkeypatch.setattr(finding_module, "snapped", lambda *_: None)
    monkeypatch.setattr(finding_module, "lay_chain", lambda *_: [other])
    (laid,) = _chains(None, (SQUARE, SQUARE), np.zeros(2), CONFIG)
    assert laid is (other if free else rigid)
