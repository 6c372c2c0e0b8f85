"""Verdicts on words say where they were read, on request in the words themselves; files and reports show it."""

from __future__ import annotations

import json

from google.protobuf import json_format

from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.engine.engine import Engine
from grader.report.page.entries import marked_parts
from grader.runs.folder import words_name
from grader.v1 import service_pb2, verdict_pb2

ENGINE = Engine()


def tiles(text: str, *, overlay: bool = True) -> verdict_pb2.Verdict:
    """3 1 / _ 2 becomes 1 2 / 3 _ by up, right, down."""
    request = service_pb2.GradeRequest(request_id="tiles", text=text)
    request.sliding.puzzle.size_cells = 2
    request.sliding.puzzle.tiles.extend((3, 1, -1, 2))
    request.sliding.truth.tiles.extend((1, 2, 3, -1))
    request.options.overlay = overlay
    verdict = ENGINE.grade(job_from_proto(request, lambda media, _: media.data or None))
    made = verdict_to_proto(verdict)
    assert verdict.overlay is None or (verdict.overlay._repr_html_(), verdict.overlay._repr_png_()) == (
        made.overlay.html,
        None,
    )
    assert not made.overlay.png
    return made


def lenient(verdict: verdict_pb2.Verdict) -> verdict_pb2.PlanReading:
    return next(one for one in verdict.observation.plan.readings if one.reading == verdict_pb2.READING_LENIENT)


def test_each_move_has_its_place_in_the_text() -> None:
    """Two steps stand in one stretch; the words before it are no part of any."""
    text = "I think: up, right x2 \u2013 so."
    seen = lenient(tiles(text))
    assert list(seen.moves) == ["up", "right", "right"]
    assert [text[span.start : span.end] for span in seen.spans] == ["up", "right x2", "right x2"]
    assert not seen.HasField("unread")


def test_what_could_not_be_read_has_its_place_too() -> None:
    text = '{"answer": "up, sideways, down"}'
    seen = lenient(tiles(text))
    assert (text[seen.unread.start : seen.unread.end], list(seen.spans)) == ("sideways", [])


def test_the_overlay_is_the_text_with_marks() -> None:
    html = tiles("<i>up</i>, right, down").overlay.html
    assert "&lt;i&gt;<mark" in html
    assert html.count("<mark") == 3
    assert "not read" in tiles('{"answer": "up & bananas"}').overlay.html
    assert not tiles("up", overlay=False).HasField("overlay")


def test_a_report_marks_the_same_stretches() -> None:
    text = "First up, then right."
    observation = json.loads(json_format.MessageToJson(tiles(text).observation))
    assert marked_parts(text, observation) == [
        ("First ", "", ""), ("up", "read", "up"), (", then ", "", ""), ("right", "read", "right"), (".", "", ""),
    ]  # fmt: skip
    assert marked_parts("nothing", {}) == [("nothing", "", "")]
    unread = json.loads(json_format.MessageToJson(tiles('{"answer": "up bananas"}').observation))
    assert [part for part in marked_parts('{"answer": "up bananas"}', unread) if part[1]] == [
        ("bananas", "unread", "could not be read")
    ]


def test_files_of_marked_words_are_pages() -> None:
    assert words_name("a/b").startswith("a_b-")
    assert words_name("a/b").endswith(".html")
