"""Drawn hinge folding: the chain is read whatever it looks like, and what is wrong with it is named."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

import grader
from benchmarks.accuracy.scenes import encoded
from benchmarks.hinge_folding import altered
from benchmarks.hinge_folding.faults import FAULTS, whole
from benchmarks.hinge_folding.subjects import ChainSubject
from detectors.hinge_folding.config import ChainConfig
from detectors.hinge_folding.exact.check import check_exactly
from detectors.hinge_folding.exact.discs import GivenDisc
from grader import ImageCandidate
from grader.model.errors import InvalidRequestError
from grader.model.jobs import FramesCandidate
from grader.model.verdict import Outcome
from puzzles.hinge_folding.render import joints_of, rgb
from puzzles.hinge_folding.style import HINGE_STYLES, HingeStyle

THREE = ChainSubject(3, 4, HingeStyle(), 320)
TWO = ChainSubject(2, 5, HINGE_STYLES["dark"], 240)
DICE = np.random.default_rng(3)


def verdict_on(picture, one=THREE, *, overlay=False):
    return grader.grade(one.task, ImageCandidate(encoded(np.ascontiguousarray(picture))), overlay=overlay)


def codes(verdict):
    return [reason.code for reason in verdict.reasons]


@pytest.mark.parametrize("one", [THREE, TWO], ids=["light", "dark"])
def test_the_folded_chain_passes_with_and_without_the_silhouette_beside_it(one):
    folded = one.drawn(one.puzzle.angles)
    for picture in (folded, whole(one, folded)):
        verdict = verdict_on(picture, one)
        assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.PASS, 1.0, 1.0), verdict.reasons
        assert [verdict.metric(name) for name in ("silhouette_iou", "joints_joined", "pieces_found")] == [1.0, 1.0, 1.0]
        assert verdict.metric("angle_error") < 1.0
        seen = verdict.observation.hinges
        wanted = [math.degrees(angle) for angle in one.puzzle.angles]
        assert [round(hinge.angle_deg / 45) * 45 % 360 for hinge in seen] == pytest.approx(wanted)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.drawn(one.puzzle.angles, ("#aa3311", "#118833", "#2244cc", "#999911")),
        lambda one: one.drawn(one.puzzle.angles, style=replace(one.style, last_on_top=False)),
        lambda one: one.drawn(one.puzzle.angles, style=replace(one.style, disc_radius=0.0, letter_height=0.0)),
        lambda one: cv2.resize(one.drawn(one.puzzle.angles), (200, 200), interpolation=cv2.INTER_AREA),
        lambda one: cv2.copyMakeBorder(
            one.drawn(one.puzzle.angles), 60, 60, 0, 0, cv2.BORDER_CONSTANT, value=(0, 0, 0)
        ),
        lambda one: cv2.GaussianBlur(one.drawn(one.puzzle.angles), (0, 0), 1.2),
    ],
    ids=["colours", "order", "no letters", "smaller", "letterbox", "blurred"],
)
def test_looks_do_not_matter(change):
    assert codes(verdict_on(change(THREE))) == []


CAUGHT = {
    "wrong_angle": {"WRONG_SILHOUETTE"},
    "not_turned": {"WRONG_SILHOUETTE"},
    "added": {"SOMETHING_DRAWN"},
    "scribbled": {"SOMETHING_DRAWN"},
    "empty": {"NO_CHAIN"},
}
"""Some of them; benchmarks/cheats has all."""


@pytest.mark.parametrize("kind", CAUGHT)
def test_what_is_wrong_is_named(kind):
    picture = FAULTS[kind](THREE, np.random.default_rng(5))
    verdict = verdict_on(picture)
    assert verdict.outcome is Outcome.FAIL
    assert set(codes(verdict)) & CAUGHT[kind], codes(verdict)
    assert 0.0 <= verdict.metric("silhouette_iou") <= 1.0
    assert verdict.reward <= 0.9
    # A chain that is not what was given earns nothing; one with wrong angles what is right of it.
    assert (verdict.reward > 0) <= (codes(verdict) == ["WRONG_SILHOUETTE"])


def test_an_overlay_shows_more_than_the_candidate():
    verdict = verdict_on(FAULTS["wrong_angle"](THREE, np.random.default_rng(5)), overlay=True)
    assert verdict.overlay is not None


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"image": None}, "hinge_folding.puzzle.image", "MISSING"),
        ({"place": None}, "hinge_folding.puzzle.place", "MISSING"),
        ({"unit_px": 2.0}, "hinge_folding.puzzle.place.unit_px", "OUT_OF_RANGE"),
        ({"unit_px": 1e308}, "hinge_folding.puzzle.place.unit_px", "OUT_OF_RANGE"),
        ({"x_px": 9e9}, "hinge_folding.puzzle.place.x_px", "OUT_OF_RANGE"),
        ({"y_px": math.nan}, "hinge_folding.puzzle.place.y_px", "OUT_OF_RANGE"),
        ({"y_px": 10.0}, "hinge_folding.puzzle.image", "MISMATCH"),
    ],
)
def test_pictures_need_the_given_one_and_where_the_chain_is_in_it(change, field, reason):
    task = THREE.task
    own = {name: value for name, value in change.items() if name in ("image", "place")}
    task = replace(task, **own)
    if not own:
        task = replace(task, place=replace(task.place, **change))
    with pytest.raises(InvalidRequestError) as caught:
        grader.grade(task, ImageCandidate(encoded(THREE.initial)))
    assert (field, reason) in [(one.field, one.reason) for one in caught.value.violations]


def placed_with(change, one=THREE):
    """The folded chain, with the corners of its last piece changed, drawn without discs."""
    pieces = one.placed
    pieces[-1] = change(pieces[-1])
    return one.laid(pieces)


def polygon(corners, count, radius):
    """Corners of a regular polygon about the middle of others."""
    turns = np.arange(count) * 2 * np.pi / count
    return corners.mean(axis=0) + radius * np.stack([np.cos(turns), np.sin(turns)], axis=1)


def cut(corners, share):
    """Corners with the one that is farthest out cut off by a share of both its sides."""
    at = int(np.hypot(*corners.T).argmax())
    before, own, after = (corners[(at + step) % len(corners)] for step in (-1, 0, 1))
    new = [own + share * (before - own), own + share * (after - own)]
    return np.array([*corners[:at], *new, *corners[at + 1 :]])


@pytest.mark.parametrize(
    "change",
    [
        lambda corners: polygon(corners, 8, 0.42),
        lambda corners: cut(corners, 0.4),
    ],
    ids=["octagon", "corner cut"],
)
def test_a_piece_of_another_shape_is_none_of_the_chain(change):
    assert {"PIECE_ALTERED", "PIECE_MISSING"} & set(codes(verdict_on(placed_with(change))))


def test_without_discs_the_chain_is_the_same():
    assert codes(verdict_on(placed_with(lambda corners: corners))) == []


def test_how_far_pieces_are_apart_is_told_in_units():
    folded = THREE.drawn(THREE.puzzle.angles)
    assert [hinge.gap_units < 0.03 for hinge in verdict_on(folded).observation.hinges] == [True] * 3
    pieces = THREE.placed
    pieces[-1] = pieces[-1] + (pieces[-1].mean(axis=0) - joints_in_units()[-1]) * 0.3
    verdict = verdict_on(THREE.laid(pieces))
    assert "CHAIN_CUT" in codes(verdict)
    # The last piece's centre is half a unit from its hinge.
    assert verdict.observation.hinges[-1].gap_units == pytest.approx(0.15, abs=0.04)


def test_another_chain_where_the_silhouette_may_stand_is_seen():
    right, wrong = THREE.drawn(THREE.puzzle.angles), THREE.initial
    assert codes(verdict_on(np.hstack([right, wrong]))) == ["SECOND_CHAIN"]


@pytest.mark.parametrize(("off_deg", "code"), [(3, None), (7, "HINGE_BETWEEN"), (-11, "HINGE_BETWEEN")])
def test_angles_are_read_from_the_edges(off_deg, code):
    angles = list(THREE.puzzle.angles)
    angles[-1] += math.radians(off_deg)
    said = codes(verdict_on(THREE.drawn(tuple(angles))))
    assert (code in said) if code else said == []


@pytest.mark.parametrize(
    ("fault", "codes_wanted"),
    [
        (altered.bitten, {"PIECE_ALTERED", "SOMETHING_DRAWN"}),
        (altered.striped, {"SOMETHING_DRAWN", "PIECE_MISSING", "PIECE_ALTERED"}),
        (altered.lined, {"SOMETHING_DRAWN"}),
        (altered.small_piece, {"SOMETHING_DRAWN"}),
        (altered.gaps, {"CHAIN_CUT", "PIECE_ALTERED", "SOMETHING_DRAWN"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_wrong_in_small_is_seen(fault, codes_wanted):
    assert codes_wanted & set(codes(verdict_on(fault(THREE, np.random.default_rng(2)))))


def joints_in_units():
    return joints_of(THREE.puzzle.shapes, THREE.puzzle.angles)


def joints(one):
    """Where the hinges of the folded chain are in its picture, in pixels."""
    return one.frame.at(joints_of(one.puzzle.shapes, one.puzzle.angles))


def test_what_lies_on_a_hinge_and_is_no_disc_as_it_was_given_is_seen():
    picture = THREE.drawn(THREE.puzzle.angles)
    for x, y in joints(THREE)[:2]:
        # It hides the disc: radius 0.11 of a unit, where that of the disc is 0.1.
        cv2.circle(picture, (round(float(x)), round(float(y))), round(0.11 * THREE.frame.unit_px), (40, 220, 40), -1)
    assert codes(verdict_on(picture)) == ["SOMETHING_DRAWN"]


def test_stripes_of_two_pixels_make_a_piece_another_one():
    picture = THREE.drawn(THREE.puzzle.angles)
    row, column = np.indices(picture.shape[:2])
    own = np.abs(picture.astype(int) - rgb(THREE.colors[1])).max(axis=2) < 12
    picture[own & ((row + column) % 4 < 2)] = rgb(THREE.colors[2])
    assert codes(verdict_on(picture)) == ["SOMETHING_DRAWN"]


def test_a_thin_line_across_all_pieces_is_seen_though_edges_cut_it_up():
    picture = THREE.drawn(THREE.puzzle.angles)
    y = round(float(THREE.frame.at(THREE.placed[1].mean(axis=0)[None])[0, 1]))
    picture[y] = (128, 128, 128)
    assert "SOMETHING_DRAWN" in codes(verdict_on(picture))


def figure(picture, color):
    """A picture amid the margins of a figure: wider on the left, with ticks, and of another colour."""
    framed = cv2.copyMakeBorder(picture, 12, 40, 70, 12, cv2.BORDER_CONSTANT, value=color)
    for at in range(30, picture.shape[0], 60):
        cv2.line(framed, (62, 12 + at), (69, 12 + at), (0, 0, 0), 1)
        cv2.putText(framed, str(at), (14, 18 + at), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    return framed


def test_margins_of_another_colour_are_no_part_of_the_picture():
    right = figure(TWO.drawn(TWO.puzzle.angles), (255, 255, 255))
    assert codes(verdict_on(right, TWO)) == []
    assert codes(verdict_on(figure(TWO.initial, (255, 255, 255)), TWO)) == ["WRONG_SILHOUETTE"]
    # Another chain in a margin is seen all the same.
    wrong = TWO.initial
    both = np.hstack([right, np.full((right.shape[0], wrong.shape[1] + 8, 3), 255, np.uint8)])
    both[12 : 12 + wrong.shape[0], right.shape[1] : right.shape[1] + wrong.shape[1]] = wrong
    assert "SECOND_CHAIN" in codes(verdict_on(both, TWO))


def test_of_equal_pieces_in_other_colours_either_end_may_be_the_first():
    """Three squares, folded to half a turn: cut out closely, and in other colours, nothing tells where it begins."""
    one = ChainSubject(2, 17_300_162, HingeStyle(), 320)
    assert len(set(one.puzzle.shapes)) == 1
    first, second = ("#aa3311", "#118833", "#2244cc"), ("#2244cc", "#118833", "#aa3311")
    for colors in (first, second):
        folded = one.drawn(one.puzzle.angles, colors)
        assert codes(verdict_on(altered.close_crop(one, folded, np.random.default_rng(1)), one)) == []
    assert codes(verdict_on(one.drawn((0.0, one.puzzle.angles[1]), second), one)) == ["WRONG_SILHOUETTE"]


def test_a_chain_that_was_cut_out_closely_passes():
    folded = THREE.drawn(THREE.puzzle.angles)
    assert codes(verdict_on(altered.close_crop(THREE, folded, np.random.default_rng(1)))) == []


def test_outlines_are_read_to_parts_of_a_pixel():
    """Pieces that were laid beside where they are are found there, and how far each is turned."""
    turned = list(THREE.puzzle.angles)
    turned[-1] += math.radians(2)
    picture, frame, shapes = THREE.drawn(tuple(turned)), THREE.frame, THREE.puzzle.shapes
    unit = (frame.unit_px, frame.unit_px)
    poses = np.array(
        [(*frame.at(corners.mean(axis=0)), angle)
         for corners, angle in zip(THREE.placed, np.cumsum([0.0, *THREE.puzzle.angles]), strict=True)]
    )  # fmt: skip
    poses[:, :2] += (2.0, -1.5)
    everything = (0.0, 0.0, float(THREE.side), float(THREE.side))
    exact = check_exactly(picture, shapes, poses, unit, GivenDisc(0.1), everything, ChainConfig())
    wanted = np.cumsum([0.0, *turned])
    assert np.degrees(exact.poses[:, 2] - wanted) == pytest.approx(0, abs=0.8)
    assert np.hypot(*(exact.poses[0, :2] - (frame.x_px, frame.y_px))) < 0.5
    assert (exact.left, exact.cut) == ((), ())


def series(one, states, text=""):
    return FramesCandidate(tuple(encoded(one.drawn(angles)) for angles in states), text)


def test_a_picture_after_every_turn():
    states = list(THREE.puzzle.states())
    answer = ", ".join(f"{hinge} {angle}" for hinge, angle in THREE.puzzle.turns)
    verdict = grader.grade(THREE.task, series(THREE, states[1:], f'{{"answer": "{answer}"}}'))
    assert (verdict.outcome, verdict.reward, codes(verdict)) == (Outcome.PASS, 1.0, [])
    assert [verdict.metric(name) for name in ("solved_by_words", "agreement", "moves", "least_moves")] == [1, 1, 3, 3]
    assert [one.moves for one in verdict.observation.steps] == [
        (f"{hinge} {angle}",) for hinge, angle in THREE.puzzle.turns
    ]


@pytest.mark.parametrize(
    ("states", "code"),
    [
        (lambda all_: all_[1:-1], "GOAL_NOT_SHOWN"),
        (lambda all_: all_[2:], "STEP_MISSING"),
        (lambda _: [], "NO_IMAGES"),
    ],
)
def test_series_that_are_wrong(states, code):
    verdict = grader.grade(THREE.task, series(THREE, states(list(THREE.puzzle.states()))))
    assert (verdict.outcome, codes(verdict)) == (Outcome.FAIL, [code])


def test_altered_and_unreadable_steps():
    last = list(THREE.puzzle.states())[-1]
    pictures = [FAULTS[kind](THREE, np.random.default_rng(5)) for kind in ("added", "empty", "cut")]
    frames = FramesCandidate((b"none", *(encoded(one) for one in pictures), encoded(THREE.drawn(last))), "")
    verdict = grader.grade(THREE.task, frames)
    faults = [step.faults for step in verdict.observation.steps]
    assert faults[:3] == [("STEP_UNREADABLE",), ("STEP_ALTERED",), ("STEP_UNREADABLE",)]
    assert faults[3] in [("STEP_ILLEGAL",), ("STEP_ALTERED",)]
    assert faults[4] == ("STEP_MISSING",)
