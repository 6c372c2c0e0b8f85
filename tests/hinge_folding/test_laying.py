"""A chain that was laid nearly right is brought to where it is, and its edges say whether they lie on what is seen."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks.hinge_folding.subjects import ChainSubject
from detectors.hinge_folding.config import ChainConfig
from detectors.hinge_folding.fits import score_poses
from detectors.hinge_folding.fitting import check_edges, snapped
from detectors.hinge_folding.placing import LaidChain, lay_chain, lay_rigid
from detectors.hinge_folding.view import make_view
from grader.media.pyramid import Pyramid
from puzzles.hinge_folding.chain import folded
from puzzles.hinge_folding.style import HingeStyle

ONE = ChainSubject(3, 4, HingeStyle(), 320)
SHAPES = ONE.puzzle.shapes
CONFIG = ChainConfig()
PLACING, SEEN = CONFIG.placing, CONFIG.view
UNIT = ONE.frame.unit_px


@cache
def view(cut_left=0, grown=1.0):
    """The folded chain as a detector sees it, without columns at its left, its pieces larger about their middles."""
    pieces = [one.mean(axis=0) + grown * (one - one.mean(axis=0)) for one in ONE.placed]
    picture = ONE.drawn(ONE.puzzle.angles) if grown == 1.0 else ONE.laid(pieces)
    return make_view(Pyramid(np.ascontiguousarray(picture[:, cut_left:])), (UNIT, UNIT), None, SEEN)


def right(cut_left=0):
    """Where the pieces are, in working pixels."""
    middles = np.array([ONE.frame.at(one.mean(axis=0)[None])[0] for one in ONE.placed]) - (cut_left, 0.0)
    turns = np.cumsum([0.0, *ONE.puzzle.angles])
    return np.column_stack([middles * view(cut_left).scale, turns])


def laid(poses, scale=1.0):
    scores = [score_poses(view(), shape, pose[None], scale, PLACING, SEEN.edge_half)[0]
              for shape, pose in zip(SHAPES, poses, strict=True)]  # fmt: skip
    return LaidChain(poses, np.array(scores), scale)


def test_a_piece_scores_most_where_it_is():
    poses = right()
    for number, shape in enumerate(SHAPES):
        off = np.array([[0, 0, 0], [2, 0, 0], [0, -2, 0], [40, 40, 0]], float)
        scores = score_poses(view(), shape, poses[number] + off, 1.0, PLACING, SEEN.edge_half)
        assert scores.argmax() == 0
        assert scores[3] < 0.5 * scores[0]


def test_a_chain_that_lies_nearly_right_is_closed_and_turned_by_steps():
    off = np.array([(1.0, -0.8, 0.03), (-0.8, 0.6, -0.04), (0.5, 1.0, 0.05), (-0.6, -0.7, 0.02)])
    found = snapped(view(), SHAPES, laid(right() + off), PLACING, SEEN)
    assert found is not None
    assert np.hypot(*(found.poses - right())[:, :2].T).max() < 0.7
    assert np.degrees(found.poses[:, 2] - right()[:, 2]) == pytest.approx(0.0, abs=1.0)
    assert found.scale == pytest.approx(1.0, abs=0.02)


def test_a_chain_whose_first_piece_is_not_at_rest_keeps_its_turn():
    """The picture on its side: all angles are a quarter more, and the chain is found as it lies."""
    turned = make_view(Pyramid(np.ascontiguousarray(np.rot90(ONE.drawn(ONE.puzzle.angles)))), (UNIT, UNIT), None, SEEN)
    poses = right()
    # Against the clock: what was right is up.
    wide = turned.pixels.shape[0]
    poses = np.column_stack([poses[:, 1], wide - poses[:, 0], poses[:, 2] + math.pi / 2])
    chain = LaidChain(poses + np.array([0.6, -0.5, 0.02]), np.ones(len(poses)))
    found = snapped(turned, SHAPES, chain, PLACING, SEEN)
    assert found is not None
    assert np.hypot(*(found.poses - poses)[:, :2].T).max() < 0.8


def test_angles_that_hinges_cannot_have_are_not_forced():
    """A hinge half way between two steps: the chain scores better as it lies."""
    angles = (*ONE.puzzle.angles[:-1], ONE.puzzle.angles[-1] + math.radians(22))
    seen = make_view(Pyramid(ONE.drawn(angles)), (UNIT, UNIT), None, SEEN)
    pieces = folded(SHAPES, angles)
    middles = np.array([ONE.frame.at(one.mean(axis=0)[None])[0] for one in pieces])
    poses = np.column_stack([middles * seen.scale, np.cumsum([0.0, *angles])])
    assert check_edges(seen, SHAPES, LaidChain(poses, np.ones(4)), PLACING, SEEN).held.min() > 0.9
    assert snapped(seen, SHAPES, LaidChain(poses, np.ones(4)), replace(PLACING, snap_edge=0.02), SEEN) is None


def test_edges_that_lie_on_what_is_seen_are_held():
    check = check_edges(view(), SHAPES, laid(right()), PLACING, SEEN)
    assert check.held.min() > 0.9
    assert np.abs(check.grown).max() < 0.03
    aside = right()
    aside[-1, :2] += 0.3 * view().unit_px
    check = check_edges(view(), SHAPES, laid(aside), PLACING, SEEN)
    assert check.held[-1] < 0.6
    assert check.held[0] > 0.9


def test_how_far_out_edges_are_is_told_in_units():
    """Pieces a tenth larger: edges of a square, 0.354 units from its middle, are 0.035 farther out."""
    check = check_edges(view(grown=1.1), SHAPES, laid(right()), PLACING, SEEN)
    assert np.median(check.grown) == pytest.approx(0.035, abs=0.015)


def test_what_lies_beyond_the_rim_of_the_picture_is_not_asked_for():
    """The picture is cut through the leftmost piece: a part of its edge is gone, and the rest still holds it."""
    leftmost = int(right()[:, 0].argmin())
    cut = int(ONE.frame.at(ONE.placed[leftmost])[:, 0].min() + 0.25 * UNIT)
    chain = LaidChain(right(cut), np.ones(len(SHAPES)))
    check = check_edges(view(cut), SHAPES, chain, PLACING, SEEN)
    assert check.held.min() > 0.85


def test_a_chain_is_laid_from_its_first_piece_on():
    first = right()[:1] + 0.5 * np.array([1.0, 1.0, 0.0])
    for chains in (
        lay_rigid(view(), SHAPES, first, 1.0, PLACING, SEEN),
        lay_chain(view(), SHAPES, first, PLACING, SEEN),
    ):
        best = max(chains, key=lambda one: one.total)
        assert np.hypot(*(best.poses - right())[:, :2].T).max() < 2.0
        steps = np.degrees(best.poses[:, 2] - right()[:, 2])
        assert (steps + 180) % 360 - 180 == pytest.approx(0.0, abs=4.0)
