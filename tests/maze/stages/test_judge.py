"""What a drawing on a maze comes to, from what detectors say of it: reasons, places and reward."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from detectors.common.colors import ColorName
from detectors.maze.alterations import Alterations
from detectors.maze.clips.blobs import Spot, Travel
from detectors.maze.clips.config import ClipConfig, GrowthConfig, StepConfig
from detectors.maze.clips.findings import Blob, MotionFindings
from detectors.maze.clips.growth import Arrival, Growth
from detectors.maze.clips.kind import KindFindings, MotionKind
from detectors.maze.clips.steps import walk_cells
from detectors.maze.paths import PathFindings
from detectors.maze.remainder.finding import MazeRemainder
from detectors.maze.remainder.roles import Remainder, Role
from detectors.maze.strokes.network import Crossing, StrokePiece
from grader.model.jobs import VideoPolicy
from grader.model.verdict import Alignment, Outcome, Reason
from grader.tasks.common.judgement import Judgement
from grader.tasks.maze.clips.marker import judge_marker
from grader.tasks.maze.clips.path import judge_growth
from grader.tasks.maze.judge import MazeJudgement, judge_maze
from grader.tasks.maze.model import MazeBox, PathObservation
from grader.tasks.maze.puzzle import MazePuzzle
from grader.tasks.maze.settings import PathRules
from puzzles.maze.geometry import Geometry
from puzzles.maze.grids import make_grid
from puzzles.maze.layout import Layout
from tests.maze.stages.plans import CELL, middle, plan_of

WAYS = {(1, 2), (2, 3), (3, 6), (5, 6), (4, 5)}
PATH = (1, 2, 3, 6)
PLAN = plan_of(2, 3, WAYS, {1: "disc", 6: "cross"})
PUZZLE = MazePuzzle(
    size=PLAN.size,
    picture=PLAN.picture,
    plan=PLAN,
    template=None,
    cell_map=PLAN.labels,
    path=PATH,
    asked=ColorName.BLUE,
    solution=None,
    mask=None,
    grid=make_grid(Geometry.SQUARE, width=3, height=2),
    layout=Layout(make_grid(Geometry.SQUARE, width=3, height=2), PLAN.cell_px, PLAN.wall_px),
    looked_at=ClipConfig().scene,
    box=MazeBox(0, 0, *PLAN.size),
)
ALIGNED = Alignment((128, 96), (1.0, 1.0), (0.0, 0.0), 0.0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0), "NONE", 1.0, 1.0)
UNALTERED = Alterations((), (), (), 8, 5, (), (), ())
NOTHING_LEFT = MazeRemainder((), (), (), (), companions=False, decorated=False)
STEPS = frozenset({(1, 2), (2, 3), (3, 6)})
RIGHT = PathFindings(
    as_asked=True,
    rgb=np.array([0.0, 107.0, 183.0]),
    chroma=0.145,
    pieces=(StrokePiece(frozenset(PATH), STEPS),),
    crossings=(),
    polyline=(),
    order=PATH,
    filled=frozenset(),
    spilled=frozenset(),
    specked=frozenset(),
    exterior_painted=False,
    texture=False,
    colorless=frozenset(),
    half_width_px=2.0,
    strokes=np.zeros((48, 64), np.bool_),
    aside=np.zeros((48, 64), np.bool_),
    dashed=False,
)
NOTHING = replace(RIGHT, rgb=None, pieces=(), order=(), half_width_px=0.0)


def judge(
    found=RIGHT, altered=UNALTERED, left=NOTHING_LEFT, alignment=ALIGNED, beside=False, rules=None
) -> MazeJudgement:
    return judge_maze(PUZZLE, alignment, found, altered, left, beside, rules or PathRules())


def codes(judged: MazeJudgement) -> list[str]:
    return [reason.code for reason in judged.reasons]


def cells(judged: MazeJudgement, code: str) -> list[int]:
    (reason,) = [one for one in judged.reasons if one.code == code]
    return [place.cell.id for place in reason.places]


def piece(*ids: int) -> StrokePiece:
    """Strokes through cells one after the other."""
    steps = {(min(one, other), max(one, other)) for one, other in pairwise(ids)}
    return StrokePiece(frozenset(ids), frozenset(steps))


def drawn(*pieces: StrokePiece, **more) -> PathFindings:
    return replace(RIGHT, pieces=pieces, **more)


def left_over(role: Role, *ids: int) -> MazeRemainder:
    """One thing in some cells."""
    return replace(NOTHING_LEFT, things=(Remainder(role, ids, 0.1, 2.0),))


# --- the path ---


def test_the_right_path_passes():
    assert judge() == MazeJudgement((), 1.0, True, 1.0)


def test_nothing_drawn():
    judged = judge(NOTHING)
    assert (codes(judged), judged.progress, judged.connected, judged.reward) == (["NOTHING_DRAWN"], 0.0, False, 0.0)


def test_a_path_that_stops_earns_what_it_made():
    """Two steps of three; three cells of four, none wrong: 0.9 x min(2 / 3, 3 / 4)."""
    judged = judge(drawn(piece(1, 2, 3)))
    assert codes(judged) == ["GOAL_NOT_REACHED"]
    assert cells(judged, "GOAL_NOT_REACHED") == [6]
    assert (judged.progress, judged.connected) == (2 / 3, False)
    assert judged.reward == pytest.approx(0.9 * 2 / 3)


def test_a_path_that_begins_elsewhere():
    judged = judge(drawn(piece(2, 3, 6)))
    assert codes(judged) == ["START_NOT_REACHED"]
    assert cells(judged, "START_NOT_REACHED") == [1]
    assert (judged.progress, judged.reward) == (0.0, 0.0)


def test_cells_between_that_are_missed():
    judged = judge(drawn(piece(1), piece(3, 6)))
    assert codes(judged) == ["CELLS_MISSED"]
    assert cells(judged, "CELLS_MISSED") == [2]


def test_a_gap_is_named():
    judged = judge(drawn(piece(1, 2), piece(3, 6)))
    assert codes(judged) == ["PATH_BROKEN"]
    assert cells(judged, "PATH_BROKEN") == [2, 3]
    assert judged.progress == 1 / 3
    # Two strokes that meet in no cell: each step is made, but not by one.
    judged = judge(drawn(piece(1, 2), StrokePiece(frozenset({2, 3, 6}), frozenset({(2, 3), (3, 6)}))))
    assert cells(judged, "PATH_BROKEN") == [2]


def test_cells_without_the_steps_between_them_are_no_path():
    judged = judge(drawn(StrokePiece(frozenset(PATH), frozenset({(1, 2), (3, 6)}))))
    assert not judged.connected
    assert codes(judged) == ["PATH_BROKEN"]


def test_branches_and_strays():
    """Cells 5 and 4 hang on the path; apart from it they are strays."""
    judged = judge(drawn(piece(1, 2, 3, 6, 5, 4)))
    assert codes(judged) == ["SIDE_BRANCH"]
    assert cells(judged, "SIDE_BRANCH") == [4, 5]
    # The step off cell 6 spoils no step before it; coverage 1, violation 2 / 6.
    assert judged.progress == 1.0
    assert judged.reward == pytest.approx(0.9 * (1 - 2 / 6))
    judged = judge(drawn(piece(*PATH), piece(4, 5)))
    assert codes(judged) == ["STRAY_STROKES"]
    assert cells(judged, "STRAY_STROKES") == [4, 5]
    # Strokes apart are as foreign in the path's colour as in any; this one is in two cells.
    assert judged.reward == pytest.approx(0.9 * (1 - 2 / 6) * 0.2 / 2)


def test_a_branch_off_the_middle_spoils_the_cell_that_it_leaves():
    wrong = StrokePiece(frozenset({*PATH, 5}), STEPS | {(2, 5)})
    assert judge(drawn(wrong)).progress == 1 / 3


def test_crossings_have_places():
    crossing = Crossing(1, 4, (32.0, 48.0))
    judged = judge(drawn(piece(*PATH), piece(4), crossings=(crossing,)))
    assert codes(judged) == ["WALL_CROSSED", "STRAY_STROKES"]
    (place,) = judged.reasons[0].places
    assert place.cell.id == 4
    assert (place.box.left, place.box.top, place.box.width, place.box.height) == (24.0, 40.0, 16.0, 16.0)
    # The cell whose wall is crossed ends the progress.
    assert judged.progress == 0.0


def test_a_shortcut_joins_cells_of_the_path_and_earns_nothing():
    judged = judge(drawn(piece(*PATH), crossings=(Crossing(2, 6, (1.0, 1.0)), Crossing(0, 3, (1.0, 1.0)))))
    assert codes(judged) == ["SHORTCUT", "OUTSIDE_MAZE"]
    assert judged.reward == 0.0
    assert cells(judged, "OUTSIDE_MAZE") == [3]


def test_spilled_ink_beside_the_path():
    assert codes(judge(replace(RIGHT, spilled=frozenset({1, 2, 5})))) == ["INK_SPILLED"]
    assert cells(judge(replace(RIGHT, spilled=frozenset({1, 2, 5}))), "INK_SPILLED") == [5]
    assert judge(replace(RIGHT, spilled=frozenset({1, 2, 5}))).reward == pytest.approx(0.9 * 0.2)
    assert codes(judge(replace(RIGHT, spilled=frozenset({1, 2})))) == []


# --- kinds of drawing ---


def test_flooding_is_more_than_a_share_of_the_cells():
    """Of six cells 0.8 are 4.8: four are filled, five are a flood."""
    judged = judge(replace(RIGHT, filled=frozenset({1, 2, 3, 6})))
    assert codes(judged) == ["CELLS_FILLED"]
    assert cells(judged, "CELLS_FILLED") == [1, 2, 3, 6]
    assert judged.reward == 0.0
    assert codes(judge(replace(RIGHT, filled=frozenset({1, 2, 3, 5, 6})))) == ["FLOODED"]
    assert codes(judge(replace(NOTHING, filled=frozenset({1, 2, 3, 5, 6})))) == ["FLOODED"]


def test_a_filled_cell_off_the_path_is_a_stray():
    judged = judge(replace(RIGHT, filled=frozenset({5})))
    assert codes(judged) == ["CELLS_FILLED", "STRAY_STROKES"]
    assert cells(judged, "STRAY_STROKES") == [5]


def test_specks_off_the_path_are_a_texture_from_a_share():
    """Of six cells 0.25 are 1.5: one cell is not more, two are; those of the path do not count."""
    assert codes(judge(replace(RIGHT, specked=frozenset({1, 2, 3, 4})))) == []
    assert codes(judge(replace(RIGHT, specked=frozenset({4, 5})))) == ["TEXTURE"]
    assert codes(judge(replace(NOTHING, texture=True))) == ["TEXTURE"]
    assert codes(judge(replace(RIGHT, specked=frozenset({4, 5})), rules=PathRules(specked=0.4))) == []


def test_another_picture_has_no_marker_left():
    failed = replace(ALIGNED, method="FAILED")
    gone = replace(NOTHING_LEFT, gone_markers=(0, 1))
    assert codes(judge(alignment=failed)) == []
    assert codes(judge(alignment=failed, left=replace(NOTHING_LEFT, gone_markers=(0,)))) == ["MARKER_ERASED"]
    assert codes(judge(alignment=failed, left=gone)) == ["NOT_THE_PUZZLE", "MARKER_ERASED"]
    assert codes(judge(left=gone)) == ["MARKER_ERASED"]
    assert judge(alignment=failed, left=gone).reward == 0.0


def test_dots_are_no_line():
    """Three marks with one step between four cells: 1 <= 0.25 x 4; with two marks not one step."""
    dotted = drawn(piece(1, 2), piece(3), piece(6))
    assert codes(judge(dotted)) == ["DOTS"]
    assert cells(judge(dotted), "DOTS") == [1, 2, 3, 6]
    assert "DOTS" not in codes(judge(drawn(piece(1, 2), piece(3), piece(6)), rules=PathRules(dotted=0.24)))
    assert "DOTS" not in codes(judge(drawn(piece(1, 2), piece(3, 6))))
    assert "DOTS" not in codes(judge(drawn(piece(1, 2), piece(3))))
    assert codes(judge(drawn(piece(1), piece(6)))) == ["DOTS"]
    assert "DOTS" not in codes(judge(drawn(piece(1))))
    assert codes(judge(replace(NOTHING, specked=frozenset({2})))) == ["DOTS"]
    # What crosses a wall, fills a cell or is a pattern is named by that.
    for more in ({"crossings": (Crossing(1, 4, (1.0, 1.0)),)}, {"filled": frozenset({1})}, {"texture": True}):
        assert "DOTS" not in codes(judge(replace(dotted, **more)))


def test_a_line_without_colour_is_in_the_wrong_one():
    judged = judge(replace(NOTHING, colorless=frozenset({1, 2})))
    assert codes(judged) == ["WRONG_COLOR"]
    assert cells(judged, "WRONG_COLOR") == [1, 2]
    # It is no wall, and no other stroke.
    for role in (Role.WALL, Role.WAY):
        assert codes(judge(replace(RIGHT, colorless=frozenset({1, 2})), left=left_over(role, 1, 2))) == ["WRONG_COLOR"]


def test_another_colour_foreign_strokes_and_paint_outside():
    assert codes(judge(replace(RIGHT, as_asked=False))) == ["WRONG_COLOR"]
    assert judge(replace(RIGHT, as_asked=False)).reward == pytest.approx(0.9)
    for role in (Role.WAY, Role.MARK):
        judged = judge(replace(RIGHT, exterior_painted=True), left=left_over(role, 4))
        assert codes(judged) == ["EXTERIOR_PAINTED", "FOREIGN_STROKES"]
        assert cells(judged, "FOREIGN_STROKES") == [4]
    both = replace(NOTHING_LEFT, things=(*left_over(Role.WAY, 4, 5).things, *left_over(Role.MARK, 2).things))
    assert cells(judge(left=both), "FOREIGN_STROKES") == [2, 4, 5]
    assert cells(judge(left=replace(both, two_colored=(3, 4))), "FOREIGN_STROKES") == [2, 3, 4, 5]
    # Whatever is drawn beside the right path, little is left of its reward, and less the more cells it is in.
    assert judge(left=left_over(Role.MARK, 4)).reward == pytest.approx(0.9 * 0.2)
    assert judge(left=left_over(Role.WAY, 4, 5)).reward == pytest.approx(0.9 * 0.2 / 2)
    assert judge(left=both).reward == pytest.approx(0.9 * 0.2 / 3)
    assert judge(left=replace(both, two_colored=(3, 4))).reward == pytest.approx(0.9 * 0.2 / 4)
    assert judge(left=both, rules=PathRules(spoiled=0.6)).reward == pytest.approx(0.9 * 0.6 / 3)
    # Without a path they are not spoken of.
    assert codes(judge(NOTHING, left=both)) == ["NOTHING_DRAWN"]
    judged = judge(beside=True)
    assert (codes(judged), judged.reward) == (["OTHER_DRAWINGS"], 0.0)


# --- alterations ---


def test_walls_that_are_gone_have_their_border_as_a_place():
    judged = judge(altered=replace(UNALTERED, erased_walls=((1, 4),)))
    assert codes(judged) == ["WALLS_ERASED"]
    (place,) = judged.reasons[0].places
    pixels = next(one.pixels for one in PLAN.borders if (one.first, one.second) == (1, 4))
    assert place.cell.id == 4
    assert (place.box.left, place.box.top) == (float(pixels[:, 1].min()), float(pixels[:, 0].min()))
    assert (place.box.width, place.box.height) == (22.0, 2.0)
    assert judged.reward == 0.0
    # A wall with a hole is one, told once even if it is gone besides.
    holed = judge(altered=replace(UNALTERED, erased_walls=((1, 4),)), left=replace(NOTHING_LEFT, holed_walls=((1, 4),)))
    assert holed == judged
    assert judge(left=replace(NOTHING_LEFT, holed_walls=((1, 4),))) == judged


def test_walls_that_were_added():
    assert codes(judge(altered=replace(UNALTERED, closed_passages=((4, 5),)))) == ["WALLS_ADDED"]
    judged = judge(left=left_over(Role.WALL, 4, 5))
    assert (codes(judged), cells(judged, "WALLS_ADDED"), judged.reward) == (["WALLS_ADDED"], [4, 5], 0.0)


def test_companions_decoration_and_writing_at_a_marker_are_no_faults():
    harmless = replace(left_over(Role.AT_MARKER, 1), companions=True, decorated=True)
    assert judge(left=harmless) == judge()


def test_another_maze_has_many_walls_gone_and_many_passages_closed():
    """Of 8 walls and 5 passages 0.2 are 1.6 and 1: two of each are more."""
    two = replace(UNALTERED, erased_walls=((1, 4), (2, 5)), closed_passages=((4, 5), (5, 6)))
    assert codes(judge(altered=two)) == ["PUZZLE_REPLACED"]
    holed = replace(NOTHING_LEFT, holed_walls=((2, 5),))
    assert codes(judge(altered=replace(two, erased_walls=((1, 4),)), left=holed)) == ["PUZZLE_REPLACED"]
    assert codes(judge(altered=replace(two, erased_walls=((1, 4),)))) == ["WALLS_ERASED", "WALLS_ADDED"]
    assert codes(judge(altered=replace(two, closed_passages=((4, 5),)))) == ["WALLS_ERASED", "WALLS_ADDED"]
    assert codes(judge(altered=replace(two, wall_count=0, passage_count=0))) == ["PUZZLE_REPLACED"]


def test_other_alterations_are_named_and_placed():
    altered = replace(UNALTERED, painted_walls=((1, 4),), covered_cells=(4,), hidden_cells=(5,))
    judged = judge(altered=altered)
    assert codes(judged) == ["CELLS_COVERED", "CUT_OFF", "WALLS_PAINTED"]
    assert cells(judged, "CELLS_COVERED") == [4]
    assert cells(judged, "CUT_OFF") == [5]
    assert cells(judged, "WALLS_PAINTED") == [4]
    gone, added = replace(NOTHING_LEFT, gone_markers=(0,)), (((70.0, 70.0), 5),)
    assert codes(judge(altered=replace(UNALTERED, added_markers=added))) == ["MARKER_ADDED"]
    judged = judge(left=gone)
    assert (codes(judged), cells(judged, "MARKER_ERASED")) == (["MARKER_ERASED"], [1])
    judged = judge(altered=replace(UNALTERED, added_markers=added), left=gone)
    assert (codes(judged), cells(judged, "MARKER_MOVED")) == (["MARKER_MOVED"], [5])


# --- a marker that travels ---


def at(*places: int | tuple[float, float]) -> tuple[Spot, ...]:
    points = [middle(one, 3) if isinstance(one, int) else one for one in places]
    return tuple(
        Spot(n, n / 25, Blob(float(x), float(y), 4.0, (200.0, 0.0, 0.0), 50.0)) for n, (x, y) in enumerate(points)
    )


def travelled(*places, policy=VideoPolicy.FINAL_FRAME, others=()):
    spots = at(*places)
    seen = KindFindings(MotionKind.MOVING_MARKER, False, Travel(spots, others))
    return judge_marker(PUZZLE, seen, walk_cells(spots, PLAN, StepConfig()), policy, StepConfig())


def test_a_marker_that_travels_the_right_way():
    history = travelled(1, 2, 3, 6)
    assert history.reasons == ()
    assert (history.progress, history.visited, history.goal_reached) == (1.0, (1, 2, 3, 6), 3)
    assert (history.starts_at_start, history.ends_in_goal) == (True, True)
    assert [(one.frame, one.cell.id) for one in history.trajectory] == [(0, 1), (1, 2), (2, 3), (3, 6)]


def test_a_marker_that_does_not_arrive():
    history = travelled(1, 2)
    assert [one.code for one in history.reasons] == ["GOAL_NOT_REACHED"]
    assert (history.progress, history.goal_reached, history.ends_in_goal) == (1 / 3, None, False)


def test_a_marker_that_leaves_the_goal_again():
    history = travelled(1, 2, 3, 6, 5)
    assert [one.code for one in history.reasons] == ["GOAL_LEFT"]
    assert (history.goal_reached, history.progress) == (3, 1.0)
    # What comes after the best moment counts no more.
    best = travelled(1, 2, 3, 6, 5, policy=VideoPolicy.BEST_FRAME)
    assert (best.reasons, best.ends_in_goal) == ((), True)


def test_a_marker_through_a_wall_makes_progress_up_to_it():
    history = travelled(1, 2, 5, 6)
    (reason,) = history.reasons
    assert reason.code == "MARKER_CROSSED_WALL"
    assert [(place.span.first_frame, place.cell.id) for place in reason.places] == [(2, 5)]
    assert (history.progress, history.goal_reached) == (1 / 3, None)


def test_a_marker_that_begins_elsewhere():
    history = travelled(3, 6)
    assert [one.code for one in history.reasons] == ["MARKER_NOT_AT_START"]
    assert (history.progress, history.goal_reached, history.starts_at_start) == (0.0, None, False)
    # Behind a passage, up to a cell and a half from the start's marker, it may just have left it.
    x, y = middle(1, 3)
    assert travelled((x + 1.45 * CELL, y), 3, 6).reasons == ()
    strict = StepConfig(longest=1.2)
    spots = at((x + 1.45 * CELL, y), 3, 6)
    seen = KindFindings(MotionKind.MOVING_MARKER, False, Travel(spots, ()))
    history = judge_marker(PUZZLE, seen, walk_cells(spots, PLAN, StepConfig()), VideoPolicy.FINAL_FRAME, strict)
    assert [one.code for one in history.reasons] == ["MARKER_NOT_AT_START"]
    # Behind a wall it has not.
    assert travelled(4, 5, 6).starts_at_start is False


def test_other_markers():
    history = travelled(1, 2, 3, 6, others=at(5)[:1])
    (reason,) = history.reasons
    assert (reason.code, [place.cell.id for place in reason.places]) == ("MARKERS_MANY", [5])


def test_a_detour_does_no_harm():
    assert travelled(1, 2, 1, 2, 3, 6).progress == 1.0


# --- a path that grows ---


def still(*reasons: str, visited: tuple[int, ...] = PATH) -> Judgement:
    seen = PathObservation((), tuple(PUZZLE.cell(cell) for cell in visited), (), "", True, 4.0, 1, 1.0)
    given = tuple(Reason(code, code) for code in reasons)
    return Judgement(Outcome.FAIL if given else Outcome.PASS, 1.0, 1.0, (), given, seen)


def grown(judged: Judgement, growth: Growth, most: float = 100.0, chosen: float = 100.0):
    mask = np.zeros((1, 1), bool)
    none = np.full((1, 1), -1, np.int32)
    found = MotionFindings(1, (), mask, mask, none, most, 3, none, (), (), (), None)
    cell = PUZZLE.cell(2)
    return judge_growth(PUZZLE, judged, growth, found, chosen, lambda n: n / 25, lambda x, y: cell, GrowthConfig())


WHOLE = Growth(100.0, ((0, 1.0, 2.0), (5, 9.0, 2.0)), (), (), False, 100.0)
JUMP, ONCE = Arrival(7, 40.0, 60.0, (5.0, 5.0)), Arrival(2, 10.0, 30.0, (4.0, 4.0))


def test_a_path_that_grew():
    history = grown(still(), WHOLE)
    assert (history.reasons, history.share, history.goal_reached) == ((), 1.0, 5)
    assert (history.starts_at_start, history.ends_in_goal) == (True, True)
    assert [(one.frame, one.time_s, one.x) for one in history.trajectory] == [(0, 0.0, 1.0), (5, 0.2, 9.0)]
    wrong = grown(still("SIDE_BRANCH", visited=(2, 3)), WHOLE)
    assert (wrong.goal_reached, wrong.starts_at_start, wrong.ends_in_goal) == (None, False, False)


def test_pieces_that_jumped_or_came_at_once():
    history = grown(still(), replace(WHOLE, jumps=(JUMP,), at_once=(ONCE,), before_fault=10.0))
    assert [one.code for one in history.reasons] == ["PATH_APPEARS_AT_ONCE", "PATH_JUMPS"]
    assert history.reasons[0].message.startswith("20% of the path")
    assert [place.span.first_frame for place in history.reasons[1].places] == [7]
    assert history.share == 0.1
    shown = grown(still(), replace(WHOLE, jumps=(JUMP,), at_once=(ONCE,), appeared=True))
    assert [one.code for one in shown.reasons] == ["PATH_APPEARS_AT_ONCE"]
    assert shown.reasons[0].message.startswith("40% of the path")
    assert [place.span.first_frame for place in shown.reasons[0].places] == [2, 7]
    assert shown.share == 0.0
    assert grown(still(), replace(WHOLE, length=0.0)).share == 0.0


def test_ink_that_was_taken_away():
    """More than 0.2 of the most, and more than 0.1 of a cell of 1024 pixels, 102.4; of a wrong path."""
    for most, chosen, codes_ in (
        (1000.0, 790.0, ["PATH_ERASED"]),
        (1000.0, 800.0, []),
        (200.0, 98.0, []),
        (200.0, 97.0, ["PATH_ERASED"]),
    ):
        assert [one.code for one in grown(still("GOAL_NOT_REACHED"), WHOLE, most, chosen).reasons] == codes_
    assert grown(still(), WHOLE, 1000.0, 100.0).reasons == ()
    (reason,) = grown(still("GOAL_NOT_REACHED"), WHOLE, 1000.0, 250.0).reasons
    assert reason.message.startswith("75% of what was drawn")
    assert reason.places[0].span.first_frame == 3
