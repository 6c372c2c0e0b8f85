"""What the warm process imports and reads, from which workers are forked; see `grader.processes.starting`."""

from __future__ import annotations

from grader.processes.starting import warm_up

_PRELOADED = "grader.serving.pool.preloaded"


def warm_workers() -> None:
    """Starts the warm process of this program. To be called first of all: it imports while the program goes on."""
    warm_up((_PRELOADED,))
