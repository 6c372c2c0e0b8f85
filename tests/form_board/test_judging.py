"""What is said of a form board by what was seen of it: each fault by its code, each bound from both sides."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from detectors.form_board.board import FormBoardFindings, GapSeen, ShapeSeen
from detectors.form_board.explained import Unexplained
from detectors.form_board.fitting import ShapeChange
from grader.model.jobs import VideoPolicy
from grader.model.verdict import Outcome
from grader.tasks.form_board import clips
from grader.tasks.form_board.clips import FrameSeen, judge_form_board_clip
from grader.tasks.form_board.judge import judge_closely, judge_drawn_board, vouched
from grader.tasks.form_board.puzzle import PreparedBoard
from grader.tasks.form_board.settings import FormBoardSettings, PlacingRules
from puzzles.form_board.rules import FormBoard, FormPiece, tilings

RULES = PlacingRules()
NO_LINES = GapSeen(0.0, (0.0, 0.0, 0.0, 0.0))


def box(left, top, wide, high):
    return ((left, top), (left + wide, top), (left + wide, top + high), (left, top + high))


# A square of 200 pixels that A and B fill, 110 and 90 wide; C, of 60, is not needed.
BOARD = FormBoard(
    box(0, 0, 200, 200),
    (FormPiece("A", box(300, 0, 110, 200)), FormPiece("B", box(500, 0, 90, 200)), FormPiece("C", box(700, 0, 60, 200))),
)
PUZZLE = PreparedBoard("ABC", frozenset("AB"), BOARD, tilings(BOARD))
HOME = {"A": (-300.0, 0.0), "B": (-390.0, 0.0), "C": (-700.0, 0.0)}
SIZES = {"A": 0.55, "B": 0.45, "C": 0.3}
WIDE = {"A": 110, "B": 90, "C": 60}
LEFT = {"A": 300, "B": 500, "C": 700}


def shape(label, off=(0.0, 0.0), change=ShapeChange.AS_GIVEN, **more):
    """A piece so far from its place."""
    across, down = HOME[label][0] + off[0], HOME[label][1] + off[1]
    left = LEFT[label] + across
    values = {
        "deviation": 0.01,
        "inside": 1.0,
        "size": SIZES[label],
        "box": (left, down, left + WIDE[label], down + 200),
    }
    return ShapeSeen(label, change, (across, down), **(values | more))


def seen(*shapes, gaps=(), lines=0.0, beside=(), loose=()):
    return FormBoardFindings(
        tuple(shapes),
        tuple(GapSeen(size, (0.0, 0.0, 9.0, 9.0)) for size in gaps),
        1.0,
        GapSeen(lines, (1.0, 2.0, 3.0, 4.0)),
        tuple(GapSeen(size, (5.0, 6.0, 7.0, 8.0)) for size in beside),
        tuple(loose),
        0,
    )


A, B = shape("A"), shape("B")


def judged(*shapes, further=False, **more):
    return judge_drawn_board(PUZZLE, seen(*shapes, **more), further, RULES)


def codes(found):
    return [one.code for one in found.reasons]


def test_both_pieces_in_their_places_are_right():
    found = judged(A, B)
    assert (codes(found), found.reward, found.placed, found.intact, found.right) == ([], 1.0, 1.0, 1.0, (True, True))
    assert found.recognised == frozenset("AB")


# A fortieth of 200 pixels is 5.
@pytest.mark.parametrize(("off", "told"), [((5.0, 0.0), []), ((3.0, 4.0), []), ((0.0, -5.1), ["PIECE_MISPLACED"])])
def test_a_piece_lies_in_its_place_up_to_a_fortieth_of_the_side(off, told):
    found = judged(A, shape("B", off))
    assert codes(found) == told
    # One in its place less one astray, of two: nothing.
    assert (found.reward, found.placed) == ((0.0, 0.5) if told else (1.0, 1.0))


def test_what_is_missing_or_not_needed_is_told():
    assert codes(judged()) == ["NO_PIECES"]
    one = judged(A)
    assert (codes(one), one.reward) == (["PIECES_MISSING"], pytest.approx(0.9 * 1 / 2))
    assert codes(judged(A, gaps=(0.45,))) == ["GAPS"]
    wrong = judged(A, shape("C"))
    assert (codes(wrong), wrong.reward, wrong.reasons[0].places[0].object) == (["WRONG_PIECES"], 0.0, "C")
    twice = judged(A, B, shape("A", (40.0, 0.0)))
    assert (codes(twice), twice.right) == (["PIECE_TWICE"], (True, True, False))
    assert twice.reward == pytest.approx(0.9 * (2 - 1) / 2)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (ShapeChange.JOINED, "PIECES_JOINED"),
        (ShapeChange.UNKNOWN, "PIECE_INVENTED"),
        (ShapeChange.MIRRORED, "PIECE_MIRRORED"),
        (ShapeChange.TURNED, "PIECE_TURNED"),
        (ShapeChange.SCALED, "PIECE_SCALED"),
        (ShapeChange.ALTERED, "PIECE_ALTERED"),
    ],
)
def test_a_piece_that_was_changed_earns_nothing(change, code):
    found = judged(A, shape("B", change=change, deviation=0.2, box=(0.0, 0.0, 9.0, 9.0)), gaps=(0.1,))
    assert (codes(found), found.reward, found.intact) == ([code, "GAPS"], 0.0, 0.5)


# Each bound of the rules: what is just within it, what is just beyond it, and what is then said.
@pytest.mark.parametrize(
    ("within", "beyond", "code"),
    [
        ({"gaps": (0.002, 0.002)}, {"gaps": (0.002, 0.0021)}, "GAPS"),
        ({"lines": 0.006}, {"lines": 0.0061}, "OUTLINE_APART"),
        ({"beside": (0.039,)}, {"beside": (0.01, 0.04)}, "DRAWN_BESIDE"),
    ],
)
def test_little_that_is_left_or_beside_is_nothing(within, beyond, code):
    assert codes(judged(A, B, **within)) == []
    found = judged(A, B, **beyond)
    assert codes(found) == [code]
    assert found.reward == (0.0 if code == "DRAWN_BESIDE" else pytest.approx(0.9))
    assert codes(judged(A, B, further=True)) == ["DRAWN_BESIDE"]


def test_what_lies_outside_is_told_from_six_hundredths_on():
    # A joined shape is no piece in its place, so that where it sticks out counts.
    joined = shape("B", change=ShapeChange.JOINED)
    assert codes(judged(A, replace(joined, inside=0.9401))) == ["PIECES_JOINED"]
    assert codes(judged(A, replace(joined, inside=0.9399))) == ["PIECES_JOINED", "OUTSIDE_SILHOUETTE"]


def test_what_hardly_reaches_into_the_silhouette_is_not_in_it():
    outside = shape("C", change=ShapeChange.UNKNOWN, inside=0.05)
    assert codes(judged(A, B, outside)) == ["PIECE_INVENTED", "OUTSIDE_SILHOUETTE"]
    assert codes(judged(A, B, replace(outside, inside=0.049))) == []


def test_a_piece_of_which_another_covers_a_part_is_told_as_such():
    # A is moved over B by 12 of its 90 pixels, 13 %; by 5, 5.6 %, that is no overlap.
    cut = shape("B", change=ShapeChange.ALTERED, deviation=0.2)
    assert codes(judged(shape("A", (12.0, 0.0)), cut, gaps=(0.06,)))[0] == "PIECES_OVERLAP"
    assert codes(judged(shape("A", (5.0, 0.0)), cut, gaps=(0.06,)))[0] == "PIECE_ALTERED"


class TestVouched:
    """The last piece is taken for what it has to be where all others lie right and nothing is left free."""

    def change_of(self, *shapes, gaps=()):
        return vouched(PUZZLE, seen(*shapes, gaps=gaps), RULES)[-1].change

    def test_its_outline_may_be_off_by_six_hundredths(self):
        vague = shape("B", change=ShapeChange.ALTERED, deviation=0.06)
        assert self.change_of(A, vague) is ShapeChange.AS_GIVEN
        assert self.change_of(A, replace(vague, deviation=0.061)) is ShapeChange.ALTERED
        assert codes(judged(A, vague)) == []

    def test_all_else_has_to_be_right(self):
        vague = shape("B", change=ShapeChange.ALTERED, deviation=0.03)
        assert self.change_of(A, vague, gaps=(0.0041,)) is ShapeChange.ALTERED
        assert self.change_of(shape("A", (9.0, 0.0)), vague) is ShapeChange.ALTERED
        assert self.change_of(A, replace(vague, inside=0.93)) is ShapeChange.ALTERED
        assert self.change_of(replace(A, change=ShapeChange.ALTERED), vague) is ShapeChange.ALTERED
        assert self.change_of(A, replace(vague, change=ShapeChange.TURNED)) is ShapeChange.TURNED

    def test_one_that_a_letter_made_smaller_lies_in_its_place(self):
        # Its box is 110 to 200; a side of it may be 0.08 x 200 = 16 pixels off. It seems to lie elsewhere.
        small = shape("B", (7.0, 0.0), ShapeChange.SCALED, box=(126.0, 0.0, 200.0, 200.0))
        whole = vouched(PUZZLE, seen(A, small), RULES)[-1]
        assert (whole.change, whole.moved) == (ShapeChange.AS_GIVEN, HOME["B"])
        assert self.change_of(A, replace(small, box=(126.1, 0.0, 200.0, 200.0))) is ShapeChange.SCALED


BOX = (1.0, 2.0, 11.0, 12.0)


@pytest.mark.parametrize(
    ("what", "told", "reward"),
    [
        ({}, [], 1.0),
        ({"faint": ("A",)}, ["PIECE_FAINT"], 0.0),
        ({"swapped": (("A", "C"),)}, ["PIECE_ALTERED"], 0.0),
        ({"things": (("A", BOX),)}, ["PIECE_INVENTED"], 0.0),
        # One piece off: (1 - 1) / 2.
        ({"apart": (("B", BOX), ("B", BOX))}, ["PIECE_MISPLACED"], 0.0),
        ({"things": (("A", BOX),), "apart": (("B", BOX),)}, ["PIECE_INVENTED", "PIECE_MISPLACED"], 0.0),
    ],
)
def test_a_closer_look_tells_what_is_not_as_it_was_given(what, told, reward):
    nothing = {"apart": (), "things": (), "faint": (), "swapped": ()}
    found = judge_closely(judged(A, B), lambda tiling: Unexplained(**(nothing | what)), RULES)
    assert (codes(found), found.reward) == (told, reward)
    assert found.right == ((True, False) if "apart" in what else (True, True))


def test_what_is_wrong_already_is_not_looked_at_closely():
    def look(tiling):
        raise AssertionError("nothing more is asked")

    assert codes(judge_closely(judged(A), look, RULES)) == ["PIECES_MISSING"]


class TestClips:
    """What is said of a clip by what was seen of its frames, each of which comes a tenth of a second later."""

    def verdict(self, monkeypatch, *frames, changed=(), method="NONE", puzzle=PUZZLE):
        looked_at = [
            FrameSeen(at, at / 10, one, judge_drawn_board(puzzle, one, False, RULES), changed[at] if changed else 0.0)
            for at, one in enumerate(frames)
        ]
        alignment = SimpleNamespace(method=method, quality=1.0)
        monkeypatch.setattr(clips, "_look", lambda *_: (alignment, looked_at))
        return judge_form_board_clip(puzzle, (), FormBoardSettings(), VideoPolicy.FINAL_FRAME)

    def on_its_way(self, label, *offs):
        return [seen(*([A] if label == "B" else []), loose=(shape(label, off),)) for off in offs]

    def coming(self):
        """A comes from the right, then B, each with two looks half way."""
        empty = seen()
        return [
            empty, *self.on_its_way("A", (150.0, 0.0), (120.0, 0.0)), seen(A), seen(A),
            *self.on_its_way("B", (200.0, 0.0), (160.0, 0.0)), seen(A, B), seen(A, B),
        ]  # fmt: skip

    def test_pieces_that_are_seen_on_their_way_pass(self, monkeypatch):
        found = self.verdict(monkeypatch, *self.coming())
        values = {one.name: one.value for one in found.metrics}
        assert (found.outcome, found.reward) == (Outcome.PASS, 1.0)
        assert (values["moves"], values["strict_legal"], values["ever_solved"]) == (2.0, 1.0, 1.0)

    def test_one_that_is_there_at_once_was_hidden(self, monkeypatch):
        found = self.verdict(monkeypatch, seen(), *self.on_its_way("A", (150.0, 0.0)), seen(A), seen(A, B))
        assert (codes(found), found.reward) == (["MOVE_HIDDEN"], 0.0)
        assert [one.object for one in found.reasons[0].places] == ["B"]
        assert found.reasons[0].places[0].span.first_frame == 3

    def test_on_its_way_is_far_from_both_ends(self, monkeypatch):
        # 0.12 x 200 = 24 pixels from where it lies in the end; what covers that place is not on its way either.
        def hidden(off):
            way = [seen(A, loose=(shape("B", off),))]
            frames = [seen(), *self.on_its_way("A", (150.0, 0.0)), seen(A), *way, seen(A, B), seen(A, B)]
            return codes(self.verdict(monkeypatch, *frames))

        assert hidden((24.5, 0.0)) == []
        assert hidden((23.5, 0.0)) == ["MOVE_HIDDEN"]
        assert hidden((390.0 - 24.5, 0.0)) == []
        assert hidden((390.0 - 23.5, 0.0)) == ["MOVE_HIDDEN"]

    def test_of_a_short_way_the_middle_third_is_on_the_way(self, monkeypatch):
        """A piece that is given 60 pixels from its place: 20 from either end is far, where 24 is elsewhere."""
        near = FormBoard(BOARD.silhouette, (BOARD.pieces[0], FormPiece("B", box(170, 0, 90, 200))))
        puzzle = PreparedBoard("AB", frozenset("AB"), near, tilings(near))
        there = replace(shape("B"), moved=(-60.0, 0.0))

        def hidden(off):
            way = replace(there, moved=(-60.0 + off, 0.0), box=(110.0 + off, 0.0, 200.0 + off, 200.0))
            frames = [seen(), *self.on_its_way("A", (150.0, 0.0)), seen(A), seen(A, loose=(way,))]
            return codes(self.verdict(monkeypatch, *frames, seen(A, there), seen(A, there), puzzle=puzzle))

        assert (hidden(22.0), hidden(38.0)) == ([], [])
        assert (hidden(18.0), hidden(42.0)) == (["MOVE_HIDDEN"], ["MOVE_HIDDEN"])

    def test_another_scene_for_more_than_a_flash_is_told(self, monkeypatch):
        frames = self.coming()
        flash = [0.0, 0.61, 0.0, *[0.0] * 6]
        longer = [0.0, 0.61, 0.61, *[0.0] * 6]
        assert codes(self.verdict(monkeypatch, *frames, changed=flash)) == []
        found = self.verdict(monkeypatch, *frames, changed=longer)
        assert (codes(found), found.reward) == (["SCENE_REPLACED"], 0.0)
        assert codes(self.verdict(monkeypatch, *frames, changed=[0.6] * 9)) == []

    def test_how_it_ends_counts(self, monkeypatch):
        frames = self.coming()
        assert codes(self.verdict(monkeypatch, *frames[:5])) == ["TARGET_NOT_REACHED", "PIECES_MISSING"]
        assert self.verdict(monkeypatch, *frames[:5]).reward == pytest.approx(0.45)
        undone = self.verdict(monkeypatch, *frames, seen(A, loose=(shape("B", (160.0, 0.0)),)))
        assert (codes(undone), undone.outcome) == (["SOLVED_THEN_UNDONE"], Outcome.FAIL)
        assert {one.name: one.value for one in undone.metrics}["moves"] == 3.0  # A, B, and B taken back
        assert codes(self.verdict(monkeypatch, seen(), seen())) == ["NOTHING_MOVES"]

    def test_a_clip_begins_with_its_puzzle(self, monkeypatch):
        assert codes(self.verdict(monkeypatch, *self.coming(), method="FAILED"))[0] == "NOT_THE_PUZZLE"
        assert codes(self.verdict(monkeypatch, seen(A, B), seen(A, B)))[0] == "NOT_THE_PUZZLE"

    def test_two_at_once_and_one_that_is_not_needed_are_not_strict(self, monkeypatch):
        def strict(*frames):
            found = self.verdict(monkeypatch, *frames)
            return {one.name: one.value for one in found.metrics}["strict_legal"]

        def both(one, other):
            return seen(loose=(shape("A", (one, 0.0)), shape("B", (other, 0.0))))

        # A piece that moves by 0.012 x 200 = 2.4 pixels or less from look to look stands still.
        for still, wanted in ((197.7, 1.0), (197.5, 0.0)):
            last = seen(A, loose=(shape("B", (still, 0.0)),))
            assert strict(seen(), both(150.0, 200.0), both(120.0, still), last, seen(A, B), seen(A, B)) == wanted
        other = [seen(loose=(shape("C", (off, 0.0)),)) for off in (300.0, 250.0)]
        assert strict(seen(), *other, *self.coming()[1:]) == 0.0
