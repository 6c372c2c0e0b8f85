"""Logs on stderr, so that stdout stays for answers: text on a terminal, elsewhere one JSON object a line.

``GRADER_LOG_FORMAT`` says which: ``text``, ``json``, or ``auto`` for what fits. A record's own facts are given as
``extra=facts(workers=4)``: in JSON they are keys of the line, in text they stand behind the message.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from datetime import UTC, datetime
from typing import Any

FORMAT_VARIABLE = "GRADER_LOG_FORMAT"
FORMATS = ("auto", "json", "text")
_FACTS = "grader_facts"


def facts(**named: object) -> dict[str, dict[str, object]]:
    """Facts of a log record, for ``extra``.

    Examples
    --------
    >>> logging.getLogger("grader").debug("serving", extra=facts(workers=4))
    """
    return {_FACTS: named}


def _facts_of(record: logging.LogRecord) -> dict[str, object]:
    found: dict[str, object] = getattr(record, _FACTS, {})
    return found


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON with the time, level, logger, process, message, facts and traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Gives the line for ``record``."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "pid": record.process,
            "message": record.getMessage(),
        }
        line = {**_facts_of(record), **line}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class TextFormatter(logging.Formatter):
    """Formats a record for people: the time of day, level and message, then facts, logger and process as key=value."""

    def format(self, record: logging.LogRecord) -> str:
        """Gives the line for ``record``, and below it the traceback where there is one."""
        moment = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S.%f")[:-3]
        ends = {**_facts_of(record), "logger": record.name, "pid": record.process}
        pairs = " ".join(f"{name}={_value(value)}" for name, value in ends.items())
        # What strangers sent may be in a message; it can't end a line and begin another.
        message = record.getMessage().replace("\r", "\\r").replace("\n", "\\n")
        line = f"{moment} {record.levelname:<7} {message}  {pairs}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _value(value: object) -> str:
    text = str(value)
    plain = text and text.isprintable() and not any(mark in text for mark in ' "=')
    return text if plain else json.dumps(text, ensure_ascii=False)


def configure_logging(level: str) -> None:
    """Sends the records of this program at ``level`` (DEBUG to ERROR) and above to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    asked = os.environ.get(FORMAT_VARIABLE, "").lower()
    as_text = asked == "text" or (asked != "json" and sys.stderr.isatty())
    handler.setFormatter(TextFormatter() if as_text else JsonFormatter())
    root = logging.getLogger("grader")
    root.handlers[:] = [handler]
    root.setLevel(level)
    root.propagate = False
