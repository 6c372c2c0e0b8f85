"""A scorer for Inspect AI, whose package ``inspect_ai`` is imported when the scorer is made."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

from grader.client import AsyncGraderClient, GraderCallError
from grader.pipelines.replies import PUZZLE_KEY, Earned, KnownPuzzles, Reply, last, media_bytes


def visual_grader(server: str, manifest: str | PathLike[str], *, key: str = PUZZLE_KEY, **connection: Any) -> Any:
    """Makes the scorer: a server grades what the model drew, filmed or wrote.

    Its value has ``reward``, from 0 to 1, and ``solved``, 1 or 0. A reply that is not of the asked kind, such as words
    where a picture was asked for, earns 0. A fault of the request or of the grader raises, which is how Inspect learns
    that a sample was not scored: it is no score of the model.

    Parameters
    ----------
    server : str
        ``host:port``.
    manifest : str or path
        The puzzles with their truths; candidates in it are not looked at.
    key : str, optional
        Where a sample's metadata name its puzzle.
    connection : object
        What else `grader.AsyncGraderClient` takes, such as ``credentials`` or ``token``.

    Returns
    -------
    Scorer
        For ``Task(scorer=...)``.

    Examples
    --------
    >>> Task(dataset, solver=generate(), scorer=visual_grader("127.0.0.1:50051", "manifest.jsonl"))  # doctest: +SKIP
    """
    from inspect_ai.scorer import Score, mean, scorer, stderr

    # Options of the connection stay out of the log that Inspect keeps of a scorer's arguments: a token may be there.
    client = AsyncGraderClient(server, **{"send_once": True, **connection})

    @scorer(metrics={"reward": [mean(), stderr()], "solved": [mean(), stderr()]}, name="visual_grader")  # type: ignore[untyped-decorator]
    def made(server: str, manifest: str, key: str) -> Any:
        del server
        puzzles = KnownPuzzles.of_manifest(manifest)

        async def score(state: Any, target: Any) -> Any:
            del target  # the truth is with the puzzle
            request = puzzles.request(state.metadata or {}, f"{state.sample_id} {state.epoch}", key)
            reply = reply_of(state.output)
            reply.put_into(request)
            try:
                earned = Earned.of_verdict((await client.grade(request)).verdict)
            except GraderCallError as error:
                earned = Earned.of_missing(error)
            return Score(
                value={"reward": earned.reward, "solved": float(earned.solved)},
                answer=reply.text,
                explanation=earned.why or earned.outcome,
                metadata={"outcome": earned.outcome, "reasons": list(earned.codes), "metrics": earned.metrics},
            )

        return score

    return made(server, fspath(manifest), key)


def reply_of(output: Any) -> Reply:
    """What a ``ModelOutput`` holds: its words, and the last picture and clip of its message."""
    content = output.message.content if output.choices else ""
    parts = [] if isinstance(content, str) else list(content)
    return Reply(
        output.completion,
        last(media_bytes(part.image) for part in parts if part.type == "image"),
        last(media_bytes(part.video) for part in parts if part.type == "video"),
    )
