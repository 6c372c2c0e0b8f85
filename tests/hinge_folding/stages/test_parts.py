"""What single numbers of reading a chain are for: each is told by what it is handed to, or by what it leaves out."""

from __future__ import annotations

import math
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from detectors.hinge_folding import finding, fitting, placing, search
from detectors.hinge_folding.config import ChainConfig
from detectors.hinge_folding.exact import check, left
from detectors.hinge_folding.exact.close import CloseView
from detectors.hinge_folding.exact.discs import GivenDisc
from detectors.hinge_folding.exact.edges import OutlineFit, WholeFit, see_outlines
from detectors.hinge_folding.exact.hinges import _as_given
from detectors.hinge_folding.exact.left import LeftThing, _found, _Places, _surfaces, _usual, find_left
from detectors.hinge_folding.fits import joint_of
from detectors.hinge_folding.maps import PieceMaps, _points
from detectors.hinge_folding.placing import LaidChain
from detectors.hinge_folding.plan import corners_of, make_plan
from detectors.hinge_folding.search import ChainSighting, _at_size
from detectors.hinge_folding.view import ChainView, changes, evened, farthest, make_view
from grader.media.pyramid import Pyramid
from puzzles.hinge_folding.chain import HingeShape, outline_of
from tests.hinge_folding.stages.test_exact_stages import drawn_square, looked
from tests.hinge_folding.test_stages import at_hinges

SQUARE, DIAMOND, TRIANGLE, RECTANGLE = HingeShape
CONFIG = ChainConfig()
PLACING, SEEN, EXACT, LEFT = CONFIG.placing, CONFIG.view, CONFIG.exact, CONFIG.left
GROUND = np.array([250.0, 250.0, 250.0])


def blank_view():
    pixels = np.full((120, 200, 3), 250, np.float32)
    return ChainView(pixels, changes(pixels), farthest(pixels, GROUND), GROUND, 0.0, 40.0, (1.0, 1.0))


# --- the view ---


def test_noise_is_taken_off_by_a_gaussian_of_eight_tenths():
    picture = np.zeros((40, 40, 3), np.uint8)
    picture[20, 20] = 255
    found = make_view(Pyramid(picture), (20.0, 20.0), None, SEEN).pixels
    assert (found == cv2.GaussianBlur(picture, (0, 0), 0.8)).all()
    assert found[20, 20, 0] < 90


def test_the_ground_is_looked_at_at_some_places():
    """At 56 across the shorter side: of 168 pixels each third row and column."""
    pixels = np.full((168, 200, 3), 30, np.float32)
    pixels[::3, ::3] = 50.0
    assert evened(pixels, None, SEEN)[1].tolist() == [50.0] * 3


def test_the_grounds_colour_is_the_commonest_of_some_steps():
    """24 of each channel have 10.7 levels: 10 and 11 lie in two of them, and 40 in a hundred are 55."""
    pixels = np.full((50, 50, 3), 55, np.float32)
    pixels[:30, ::2], pixels[:30, 1::2] = 10.0, 11.0
    assert evened(pixels, None, SEEN)[1].tolist() == [55.0] * 3


@pytest.mark.parametrize(
    ("place", "axis", "part"),
    [((400.0, 60.0), 1, slice(199, 200)), ((-300.0, 60.0), 1, slice(0, 1)),
     ((80.0, 300.0), 0, slice(119, 120)), ((80.0, -300.0), 0, slice(0, 1))],
)  # fmt: skip
def test_a_plan_of_pieces_outside_of_a_view_has_a_pixel_of_it(place, axis, part):
    """Of 200 x 120 pixels."""
    poses = np.array([[*place, 0.0]])
    plan = make_plan(blank_view(), [SQUARE], poses, [corners_of(SQUARE, poses[0], 20.0)], 20.0, CONFIG.scan)
    assert plan.box[axis] == part
    assert plan.origin[1 - axis] == part.start
    assert plan.masks[0].shape == plan.pixels.shape[:2] == tuple(one.stop - one.start for one in plan.box)
    assert not plan.masks[0].any()


# --- what is handed on ---


def test_a_sharper_fit_is_asked_for_while_a_chain_is_closed(monkeypatch):
    asked = []

    def scores(view, shapes, poses, scales, placing, edge_half):
        asked.append(edge_half)
        return np.zeros(poses.shape[:2])

    monkeypatch.setattr(fitting, "_scores_of", scores)
    monkeypatch.setattr(fitting, "score_poses", lambda *_: np.array([0.0]))
    chain = LaidChain(np.array([(60.0, 60.0, 0.0), (100.0, 60.0, 0.0)]), np.ones(2))
    fitting.snapped(blank_view(), [RECTANGLE] * 2, chain, PLACING, SEEN)
    assert asked == [30.0] * 5 + [7.0]


def test_edges_are_looked_at_at_eighteen_points_a_unit(monkeypatch):
    asked, real = [], fitting.samples_of
    monkeypatch.setattr(fitting, "samples_of", lambda *what: asked.append(what) or real(*what))
    fitting.check_edges(blank_view(), [RECTANGLE], LaidChain(np.array([[80.0, 60.0, 0.0]]), np.ones(1)), PLACING, SEEN)
    assert asked == [(RECTANGLE, 18.0, 4)]


def test_a_sighting_may_be_moved_farther(monkeypatch):
    """Two and a half times as far; its size and place are in the picture's pixels."""
    asked = []

    def snap(view, shapes, chain, placing, seen, reach):
        asked.append((reach, chain.poses[0].tolist()))
        return LaidChain(np.array([[41.0, 31.0, 0.0]]), np.ones(1), 1.1)

    view = SimpleNamespace(scale=(0.5, 0.5))
    monkeypatch.setattr(finding, "_view", lambda *_: view)
    monkeypatch.setattr(finding, "snapped", snap)
    sighting = ChainSighting((20.0, 22.0), ((80.0, 60.0, 0.0),), 1.0)
    unit, place = finding._sized(None, [RECTANGLE], sighting, None, CONFIG)
    assert asked == [(2.5, [40.0, 30.0, 0.0])]
    assert unit == pytest.approx((22.0, 24.2))
    assert place == (82.0, 62.0)
    monkeypatch.setattr(finding, "snapped", lambda *_: None)
    assert finding._sized(None, [RECTANGLE], sighting, None, CONFIG) == ((20.0, 22.0), (80.0, 60.0))


@pytest.mark.parametrize(("score", "turn"), [(0.079, 0), (0.081, 1)])
def test_a_chain_that_is_turned_as_a_whole_comes_second(monkeypatch, score, turn):
    """A piece loses 0.08 so; and eight of the best chains are told apart by what they explain."""
    traced, real = [], search._traced

    class Maps:
        def __init__(self, view, *_):
            self.shape = view.paint.shape

        def of(self, shape, at):
            return np.full(self.shape, score if at == 1 else 0.0, np.float32)

    monkeypatch.setattr(search, "PieceMaps", Maps)
    monkeypatch.setattr(search, "_traced", lambda *what: traced.append(what[2]) or real(*what))
    found = _at_size(np.full((200, 200, 3), 250, np.uint8), [RECTANGLE], (14.0, 14.0), 2, CONFIG)
    assert found[0].poses[0][2] == pytest.approx(turn * math.pi / 4)
    assert len(traced) == 8


def test_of_several_chains_the_one_that_explains_most_is_kept(monkeypatch):
    """Which counts twice beside its score: 0.9 and 2 x 0.2 are more than 1 and 2 x 0.1."""

    class Maps:
        def __init__(self, view, *_):
            self.field = np.zeros(view.paint.shape, np.float32)
            self.field[20, 20], self.field[20, 60], self.field[60, 60] = 1.0, 0.95, 0.9

        def of(self, shape, at):
            return self.field if not at else self.field * 0

    explained = {20: {20: 0.1}, 60: {20: 0.14, 60: 0.2}}
    monkeypatch.setattr(search, "PieceMaps", Maps)

    def share(painted, shapes, poses, _):
        return explained.get(poses[0][0], {}).get(poses[0][1], 0.0)

    monkeypatch.setattr(search, "_explained", share)
    found = _at_size(np.full((200, 200, 3), 250, np.uint8), [RECTANGLE], (14.0, 14.0), 4, CONFIG)
    # The one that scores best comes first; then those that explain most, with 0.9 + 0.4 and 0.95 + 0.28.
    assert [round(one.score, 2) for one in found[:3]] == [1.0, 0.9, 0.95]


def test_pieces_are_laid_at_the_hinges_of_the_ones_before(monkeypatch):
    """Each shape has hinges of its own, with 40 pixels to a unit."""
    monkeypatch.setattr(placing, "score_poses", lambda view, shape, poses, *_: np.zeros(len(poses)))
    monkeypatch.setattr(placing, "refine", lambda view, shape, poses, *_: (poses, np.zeros(len(poses))))
    monkeypatch.setattr(placing, "_apart", lambda *_: (np.zeros(3), -9.0))
    shapes, start = [RECTANGLE, TRIANGLE, DIAMOND, SQUARE], np.array([[60.0, 60.0, 0.0]])
    for laid, unit in (
        (placing.lay_chain(blank_view(), shapes, start, PLACING, SEEN), 40.0),
        (placing.lay_rigid(blank_view(), shapes, start, 1.1, PLACING, SEEN), 44.0),
    ):
        for chain in laid:
            assert chain.poses.shape == (4, 3)
            for number in range(3):
                one, other = outline_of(shapes[number]), outline_of(shapes[number + 1])
                before = joint_of(chain.poses[number], one.right, unit)
                assert before == pytest.approx(joint_of(chain.poses[number + 1], other.left, unit))


@pytest.mark.parametrize(
    ("levels", "given"), [(-239, True), (-241, False), (-180, True), (-100, True), (-16, True), (-14, False)]
)
def test_a_disc_may_be_paler_or_stronger_than_it_was_given(levels, given):
    """A disc of 150 levels less than the ground: 1.2 times or half of that, and 60 levels off."""
    found = _as_given(np.full((1, 3), float(levels)), np.full(3, -150.0), LEFT.hinges)
    assert found.tolist() == [given]


def test_a_chain_goes_on_from_hinge_to_hinge(monkeypatch):
    """From the right hinge of each piece to the left one of the next."""
    asked = []

    def continued(fields, turn, before, after, config):
        asked.append((turn, before, after))
        return fields[turn] * 0 + 1

    class Maps:
        def __init__(self, view, *_):
            self.shape = view.paint.shape

        def of(self, shape, at):
            return np.zeros(self.shape, np.float32)

    monkeypatch.setattr(search, "PieceMaps", Maps)
    monkeypatch.setattr(search, "_continued", continued)
    shapes = [shape for shape in HingeShape if outline_of(shape).right == 0.5][:1] * 2
    shapes.insert(1, next(shape for shape in HingeShape if outline_of(shape).right < 0.5))
    found = _at_size(np.full((200, 200, 3), 250, np.uint8), shapes, (14.0, 14.0), 1, CONFIG)
    assert found[0].score == pytest.approx(1 / 3)  # a piece
    one, other = outline_of(shapes[0]), outline_of(shapes[1])
    turns = CONFIG.search.turns
    assert asked[:turns] == [(turn, other.right, -one.left) for turn in range(turns)]
    assert asked[turns:] == [(turn, one.right, -other.left) for turn in range(turns)]


def test_a_shape_fits_by_its_inside_and_by_all_of_its_sides():
    """Where all is paint and each edge there is, as much as both weigh."""
    maps = PieceMaps(blank_view(), CONFIG.search, CONFIG)
    _, sides = _points(SQUARE, 0, CONFIG.search)
    maps._paint = np.zeros_like(maps._paint)
    maps._edge = lambda normal_deg: np.ones_like(maps._paint)
    found = maps.of(SQUARE, 0)
    assert found == pytest.approx(np.full(found.shape, sum(weight for _, weight, _ in sides)))
    maps._paint[:], maps._fits = 1.0, {}
    assert maps.of(SQUARE, 0)[60, 100] == pytest.approx(found[60, 100] + CONFIG.placing.inner_weight)


# --- a chain held against its picture ---


def checked(monkeypatch, *, matters=True, turned=0.0, disc=0.0):
    """How often a chain is fitted as a whole, and looked at; and the radius within which discs may lie."""
    fits, looks, radii = [], [], []
    real = check._looked

    def fit_whole(*_):
        fits.append(1)
        return WholeFit(np.array([0.001 * matters, 0.0]), 0.0, (1.0, 1.0))

    def find_left(close, owner, ground, around, discs, *_):
        radii.extend(radius for _, _, radius in discs)
        return ()

    monkeypatch.setattr(check, "fit_whole", fit_whole)
    fit = OutlineFit((0.0, 0.0), turned, 0.01, 0.0, 1.0, 0.0)
    monkeypatch.setattr(check, "fit_pieces", lambda seen, count, *_: (fit,) * count)
    monkeypatch.setattr(check, "_looked", lambda *what: looks.append(1) or real(*what))
    monkeypatch.setattr(check, "find_left", find_left)
    picture = np.full((120, 200, 3), 250, np.uint8)
    picture[50:70, 60:100], picture[50:70, 100:140] = 60, 120
    poses = np.array([(80.0, 60.0, 0.0), (120.0, 60.0, 0.0)])
    around = (0.0, 0.0, 200.0, 120.0)
    check.check_exactly(picture, [RECTANGLE] * 2, poses, (40.0, 40.0), GivenDisc(disc), around, CONFIG)
    return len(fits), len(looks), radii


def test_a_whole_chain_is_fitted_up_to_four_times(monkeypatch):
    assert checked(monkeypatch)[:2] == (4, 5)
    assert checked(monkeypatch, matters=False)[:2] == (1, 1)


@pytest.mark.parametrize(("turned", "looks"), [(0.0149, 1), (0.0151, 2), (-0.0151, 2)])
def test_pieces_that_are_moved_are_looked_at_again(monkeypatch, turned, looks):
    assert checked(monkeypatch, matters=False, turned=turned)[1] == looks


@pytest.mark.parametrize("size", [1, 2])
def test_where_a_chain_was_looked_at(monkeypatch, size):
    """So much around it: 0.4 units of 40 pixels, or of 80, where the picture is halved and boxes are not."""
    monkeypatch.setattr(check, "find_left", lambda *_: (LeftThing(1.0, 2.0, 3.0, 4.0, 0.1, True, False, 0.1, 30.0),))
    picture = np.full((120, 200, 3), 250, np.uint8)
    picture[50:70, 60:100], picture[50:70, 100:140] = 60, 120
    picture = np.repeat(np.repeat(picture, size, axis=0), size, axis=1)
    poses = np.array([(80.0 * size, 60.0 * size, 0.0), (120.0 * size, 60.0 * size, 0.0)])
    unit = (40.0 * size, 40.0 * size)
    found = check.check_exactly(picture, [RECTANGLE] * 2, poses, unit, GivenDisc(), (0.0, 0.0, 400.0, 240.0), CONFIG)
    left_px, top, right, bottom = found.box
    assert (left_px, top) == (44 * size, 34 * size)
    assert (right, bottom) == pytest.approx((157 * size, 87 * size), abs=1.1)
    assert found.poses == pytest.approx(poses, abs=0.35 * size)
    assert [color.tolist() for color in found.colors] == [[60.0] * 3, [120.0] * 3]
    assert found.ground.tolist() == [250.0] * 3
    (thing,) = found.left
    assert (thing.left, thing.top, thing.width) == (44 * size + size, 34 * size + 2 * size, 3 * size)
    assert (found.cut, found.line) == ((), pytest.approx(0.0, abs=0.01))


@pytest.mark.parametrize(("disc", "radius"), [(0.0, 2.8), (0.04, 2.8), (0.06, 3.2)])
def test_how_far_from_a_hinge_a_disc_may_lie(monkeypatch, disc, radius):
    """0.02 units farther than one was given, and 0.07 at least."""
    assert checked(monkeypatch, disc=disc)[2] == pytest.approx([radius])


@pytest.mark.parametrize(("dark", "lined"), [(82, False), (70, True)])
def test_an_outline_is_no_mixture(dark, lined):
    """It differs by 24 levels from all mixtures of what it divides: of 100 and 250, less than 76."""
    pixels = drawn_square(line=0.1)
    pixels[pixels < 90] = dark
    close, owner, colors, poses = looked(pixels)
    colors[0] = 100.0
    assert (see_outlines(close, owner, colors, (SQUARE,), poses, (), EXACT).ink is not None) == lined


# --- what is left ---


def test_near_edges_and_the_rim_nothing_is_looked_at(monkeypatch):
    """So near to an edge: half a line, 1.6 pixels and 0.01 units; on the shore of a piece 1.6 pixels; 2 of the rim."""
    parts = []
    monkeypatch.setattr(left, "_found", lambda residual, part, places, windows, config: parts.append(part) or [])
    monkeypatch.setattr(left, "_rough", lambda *_: [])
    monkeypatch.setattr(left, "foreign_at_hinges", lambda *_: ())
    pixels = np.full((120, 120, 3), 240, np.float32)
    pixels[40:80, 40:80] = 120.0
    owner = np.full((120, 120), 1, np.int16)
    owner[40:80, 40:80] = 0
    close = CloseView(pixels, 40.0, np.zeros(2), np.ones(2), (0.0, 0.0, 120.0, 120.0))
    find_left(close, owner, 1, (np.zeros(2), np.full(2, 120.0)), [], None, 2.0, None, LEFT)
    free, shore = parts
    # An edge's pixels are the first ones of the piece, and of what follows it; beyond 1 + 1.6 + 0.4 it is free.
    assert np.flatnonzero(free[60]).tolist() == [*range(2, 37), *range(44, 77), *range(84, 118)]
    assert np.flatnonzero(shore[60]).tolist() == [42, 43, 77, 78]
    assert not free[:2].any()
    assert not free[-2:].any()


def test_most_pixels_of_most_pieces():
    """Three quarters of each stay below; of three pieces the second counts."""
    sizes = np.array([1, 2, 3, 4, 5, 10, 20, 30, 40, 50, 7, 7, 7, 7, 7], np.float32)
    owners = np.repeat([0, 1, 2], 5).astype(np.int16)
    assert _usual(sizes, owners, LEFT) == 7.0
    assert _usual(sizes[:5], owners[:5], LEFT) == 4.0


def surface(change, spots=0, size=40, levels=90.0):
    """What a piece of so many pixels would have, whose light changes by so much a unit, with spots on it."""
    pixels = np.full((80, 80, 3), 240, np.float32)
    columns = (np.arange(size) - size / 2) / 40.0
    pixels[10 : 10 + size, 10 : 10 + size] = (120 + change * columns)[None, :, None]
    pixels[10 : 10 + spots, 10 : 10 + size] += np.float32(levels)
    owner = np.full((80, 80), 1, np.int16)
    owner[10 : 10 + size, 10 : 10 + size] = 0
    close = CloseView(pixels, 40.0, np.zeros(2), np.ones(2), (0.0, 0.0, 80.0, 80.0))
    return _surfaces(close, owner, 1, np.ones((80, 80), bool), LEFT), pixels


@pytest.mark.parametrize(("change", "shown"), [(85.0, 85.0), (110.0, 90.0), (-110.0, -90.0)])
def test_how_much_the_light_of_a_piece_changes(change, shown):
    """By 90 levels a unit at most."""
    found, _ = surface(change)
    assert found[30, 49, 0] - found[30, 10, 0] == pytest.approx(shown * 39 / 40, abs=0.2)


def test_what_is_far_off_does_not_tell_a_pieces_colour():
    """By 60 levels and more."""
    assert surface(0.0, 10, levels=61.0)[0][40, 30, 0] == pytest.approx(120.0, abs=0.1)
    assert surface(0.0, 10, levels=55.0)[0][12, 30, 0] > 120.5


def test_of_a_tiny_piece_all_is_its_own():
    """Of fewer than 40 pixels."""
    small, pixels = surface(400.0, size=6)
    assert (small[10:16, 10:16] == pixels[10:16, 10:16]).all()
    larger, pixels = surface(400.0, size=7)
    assert not (larger[10:17, 10:17] == pixels[10:17, 10:17]).all()


@pytest.mark.parametrize(
    ("noise", "levels", "found"), [(5.0, 14.0, False), (5.0, 18.0, True), (14.0, 32.0, False), (14.0, 40.0, True)]
)
def test_what_stands_out_from_noise(noise, levels, found):
    """Three times what is usual of averages over 9 x 9 pixels, which is 12 at most."""
    residual = np.full((90, 90, 3), noise, np.float32)
    residual[40:60, 40:60] = levels
    ground = np.ones((90, 90), bool)
    away = np.full((90, 90), 50, np.float32)
    places = _Places(np.zeros((90, 90), np.int16), ground, ~ground, away, 40.0)
    things = _found(residual, ground, places, LEFT.windows[1:2], LEFT)
    assert bool(things) == found


def test_a_disc_that_mixes_into_the_ground_is_one():
    """Of 100 on 250, 185 is a mixture, though it is 65 levels darker than the ground; 185, 185, 40 is none."""
    grey = (100, 100, 100)
    assert at_hinges(grey, grey, (185, 185, 185)) == []
    assert at_hinges(grey, grey, (185, 185, 40)) == [2]
