"""Shades belong to pieces: they only darken or lighten, and have no edge of their own. What has one is drawn."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

import grader
from benchmarks.accuracy.scenes import encoded
from benchmarks.hinge_folding.subjects import chain_subject
from grader.model.verdict import Outcome

CHAIN = chain_subject(3, 5, "published")


def codes(picture):
    """Why a picture is wrong."""
    return [one.code for one in grader.grade(CHAIN.task, grader.ImageCandidate(encoded(picture))).reasons]


@pytest.mark.parametrize(
    ("beneath", "upon"), [("shadow", ""), ("halo", ""), ("glow", ""), ("", "gradient"), ("", "inner_shadow")]
)
def test_companions_of_pieces_are_theirs(beneath, upon):
    assert codes(CHAIN.with_companions(np.random.default_rng(3), beneath, upon)) == []


# A spot of light is some 4 pixels soft on pieces of 66, of which half are looked at.
@pytest.mark.parametrize("seed", [7000, 7003])
def test_gloss_on_small_pieces_is_light(seed):
    one = chain_subject(1 + seed % 5, seed)
    picture = one.with_companions(np.random.default_rng(seed - 7000), upon="gloss")
    assert grader.grade(one.task, grader.ImageCandidate(encoded(picture))).reasons == ()


# Pieces whose lit parts looked like other things, gloss along edges, and bevels and shades as dark as lines.
@pytest.mark.parametrize(("upon", "seed"), [("gloss", 5001), ("gloss", 5017), ("bevel", 5001), ("inner_shadow", 5011)])
def test_light_on_all_pieces_is_taken_off(upon, seed):
    one = chain_subject(1 + (seed - 5000) % 5, seed)
    picture = one.with_companions(np.random.default_rng(seed - 4965), upon=upon)
    assert grader.grade(one.task, grader.ImageCandidate(encoded(picture))).reasons == ()


def test_a_disc_in_gloss_is_drawn():
    one = chain_subject(2, 9011)
    picture = one.with_companions(np.random.default_rng(74), upon="gloss")
    x, y = one.frame.at(one.placed[2].mean(axis=0)[None])[0]
    light = np.zeros(picture.shape[:2], np.float32)
    cv2.circle(light, (round(float(x)), round(float(y))), round(0.15 * one.frame.unit_px), 0.3, -1, cv2.LINE_AA)
    picture = np.rint(picture + (255.0 - picture) * light[..., None]).astype(np.uint8)
    assert grader.grade(one.task, grader.ImageCandidate(encoded(picture))).reasons


@pytest.mark.parametrize("opacity", [0.15])
def test_a_spot_of_light_with_an_edge_is_drawn(opacity):
    picture = CHAIN.drawn(CHAIN.puzzle.angles)
    x, y = np.rint(CHAIN.frame.at(CHAIN.placed[3].mean(axis=0)[None])[0]).astype(int).tolist()
    light = np.zeros(picture.shape[:2], np.float32)
    cv2.circle(light, (x, y), round(0.12 * CHAIN.frame.unit_px), opacity, -1, cv2.LINE_AA)
    assert "SOMETHING_DRAWN" in codes(np.rint(picture + (255.0 - picture) * light[..., None]).astype(np.uint8))


@pytest.mark.parametrize("grey", [90, 200])
def test_a_grey_disc_on_a_piece_is_drawn(grey):
    picture = CHAIN.drawn(CHAIN.puzzle.angles)
    x, y = np.rint(CHAIN.frame.at(CHAIN.placed[0].mean(axis=0)[None])[0]).astype(int).tolist()
    cv2.circle(picture, (x, y), round(0.12 * CHAIN.frame.unit_px), (grey,) * 3, -1, cv2.LINE_AA)
    assert "SOMETHING_DRAWN" in codes(picture)


def test_a_grey_piece_beneath_the_chain_is_no_shadow():
    """A square of half a unit, in a grey as shadows have, that lies under a corner of the first piece."""
    picture = CHAIN.ground()
    x, y = CHAIN.frame.at(CHAIN.placed[0].min(axis=0)[None])[0]
    half = 0.25 * CHAIN.frame.unit_px
    corners = np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
    cv2.fillPoly(picture, [np.rint(corners).astype(np.int32)], (170, 170, 170))
    chain = CHAIN.drawn(CHAIN.puzzle.angles)
    own = np.abs(chain.astype(int) - CHAIN.ground()).max(axis=2) > 0
    found = grader.grade(CHAIN.task, grader.ImageCandidate(encoded(np.where(own[..., None], chain, picture))))
    assert found.outcome is Outcome.FAIL
