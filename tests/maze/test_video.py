"""Clips of mazes: what was shown, by a path that grows or a marker that travels, and what was not."""

from __future__ import annotations

import math
import weakref

import numpy as np
import pytest

from detectors.maze.clips.kind import MotionKind
from grader.media.frames import Frame
from grader.model.jobs import VideoPolicy
from grader.model.verdict import Outcome
from grader.tasks.maze.clips.video import judge_maze_clip
from grader.tasks.maze.pictures import judge_maze_picture
from puzzles.maze.geometry import Geometry
from tests.maze.maze_clips import (
    DOT,
    SETTINGS,
    along,
    between,
    clip,
    codes,
    dot,
    faded,
    growing,
    held,
    judge,
    moved_by,
    noisy,
    places,
    prepared,
    shares,
    square,
    through_wall,
    travelling,
    values,
    way,
    with_detour,
    without_wall,
)
from tests.samples.puzzles import BLACK, RED, STYLE, line, maze_sample

GEOMETRIES = (Geometry.SQUARE, Geometry.HEXAGON, Geometry.TRIANGLE, Geometry.CIRCLE)
BLUE_DOT = (20, 90, 230)

MAZES = [pytest.param(maze_sample(geometry, style=STYLE), id=geometry.value) for geometry in GEOMETRIES]
FEW = MAZES[::3]
"""A shape with straight borders, and one with round ones or many neighbours: where shapes hardly matter."""


def passes(judgement):
    assert codes(judgement) == []
    assert (judgement.outcome, judgement.progress) == (Outcome.PASS, 1.0)
    assert judgement.starts_at_start
    assert judgement.ends_in_goal


def fails(judgement, code):
    assert judgement.outcome is Outcome.FAIL
    assert code in codes(judgement)


# A path that grows.


@pytest.mark.parametrize("sample", MAZES)
def test_a_path_that_grows_to_the_goal_is_right(sample):
    judgement = judge(sample, growing(sample))
    passes(judgement)
    assert judgement.kind is MotionKind.GROWING_PATH
    found = values(judgement)
    assert (found["success"], found["coverage"], found["exact_match"]) == (1.0, 1.0, 1.0)
    assert found["precision"] >= 0.98
    # Nothing but the path changes.
    assert found["background_fidelity"] == 1.0
    # It is there after 3 still frames, the puzzle and 24 steps, the last of which is frame 27; the last few pixels lie
    # beneath the goal's marker.
    assert 25 <= judgement.goal_reached <= 27


def test_its_last_frame_is_judged_as_a_picture_is():
    sample = square()
    pictures = growing(sample, points=along(way(sample), 0.5))
    judgement = judge(sample, pictures)
    still = judge_maze_picture(prepared(sample), pictures[-1], SETTINGS)
    assert judgement.still.reasons == still.reasons
    assert judgement.still.metrics == still.metrics
    assert codes(judgement) == [reason.code for reason in still.reasons]
    # Half of the way in length; in steps from cell to cell the share is another, which the still judge tells.
    assert judgement.progress == next(metric.value for metric in still.metrics if metric.name == "progress")
    assert {place.span.first_frame for reason in judgement.reasons for place in reason.places} == {len(pictures) - 1}


@pytest.mark.parametrize("frames", [8, 60])
def test_a_path_may_grow_fast_or_slowly(frames):
    sample = square()
    passes(judge(sample, growing(sample, frames=frames)))


def test_a_path_may_reach_the_goal_in_the_very_last_frame():
    sample = square()
    passes(judge(sample, growing(sample)[:-4]))


def test_a_path_may_grow_from_the_goal():
    sample = square()
    passes(judge(sample, growing(sample, points=way(sample)[::-1])))


def test_noise_changes_nothing():
    sample = square()
    passes(judge(sample, noisy(growing(sample), 8.0)))
    passes(judge(sample, noisy(travelling(sample), 8.0)))
    fails(judge(sample, noisy([sample.pictures.input] * 12, 8.0)), "NOTHING_DRAWN")


def test_a_small_motion_of_the_camera_is_followed():
    sample = square()

    def filmed(pictures):
        # Undisturbed at first; then up to 4 pixels aside and 2 % nearer.
        ramp = [min(1.0, index / 12) for index in range(len(pictures))]
        return [
            moved_by(one, 4 * part * math.sin(index / 6), -3 * part, 1 + 0.02 * part)
            for index, (one, part) in enumerate(zip(pictures, ramp, strict=True))
        ]

    passes(judge(sample, filmed(growing(sample))))
    passes(judge(sample, filmed(travelling(sample))))
    fails(judge(sample, filmed(travelling(sample, points=through_wall(sample)))), "MARKER_CROSSED_WALL")


@pytest.mark.parametrize("sample", FEW)
def test_a_clip_that_stands_still_shows_nothing(sample):
    judgement = judge(sample, [sample.pictures.input] * 12)
    assert (judgement.kind, judgement.outcome) == (MotionKind.NOTHING, Outcome.FAIL)
    assert codes(judgement) == ["NOTHING_DRAWN"]
    assert judgement.progress == 0.0
    found = values(judgement)
    assert (found["coverage"], found["precision"], found["step_deviation"]) == (0.0, None, None)


@pytest.mark.parametrize("sample", FEW)
def test_a_cut_to_the_solution_shows_no_path(sample):
    puzzle, solution = sample.pictures.input, sample.pictures.solution
    judgement = judge(sample, [puzzle] * 6 + [solution] * 6)
    assert codes(judgement) == ["PATH_APPEARS_AT_ONCE"]
    assert judgement.progress == 0.0
    # Frame 6 is the first one with the path, a quarter of a second in at 24 frames a second.
    assert {(place.span.first_frame, place.span.start_s) for place in judgement.reasons[0].places} == {(6, 0.25)}


@pytest.mark.parametrize(
    ("sample", "frames", "noise"),
    [pytest.param(*one.values, *((12, 0.0), (24, 8.0))[turn % 2], id=str(one.id)) for turn, one in enumerate(FEW)],
)
def test_a_fade_to_the_solution_shows_no_path(sample, frames, noise):
    puzzle, solution = sample.pictures.input, sample.pictures.solution
    judgement = judge(sample, noisy(held(faded(puzzle, solution, frames)), noise))
    assert codes(judgement) == ["PATH_APPEARS_AT_ONCE"]
    assert judgement.progress == 0.0


def test_the_solution_all_along_shows_no_path():
    sample = square()
    fails(judge(sample, [sample.pictures.solution] * 12), "PATH_APPEARS_AT_ONCE")


@pytest.mark.parametrize("frames", [1, 16])
def test_a_second_half_that_appears_is_not_drawn(frames):
    sample = square()
    half = growing(sample, points=along(way(sample), 0.5))
    judgement = judge(sample, half + faded(half[-1], sample.pictures.solution, frames) * 1)
    assert codes(judgement) in (["PATH_APPEARS_AT_ONCE"], ["PATH_JUMPS"])
    assert 0.4 <= judgement.progress <= 0.6


def test_a_path_that_goes_on_elsewhere_jumps_though_the_gap_is_filled_later():
    sample = square()
    points = way(sample)
    first = growing(sample, points=along(points, 0.4))[:-4]
    ahead = [sample.stroke(between(points, 0.7, 0.7 + 0.3 * share), first[-1]) for share in shares(10)[1:]]
    fill = [sample.stroke(between(points, 0.39, 0.39 + 0.33 * share), ahead[-1]) for share in shares(10)[1:]]
    judgement = judge(sample, held([*first, *ahead, *fill]))
    assert codes(judgement) == ["PATH_JUMPS"]
    assert judgement.progress == pytest.approx(0.7, abs=0.05)


def test_a_path_that_is_taken_away_again_is_gone():
    sample = square()
    points = way(sample)
    erasing = [sample.stroke(between(points, 0.7 * share, 1.0), sample.pictures.input) for share in shares(10)[1:]]
    pictures = growing(sample) + erasing
    judgement = judge(sample, pictures)
    assert judgement.policy is VideoPolicy.FINAL_FRAME
    fails(judgement, "PATH_ERASED")
    best = judge(sample, pictures, VideoPolicy.BEST_FRAME)
    passes(best)
    assert best.policy is VideoPolicy.BEST_FRAME


def test_a_solution_that_flashes_up_is_shown_by_no_policy():
    sample = square()
    puzzle = sample.pictures.input
    pictures = [puzzle] * 6 + [sample.pictures.solution] * 2 + [puzzle] * 6
    fails(judge(sample, pictures), "NOTHING_DRAWN")
    fails(judge(sample, pictures, VideoPolicy.BEST_FRAME), "PATH_APPEARS_AT_ONCE")


@pytest.mark.parametrize("sample", FEW)
def test_a_path_through_a_wall_is_wrong(sample):
    fails(judge(sample, growing(sample, points=through_wall(sample))), "WALL_CROSSED")


# A marker that travels.


@pytest.mark.parametrize(
    ("sample", "color"),
    [
        *((maze_sample(geometry, style=STYLE), DOT) for geometry in GEOMETRIES[1::2]),
        *((square(), color) for color in (BLUE_DOT, RED, BLACK)),
    ],
)
def test_a_dot_that_travels_to_the_goal_is_right(sample, color):
    judgement = judge(sample, travelling(sample, color=color))
    passes(judgement)
    assert (judgement.kind, judgement.has_trail) == (MotionKind.MOVING_MARKER, False)
    assert [point.cell.id for point in judgement.trajectory][-1] == sample.path[-1]


@pytest.mark.parametrize(
    ("sample", "color"),
    [
        *((maze_sample(geometry, style=STYLE), RED) for geometry in GEOMETRIES[1::2]),
        *((square(), color) for color in (DOT, STYLE.path)),
    ],
)
def test_a_dot_with_a_trail_is_right(sample, color):
    judgement = judge(sample, travelling(sample, frames=48, trail=True, color=color, radius=0.14))
    passes(judgement)
    assert (judgement.kind, judgement.has_trail) == (MotionKind.MOVING_MARKER, True)
    # A trail is no further way: the length is that of the path, of which turns are cut by less than a tenth.
    assert abs(values(judgement)["step_deviation"]) <= 0.1


def test_a_dots_places_are_told_to_a_pixel():
    sample = square()
    judgement = judge(sample, travelling(sample))
    # Three frames of rest, then step by step; away from the markers nothing hides the dot.
    for point in judgement.trajectory[8:20]:
        x, y = places(way(sample), 24)[point.frame - 3]
        assert math.hypot(point.x - x, point.y - y) <= 1.0


@pytest.mark.parametrize("radius", [0.08, 0.3])
def test_a_dot_may_be_small_or_large(radius):
    sample = square()
    passes(judge(sample, travelling(sample, radius=radius)))


def test_the_start_marker_itself_may_travel():
    sample = square()
    floor = line(sample.pictures.no_markers, [sample.centre(sample.maze.start)], 4, sample.style.floor)
    goal = np.argwhere(
        (sample.pictures.input != sample.pictures.no_markers).any(axis=2) & (sample.cells == sample.path[-1])
    )
    floor[goal[:, 0], goal[:, 1]] = sample.pictures.input[goal[:, 0], goal[:, 1]]
    pictures = held([dot(sample, at, RED, floor, 0.205) for at in places(way(sample), 24)])
    passes(judge(sample, pictures))


def test_a_detour_through_passages_is_no_fault():
    sample = square()
    judgement = judge(sample, travelling(sample, points=with_detour(sample), frames=40))
    passes(judgement)
    # One cell there and one back.
    assert values(judgement)["step_deviation"] > 0.1
    assert values(judgement)["exact_match"] == 0.0


def test_a_dot_that_stops_half_way_does_not_arrive():
    sample = square()
    judgement = judge(sample, travelling(sample, points=way(sample, sample.path[:4])))
    assert codes(judgement) == ["GOAL_NOT_REACHED"]
    # From the first to the fourth cell there are 3 of all steps.
    assert judgement.progress == 3 / (len(sample.path) - 1)


def test_a_dot_that_passes_the_goal_and_rests_elsewhere_is_not_there():
    sample = square()
    back = along(way(sample)[::-1], 0.5)
    pictures = travelling(sample, points=np.concatenate([way(sample), back]), frames=40)
    judgement = judge(sample, pictures)
    assert codes(judgement) == ["GOAL_LEFT"]
    assert judgement.goal_reached is not None
    assert not judgement.ends_in_goal
    passes(judge(sample, pictures, VideoPolicy.BEST_FRAME))


@pytest.mark.parametrize("sample", FEW)
def test_a_dot_through_a_wall_is_wrong(sample):
    judgement = judge(sample, travelling(sample, points=through_wall(sample)))
    fails(judgement, "MARKER_CROSSED_WALL")
    (reason,) = [one for one in judgement.reasons if one.code == "MARKER_CROSSED_WALL"]
    assert [place.cell.id for place in reason.places] == [sample.wall[1]]


@pytest.mark.parametrize("sample", FEW)
def test_a_dot_through_walls_is_wrong_whatever_grows_meanwhile(sample):
    points = way(sample)
    shares = np.linspace(0.0, 1.0, 60)
    drawn = [sample.stroke(along(points, share), sample.pictures.input) for share in shares[1:]]
    straight = [points[0] * (1 - share) + points[-1] * share for share in shares[1:]]
    pictures = [sample.pictures.input, *(dot(sample, at, on=on) for at, on in zip(straight, drawn, strict=True))]
    # At the end only the right path is left.
    judgement = judge(sample, held([*pictures, drawn[-1]]))
    assert codes(judgement) == ["MARKER_CROSSED_WALL"]


@pytest.mark.parametrize("sample", MAZES)
def test_a_dot_that_is_behind_a_wall_from_one_frame_to_the_next_crossed_it(sample):
    """Both places are on the right path, and no frame shows it in the wall."""
    one, other = sorted(sample.path.index(cell) for cell in sample.shortcut)
    before = places(way(sample, sample.path[: one + 1]), 20) if one else [way(sample)[0]] * 10
    after = places(way(sample, sample.path[other:]), 20)
    judgement = judge(sample, held([dot(sample, at) for at in (*before, *after)]))
    assert judgement.outcome is Outcome.FAIL
    assert set(codes(judgement)) & {"MARKER_CROSSED_WALL", "JUMP"}
    assert judgement.progress == one / (len(sample.path) - 1)


@pytest.mark.parametrize("sample", FEW)
def test_a_dot_that_is_suddenly_elsewhere_jumps(sample):
    ends = [dot(sample, way(sample)[end]) for end in (0, -1)]
    judgement = judge(sample, [ends[0]] * 6 + [ends[1]] * 6)
    fails(judgement, "JUMP")
    assert judgement.progress == 0.0


def test_a_dot_has_to_begin_at_the_start():
    sample = square()
    judgement = judge(sample, travelling(sample, points=way(sample, sample.path[2:])))
    assert codes(judgement) == ["MARKER_NOT_AT_START"]
    assert judgement.progress == 0.0


def test_a_dot_that_leaves_a_copy_behind_is_two():
    sample = square()
    copies = [dot(sample, sample.centre(sample.path[0]), on=picture) for picture in travelling(sample)]
    assert codes(judge(sample, copies)) == ["MARKERS_MANY"]


def test_a_dot_is_no_pretext_for_strokes_elsewhere():
    """A trail through a wall, or where the dot has not been, is no trail."""
    sample = square()
    strays = [sample.step(*sample.apart, on=picture) for picture in travelling(sample, trail=True, radius=0.14)]
    judgement = judge(sample, strays)
    assert codes(judgement) == ["STRAY_STROKES"]


# The puzzle.


@pytest.mark.parametrize(
    ("sample", "show"),
    [pytest.param(*one.values, (growing, travelling)[turn % 2], id=str(one.id)) for turn, one in enumerate(MAZES)],
)
def test_a_wall_that_is_taken_away_for_a_time_is_missed(sample, show):
    pictures = show(sample, frames=30)
    # Frames 8 to 19, half a second; painted back afterwards.
    changed = [
        without_wall(sample, one, *sample.wall) if 8 <= index < 20 else one for index, one in enumerate(pictures)
    ]
    judgement = judge(sample, changed)
    assert codes(judgement) == ["WALLS_CHANGED"]
    assert judgement.progress == 0.0
    (place,) = judgement.reasons[0].places
    assert (place.span.first_frame, place.cell.id) == (8, max(sample.wall))
    (event,) = judgement.events
    assert (event.code, event.first_frame, event.last_frame) == ("WALL_GONE", 8, 19)


def test_a_goal_that_is_gone_for_a_time_is_missed():
    sample = square()
    x, y = sample.centre(sample.path[-1])
    pictures = [
        line(one, [(x, y)], 0.9 * STYLE.cell_size_px, STYLE.floor) if 8 <= index < 14 else one
        for index, one in enumerate(growing(sample))
    ]
    judgement = judge(sample, pictures)
    assert codes(judgement) == ["MARKERS_CHANGED"]
    assert judgement.progress == 0.0


def test_another_scene_in_between_is_seen():
    sample = square()
    pictures = growing(sample)
    pictures[8:14] = [np.full_like(pictures[0], 90)] * 6
    fails(judge(sample, pictures), "SCENE_CHANGED")


def test_a_clip_begins_with_its_puzzle():
    sample = square()
    other = maze_sample(Geometry.CIRCLE, style=STYLE)
    fails(judge(sample, growing(other, frames=4)), "NOT_THE_PUZZLE")
    grey = np.full_like(sample.pictures.input, 128)
    judgement = judge(sample, [grey] * 6)
    fails(judgement, "NOT_THE_PUZZLE")
    assert judgement.progress == 0.0


def test_the_same_clip_comes_to_the_same():
    sample = square()
    one, other = (judge(sample, noisy(travelling(sample, trail=True), 4.0)) for _ in range(2))
    assert (one.reasons, one.trajectory, one.metrics, one.events) == (
        other.reasons,
        other.trajectory,
        other.metrics,
        other.events,
    )


def test_a_clip_is_read_once_and_forgotten():
    """First, last and fullest frame are kept; one more is being looked at, and one was just made."""
    sample = square()
    alive: weakref.WeakSet[Frame] = weakref.WeakSet()
    counts = []

    def stream():
        for frame in clip(growing(sample, frames=40)):
            alive.add(frame)
            counts.append(len(alive))
            yield frame

    judge_maze_clip(prepared(sample), stream(), SETTINGS)
    assert len(counts) == 48  # 3 still, the puzzle, 40 steps, 4 still
    assert max(counts) <= 5


def test_a_clip_has_a_frame():
    with pytest.raises(ValueError, match="at least one frame"):
        judge_maze_clip(prepared(square()), iter(()), SETTINGS)
