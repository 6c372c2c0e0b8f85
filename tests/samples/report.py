"""Run folders written by hand, for tests of reports."""

import hashlib
import json
from dataclasses import dataclass, field

PASS, FAIL, UNGRADABLE, MEASURED = "PASS", "FAIL", "UNGRADABLE", "MEASURED"


@dataclass(frozen=True)
class Line:
    """An item. `end` is an outcome, a (code, reason) of a status, or None where it has no result.

    `edited` stands for the digest of the picture that was to be edited.
    """

    request_id: str
    end: str | tuple[int, str] | None
    puzzle: str = ""
    attempt: int = 0
    model: str = "A"
    score: float | None = None
    metrics: dict[str, float | None] = field(default_factory=dict)
    codes: tuple[str, ...] = ()
    tags: dict[str, str] = field(default_factory=dict)
    confidence: float = 1.0
    task: str = "maze"
    message: str = "as the test said"
    profile: str = "default"
    picture: str = "picture.png"
    edited: str = ""


def request(line):
    said = {"requestId": line.request_id, line.task: {}, "image": {"uri": line.picture}, "tags": line.tags}
    optional = {"puzzleId": line.puzzle, "attempt": line.attempt, "model": line.model}
    return said | {name: value for name, value in optional.items() if value}


def response(line):
    if isinstance(line.end, tuple):
        return {"requestId": line.request_id, "status": {"code": line.end[0], "reason": line.end[1]}}
    verdict = {
        "outcome": f"OUTCOME_{line.end}",
        "reward": 0.0 if line.score is None else line.score,
        "metrics": [
            {"name": name} | ({"unavailableReason": "it was not asked for"} if value is None else {"value": value})
            for name, value in line.metrics.items()
        ],
        "reasons": [{"code": code, "message": line.message} for code in line.codes],
        "observation": {"path": {"confidence": line.confidence}} if line.end != UNGRADABLE else {},
        "provenance": {
            "graderVersion": "0.1.0",
            "profile": line.profile,
            "profileDigest": "0" * 64,
            "inputSha256": {"spatial_edit.puzzle.image": line.edited} if line.edited else {},
        },
    }
    if line.score is not None:
        verdict["score"] = line.score
    if line.end == MEASURED:  # has neither score nor reward
        del verdict["reward"]
    return {"requestId": line.request_id, "status": {"code": 0}, "verdict": verdict}


def write_run(folder, lines, *, name="run", order=1, asked=request, answered=None):
    """Writes manifest and run; `order` -1 writes results backwards, for they come as they are ready."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / f"{name}.jsonl"
    manifest.write_text("".join(json.dumps(asked(line)) + "\n" for line in lines))
    run = folder / name
    run.mkdir()
    ended = [line for line in lines if line.end is not None][::order]
    (run / "results.jsonl").write_text("".join(json.dumps((answered or response)(line)) + "\n" for line in ended))
    said = {"manifest": f"../{name}.jsonl", "manifest_digest": hashlib.sha256(manifest.read_bytes()).hexdigest()}
    (run / "run.json").write_text(json.dumps(said))
    return run


def attempts(puzzle, ends, tags, **more):
    """(attempt number, end, score, codes) as lines of one puzzle."""
    return [
        Line(f"{puzzle}/{position}", end, puzzle, number, score=score, codes=codes, tags=tags, **more)
        for position, (number, end, score, codes) in enumerate(ends)
    ]


def small_run():
    """One model, six puzzles; the comments of tests/report/test_tables.py work out what comes of it."""
    square3, square8 = {"geometry": "square", "scale": "3"}, {"geometry": "square", "scale": "8"}
    circle3, circle10 = {"geometry": "circle", "scale": "3"}, {"geometry": "circle", "scale": "10"}
    crossed, filled, short = ("WALL_CROSSED", "GOAL_NOT_REACHED"), ("CELLS_FILLED",), ("GOAL_NOT_REACHED",)
    return [
        *attempts(
            "p1",
            [(1, PASS, 1.0, ()), (2, FAIL, 0.5, crossed), (3, FAIL, 1.0, filled), (4, FAIL, 0.0, short)],
            square3,
        ),
        Line("p1/4", PASS, "p1", 5, score=0.9, tags=square3),
        *attempts(
            "p2",
            [(1, FAIL, 0.5, short), (2, UNGRADABLE, None, ("UNDECODABLE",)), (4, PASS, 1.0, ()), (5, FAIL, 0.2, short)],
            square8,
        ),
        *attempts("p3", [(1, PASS, 1.0, ()), (2, FAIL, 0.3, crossed), (2, PASS, 1.0, ())], circle3),
        *attempts("p4", [(0, PASS, 1.0, ()), (0, FAIL, 0.4, short)], circle10),
        *attempts(
            "p5",
            [
                (1, (13, "INTERNAL"), None, ()),
                (2, PASS, 1.0, ()),
                (3, FAIL, 0.6, short),
                (4, FAIL, 0.6, short),
                (5, FAIL, 0.6, short),
            ],
            circle10,
        ),
        Line("p6/0", None, "p6", 1, tags=circle10),
    ]
