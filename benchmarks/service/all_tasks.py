"""A request of every task with each kind of candidate that it takes, from puzzles that ``grader make`` makes."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from grader.face.loading import request_of
from grader.runs.manifest import load_manifest
from grader.v1 import service_pb2

_MADE = {
    "maze": ("--count", "1", "--geometry", "square"),
    "queens": ("--count", "1"),
    "rush-hour": ("--count", "1", "--level", "2"),
    "sliding": ("--count", "1", "--moves", "2"),
    "form-board": ("--count", "1", "--level", "2"),
    "hinge-folding": ("--count", "1", "--level", "2"),
    "paper-fold": ("--count", "1", "--level", "2"),
    "grid-maze": ("--count", "1"),
    "tabletop": ("--count", "1"),
    "jigsaw": ("--count", "1", "--rendered", "4"),
}
"""What ``grader make`` is asked for, by task: little, for it is the form of requests that counts."""


def all_tasks(folder: Path) -> dict[str, service_pb2.GradeRequest]:
    """Makes puzzles in a folder, and requests about them by name.

    Raises
    ------
    subprocess.CalledProcessError
        If puzzles can't be made.
    """
    found: dict[str, service_pb2.GradeRequest] = {}
    for task, options in _MADE.items():
        out = folder / task
        _grader("make", task, *options, "--out", str(out))
        if task == "jigsaw":
            asked = [json.loads(line) for line in (out / "answers.jsonl").read_text("utf-8").splitlines()]
            answers = "".join(
                json.dumps({"puzzle": one["puzzle"], "model": "m", "text": one["answer"]}) + "\n" for one in asked
            )
            (out / "given.jsonl").write_text(answers, "utf-8")
            _grader(
                "import",
                "jigsaw",
                str(out),
                "--answers",
                str(out / "given.jsonl"),
                "--manifest",
                str(out / "all.jsonl"),
            )
        for manifest in ("all.jsonl", "requests.jsonl"):
            if (out / manifest).exists():
                read = load_manifest(out / manifest)
                found |= {f"{task} {number}": read.read(number) for number in range(min(len(read), 8))}
        for name in [name for name in found if name.startswith("jigsaw") and found[name].jigsaw.puzzle.pieces]:
            drawn = service_pb2.GradeRequest()
            drawn.CopyFrom(found[name])
            drawn.image.data = next(iter(sorted((out / "rendered").iterdir()))).read_bytes()
            found[f"{name} picture"] = drawn
        for puzzle in itertools.islice(sorted((out / "instances").glob("*/metadata.json")), 1):
            for name, request in _answered(puzzle.parent):
                found[f"{task} {name}"] = request
    return found


def _answered(puzzle: Path) -> Iterator[tuple[str, service_pb2.GradeRequest]]:
    """A puzzle with what its folder has of answers: words, a picture, a picture a step, a clip."""
    whole = request_of(puzzle)
    steps = sorted(puzzle.glob("cot_*.png"))
    pictures = [puzzle / "solution.png", puzzle / "after.png", puzzle / "maze.png", *reversed(steps)]
    picture = next((one for one in pictures if one.exists()), None)
    answer = puzzle / "answer.json"
    text = answer.read_text("utf-8") if answer.exists() else ""
    for kind in ("words", "picture", "steps", "clip"):
        request = service_pb2.GradeRequest()
        request.CopyFrom(whole)
        request.ClearField("candidate")
        match kind:
            case "words" if text:
                request.text = text
            case "picture" if picture is not None:
                request.image.data = picture.read_bytes()
            case "steps" if steps:
                request.frames.text = text
                for step in steps:
                    request.frames.images.add(data=step.read_bytes())
            case "clip" if (puzzle / "solution.mp4").exists():
                request.video.data = (puzzle / "solution.mp4").read_bytes()
            case _:
                continue
        yield kind, request


def _grader(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "grader", *words], check=True, capture_output=True)
