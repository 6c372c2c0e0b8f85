"""Grades the suite of rendered clips and prints how often verdicts are right, by task, level, look and fault."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tqdm import tqdm

from benchmarks.accuracy.tables import Share
from benchmarks.rollouts.grading import Said, grade, in_processes
from benchmarks.rollouts.looks import LOOKS
from benchmarks.rollouts.puzzle_sets import lot_record, tile_puzzle
from benchmarks.rollouts.records import LotFault, RolloutCase, Task, TileFault
from benchmarks.rollouts.sheets import sheet_png
from benchmarks.rollouts.suite import all_cases, make_clip
from grader.importers.mentisoculi.messages import lot_message, tiles_message
from grader.v1 import service_pb2
from puzzles.amaze.files import png_bytes
from puzzles.sliding.render import render_board

MUST_FAIL = (
    LotFault.STATIC,
    LotFault.CROSSFADE,
    LotFault.CUT,
    LotFault.TELEPORT_ALONG,
    LotFault.TELEPORT_OFF,
    LotFault.RED_TELEPORTS,
    TileFault.STATIC,
    TileFault.CROSSFADE,
    TileFault.CUT,
    TileFault.TELEPORT,
)
"""Faults of which not one clip may pass."""

_SHEETS = 20


@dataclass(frozen=True)
class Graded:
    """A case with what was said of it."""

    case: RolloutCase
    said: Said

    @property
    def right(self) -> bool | None:
        """Whether the outcome is right; None where it is not scored."""
        wanted = self.case.truth.solved
        return None if wanted is None else (self.said.outcome == "PASS") == wanted

    @property
    def strict_right(self) -> bool | None:
        """Whether the strict reading is right; None where it is not scored, or nothing was read."""
        wanted, found = self.case.truth.strict_legal, self.said.metrics.get("strict_legal")
        return None if wanted is None or found is None else found == float(wanted)


def request_of(case: RolloutCase) -> service_pb2.GradeRequest:
    """A case as a request, with its clip."""
    request = service_pb2.GradeRequest(request_id=case.id, puzzle_id=case.puzzle)
    if case.task is Task.RUSH_HOUR:
        request.rush_hour.CopyFrom(lot_message(lot_record(case.puzzle).lot))
    else:
        one = tile_puzzle(case.puzzle)
        request.sliding.CopyFrom(tiles_message(one.puzzle))
        style = replace(LOOKS[case.look].tiles, board_share=1.0, border_share=0.0)
        board = render_board(one.picture(), one.puzzle.start, one.puzzle.target, style)
        request.sliding.puzzle.image.data = png_bytes(board)
    request.video.data = make_clip(case)
    return request


def _made_and_graded(case: RolloutCase) -> Said:
    return grade(request_of(case).SerializeToString())


def run_suite(out: Path | None, jobs: int, only: str, sample: int | None = None) -> int:
    """Grades the suite; 0 if no clip passes that must fail, 1 otherwise."""
    cases = [case for case in all_cases() if re.search(only, case.id)]
    if not cases:
        raise ValueError(f"no clip's name matches {only!r}")
    if sample is not None and 0 < sample < len(cases):
        # Evenly over the list, which is sorted by task, then by kind.
        cases = [cases[place * len(cases) // sample] for place in range(sample)]
    found: list[Graded] = []
    answers = in_processes(_made_and_graded, cases, jobs)
    for case, said in tqdm(zip(cases, answers, strict=True), total=len(cases), unit="clip", disable=None):
        found.append(Graded(case, said))
    for line in report(found):
        print(line)
    if out is not None:
        _save(found, out)
    passed = [one for one in found if one.case.fault in MUST_FAIL and one.said.outcome == "PASS"]
    return 1 if passed else 0


def report(found: list[Graded]) -> Iterator[str]:
    """The tables, line by line."""
    keys: tuple[tuple[str, Callable[[RolloutCase], str]], ...] = (
        ("task", lambda case: case.task.value),
        ("level", lambda case: f"{case.task.value} {case.level}"),
        ("look", lambda case: case.look),
        ("fault", lambda case: f"{case.task.value} {case.fault.value}"),
    )
    for name, key in keys:
        yield f"{name:34s} {'outcome right':32s} {'strict right':14s} false pass"
        for value in dict.fromkeys(key(one.case) for one in found):
            of = [one for one in found if key(one.case) == value]
            yield f"{value:34s} {_share(of, strict=False):32s} {_share(of, strict=True, short=True):14s} {_passes(of)}"
        yield ""
    for one in found:
        if one.right is False or one.strict_right is False:
            what = "outcome" if one.right is False else "strict"
            said = f"{one.said.outcome} {', '.join(one.said.reasons)}"
            yield f"wrong {what}: {one.case.id}: {said}; moves {', '.join(one.said.moves or ())}"


def _share(of: list[Graded], *, strict: bool, short: bool = False) -> str:
    right = [value for value in (one.strict_right if strict else one.right for one in of) if value is not None]
    share = Share(sum(right), len(right))
    if share.value is None:
        return "-"
    if short:
        return f"{share.hits} of {share.count}"
    low, high = share.interval
    return f"{share.hits} of {share.count} = {100 * share.value:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def _passes(of: list[Graded]) -> str:
    wrong = [one for one in of if one.case.truth.solved is False]
    return f"{sum(one.said.outcome == 'PASS' for one in wrong)} of {len(wrong)}"


def _save(found: list[Graded], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with (out / "results.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(
            ("id", "task", "level", "look", "fault", "solved", "outcome", "strict", "judged strict", "reasons")
        )
        for one in found:
            case, said = one.case, one.said
            strict = said.metrics.get("strict_legal")
            row = (case.id, case.task.value, case.level, case.look, case.fault.value, case.truth.solved)
            writer.writerow((*row, said.outcome, case.truth.strict_legal, strict, " ".join(said.reasons)))
    wrong = [one for one in found if one.right is False]
    for one in wrong[:_SHEETS]:
        name = one.case.id.replace("/", "-")
        text = f"{one.case.id}: {one.said.outcome} {', '.join(one.said.reasons)}"
        (out / f"wrong-{name}.png").write_bytes(sheet_png(make_clip(one.case), text))
