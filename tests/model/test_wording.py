"""Counts and lists in messages."""

import pytest

from grader.model.wording import count_of, first_few


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["a"], "a"),
        (list("abcde"), "a, b, c, d, e"),
        (list("abcdef"), "a, b, c, d, e and 1 more"),
    ],
)
def test_five_are_named(names, text):
    assert first_few(names) == text


def test_one_is_not_many():
    assert [count_of(n, "puzzle") for n in (0, 1, 2)] == ["0 puzzles", "1 puzzle", "2 puzzles"]
    assert [count_of(n, "box", "boxes") for n in (1, 2)] == ["1 box", "2 boxes"]
