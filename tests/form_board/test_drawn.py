"""Drawn boards: pieces are found whatever their colours, and what is wrong with them is named."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
import shapely

import grader
from benchmarks.form_board.boards import board
from benchmarks.form_board.faults import FAULTS
from benchmarks.form_board.right import RIGHT
from detectors.form_board.board import FormBoardFindings, GapSeen, ShapeSeen
from detectors.form_board.config import FitConfig, FormBoardConfig, SegmentConfig
from detectors.form_board.fitting import Area, ShapeChange, recognise
from detectors.form_board.outlines import PieceOutlineConfig, find_silhouettes
from detectors.form_board.scene import make_scene
from detectors.form_board.segments import take_apart
from detectors.form_board.shapes import PieceShape, filled
from detectors.form_board.zoom import smoothed
from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.model.errors import InvalidRequestError
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.tasks.form_board.judge import judge_drawn_board
from grader.tasks.form_board.puzzle import prepare_form_board
from grader.tasks.form_board.settings import FormBoardSettings, PlacingRules
from grader.v1 import form_board_pb2, service_pb2
from puzzles.form_board.render import piece_colors
from puzzles.form_board.rules import moved
from puzzles.form_board.style import FormStyle

FIT = FitConfig()
PIECES = {
    "A": np.array([(0, 0), (60, 0), (60, 20), (20, 20), (20, 80), (0, 80)], float),
    "B": np.array([(0, 0), (50, 10), (30, 70)], float),
}
SHAPES = {label: PieceShape(corners) for label, corners in PIECES.items()}
ENGINE = grader.Engine()


@cache
def puzzle(level=3, seed=5, width=512):
    return replace(board(level, seed, width), style=FormStyle(seed=seed))


def codes(verdict):
    return [reason.code for reason in verdict.reasons]


def graded(on, picture):
    return grader.grade(on.task, picture)


def test_a_silhouette_beyond_its_picture_is_refused():
    on = puzzle()
    width = on.question.shape[1]
    by = width + 5.0 - max(x for x, _ in on.task.silhouette)
    beyond = replace(on.task, silhouette=tuple((x + by, y) for x, y in on.task.silhouette))
    with pytest.raises(InvalidRequestError, match=f"to {width + 5} and y from"):
        grader.grade(beyond, on.question)


# --- shapes ---


def shape_of(outline, at=(30, 40), size=(200, 200)):
    return Area(filled(outline + at, size), FIT)


@pytest.mark.parametrize("label", ["A", "B"])
def test_a_piece_is_known_wherever_it_lies(label):
    found = recognise(shape_of(PIECES[label], (61.5, 37)), SHAPES, 200, FIT)
    assert (found.label, found.change) == (label, ShapeChange.AS_GIVEN)
    assert found.fit.moved == pytest.approx((61.5, 37), abs=0.6)
    assert found.fit.deviation < 1.5


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda one: one * (-1, 1) + (60, 0), ShapeChange.MIRRORED),
        (lambda one: one[:, ::-1] * (-1, 1) + (80, 0), ShapeChange.TURNED),
        (lambda one: one * 1.2, ShapeChange.SCALED),
        (lambda one: one * (1.0, 0.75), ShapeChange.SCALED),
        (lambda one: one * 1.02, ShapeChange.AS_GIVEN),  # two hundredths larger: nobody sees it
        (lambda one: np.concatenate([one[:4], [(20, 64), (0, 58)]]), ShapeChange.ALTERED),
        (lambda one: np.array([(0, 0), (120, 0), (120, 80), (0, 80)], float), ShapeChange.JOINED),
        (lambda one: np.array([(0, 0), (12, 0), (12, 30), (0, 30)], float), ShapeChange.UNKNOWN),
    ],
)
def test_what_became_of_a_piece_is_told(change, expected):
    assert recognise(shape_of(change(PIECES["A"])), SHAPES, 200, FIT).change is expected


# --- areas ---


def test_areas_are_told_apart_by_colour_and_by_lines_and_letters_belong_to_them():
    picture = np.full((160, 200, 3), 255, np.uint8)
    picture[20:140, 20:100], picture[20:140, 100:180] = (200, 60, 60), (60, 60, 200)
    picture[80:83, 20:180] = 0  # a line across both
    cv2.putText(picture, "A", (40, 60), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    paper = np.ones((160, 200), bool)
    paper[15:145, 15:185] = False
    found = take_apart(smoothed(picture, SegmentConfig()), np.flatnonzero(paper), 160, 160 * 120, SegmentConfig())
    sizes = sorted(int((found.labels == number).sum()) for number in found.numbers)
    assert len(sizes) == 4
    assert sizes == pytest.approx([80 * 59] * 2 + [80 * 61.5] * 2, rel=0.06)


# --- verdicts ---


@pytest.mark.parametrize("way", ["copied", "recoloured", "outlined", "with_seams", "lettered"])
def test_a_right_board_passes_however_it_is_drawn(way):
    verdict = graded(puzzle(), RIGHT[way](puzzle(), np.random.default_rng(3)))
    assert codes(verdict) == []
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.PASS, 1.0, 1.0)
    assert verdict.metric("pieces_placed") == verdict.metric("piece_recall") == verdict.metric("piece_precision") == 1.0
    assert verdict.metric("silhouette_iou") > 0.94


SPOILT = {
    "nothing": {"NO_PIECES"},
    "missing": {"GAPS"},
    "mirrored": {"PIECE_MIRRORED", "PIECE_TURNED", "PIECES_OVERLAP", "PIECE_INVENTED"},
    "scaled": {"PIECE_SCALED", "PIECES_OVERLAP", "PIECE_ALTERED"},
    "blot": {"PIECES_JOINED"},
    "joined": {"PIECES_JOINED", "PIECE_INVENTED", "PIECE_ALTERED"},
    "only_outlines": {"NO_PIECES"},
}


@pytest.mark.parametrize(("fault", "first"), SPOILT.items())
def test_a_wrong_board_fails_for_what_is_wrong(fault, first):
    drawn = (FAULTS[fault](puzzle(), np.random.default_rng(seed)) for seed in range(2, 12))
    verdict = graded(puzzle(), next(one for one in drawn if one is not None))
    assert verdict.outcome is Outcome.FAIL
    assert codes(verdict)[0] in first
    assert verdict.reward <= 0.9 * 2 / 3


def test_right_pieces_earn_their_share_and_changed_ones_nothing():
    on = puzzle()
    missing = graded(on, FAULTS["missing"](on, np.random.default_rng(0)))
    assert missing.metric("pieces_placed") == pytest.approx(2 / 3)
    assert missing.reward == pytest.approx(0.9 * 2 / 3)
    assert graded(on, FAULTS["bent"](on, np.random.default_rng(0))).reward == 0.0


def laid(change=lambda one: one, color=None, gone=True, over=None):
    """The board with its first piece changed, in another colour, or something drawn over it."""
    on = puzzle(width=1024)
    drawing = on.solved()
    label = min(drawing.areas, key=lambda one: shapely.Polygon(drawing.areas[one]).area * (one != on.puzzle.order[0]))
    corners = np.array(drawing.areas[label])
    middle = np.array(shapely.Polygon(corners).representative_point().coords[0])
    drawing.areas = {label: change(corners - middle) + middle} | {
        one: area for one, area in drawing.areas.items() if one != label
    }
    if color is not None:
        drawing.colors[label] = color
    drawing.gone = {one for one in drawing.gone if gone or one != label} | (set() if gone else set(on.others))
    picture = on.draw(drawing)
    if over is not None:
        cv2.circle(picture, tuple(int(value) for value in middle), round(over * on.unit), (255, 255, 255), -1)
    return picture


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        (lambda: laid(), []),
        (lambda: laid(lambda one: one + 0.05 * puzzle(width=1024).unit), []),
        (lambda: laid(lambda one: one * 0.985), []),
        (lambda: laid(lambda one: one + np.array([0.28 * puzzle(width=1024).unit, 0])), ["PIECE_MISPLACED"]),
        (lambda: laid(lambda one: one * 0.88), ["PIECE_MISPLACED"]),
        (lambda: laid(lambda one: one @ turn(9)), ["PIECE_MISPLACED"]),
        (lambda: laid(over=0.3), ["PIECE_INVENTED"]),
        (lambda: laid(color=tuple(int(0.1 * one + 0.9 * 255) for one in (200, 60, 60))), ["PIECE_FAINT"]),
        (lambda: laid(color=color_of(puzzle(width=1024).others[0]), gone=False), ["PIECE_ALTERED"]),
    ],
)
def test_every_pixel_of_a_board_is_compared_with_pieces_in_their_places(picture, expected):
    assert codes(graded(puzzle(width=1024), picture()))[:1] == expected


def turn(degrees):
    angle = np.radians(degrees)
    return np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])


def color_of(label):
    labels = [piece.label for piece in puzzle(width=1024).laid.board.pieces]
    return piece_colors(puzzle(width=1024).style, labels)[label]


def test_another_size_noise_and_bars_do_no_harm():
    right = RIGHT["moved_in"](puzzle(), np.random.default_rng(0))
    dice = np.random.default_rng(1)
    noisy = np.clip(right + dice.normal(0, 6, right.shape), 0, 255).astype(np.uint8)
    barred = cv2.copyMakeBorder(right, 64, 64, 0, 0, cv2.BORDER_CONSTANT, value=(0, 0, 0))
    for picture in (noisy, barred, cv2.resize(right, (700, 525), interpolation=cv2.INTER_AREA)):
        assert codes(graded(puzzle(), picture)) == []


def test_the_board_alone_is_enough():
    on = puzzle()
    left, top, right, bottom = (round(value) for value in on.laid.board.polygon.bounds)
    picture = RIGHT["moved_in"](on, np.random.default_rng(0))[top - 12 : bottom + 12, left - 12 : right + 12]
    alone = np.full((400, 400, 3), on.style.ground, np.uint8)
    alone[40 : 40 + picture.shape[0], 60 : 60 + picture.shape[1]] = picture
    assert codes(graded(on, alone)) == []


def test_an_overlay_shows_what_was_found():
    on = puzzle()
    job = grader.GradeJob("one", on.task, grader.ImageCandidate(_png(FAULTS["missing"](on, np.random.default_rng(0)))),
                          overlay=True)  # fmt: skip
    verdict = ENGINE.grade(job)
    assert verdict.overlay is not None
    shown = cv2.imdecode(np.frombuffer(verdict.overlay.png, np.uint8), cv2.IMREAD_COLOR)
    assert shown.shape[0] > shown.shape[1] * 0.75


def _png(picture):
    return cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))[1].tobytes()


def test_what_is_sent_is_what_is_graded_and_what_is_seen_is_sent_back():
    on = puzzle()
    task = on.task
    message = form_board_pb2.FormBoardTask()
    message.puzzle.labels.extend(task.labels)
    message.puzzle.image.data = task.image
    message.puzzle.silhouette.extend(form_board_pb2.FormBoardCorner(x_px=x, y_px=y) for x, y in task.silhouette)
    for corners in task.pieces:
        message.puzzle.pieces.add(corners=[form_board_pb2.FormBoardCorner(x_px=x, y_px=y) for x, y in corners])
    message.truth.labels.extend(task.solution)
    request = service_pb2.GradeRequest(request_id="one", form_board=message)
    request.image.data = _png(RIGHT["moved_in"](on, np.random.default_rng(0)))
    job = job_from_proto(request, lambda media, _path: media.data)
    assert job.task == task
    sent = verdict_to_proto(ENGINE.grade(replace(job, candidate=grader.ImageCandidate(request.image.data))))
    seen = sent.observation.form_board
    assert sorted(shape.piece for shape in seen.shapes) == sorted(on.puzzle.labels)
    for shape in seen.shapes:
        assert (shape.moved_x_px, shape.moved_y_px) == pytest.approx(on.laid.solution.offsets[shape.piece], abs=3)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"image": None}, "form_board.puzzle.image"),
        ({"silhouette": (), "pieces": ()}, "form_board.puzzle.silhouette"),
    ],
)
def test_pictures_need_the_outlines_and_the_question(change, field):
    with pytest.raises(InvalidRequestError) as caught:
        grader.grade(replace(puzzle().task, **change), puzzle().question)
    assert field in [one.field for one in caught.value.violations]


# --- the judge, without pixels ---


@cache
def prepared():
    return prepare_form_board(puzzle().task, FormBoardSettings(), ENGINE.limits, CandidateKind.IMAGE)


def shape(label, **changed):
    moved = puzzle().laid.solution.offsets.get(label, (0.0, 0.0))
    one = ShapeSeen(label, ShapeChange.AS_GIVEN, moved, 0.005, 1.0, 0.3, (20.0, 20.0, 60.0, 60.0))
    return replace(one, **changed)


def seen(*shapes, gaps=(), beside=(), lines=0.0):
    box = (0.0, 0.0, 9.0, 9.0)
    things = [tuple(GapSeen(size, box) for size in sizes) for sizes in (gaps, beside)]
    return FormBoardFindings(shapes, things[0], 0.98, GapSeen(lines, box), things[1], (), 0)


def judged(found, beside=False):
    made = judge_drawn_board(prepared(), found, beside, PlacingRules())
    return [reason.code for reason in made.reasons]


def test_each_fault_has_its_reason():
    one, two, three = puzzle().puzzle.labels
    right = [shape(label) for label in (one, two, three)]
    other = next(label for label in "ABCDE" if label not in (one, two, three))
    aside = tuple(value + 30 for value in puzzle().laid.solution.offsets[three])
    assert judged(seen(*right)) == []
    assert judged(seen()) == ["NO_PIECES"]
    assert judged(seen(*right[:2], gaps=(0.3,))) == ["GAPS"]
    assert judged(seen(*right[:2])) == ["PIECES_MISSING"]
    assert judged(seen(*right[:2], shape(other))) == ["WRONG_PIECES"]
    assert judged(seen(*right[:2], shape(three, moved=aside))) == ["PIECE_MISPLACED"]
    assert judged(seen(*right, shape(one)))[0] == "PIECE_TWICE"
    assert judged(seen(*right, beside=(0.3,))) == ["DRAWN_BESIDE"]
    assert judged(seen(*right), beside=True) == ["DRAWN_BESIDE"]
    assert judged(seen(*right, lines=0.05)) == ["OUTLINE_APART"]
    assert judged(seen(*right[:2], shape(three, change=ShapeChange.MIRRORED))) == ["PIECE_MIRRORED"]
    assert judged(seen(*right, shape("", change=ShapeChange.UNKNOWN, inside=0.01))) == []  # it lies elsewhere


def test_the_last_piece_may_be_vague_where_all_others_leave_room_for_it_alone():
    one, two, three = puzzle().puzzle.labels
    vague = shape(three, change=ShapeChange.ALTERED, deviation=0.04)
    assert judged(seen(shape(one), shape(two), vague)) == []
    assert "PIECE_ALTERED" in judged(seen(shape(one), shape(two), vague, gaps=(0.05,)))
    assert "PIECE_ALTERED" in judged(seen(shape(one), shape(two), replace(vague, deviation=0.2)))
    assert "PIECE_ALTERED" in judged(seen(shape(one), replace(shape(two), change=ShapeChange.ALTERED), vague))


def test_a_last_piece_that_a_letter_cuts_off_is_what_is_left_of_the_silhouette():
    one, two, three = puzzle().puzzle.labels
    piece = next(piece for piece in puzzle().laid.board.pieces if piece.label == three)
    left, top, right, bottom = moved(piece.polygon, puzzle().laid.solution.offsets[three]).bounds
    side = puzzle().laid.board.size
    cut = shape(three, change=ShapeChange.SCALED, box=(left, top, right, bottom - 0.06 * side))
    assert judged(seen(shape(one), shape(two), cut)) == []
    assert "PIECE_SCALED" in judged(seen(shape(one), shape(two), cut, gaps=(0.05,)))
    assert "PIECE_SCALED" in judged(
        seen(shape(one), shape(two), replace(cut, box=(left, top, right, bottom - side / 5)))
    )


def test_a_board_of_which_little_is_shown_may_be_turned_and_a_large_piece_may_be_lit_unevenly():
    on = puzzle(width=1024)
    cleared = RIGHT["cleared"](on, np.random.default_rng(3))
    height, width = cleared.shape[:2]
    turned = cv2.warpAffine(cleared, cv2.getRotationMatrix2D((width / 2, height / 2), 1.5, 0.98), (width, height))
    assert codes(graded(on, turned)) == []
    rows, columns = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    lit = cleared * (1 - 0.35 * (rows**2 + columns**2) / 2)[..., None]
    assert codes(graded(on, np.rint(lit).astype(np.uint8))) == []


def test_a_silhouette_is_found_by_its_shape():
    on = puzzle()
    outlines = {piece.label: piece.corners for piece in on.laid.board.pieces}
    scene = make_scene(on.question, on.laid.board.silhouette, outlines, FormBoardConfig())
    found = next(iter(find_silhouettes(on.question, scene, PieceOutlineConfig())), None)
    assert found == pytest.approx(scene.box, abs=4)
    assert find_silhouettes(np.full((300, 300, 3), 255, np.uint8), scene, PieceOutlineConfig()) == ()
