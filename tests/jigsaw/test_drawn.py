"""Orders that are drawn: pieces are told under what happens to pictures, and what is wrong fails for it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import grader
from benchmarks.jigsaw.hidden import ALL_FAULTS as FAULTS
from benchmarks.jigsaw.nuisances import NUISANCES
from detectors.jigsaw.assembly import find_assembly
from detectors.jigsaw.config import AssemblyConfig
from detectors.jigsaw.framing import frames_of
from detectors.jigsaw.pieces import UPRIGHT, PieceTurn, lay_pieces
from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.model.errors import InvalidRequestError
from grader.model.places import PixelBox
from grader.model.verdict import Outcome
from grader.tasks.jigsaw.judge import judge_assembly
from grader.tasks.jigsaw.model import QuarterObservation
from grader.tasks.jigsaw.settings import DrawnRules
from grader.v1 import jigsaw_pb2, service_pb2
from puzzles.jigsaw.cuts import HALVES, joined
from puzzles.jigsaw.rendered import render_landscape

ORDER = (2, 3, 1, 4)
"""The top left piece was given second, the top right one third."""
CONFIG = AssemblyConfig()


@cache
def picture(size=(256, 192)):
    return render_landscape(11, size)


def quarters(size=(256, 192)):
    return [np.ascontiguousarray(one) for one in HALVES.cut(picture(size))]


def puzzle(size=(256, 192)):
    right = quarters(size)
    given = [right[ORDER.index(number)] for number in (1, 2, 3, 4)]
    return grader.jigsaw("order_generation", ORDER, pieces=given)


@cache
def prepared(size=(256, 192)):
    right = quarters(size)
    return lay_pieces([right[ORDER.index(number)] for number in (1, 2, 3, 4)], CONFIG)


def codes(verdict):
    return [reason.code for reason in verdict.reasons]


# --- the detector ---


def test_a_right_picture_is_seen_as_it_is():
    found = find_assembly(picture(), prepared(), CONFIG)
    assert [one.piece for one in found.quarters] == list(ORDER)
    for one in found.quarters:
        assert one.turn == UPRIGHT
        assert one.likeness > 0.9
        assert one.detail > 0.99
        assert one.blob == 0.0
    left, top, right, bottom = found.quarters[3].box
    assert (left, top, right, bottom) == pytest.approx((128, 96, 256, 192), abs=3)


@pytest.mark.parametrize(
    ("size", "turn"),
    [
        ((256, 192), PieceTurn(2, False)),
        ((256, 192), PieceTurn(0, True)),
        ((256, 192), PieceTurn(2, True)),
        ((192, 192), PieceTurn(1, False)),
        ((192, 192), PieceTurn(3, True)),
    ],
)
def test_how_a_piece_lies_is_seen(size, turn):
    shown = quarters(size)
    shown[1] = turn.of(shown[1])
    found = find_assembly(joined(shown), prepared(size), CONFIG)
    assert [one.turn for one in found.quarters] == [UPRIGHT, turn, UPRIGHT, UPRIGHT]
    assert [one.piece for one in found.quarters] == list(ORDER)


def test_frames_are_all_of_it_and_what_bars_leave():
    within = picture((120, 90))
    bars = np.zeros((130, 120, 3), np.uint8)
    bars[20:110] = within
    assert frames_of(within, CONFIG.framing) == [(0, 0, 120, 90)]
    assert frames_of(bars, CONFIG.framing) == [(0, 0, 120, 130), (0, 20, 120, 110)]
    assert frames_of(np.zeros((100, 100, 3), np.uint8), CONFIG.framing) == [(0, 0, 100, 100)]


# --- verdicts ---


# Every other one; `python -m benchmarks.jigsaw` composes all of them.
@pytest.mark.parametrize("name", list(NUISANCES)[::2])
def test_a_right_picture_passes_whatever_happened_to_it(name):
    verdict = grader.grade(puzzle(), NUISANCES[name](picture(), np.random.default_rng(3)))
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.PASS, 1.0, 1.0), codes(verdict)
    assert (verdict.metric("places_right"), verdict.metric("pieces_found"), verdict.metric("pieces_intact")) == (
        1,
        1,
        1,
    )


EXPECTED = {
    "swapped": ("WRONG_ORDER", 0.5),
    "rotated": ("PIECE_TURNED", 0.75),
    "mirrored": ("PIECE_TURNED", 0.75),
    "twice": ("PIECE_TWICE", 0.75),
    "blank": ("PIECE_MISSING", 0.75),
    "invented": ("PIECE_MISSING", 0.75),
    "blended": ("PIECE_ALTERED", None),
    "repainted": ("PIECE_ALTERED", None),
    "drawn_in": ("PIECE_ALTERED", None),
    "shrunk": (None, None),
    "blurred_seams": ("PIECE_ALTERED", None),
    "ghosted": ("PIECE_ALTERED", None),
    "melted": ("PIECE_ALTERED", None),
    "sharpened": ("PIECE_ALTERED", None),
    "cloned": ("PIECE_ALTERED", None),
    "zoomed": ("PIECE_ALTERED", None),
    "tinted": ("PIECE_ALTERED", None),
    "grainy": (None, None),
    "mosaic": ("PIECE_ALTERED", None),
    "another_picture": ("NO_PIECES", None),
    "side_by_side": ("NO_PIECES", None),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_wrong_fails_for_its_reason(name):
    """What spoils a piece earns nothing; what only misplaces one 0.9 of the share of those that lie right."""
    code, share = EXPECTED[name]
    shown = quarters()
    FAULTS[name](shown, 1, np.random.default_rng(5))
    verdict = grader.grade(puzzle(), joined(shown))
    assert (verdict.outcome, verdict.score) == (Outcome.FAIL, 0.0)
    assert code is None or codes(verdict)[0] == code
    if share is not None:
        assert verdict.metric("places_right") == share
        assert verdict.reward == pytest.approx(0.9 * share)
    elif code is not None:
        assert verdict.reward == 0.0


def test_the_overlay_numbers_the_pieces():
    shown = quarters()
    FAULTS["swapped"](shown, 1, np.random.default_rng(5))
    verdict = grader.grade(puzzle(), joined(shown), overlay=True)
    assert verdict.overlay.png.startswith(b"\x89PNG")
    assert (
        "2 quarters with another piece than its own: piece 3 lies at the top left, where piece 2 belongs."
        in verdict.reasons[0].message
    )


# --- the judge ---

BOX = PixelBox(0.0, 0.0, 10.0, 10.0)
RULES = DrawnRules()


def seen(*pieces, **changes):
    """Four quarters with such pieces; ``changes`` of the first."""
    made = [QuarterObservation(piece, 0, False, 0.99, 0.99, 0.5, 1.0, 0.0, 0.0, BOX) for piece in pieces]
    return [replace(made[0], **changes), *made[1:]]


@pytest.mark.parametrize(
    ("quarters_seen", "reasons", "reward"),
    [
        (seen(2, 3, 1, 4), [], 1.0),
        (seen(3, 2, 1, 4), ["WRONG_ORDER"], 0.9 * 2 / 4),
        (seen(2, 3, 1, 4, rotation_deg=180), ["PIECE_TURNED"], 0.9 * 3 / 4),
        (seen(2, 3, 1, 4, shift=14.0), [], 1.0),
        (seen(2, 3, 1, 4, shift=14.1), ["PIECE_ALTERED"], 0.0),
        (seen(2, 3, 1, 4, displaced=0.035), [], 1.0),
        (seen(2, 3, 1, 4, displaced=0.0351), ["PIECE_ALTERED"], 0.0),
        (seen(2, 3, 1, 4, rough=5.7), [], 1.0),  # 4.5 + 1.3 x the middle one's 1.0
        (seen(2, 3, 1, 4, rough=5.9), ["PIECE_ALTERED"], 0.0),
        (seen(2, 3, 1, 4, mirrored=True), ["PIECE_TURNED"], 0.9 * 3 / 4),
        (seen(3, 3, 1, 4), ["PIECE_TWICE", "WRONG_ORDER"], 0.9 * 3 / 4),
        (seen(0, 3, 1, 4), ["PIECE_MISSING"], 0.9 * 3 / 4),
        (seen(2, 3, 1, 4, altered_share=0.002), [], 1.0),
        (seen(2, 3, 1, 4, altered_share=0.0021), ["PIECE_ALTERED"], 0.0),
        (seen(2, 3, 1, 4, detail=0.6), [], 1.0),
        (seen(2, 3, 1, 4, detail=0.599), ["PIECE_ALTERED"], 0.0),
        (seen(0, 0, 0, 0), ["NO_PIECES"], 0.0),
    ],
)
def test_the_judge(quarters_seen, reasons, reward):
    judged = judge_assembly(quarters_seen, ORDER, RULES)
    assert [one.code for one in judged.reasons] == reasons
    assert judged.reward == pytest.approx(reward)


# --- requests ---


def test_an_order_restoration_is_drawn_by_the_order_of_its_letter():
    options = [(1, 2, 3, 4), ORDER, (4, 3, 2, 1), (3, 4, 1, 2)]
    given = grader.jigsaw("order_restoration", "B", options=options, pieces=puzzle().pieces)
    assert grader.grade(given, picture()).outcome is Outcome.PASS
    assert grader.grade(replace(given, truth="A"), picture()).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"pieces": ()}, "jigsaw.puzzle.pieces", "MISSING"),
        ({"pieces": puzzle().pieces[:3]}, "jigsaw.puzzle.pieces", "OUT_OF_RANGE"),
        ({"pieces": (*puzzle().pieces[:3], puzzle((192, 192)).pieces[0])}, "jigsaw.puzzle.pieces[3]", "SIZE_MISMATCH"),
        ({"pieces": (*puzzle().pieces[:3], b"no picture")}, "jigsaw.puzzle.pieces[3]", None),
    ],
)
def test_wrong_pieces_are_refused_by_field(changes, field, reason):
    with pytest.raises(InvalidRequestError) as caught:
        grader.grade(replace(puzzle(), **changes), picture())
    assert [one.field for one in caught.value.violations] == [field]
    assert reason is None or caught.value.violations[0].reason == reason


def test_only_orders_are_drawn():
    with pytest.raises(InvalidRequestError, match="only orders are drawn"):
        grader.grade(grader.jigsaw("connection", "A", pieces=puzzle().pieces), picture())


def test_messages_hold_pieces_and_what_was_seen():
    pieces = [{"data": data} for data in puzzle().pieces]
    request = service_pb2.GradeRequest(
        request_id="one",
        jigsaw=jigsaw_pb2.JigsawTask(
            puzzle={"kind": jigsaw_pb2.JIGSAW_KIND_ORDER_GENERATION, "pieces": pieces},
            truth={"order": {"pieces": ORDER}},
        ),
        text="[2, 3, 1, 4]",
    )
    assert job_from_proto(request, lambda media, _: media.data).task == puzzle()
    sent = verdict_to_proto(grader.grade(puzzle(), picture())).observation.assembly
    assert [one.piece for one in sent.quarters] == list(ORDER)
    assert sent.quarters[0].box.width_px == pytest.approx(128, abs=4)
