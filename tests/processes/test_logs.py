"""Logs: text for people, JSON for machines."""

import io
import json
import logging
import sys

import pytest

from grader.processes.logs import FORMATS, configure_logging, facts
from grader.serving.settings import ServerSettings


class Stream(io.StringIO):
    def __init__(self, terminal):
        super().__init__()
        self._terminal = terminal

    def isatty(self):
        return self._terminal


@pytest.fixture
def root():
    logger = logging.getLogger("grader")
    before = logger.handlers[:], logger.level, logger.propagate
    yield logger
    logger.handlers[:], logger.level, logger.propagate = before[0], before[1], before[2]


def logged(monkeypatch, terminal, message="serving", **named):
    monkeypatch.setattr(sys, "stderr", Stream(terminal))
    configure_logging("INFO")
    logger = logging.getLogger("grader.test")
    logger.debug("not told")
    logger.info(message, extra=facts(**named))
    return sys.stderr.getvalue()


@pytest.mark.parametrize(
    ("form", "terminal", "is_json"),
    [
        (None, True, False), (None, False, True), ("auto", True, False), ("auto", False, True),
        ("json", True, True), ("json", False, True), ("text", True, False), ("text", False, False),
    ],
)  # fmt: skip
def test_the_format_is_what_fits_or_what_was_said(monkeypatch, root, form, terminal, is_json):
    monkeypatch.delenv("GRADER_LOG_FORMAT", raising=False)
    if form is not None:
        monkeypatch.setenv("GRADER_LOG_FORMAT", form)
    assert logged(monkeypatch, terminal).startswith("{") is is_json


def test_formats_are_those_of_the_setting():
    assert ServerSettings.model_fields["log_format"].annotation.__args__ == FORMATS


def test_json_has_facts_as_keys(monkeypatch, root):
    line = json.loads(logged(monkeypatch, False, workers=4, level="mine"))
    assert (line["message"], line["workers"], line["logger"]) == ("serving", 4, "grader.test")
    assert line["level"] == "INFO"  # a record's own words are never replaced
    assert line["time"].endswith("+00:00")


def test_text_is_a_line_with_time_level_message_and_facts(monkeypatch, root):
    text = logged(monkeypatch, True, "grading\nINFO forged", workers=4, path="a b", empty="")
    moment, level, rest = text.split(" ", 2)
    assert len(moment.split(":")) == 3
    assert level == "INFO"
    assert rest.lstrip().startswith('grading\\nINFO forged  workers=4 path="a b" empty="" logger=grader.test pid=')
    assert text.count("\n") == 1


@pytest.mark.parametrize("terminal", [True, False])
def test_a_traceback_is_kept(monkeypatch, root, terminal):
    monkeypatch.setattr(sys, "stderr", Stream(terminal))
    configure_logging("INFO")
    try:
        raise ZeroDivisionError("a bug")
    except ZeroDivisionError:
        logging.getLogger("grader.test").exception("it failed")
    assert "ZeroDivisionError: a bug" in sys.stderr.getvalue()
