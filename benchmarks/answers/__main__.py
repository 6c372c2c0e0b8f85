"""Judges recorded answers and prints agreement with the recorded verdicts, and every difference.

python -m benchmarks.answers DIR --puzzles DIR
python -m benchmarks.answers composed --answers 20000 --seed 1     answers from a grammar, with fair verdicts
python -m benchmarks.answers fuzz --texts 100000 --seed 1          random and mutated texts
python -m benchmarks.answers speed                                 how long answers take to read
python -m benchmarks.answers sweeps                                what plans earn that look at nothing
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks.answers import fuzz, speed, sweeps
from benchmarks.answers.composed import run as composed_run
from benchmarks.answers.records import Record, RecordError, puzzle_file, read_records
from grader import load_puzzle
from grader.answers.result import Reading
from grader.importers.mentisoculi.records import read_rush_hour, read_sliding
from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind
from grader.tasks.form_board.model import FormBoardInput
from grader.tasks.form_board.puzzle import prepare_form_board
from grader.tasks.form_board.settings import FormBoardSettings
from grader.tasks.form_board.words import judge_form_board
from grader.tasks.hinge_folding.model import HingeFoldingInput
from grader.tasks.hinge_folding.puzzle import prepare_hinges
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from grader.tasks.hinge_folding.words import judge_hinges
from grader.tasks.paper_fold.model import PaperFoldInput
from grader.tasks.paper_fold.puzzle import prepare_paper_fold
from grader.tasks.paper_fold.settings import PaperFoldSettings
from grader.tasks.paper_fold.words import judge_paper_fold
from grader.tasks.plans.answers import PlanFault, PlanJudgement
from grader.tasks.rush_hour.words import judge_rush_hour
from grader.tasks.sliding.words import judge_sliding

_UNSOLVED = (
    PlanFault.GOAL_NOT_REACHED,
    PlanFault.WRONG_PIECES,
    PlanFault.PIECES_MISSING,
    PlanFault.WRONG_SILHOUETTE,
    PlanFault.WRONG_PATTERN,
)


def judge(record: Record, puzzles: Path, reading: Reading) -> PlanJudgement[Any]:
    """Judges one answer; OSError or ValueError if its puzzle can't be read."""
    path = puzzle_file(puzzles, record)
    if record.task == "rushhour":
        return judge_rush_hour(read_rush_hour(path).lot, record.text)[reading]
    if record.task == "sliding-puzzle":
        return judge_sliding(read_sliding(path).puzzle, record.text)[reading]
    puzzle = load_puzzle(path)
    words = (MediaLimits(), CandidateKind.TEXT)
    if isinstance(puzzle, FormBoardInput):
        return judge_form_board(prepare_form_board(puzzle, FormBoardSettings(), *words), record.text)[reading]
    if isinstance(puzzle, PaperFoldInput):
        return judge_paper_fold(prepare_paper_fold(puzzle, PaperFoldSettings(), *words), record.text)[reading]
    if isinstance(puzzle, HingeFoldingInput):
        return judge_hinges(prepare_hinges(puzzle, HingeFoldingSettings(), *words), record.text)[reading]
    raise ValueError(f"{path} is of another task than {record.task}")


def verdict_of(judged: PlanJudgement[Any]) -> str:
    """The judgement in the words of the records."""
    if judged.solved:
        return "solved"
    return "unsolved" if judged.fault in _UNSOLVED else "invalid"


def differences(record: Record, judged: PlanJudgement[Any]) -> list[str]:
    """What of a record is judged otherwise, in words."""
    found = []
    if verdict_of(judged) != record.verdict:
        found.append(f"recorded {record.verdict}, judged {verdict_of(judged)}: {judged.message}")
    if record.skipping_solves is not None and judged.solved_without_unknown != record.skipping_solves:
        found.append(
            f"without impossible moves recorded as {'solved' if record.skipping_solves else 'not solved'}, "
            f"judged {judged.solved_without_unknown}"
        )
    return found


COMMANDS = {"composed": composed_run.main, "fuzz": fuzz.main, "speed": speed.main, "sweeps": sweeps.main}


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; 0 if everything agrees, 1 if not, 2 if something can't be read."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] in COMMANDS:
        return COMMANDS[given[0]](given[1:])
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.answers",
        description="Judges recorded text answers; prints agreement with the recorded verdicts and every difference.",
        epilog="DIR has expected_verdicts.json and responses/; puzzles are laid out as the public data set: "
        "<task>/level_0N/puzzle_NNNN/metadata.json. Instead of DIR: composed, fuzz, speed or sweeps, each with --help.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder with answers and recorded verdicts")
    parser.add_argument("--puzzles", type=Path, metavar="DIR", help="folder of the puzzles (default: DIR)")
    options = parser.parse_args(given)
    try:
        records, others = read_records(options.folder)
        same: Counter[tuple[str, str, str]] = Counter()
        count: Counter[tuple[str, str, str]] = Counter()
        differing: list[str] = []
        for record in tqdm(records, unit="answer", disable=None):
            for reading in Reading:
                judged = judge(record, options.puzzles or options.folder, reading)
                wrong = differences(record, judged)
                key = (record.task, record.verdict, reading.value.lower())
                count[key] += 1
                same[key] += not wrong
                differing += [f"{record.name} ({reading.value.lower()}): {text}" for text in wrong]
    except (RecordError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    for key in sorted(count):
        task, verdict, how = key
        print(f"{task:15s} {verdict:9s} {how:8s} {same[key]:4d} of {count[key]:4d} agree")
    for why, number in sorted(others.items()):
        print(f"left out: {number} ({why})")
    print(f"all: {sum(same.values())} of {sum(count.values())} agree; {len(differing)} differences")
    print(*differing, sep="\n", end="\n" if differing else "")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
