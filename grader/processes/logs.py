"""Structured logs: one JSON object a line on stderr, so that stdout stays for answers."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON with the time, level, logger, process, message and traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Gives the line for ``record``."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "pid": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def configure_logging(level: str) -> None:
    """Sends the records of this program at ``level`` (DEBUG to ERROR) and above to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger("grader")
    root.handlers[:] = [handler]
    root.setLevel(level)
    root.propagate = False
