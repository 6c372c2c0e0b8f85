"""Reading JSON that others wrote: whatever is wrong with it is a ValueError that says so."""

import re

import pytest

from grader.model.json_fields import is_blank, load_object, parse_json


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[" * 200_000, "nests too deeply"),
        (b'{"a": ' * 200_000, "nests too deeply"),
        (
            b"[" + b"1" * 5000 + b"]",
            "a number has more than 4300 digits",
        ),  # the longest whole number that Python converts
        (b"\xff", "utf-8"),
        (b"{", "double quotes"),
        (b'"\\ud800"', "half a surrogate pair, '\\ud800'"),
        (b'{"\\uDC00": 1}', "half a surrogate pair, '\\udc00'"),
        ('"\ud800"', "half a surrogate pair, '\\ud800'"),
    ],
)
def test_what_is_wrong_is_said(data, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        parse_json(data)
    if isinstance(data, bytes):
        with pytest.raises(ValueError, match=r"^a\.json: is not JSON in UTF-8: "):
            load_object(data, "a.json")


def test_whole_pairs_and_what_looks_like_an_escape_are_read():
    assert parse_json(b'["\\ud83d\\ude00", "\\\\ud800"]') == ["\U0001f600", "\\ud800"]
    assert parse_json('"\\ud800"', lone_surrogates=True) == "\ud800"
    assert parse_json('"a\nb"', strict=False) == "a\nb"


@pytest.mark.parametrize("data", [b'\xef\xbb\xbf{"a": 1}', '\ufeff{"a": 1}'])
def test_a_byte_order_mark_is_passed_over(data):
    assert parse_json(data) == {"a": 1}
    assert parse_json('"\ufeffa"') == "\ufeffa"  # within a text it is the text's


def test_lines_that_hold_nothing():
    assert all(map(is_blank, (b"", b" \r\n", b"\xef\xbb\xbf\r\n")))
    assert not is_blank(b"\xef\xbb\xbf{}\n")
