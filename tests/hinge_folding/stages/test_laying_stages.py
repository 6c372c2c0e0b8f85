"""How pieces are laid and moved, stage by stage: how far, in which steps, and how many chains are followed.

What a pose scores is given, so that each step goes as far as it may.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from detectors.hinge_folding import finding, fits, fitting, placing, search
from detectors.hinge_folding.colors import GivenLook
from detectors.hinge_folding.config import ChainConfig
from detectors.hinge_folding.exact import discs
from detectors.hinge_folding.exact.config import ExactConfig
from detectors.hinge_folding.exact.discs import given_disc
from detectors.hinge_folding.fits import refine, score_poses
from detectors.hinge_folding.fitting import check_edges, snapped
from detectors.hinge_folding.maps import PieceMaps
from detectors.hinge_folding.placing import LaidChain, _apart, lay_chain, lay_rigid
from detectors.hinge_folding.search import ChainSighting, search_chain, search_native
from detectors.hinge_folding.view import ChainView, changes, farthest
from puzzles.hinge_folding.chain import HingeShape

SQUARE, DIAMOND, TRIANGLE, RECTANGLE = HingeShape
CONFIG = ChainConfig()
PLACING, SEEN = CONFIG.placing, CONFIG.view
UNIT = 40.0
GROUND = np.array([250.0, 250.0, 250.0])


def view_of(pixels=None, noise=0.0, unit=UNIT):
    pixels = np.full((120, 200, 3), 250, np.float32) if pixels is None else np.asarray(pixels, np.float32)
    return ChainView(pixels, changes(pixels), farthest(pixels, GROUND), GROUND, noise, unit, (1.0, 1.0))


def rectangle(left, top, right, bottom, levels=50):
    pixels = np.full((120, 200, 3), 250, np.float32)
    pixels[top:bottom, left:right] = levels
    return pixels


# --- what a pose scores ---


def test_a_score_is_of_edges_and_of_paint():
    """A step of 200 levels changes by 100 a pixel: 100/107 of an edge, and paint of 200 is 200/214, of which 0.9."""
    view = view_of(rectangle(60, 50, 100, 70))
    (score,) = score_poses(view, RECTANGLE, np.array([[80.0, 60.0, 0.0]]), 1.0, PLACING, 7.0)
    assert score == pytest.approx(100 / 107 + 0.9 * 200 / 214, abs=0.03)
    (nothing,) = score_poses(view, RECTANGLE, np.array([[150.0, 60.0, 0.0]]), 1.0, PLACING, 7.0)
    assert nothing == pytest.approx(0.0, abs=1e-6)
    count = len(fits.samples_of(RECTANGLE, 9.0, 4).edge)
    inner = np.zeros((1, count + 16), bool)
    inner[0, count:] = True
    (paint,) = score_poses(view, RECTANGLE, np.array([[80.0, 60.0, 0.0]]), 1.0, PLACING, 7.0, inner)
    assert paint == pytest.approx(0.9 * 200 / 214)
    # Nine points to a unit of edges: 2 x 9 and, of half a unit, 4 each.
    assert count == 26


def pulled(to):
    """What scores more, the nearer it is to a place and a turn."""

    def scores(view, shape, poses, *_):
        return -np.abs(poses - np.array(to)).sum(axis=1)

    return scores


def test_a_piece_is_moved_and_turned_near_by(monkeypatch):
    """By 0.06 units and 7 degrees, then by half and by a quarter of it: 2.4 pixels x 1.75, and 12.25 degrees."""
    monkeypatch.setattr(fits, "score_poses", pulled((900.0, -900.0, 9.0)))
    best, scores = refine(view_of(), RECTANGLE, np.array([[80.0, 60.0, 0.0]]), PLACING, 7.0)
    assert best[0] == pytest.approx((84.2, 55.8, math.radians(12.25)))
    assert scores.shape == (1,)
    # What fits as well stays where it is.
    monkeypatch.setattr(fits, "score_poses", lambda view, shape, poses, *_: np.zeros(len(poses)))
    assert refine(view_of(), RECTANGLE, np.array([[80.0, 60.0, 0.0]]), PLACING, 7.0)[0][0].tolist() == [80.0, 60.0, 0.0]


def test_a_chain_is_moved_as_a_whole(monkeypatch):
    """Five times, each by half as much: 1.9375 x 2.4 pixels and 0.04 of its size, and no more than 2.5 degrees."""

    def scores(view, shapes, poses, scales, *_):
        # The first piece to the right, the last one farther up, and larger.
        return np.stack([poses[:, 0, 0] + 1e3 * scales, 1e3 * poses[:, 0, 2]], axis=1)

    monkeypatch.setattr(fitting, "_scores_of", scores)
    monkeypatch.setattr(fitting, "score_poses", lambda *_: np.array([0.0]))
    chain = LaidChain(np.array([(60.0, 60.0, 0.0), (100.0, 60.0, 0.0)]), np.ones(2))
    found = snapped(view_of(), [RECTANGLE] * 2, chain, PLACING, SEEN)
    assert found.scale == pytest.approx(1 + 0.04 * 1.9375)
    assert math.degrees(found.poses[0, 2]) == pytest.approx(2.5)
    assert found.poses[0, 0] == pytest.approx(60 + 0.06 * 40 * 1.9375)
    wide = snapped(view_of(), [RECTANGLE] * 2, chain, PLACING, SEEN, 2.5)
    assert wide.scale == pytest.approx(1 + 2.5 * 0.04 * 1.9375)


@pytest.mark.parametrize(("free", "kept"), [(1.15, True), (1.17, False)])
def test_closed_hinges_may_fit_a_little_worse(monkeypatch, free, kept):
    """By 0.16 in the mean of all pieces."""
    monkeypatch.setattr(fitting, "_scores_of", lambda view, shapes, poses, *_: np.ones(poses.shape[:2]))
    monkeypatch.setattr(fitting, "score_poses", lambda *_: np.array([free]))
    chain = LaidChain(np.array([(60.0, 60.0, 0.0), (100.0, 60.0, 0.0)]), np.ones(2))
    assert (snapped(view_of(), [RECTANGLE] * 2, chain, PLACING, SEEN) is not None) == kept


@pytest.mark.parametrize(("apart", "scale"), [(24.0, 0.7), (48.0, 1.2), (64.0, 1.4)])
def test_how_large_a_chain_may_be(monkeypatch, apart, scale):
    """From 0.7 to 1.4 times what is expected, by how far apart its pieces lie."""
    monkeypatch.setattr(fitting, "_scores_of", lambda view, shapes, poses, *_: np.zeros(poses.shape[:2]))
    monkeypatch.setattr(fitting, "score_poses", lambda *_: np.array([0.0]))
    chain = LaidChain(np.array([(60.0, 60.0, 0.0), (60.0 + apart, 60.0, 0.0)]), np.ones(2))
    assert snapped(view_of(), [RECTANGLE] * 2, chain, PLACING, SEEN).scale == pytest.approx(scale)


@pytest.mark.parametrize(("turn", "steps"), [(22.0, 0), (23.0, 1), (68.0, 2)])
def test_hinges_are_closed_at_the_next_step(monkeypatch, turn, steps):
    """Of 45 degrees."""
    monkeypatch.setattr(fitting, "_scores_of", lambda view, shapes, poses, *_: np.zeros(poses.shape[:2]))
    monkeypatch.setattr(fitting, "score_poses", lambda *_: np.array([0.0]))
    chain = LaidChain(np.array([(60.0, 60.0, 0.0), (100.0, 60.0, math.radians(turn)), (130.0, 60.0, 0.0)]), np.ones(3))
    found = snapped(view_of(), [RECTANGLE] * 3, chain, PLACING, SEEN)
    assert math.degrees(found.poses[1, 2] - found.poses[0, 2]) == pytest.approx(45.0 * steps)


# --- how many chains are followed ---


def counted(monkeypatch, module, score=1.0):
    """How many poses are scored at once, where all score the same."""
    numbers = []

    def scores(view, shape, poses, *_):
        numbers.append(len(poses))
        return np.full(len(poses), score)

    monkeypatch.setattr(module, "score_poses", scores)
    return numbers


def test_rigid_chains_are_tried_at_each_step_of_a_hinge(monkeypatch):
    """Eight steps of 45 degrees; 24 of the chains that go on are followed."""
    numbers = counted(monkeypatch, placing)
    found = lay_rigid(view_of(), [RECTANGLE] * 4, np.array([[60.0, 60.0, 0.0]]), 1.1, PLACING, SEEN)
    assert numbers == [1, 8, 64, 192]
    assert len(found) == 24
    assert (found[0].scale, found[0].total) == (1.1, pytest.approx(4.0, abs=3.0))
    turns = {round(math.degrees(one.poses[1, 2])) for one in lay_rigid(
        view_of(), [RECTANGLE] * 2, np.array([[60.0, 60.0, 0.0]]), 1.1, PLACING, SEEN)}  # fmt: skip
    assert turns == set(range(0, 360, 45))
    # Its hinge is half of 40 x 1.1 pixels from either middle.
    straight = next(one for one in found if abs(one.poses[1, 2]) < 1e-9)
    assert straight.poses[1, :2] == pytest.approx((104.0, 60.0))


def test_free_chains_are_tried_at_sixteen_turns(monkeypatch):
    """Of all that go on seven are fitted closely, five are followed, and three are looked at in the end."""
    numbers, fitted = counted(monkeypatch, placing), []

    def unmoved(view, shape, poses, *_):
        fitted.append(len(poses))
        return poses, np.full(len(poses), 1.2)

    monkeypatch.setattr(placing, "refine", unmoved)
    found = lay_chain(view_of(), [RECTANGLE] * 3, np.tile([[60.0, 60.0, 0.0]], (9, 1)), PLACING, SEEN)
    assert fitted == [9, 7, 7]
    assert numbers == [5 * 16, 5 * 16]
    assert len(found) == 3


@pytest.mark.parametrize(("own", "elsewhere", "apart"), [(1.09, 1.35, True), (1.09, 1.33, False), (1.11, 1.9, False)])
def test_a_piece_is_looked_for_apart_from_its_hinge(monkeypatch, own, elsewhere, apart):
    """Where it scores less than 1.1 there, and 0.25 more elsewhere."""
    counted(monkeypatch, placing)
    monkeypatch.setattr(placing, "refine", lambda view, shape, poses, *_: (poses, np.full(len(poses), own)))
    monkeypatch.setattr(placing, "_apart", lambda *_: (np.array([7.0, 7.0, 0.0]), elsewhere))
    monkeypatch.setattr(placing, "less_hidden", lambda shape, scores, points, config: scores)
    found = lay_chain(view_of(), [RECTANGLE] * 2, np.array([[60.0, 60.0, 0.0]]), PLACING, SEEN)
    assert (found[0].poses[1].tolist() == [7.0, 7.0, 0.0]) == apart


def test_how_far_from_its_hinge_a_piece_is_looked_for(monkeypatch):
    """0.9 units either way in steps of 0.09, at 16 turns: 21 x 21 x 16; 600 of these closely, and five are fitted."""
    numbers, fitted, tried = [], [], []

    def scores(view, shape, poses, scale, placing, edge_half, *_):
        numbers.append(len(poses))
        tried.append(poses)
        assert (shape, scale, edge_half) == (RECTANGLE, 1.0, SEEN.edge_half)
        return np.zeros(len(poses))

    def unmoved(view, shape, poses, *_):
        fitted.append(len(poses))
        return poses, np.zeros(len(poses))

    monkeypatch.setattr(placing, "score_poses", scores)
    monkeypatch.setattr(placing, "refine", unmoved)
    chain = np.array([[60.0, 60.0, 0.0]])
    _apart(view_of(), [RECTANGLE] * 2, chain, np.array([80.0, 60.0]), PLACING, SEEN)
    assert (numbers, fitted) == ([21 * 21 * 16, 600], [5])
    assert (tried[0][:, 0].min(), tried[0][:, 0].max()) == pytest.approx((44.0, 116.0))
    assert (tried[0][:, 1].min(), tried[0][:, 1].max()) == pytest.approx((24.0, 96.0))
    assert tried[0][:17, 2] == pytest.approx([*np.arange(16) * math.pi / 8, 0.0])


def test_of_chains_that_come_to_one_the_better_is_followed(monkeypatch):
    """Poses no farther apart than a pixel, or a tenth of a turn's unit, are one."""
    counted(monkeypatch, placing)

    def together(view, shape, poses, *_):
        near = poses.copy()
        near[:, :2] = (80.0, 60.0)
        near[:, 2] = np.where(np.arange(len(poses)) % 2, 0.05, 3.0)
        return near, np.full(len(poses), 1.2)

    monkeypatch.setattr(placing, "refine", together)
    monkeypatch.setattr(placing, "less_hidden", lambda shape, scores, points, config: scores)
    chain = np.array([[[60.0, 60.0, 0.0]], [[60.0, 62.0, 0.0]]])
    found, marks = placing._extended(view_of(), [RECTANGLE] * 2, 1, chain, np.ones((2, 1)), PLACING, SEEN)
    assert found.shape == (len(marks), 2, 3)
    told = {(one[0, 1], round(one[1, 2], 2)) for one in found}
    assert len(told) == len(found) <= 4
    assert placing._apart_by(np.zeros(3), np.array([3.0, 4.0, 0.0])) == 5.0
    assert placing._apart_by(np.zeros(3), np.array([0.0, 0.0, 2 * math.pi - 0.1])) == pytest.approx(1.0)


def test_the_first_piece_is_looked_for_near_its_place(monkeypatch):
    """0.16 units either way in steps of 0.04: 9 x 9 places, of which three are gone on from."""
    numbers, firsts = counted(monkeypatch, finding), []

    def scanned(view, shapes, first, *_):
        firsts.append(first)
        return iter(["scan"])

    monkeypatch.setattr(finding, "_scanned", scanned)
    monkeypatch.setattr(finding, "_better", lambda one, other: other)
    monkeypatch.setattr(finding, "_view", lambda *_: view_of())
    found = finding._near(None, [RECTANGLE], (40.0, 40.0), (60.0, 50.0), None, CONFIG)
    assert found.scan == "scan"
    assert numbers == [81]
    assert len(firsts[0]) == 3
    assert firsts[0][0] == pytest.approx((60 - 6.4, 50 - 6.4, 0.0))


def laid(total, turn=0.0, scale=1.0):
    return LaidChain(np.array([(0.0, 0.0, 0.0), (0.0, 0.0, turn)]), np.array([total / 2, total / 2]), scale)


def chains(monkeypatch, rigid, clean=True):
    """Which chains are tried: the scales of rigid ones, and what is said of free ones."""
    scales, tried = [], []

    def lay(view, shapes, first, scale, *_):
        scales.append(scale)
        return [one for one in rigid if one.scale == scale]

    def snap(view, shapes, chain, *_):
        tried.append(chain)
        return None

    monkeypatch.setattr(finding, "lay_rigid", lay)
    monkeypatch.setattr(finding, "snapped", snap)
    monkeypatch.setattr(finding, "lay_chain", lambda *_: [laid(9.0, 5.0)])
    found = list(finding._chains(view_of(), [RECTANGLE] * 2, np.zeros((1, 3)), CONFIG))
    return scales, tried, found


def test_rigid_chains_are_laid_at_three_sizes(monkeypatch):
    """Of different ones two are looked at closely, beside the likeliest; then free ones are laid."""
    rigid = [laid(3.0, 0.0), laid(2.9, 1.0, 0.96), laid(2.8, 2.0, 1.045), laid(2.7, 1.0, 1.045)]
    scales, tried, found = chains(monkeypatch, rigid)
    assert scales == [1.0, 0.96, 1.045]
    assert [one.total for one in tried] == [3.0, 2.9, 9.0]
    assert [one.total for one in found] == [9.0]


@pytest.mark.parametrize(("total", "free"), [(1.59, False), (1.61, True)])
def test_where_hardly_a_piece_lies_no_free_chain_is_laid(monkeypatch, total, free):
    """With less than 0.8 a piece: of two, 1.6."""
    _, _, found = chains(monkeypatch, [laid(total), laid(0.1, 1.0, 0.96), laid(0.1, 2.0, 1.045)])
    assert [one.total for one in found] == [9.0 if free else total]


# --- whether edges lie on what is seen ---


def checked(pixels, pose=(80.0, 60.0, 0.0), others=()):
    poses = np.array([pose, *others])
    return check_edges(view_of(pixels), [RECTANGLE] * len(poses), LaidChain(poses, np.ones(len(poses))), PLACING, SEEN)


@pytest.mark.parametrize(("grown", "held", "out"), [(0, 1.0, 0.0), (1, 1.0, 0.025), (2, 1.0, 0.05), (3, 0.0, 0.075)])
def test_edges_are_held_near_where_they_are(grown, held, out):
    """Up to 0.05 units, 2 pixels; some of a corner's points see the other edge.

    How far out it lies is told by the middle of what is nearly as strong.
    """
    found = checked(rectangle(60 - grown, 50 - grown, 100 + grown, 70 + grown))
    assert found.held[0] == pytest.approx(held, abs=0.15)
    assert found.grown[0] == pytest.approx(out, abs=0.008)


@pytest.mark.parametrize(("beside", "held"), [(70, 1.0), (150, 0.0)])
def test_a_weaker_change_is_not_the_edge_beside_a_stronger_one(beside, held):
    """A step of 60 levels at the edge, and one 4 pixels out: an edge has 0.6 of the strength of the strongest."""
    pixels = rectangle(56, 46, 104, 74, 250 - beside)
    pixels[50:70, 60:100] = 250 - beside - 60
    assert checked(pixels).held[0] == pytest.approx(held, abs=0.15)


def test_what_is_faint_is_no_edge():
    """A change of more than 7 levels a pixel: a step of 14."""
    assert checked(rectangle(60, 50, 100, 70, 238)).held[0] == 0.0
    assert checked(rectangle(60, 50, 100, 70, 234)).held[0] == 1.0


@pytest.mark.parametrize(("shift", "held", "told"), [(2, 1.0, False), (10, 0.0, False), (22, 0.0, True)])
def test_of_a_piece_that_is_covered_nothing_is_asked(shift, held, told):
    """Less than a fifth of its edge free; its size is told where two fifths are. Another piece covers the rest."""
    found = checked(rectangle(0, 0, 200, 120), others=[(80.0 + shift, 60.0, 0.0)])
    assert found.held[0] == held
    assert found.grown[0] == 0.0
    larger = checked(rectangle(57, 47, 200, 73), others=[(80.0 + shift, 60.0, 0.0)])
    assert (larger.grown[0] > 0.03) == told


# --- discs that were given ---


def disc(radius, grey=120):
    """The view of two rectangles with a disc at their hinge, and the picture, of the same size."""
    pixels = rectangle(40, 50, 80, 70, 60)
    pixels[50:70, 80:120] = 200
    rows, columns = np.mgrid[:120, :200] + 0.5
    pixels[np.hypot(columns - 80, rows - 60) <= radius] = grey
    poses = np.array([(60.0, 60.0, 0.0), (100.0, 60.0, 0.0)])
    colors = [np.full(3, 60.0), np.full(3, 200.0)]
    return given_disc(view_of(pixels), pixels.astype(np.uint8), [RECTANGLE] * 2, poses, colors, ExactConfig())


@pytest.mark.parametrize(("radius", "found"), [(4.0, 0.09), (6.0, 0.13), (0.0, 0.0), (9.0, 0.19)])
def test_how_large_discs_were_given(radius, found):
    """Told in steps of 0.01 units, up to 0.2 units, by rings of which three quarters lie on a disc."""
    assert disc(radius).radius == pytest.approx(found, abs=0.011)


@pytest.mark.parametrize(("grey", "seen"), [(84, False), (87, True), (174, True), (176, False)])
def test_a_disc_differs_from_pieces_and_ground(grey, seen):
    """By more than 25 levels."""
    found = disc(5.0, grey)
    assert (found.radius > 0) == seen
    assert (found.contrast is not None) == seen
    assert not seen or found.contrast.tolist() == [grey - 250.0] * 3


def test_a_discs_colour_is_the_commonest_of_twelve_steps(monkeypatch):
    """Looked for at full size where it is within the largest ring: 0.12 units, 19 steps of 0.01 being tried."""
    asked, rings = [], []
    real = discs.farthest

    def far(shown, color):
        rings.append(shown.shape)
        return real(shown, color)

    monkeypatch.setattr(discs, "farthest", far)
    monkeypatch.setattr(discs, "frequent_color", lambda colors, bins: asked.append(bins) or colors[0])
    found = disc(5.0)
    assert asked == [12]
    assert rings[:3] == [(19, 32, 3)] * 3
    assert found.contrast.tolist() == [-130.0] * 3
    assert found.radius == pytest.approx(0.12, abs=0.011)


# --- a search at many sizes ---


def test_where_there_is_little_noise_faint_things_count():
    """Contrasts that count half are a quarter of what they are elsewhere: 3.5 of 14, or as much as noise has of 4."""
    flat = np.full((40, 60, 3), 243, np.float32)
    for noise, half in ((0.0, 3.5), (2.0, 7.0), (9.0, 14.0)):
        maps = PieceMaps(view_of(flat, noise, 7.0), CONFIG.search, CONFIG)
        found = maps.of(RECTANGLE, 0)
        assert found[20, 30] == pytest.approx(0.9 * 7 / (7 + half))
        assert maps.of(RECTANGLE, 0) is found


def test_an_edge_counts_by_its_direction():
    """A step of 100 levels: a map of upright edges has it, and a pixel to either side, and others have not."""
    step = np.full((40, 60, 3), 250, np.float32)
    step[:, 30:] = 150
    maps = PieceMaps(view_of(step, 9.0, 7.0), CONFIG.search, CONFIG)
    upright, lying, aslant = (maps._edge(degrees)[20 + 8, 26 + 8 : 34 + 8] for degrees in (0, 90, 45))
    strong = 50 / 57
    assert upright == pytest.approx([0, 0, strong, strong, strong, strong, 0, 0])
    assert lying == pytest.approx([0] * 8)
    assert aslant == pytest.approx([0] * 8, abs=1e-6)


def test_of_several_sightings_three_different_ones_are_kept(monkeypatch):
    sighted = [ChainSighting((10.0, 10.0), ((50.0 * at, 0.0, 0.0),), 1.0 + 0.1 * at) for at in range(5)]
    asked = []

    def at_size(picture, shapes, unit, count, config):
        asked.append((unit, count))
        return sighted if len(asked) == 1 else sighted[:1]

    monkeypatch.setattr(search, "_at_size", at_size)
    given = GivenLook(np.zeros((2, 3)), np.zeros((100, 100, 3), np.uint8), 10.0, 50.0, 50.0, 3.0)
    found = search_chain(np.full((100, 100, 3), 250, np.uint8), [RECTANGLE], given, CONFIG)
    assert [round(one.score, 1) for one in found] == [1.4, 1.3, 1.2]
    assert {count for _, count in asked} == {2}
    asked.clear()
    assert search_native(np.full((100, 100, 3), 250, np.uint8), [RECTANGLE], given, CONFIG) == sighted
    assert asked == [((10.0, 10.0), 4)]
