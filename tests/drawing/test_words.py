"""Words marked up: what was read of them has a mark, and nothing that a model wrote is markup."""

from __future__ import annotations

from grader.answers.result import Span
from grader.drawing.words import READ_STYLE, UNREAD_STYLE, marked_words


def test_each_stretch_that_was_read_has_a_mark_with_what_was_read() -> None:
    made = marked_words("up x2, <b>", ["up", "up"], [Span(0, 5), Span(0, 5)], None)
    assert f'<mark style="{READ_STYLE}" title="up, up">up x2</mark>, &lt;b&gt;</pre>' in made


def test_what_could_not_be_read_has_another_mark() -> None:
    made = marked_words('say "hm"', [], [], Span(4, 8))
    assert f'say <mark style="{UNREAD_STYLE}" title="not read">&quot;hm&quot;</mark>' in made


def test_stretches_within_others_are_left_out_and_lone_surrogates_are_no_harm() -> None:
    made = marked_words("a b \ud800", ["1", "2"], [Span(0, 3), Span(2, 3)], None)
    assert made.count("<mark") == 1
    assert made.encode()
