"""Questions about photographs: what each shows, that its answer is right, that no two options are alike, seeds."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from puzzles.jigsaw.cuts import HALVES, THIRDS, telling, turns
from puzzles.jigsaw.draw import SeededDraw
from puzzles.jigsaw.kinds import PieceChange, QuestionKind, question_text
from puzzles.jigsaw.photographs import Photograph, PhotographSource
from puzzles.jigsaw.png import encoded
from puzzles.jigsaw.questions import CutRules, anomaly_answer, ask_all
from puzzles.jigsaw.rendered import render_landscape
from puzzles.jigsaw.rules import JigsawRules, difference
from puzzles.jigsaw.similarity import PieceSimilarity, describe_piece

SIDE = 96
RULES = CutRules(SIDE, seed=3)


def source(seed, size=(160, 120)):
    key = f"{seed:064x}"
    return PhotographSource(Photograph(f"{seed}.png", key, size, "", ""), render_landscape(seed, size))


SOURCES = [source(seed) for seed in range(1, 7)]


@pytest.fixture(scope="module")
def asked():
    """Twelve questions of each kind from six pictures."""
    left_out = Counter()
    return list(ask_all(SOURCES, list(QuestionKind), 12, RULES, left_out))


def of(asked, kind):
    return [one for one in asked if one.question.kind is kind]


def views(one):
    return one.source.view(one.view, SIDE, RULES.seed)


def test_so_many_of_each_kind(asked):
    assert Counter(one.question.kind for one in asked) == dict.fromkeys(QuestionKind, 12)
    for kind in QuestionKind:
        numbers = [one.number for one in of(asked, kind)]
        assert numbers == list(range(1, 13))
        assert set(Counter(one.source.key for one in of(asked, kind)).values()) == {2}
        assert (
            len({one.question.pictures[0].tobytes() + repr(one.question.answer).encode() for one in of(asked, kind)})
            == 12
        )


@pytest.mark.parametrize("kind", [QuestionKind.MISSING_PIECE_EASY, QuestionKind.MISSING_PIECE_HARD])
def test_the_right_candidate_fills_the_blank(asked, kind):
    for one in of(asked, kind):
        whole, *candidates = one.question.pictures
        view, piece = views(one), one.question.details["piece"]
        box = THIRDS.box(view.shape[:2], piece)
        assert (whole[box] == 255).all()
        filled = whole.copy()
        filled[box] = candidates["ABCD".index(one.question.answer)]
        assert np.array_equal(filled, view)
        for first, second in combinations(candidates, 2):
            assert first.shape == second.shape
            assert difference(first, second) >= RULES.qualify.least_difference


def test_hard_candidates_are_more_similar_than_easy_ones(asked):
    def mean(kind):
        far = []
        for one in of(asked, kind):
            candidates = one.question.pictures[1:]
            right = describe_piece(candidates["ABCD".index(one.question.answer)])
            far += [float(np.linalg.norm(describe_piece(other) - right)) for other in candidates]
        return sum(far) / len(far)

    assert mean(QuestionKind.MISSING_PIECE_HARD) < 0.85 * mean(QuestionKind.MISSING_PIECE_EASY)


@pytest.mark.parametrize("kind", [QuestionKind.LOCALIZATION_EASY, QuestionKind.LOCALIZATION_HARD])
def test_the_piece_lies_under_the_cover_of_its_letter(asked, kind):
    grid = HALVES if kind is QuestionKind.LOCALIZATION_EASY else THIRDS
    for one in of(asked, kind):
        shown, piece = one.question.pictures
        view, covers = views(one), one.question.details["covered"]
        assert len(covers) == (2 if grid is HALVES else 4)
        hidden = covers["ABCD".index(one.question.answer)]
        assert np.array_equal(view[grid.box(view.shape[:2], hidden)], piece)
        for number in range(grid.n**2):
            box = grid.box(view.shape[:2], number)
            assert np.array_equal(shown[box], view[box]) == (number not in covers)
            # A grey cover with a white rim and a white letter shows nothing of what it hides.
            if number in covers:
                assert shown[box][1:-1, 1:-1].min() >= 128
                assert (shown[box][0] == 255).all()


def test_connections(asked):
    beside = {("left", "right"): "A", ("top", "bottom"): "B"}
    for one in of(asked, QuestionKind.CONNECTION):
        first, second = (place.split() for place in one.question.details["pieces"])
        if first[0] == second[0]:
            expected = beside["left", "right"]
        else:
            expected = beside["top", "bottom"] if first[1] == second[1] else "C"
        assert one.question.answer == expected
    # All three letters come as often.
    assert Counter(one.question.answer for one in of(asked, QuestionKind.CONNECTION)) == {"A": 4, "B": 4, "C": 4}


def test_anomalies(asked):
    made = of(asked, QuestionKind.ANOMALY)
    assert sum(one.question.answer == anomaly_answer() for one in made) == 6
    for one in made:
        (shown,), view = one.question.pictures, views(one)
        differing = [
            place
            for place, (piece, as_it_was) in enumerate(zip(HALVES.cut(shown), HALVES.cut(view), strict=True))
            if not np.array_equal(piece, as_it_was)
        ]
        if one.question.answer == anomaly_answer():
            assert differing == []
            continue
        (place,) = differing
        _, position, change = (line.partition(":")[2].strip() for line in one.question.answer.split("\n"))
        assert position == "ABCD"[place]
        done = [
            kind.letter
            for kind, _, piece in turns(HALVES.cut(view)[place])
            if np.array_equal(piece, HALVES.cut(shown)[place])
        ]
        assert done == [change]


def test_orders_put_the_pieces_back(asked):
    for one in [*of(asked, QuestionKind.ORDER_GENERATION), *of(asked, QuestionKind.ORDER_RESTORATION)]:
        question, view = one.question, views(one)
        order = question.details["order"]
        if question.kind is QuestionKind.ORDER_GENERATION:
            assert question.answer == str(order)
        else:
            assert list(question.options["ABCD".index(question.answer)]) == order
            assert len(set(question.options)) == 4
            assert "\n".join(
                f"{letter}. {list(one)}" for letter, one in zip("ABCD", question.options, strict=True)
            ) in (question_text(question.kind, question.options))
        quarters = [question.pictures[number - 1] for number in order]
        assert np.array_equal(np.vstack([np.hstack(quarters[:2]), np.hstack(quarters[2:])]), view)


def test_the_same_seed_asks_the_same_in_any_order_of_files(asked):
    again = list(ask_all(SOURCES[::-1], list(QuestionKind), 12, RULES, Counter()))
    other = list(ask_all(SOURCES, list(QuestionKind), 12, replace(RULES, seed=4), Counter()))

    def said(questions):
        return [(one.question.answer, [picture.tobytes() for picture in one.question.pictures]) for one in questions]

    assert said(again) == said(asked)
    assert said(other) != said(asked)


def flat_beside_pattern():
    """A view whose upper half is one grey, and whose lower half is a landscape."""
    view = render_landscape(5, (96, 96))
    view[:48] = 128
    return view


def test_near_flat_pieces_and_their_neighbours_are_left_out():
    rules = JigsawRules()
    assert telling(render_landscape(5, (96, 96)), HALVES, rules) == [0, 1, 2, 3]
    assert telling(flat_beside_pattern(), HALVES, rules) == []
    # The upper row is flat, and the middle one beside it; pieces of the lower row are not.
    assert set(telling(flat_beside_pattern(), THIRDS, rules)) <= {6, 7, 8}


def test_what_no_view_can_be_asked_is_counted_and_ends():
    plain = PhotographSource(Photograph("plain.png", "ab" * 32, (96, 96), "", ""), flat_beside_pattern())
    left_out: Counter[str] = Counter()
    assert list(ask_all([plain], [QuestionKind.ORDER_GENERATION, QuestionKind.ANOMALY], 5, RULES, left_out)) == []
    assert left_out == {"order_generation:near_flat": 1, "anomaly:near_flat": 1}


def test_alike_quarters_are_left_out():
    tile = render_landscape(7, (48, 48))
    alike = PhotographSource(Photograph("alike.png", "cd" * 32, (96, 96), "", ""), np.tile(tile, (2, 2, 1)))
    left_out: Counter[str] = Counter()
    assert list(ask_all([alike], [QuestionKind.CONNECTION], 5, RULES, left_out)) == []
    assert left_out == {"connection:alike": 1}


def test_another_similarity_chooses_among_the_nearest():
    """The last of the nearest instead of the first: the options are others."""
    last = PieceSimilarity("last", lambda _, others: list(range(len(others), 0, -1)), nearest=12)
    kinds = [QuestionKind.MISSING_PIECE_HARD]
    usual, chosen = (
        next(ask_all(SOURCES, kinds, 1, rules, Counter())) for rules in (RULES, replace(RULES, similarity=last))
    )
    assert usual.question.details["distractors"] != chosen.question.details["distractors"]
    assert usual.question.details["piece"] == chosen.question.details["piece"]


def test_only_squares_are_turned_by_a_quarter():
    assert [how for kind, how, _ in turns(np.zeros((4, 6, 3), np.uint8)) if kind is PieceChange.ROTATED] == ["180"]
    assert [how for kind, how, _ in turns(np.zeros((4, 4, 3), np.uint8)) if kind is PieceChange.ROTATED] == [
        "180",
        "90",
        "270",
    ]


def test_png_holds_the_picture():
    picture = render_landscape(1, (60, 42))
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(encoded(picture)))), picture)


def test_draws_are_what_their_parts_say():
    assert [SeededDraw("a", 1).below(100) for _ in range(2)] == [SeededDraw("a", 1).below(100)] * 2
    assert SeededDraw("a", 1).shuffled(range(20)) != SeededDraw("a", 2).shuffled(range(20))
    assert sorted(SeededDraw("a", 1).shuffled(range(20))) == list(range(20))


@pytest.mark.parametrize("kind", QuestionKind)
def test_texts_say_how_to_answer(kind):
    text = question_text(kind, [(1, 2, 3, 4), (2, 1, 3, 4), (3, 2, 1, 4), (4, 3, 2, 1)])
    assert "Answer with" in text
    assert ("Judgment:" in text) == (kind is QuestionKind.ANOMALY)
