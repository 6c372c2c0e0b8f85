"""Fits a profile to labels and grades by it in the service: whether the bound holds, and verdicts are the same.

``python -m benchmarks.people.calibrated [--cases 400] [--flips 0.02] [--seed 0] [--number reward] [--most 0.1]`` draws
cases of ``benchmarks.accuracy``, whose truth is known, and grades them into a run. Labels are the truth, but for a
seeded share that is flipped; they stand for people. A profile is fitted to one part of the puzzles by ``grader
calibrate``. Then a server loads it, the same cases are graded by it, and it is said whether the bound on false passes
holds on the other part, and whether each verdict is the one that the threshold and the first run give. The exit code is
1 if not.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from benchmarks.accuracy.cases import Case, all_cases, sample
from benchmarks.accuracy.grading import Candidate, build_case
from calibration.cases import CalibrationOptions, number_of
from calibration.make import make_calibration
from calibration.profile_file import ProfileWish
from examples.demo import running_server
from grader.metrics.runs.aggregates import ItemEnd
from grader.profiles.calibrated import BELOW_THRESHOLD
from grader.report.data.estimates import Resampling
from grader.report.data.reading import read_runs
from grader.report.data.records import Record
from grader.runs.batch import run_batch
from grader.tasks.maze.model import MazeBox, MazeInput
from grader.tasks.queens.model import QueensInput
from grader.v1 import maze_pb2, media_pb2, queens_pb2, service_pb2

NAME = "fitted"


def request_of(case: Case, candidate: Candidate) -> service_pb2.GradeRequest:
    """A case as a request, its pictures in it; all cases of one instance are one puzzle."""
    made = service_pb2.GradeRequest(request_id=case.id, puzzle_id=str(case.instance), model="benchmarks.accuracy")
    made.image.data = candidate.data
    task = candidate.job.task
    if isinstance(task, MazeInput):
        made.maze.CopyFrom(_maze(task))
    elif isinstance(task, QueensInput):
        made.queens.CopyFrom(_board(task))
    else:
        raise TypeError(f"{case.id}: {type(task).__name__} is neither a maze nor a board")
    return made


def _media(data: bytes | None) -> media_pb2.Media | None:
    return None if data is None else media_pb2.Media(data=data)


def _box(box: MazeBox) -> maze_pb2.MazeBox:
    return maze_pb2.MazeBox(left_px=box.left, top_px=box.top, width_px=box.width, height_px=box.height)


def _maze(task: MazeInput) -> maze_pb2.MazeTask:
    geometry = "UNSPECIFIED" if task.geometry is None else task.geometry.name
    return maze_pb2.MazeTask(
        puzzle=maze_pb2.MazePuzzle(
            image=_media(task.image),
            cell_map=_media(task.cell_map),
            geometry=maze_pb2.MazeGeometry.Value(f"MAZE_GEOMETRY_{geometry}"),
            width_cells=task.width_cells,
            height_cells=task.height_cells,
            rings=task.rings,
            cell_size_px=task.cell_size_px,
            wall_width_px=task.wall_width_px,
            box=None if task.box is None else _box(task.box),
        ),
        truth=maze_pb2.MazeTruth(
            path_cell_ids=task.path_cell_ids,
            solution_image=_media(task.solution_image),
            mask=_media(task.mask),
            any_solution=task.any_solution,
            goal_may_change=task.goal_may_change,
        ),
        path_color=maze_pb2.PathColor.Value(f"PATH_COLOR_{task.path_color.name}"),
    )


def _board(task: QueensInput) -> queens_pb2.QueensTask:
    return queens_pb2.QueensTask(
        puzzle=queens_pb2.QueensPuzzle(image=_media(task.image), size_cells=task.size_cells, regions=task.regions),
        truth=queens_pb2.QueensTruth(
            queens=[queens_pb2.QueenCell(row=row, column=column) for row, column in task.queens],
            solution_image=_media(task.solution_image),
            any_solution=task.any_solution,
        ),
    )


def write_manifest(folder: Path, cases: Sequence[Case]) -> tuple[Path, dict[str, bool]]:
    """Writes a manifest, and gives it with what is true of each of its lines."""
    manifest = folder / "manifest.jsonl"
    truth: dict[str, bool] = {}
    with manifest.open("w", encoding="utf-8") as lines:
        for case in cases:
            candidate = build_case(case)
            if candidate is not None:
                truth[case.id] = candidate.truth.passes
                lines.write(json.dumps(json_format.MessageToDict(request_of(case, candidate))) + "\n")
    return manifest, truth


def write_labels(file: Path, truth: Mapping[str, bool], flips: float, seed: int) -> None:
    """Writes labels by three people who err at random, each at a share of the candidates."""
    dice = random.Random(seed)
    lines = ["request_id,rater,label"]
    for rater in ("first", "second", "third"):
        wrong = set(dice.sample(sorted(truth), round(flips * len(truth))))
        lines += [f"{name},{rater},{'right' if right != (name in wrong) else 'wrong'}" for name, right in truth.items()]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def differences(
    before: Sequence[Record], after: Sequence[Record], number: str, threshold: float
) -> tuple[int, list[str]]:
    """How many verdicts the threshold turns, and those that are not what it and the first run give."""
    turned, found = 0, []
    by_name = {one.item.request_id: one for one in after}
    for one in before:
        value = number_of(one, number)
        end, codes = one.end, one.codes
        if one.passed and (value is None or value < threshold):
            turned += 1
            end, codes = ItemEnd.FAIL, (BELOW_THRESHOLD,)
        other = by_name[one.item.request_id]
        if (other.end, other.codes, other.score) != (end, codes, one.score):
            found.append(one.item.request_id)
    return turned, found


def compare(folder: Path, manifest: Path, truth: Mapping[str, bool], wish: argparse.Namespace) -> bool:
    """Grades, labels, fits, grades again by a server, and prints what came of it; False where something is not so."""
    first = folder / "run"
    run_batch(manifest, first, progress=False)
    labels = folder / "labels.csv"
    write_labels(labels, truth, wish.flips, wish.seed)
    profiles = folder / "profiles"
    profiles.mkdir()
    options = CalibrationOptions(number=wish.number, most_false_passes=wish.most, resampling=Resampling(200, wish.seed))
    made = make_calibration(first, [labels], None, options, profile=ProfileWish(profiles / f"{NAME}.json"))
    fitted: dict[str, Any] = json.loads((profiles / f"{NAME}.json").read_text(encoding="utf-8"))["calibration"]
    with running_server(folder / "server.log", "--profiles", str(profiles)) as address:
        run_batch(manifest, folder / "fitted", server=address, profile=NAME, progress=False)
    before, after = (read_runs([one]).records for one in (first, folder / "fitted"))
    turned, other = differences(before, after, wish.number, fitted["threshold"])
    done = fitted["agreement"]
    share = done["false_passes"] / done["wrong"]
    alone = made.content["thresholds"][1]["judged"]
    print(f"{len(truth)} candidates, {sum(truth.values())} right; {wish.number} at least {fitted['threshold']:g}")
    print(
        f"the other part: {done['false_passes']} of {done['wrong']} wrong ones pass ({100 * share:.1f} %, at most "
        f"{100 * done['bound']:.1f} %, wanted {100 * wish.most:g} %), {done['false_fails']} of {done['right']} right "
        f"ones fail; people agree in {100 * done['people_percent']:.1f} % of pairs"
    )
    print(f"the threshold alone lets {alone['false_passes']} of {alone['wrong']} wrong ones pass there")
    print(f"by the server: {turned} verdicts turned, {len(other)} of {len(before)} not as they have to be {other[:3]}")
    refused = [one.item.request_id for one in after if not one.is_candidate]
    named = {one.made_by for one in after if one.is_candidate}
    print(f"made by {', '.join(sorted(named))}; without a verdict, in both runs: {len(refused)} {refused[:3]}")
    holds = max(share, alone["false_passes"] / alone["wrong"]) <= wish.most
    return holds and not other and all(f"profile {NAME} " in one for one in named)


def main(arguments: list[str] | None = None) -> int:
    """Runs it; 1 where the bound does not hold or a verdict is another one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=400)
    parser.add_argument(
        "--flips", type=float, default=0.02, help="share of labels that are wrong, of each of three people"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--number", default="reward", help="what has a threshold; cheats can reach 1 in the score")
    parser.add_argument("--most", type=float, default=0.1, help="bound on the share of wrong ones that pass")
    wish = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        manifest, truth = write_manifest(Path(temporary), sample(list(all_cases()), wish.cases))
        return 0 if compare(Path(temporary), manifest, truth, wish) else 1


if __name__ == "__main__":
    sys.exit(main())
