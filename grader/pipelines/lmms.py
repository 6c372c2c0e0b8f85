"""Post-processing for lmms-eval: the function that a task's YAML names as ``process_results``.

Nothing of lmms-eval is imported; it calls with a document and the replies, and takes numbers by the names of metrics.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from os import PathLike
from typing import Any

from grader.client import GraderCallError, GraderClient
from grader.pipelines.replies import PUZZLE_KEY, Earned, KnownPuzzles, Reply, last, media_bytes

REWARD, SOLVED = "grader_reward", "grader_solved"
"""The metrics that a task's ``metric_list`` names, with ``aggregation: mean``."""

ProcessResults = Callable[[Mapping[str, Any], Sequence[Any]], dict[str, float]]


def process_results(
    server: str, manifest: str | PathLike[str], *, key: str = PUZZLE_KEY, **connection: Any
) -> ProcessResults:
    """Makes the function: a server grades what the model drew or wrote.

    A reply is words, or the JSON that models write which draw, ``{"text": ..., "images": [paths]}``, whose last picture
    is graded. A reply that is not of the asked kind earns 0. A fault of the request or of the grader raises.

    Parameters
    ----------
    server : str
        ``host:port``.
    manifest : str or path
        The puzzles with their truths; candidates in it are not looked at.
    key : str, optional
        Where a document names its puzzle.
    connection : object
        What else `grader.GraderClient` takes, such as ``credentials`` or ``token``.

    Examples
    --------
    In the task's ``utils.py``, for ``process_results: !function utils.graded``:

    >>> graded = process_results("127.0.0.1:50051", "manifest.jsonl")  # doctest: +SKIP
    """
    client = GraderClient(server, **{"send_once": True, **connection})
    puzzles = KnownPuzzles.of_manifest(manifest)
    numbers = count()

    def graded(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, float]:
        request = puzzles.request(doc, f"doc {next(numbers)}", key)
        reply_of(results[0] if results else "").put_into(request)
        try:
            earned = Earned.of_verdict(client.grade(request).verdict)
        except GraderCallError as error:
            earned = Earned.of_missing(error)
        return {REWARD: earned.reward, SOLVED: float(earned.solved)}

    return graded


def reply_of(result: Any) -> Reply:
    """What one reply holds. Words that are JSON of another form are words."""
    said = result
    if isinstance(result, str) and result.lstrip().startswith("{"):
        try:
            said = json.loads(result)
        except ValueError:
            said = result
    if isinstance(said, Mapping) and isinstance(said.get("images"), list):
        return Reply(str(said.get("text") or ""), last(media_bytes(one) for one in said["images"]))
    return Reply(str(result))
