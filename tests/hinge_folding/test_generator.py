"""Chains that are made: just one program folds them, and every picture of them shows all pieces."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest

import grader
from grader import TextCandidate
from grader.model.verdict import Outcome
from grader.tasks.hinge_folding.model import HingeFoldingInput, HingeTurnInput
from puzzles.hinge_folding.chain import HingeShape, compare, silhouette
from puzzles.hinge_folding.generator import angles_of_steps, every_piece_shows, generate_hinges
from puzzles.hinge_folding.render import frame_of, joints_of, render_chain, render_target
from puzzles.hinge_folding.solver import least_turns, solve
from puzzles.hinge_folding.style import HINGE_STYLES, HingeStyle, colors_of
from puzzles.mentis.hinges import answer_of

SQUARE, DIAMOND, TRIANGLE, RECTANGLE = HingeShape


@pytest.mark.parametrize(("level", "seed"), [(1, 0), (1, 5), (2, 0), (2, 3), (3, 1)])
def test_no_other_program_gives_the_silhouette(level, seed):
    """All programs are made, without the solver."""
    puzzle = generate_hinges(level, seed)
    right = [
        steps
        for steps in itertools.product(range(8), repeat=level)
        if compare(puzzle.shapes, angles_of_steps(steps), puzzle.angles).same
    ]
    assert right == [puzzle.steps]
    assert all(puzzle.steps)


def test_the_solver_finds_all_programs_of_a_silhouette():
    # A square on a corner of which three quarters of the eight ways round are others: at 0 the row lies on the x axis.
    shapes, steps = (RECTANGLE, RECTANGLE, SQUARE), (4, 2)
    target = silhouette(shapes, angles_of_steps(steps))
    made = [
        one for one in itertools.product(range(8), repeat=2)
        if silhouette(shapes, angles_of_steps(one)).symmetric_difference(target).area < 1e-4
    ]  # fmt: skip
    assert sorted(solve(shapes, target)) == made
    assert least_turns(made) == min(sum(map(bool, one)) for one in made)
    assert least_turns([]) is None


@pytest.mark.parametrize("level", [1, 3, 5, 8])
def test_the_same_level_and_seed_give_the_same_chain(level):
    puzzle = generate_hinges(level, 7)
    assert puzzle == generate_hinges(level, 7)
    assert puzzle != generate_hinges(level, 8)
    assert (len(puzzle.shapes), len(puzzle.steps), puzzle.level) == (level + 1, level, level)
    assert all(every_piece_shows(puzzle.shapes, angles) for angles in puzzle.states())


def test_equal_pieces_on_each_other_do_not_show():
    assert not every_piece_shows((RECTANGLE, RECTANGLE), (math.pi,))
    assert every_piece_shows((RECTANGLE, RECTANGLE), (math.pi / 2,))
    # A diamond on a rectangle covers 0.5 x 0.7071 of its own 0.5: more than may be hidden.
    assert not every_piece_shows((RECTANGLE, DIAMOND), (math.pi,))


@pytest.mark.parametrize("level", [0, 9])
def test_levels_have_bounds(level):
    with pytest.raises(ValueError, match="level"):
        generate_hinges(level, 0)


@pytest.mark.parametrize("level", range(1, 6))
def test_every_reference_passes_and_with_any_one_angle_changed_fails(level):
    puzzle = generate_hinges(level, 11)
    task = HingeFoldingInput(puzzle.shapes, tuple(HingeTurnInput(*turn) for turn in puzzle.turns))
    signed = ", ".join(f"{hinge} {angle - 360}" for hinge, angle in reversed(puzzle.turns))
    listed = json.dumps({"answer": [*(f"{hinge} {angle}" for hinge, angle in puzzle.turns), "A 0"]})
    prose = " and ".join(f"rotate hinge {hinge} by {angle} degrees" for hinge, angle in puzzle.turns)
    for text in (json.dumps({"answer": answer_of(puzzle)}), json.dumps({"answer": signed}), listed, prose):
        assert grader.grade(task, TextCandidate(text)).outcome is Outcome.PASS, text
    for place, change in itertools.product(range(level), range(1, 8)):
        turns = [(hinge, angle + 45 * change * (at == place)) for at, (hinge, angle) in enumerate(puzzle.turns)]
        answer = ", ".join(f"{hinge} {angle % 360}" for hinge, angle in turns)
        verdict = grader.grade(task, TextCandidate(json.dumps({"answer": answer})))
        assert [one.code for one in verdict.reasons] == ["WRONG_SILHOUETTE"], answer


def test_joints_lie_where_pieces_touch():
    joints = joints_of((RECTANGLE, RECTANGLE, SQUARE), (math.pi / 2, 0.0))
    np.testing.assert_allclose(joints, [(0.5, 0.0), (0.5, 1.0)], atol=1e-12)


@pytest.mark.parametrize("name", HINGE_STYLES)
def test_a_chain_and_its_silhouette_cover_the_same_pixels(name):
    style = HINGE_STYLES[name]
    shapes, angles, size = (RECTANGLE, SQUARE, TRIANGLE), (math.pi / 2, math.pi / 4), (160, 160)
    colors = colors_of(3, 4)
    assert len(set(colors)) == 3
    chain = render_chain(shapes, angles, colors, style, size)
    target = render_target(shapes, angles, style, size)
    painted = [np.abs(one.astype(int) - style.ground).max(axis=2) > 12 for one in (chain, target)]
    # What is left are outlines, half of which lie outside.
    assert (painted[0] ^ painted[1]).sum() < 0.12 * painted[1].sum()
    assert target.tobytes() == render_target(shapes, angles, style, size).tobytes()


def test_the_frame_holds_whatever_the_chain_can_reach():
    shapes = (TRIANGLE, RECTANGLE, DIAMOND)
    frame = frame_of(shapes, (200, 300), 0.1)
    style = HingeStyle(margin=0.1, disc_radius=0.0, letter_height=0.0)
    for steps in itertools.product(range(8), repeat=2):
        picture = render_chain(shapes, angles_of_steps(steps), colors_of(3, 1), style, (200, 300))
        rim = np.concatenate(
            [picture[:2].ravel(), picture[-2:].ravel(), picture[:, :2].ravel(), picture[:, -2:].ravel()]
        )
        assert (rim == 255).all(), steps
    assert (frame.x_px, frame.y_px) == (100, 150)
