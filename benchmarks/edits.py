"""How often edits are judged rightly from pictures alone: ``python -m benchmarks.edits --edits 300``.

Scenes of coloured boxes are edited, rightly and wrongly, with each operation in turn, drawn, and graded through the
contract as a service would be asked: a picture before, a picture after, the camera, the table, and what the boxes look
like. The truth is known by construction: IC and outcome are those of the scene's own boxes. Printed are how often both
are right, by operation and by what is wrong, with Wilson intervals; and what went wrong, one line each.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.importers.gsi.messages import detection_messages
from grader.importers.tabletop.messages import load_record, tabletop_message
from grader.metrics.runs.bootstrap import wilson_interval
from grader.model.jobs import GradeJob, Similarity
from grader.model.verdict import Verdict
from grader.serving.catalogue import measures_missing
from grader.tools.similarity import Measured, Measures
from grader.v1 import service_pb2
from puzzles.tabletop.edit_files import instance_json
from puzzles.tabletop.edits import Edit, EditImpossibleError, Operation, make_edit
from puzzles.tabletop.faults import wrong_results
from puzzles.tabletop.generator import SceneOptions, generate_scene
from puzzles.tabletop.render import render_scene
from puzzles.tabletop.scene import Scene

_OPERATIONS = tuple(operation for operation in Operation if operation is not Operation.VIEW)


@dataclass(frozen=True)
class EditCase:
    """An edit with what came of it: ``fault`` says what is wrong with it, or is "right"."""

    name: str
    edit: Edit
    fault: str
    scene: Scene


class NoLpips(Measures):
    """Leaves LPIPS out, where torch is missing; a gate of either measure then stands on SSIM alone."""

    def take(
        self,
        similarity: Similarity,
        candidate: NDArray[np.uint8],
        reference: NDArray[np.uint8],
        kept: NDArray[np.bool_] | None,
    ) -> Measured:
        """SSIM as it is; no LPIPS."""
        if similarity is not Similarity.SSIM:
            return Measured(None, "left out")
        return super().take(similarity, candidate, reference, kept)


def edit_cases(count: int, first: int = 0) -> Iterator[EditCase]:
    """Right and wrong results in turn, over the operations and the faults that fit them."""
    made, seed = 0, first
    while made < count:
        operation = _OPERATIONS[seed % len(_OPERATIONS)]
        scene = generate_scene(seed, SceneOptions(twins=seed % 7 == 3))
        try:
            edit = make_edit(scene, operation, seed)
        except EditImpossibleError:
            seed += 1
            continue
        after, fault = edit.after, "right"
        turn = seed // len(_OPERATIONS)
        if turn % 2:
            wrong = wrong_results(edit)
            chosen = wrong[turn // 2 % len(wrong)]
            after, fault = chosen.scene, chosen.fault.value
        yield EditCase(f"{operation.value}-{seed}", edit, fault, after)
        made, seed = made + 1, seed + 1


def edit_job(case: EditCase, *, boxes_given: bool = False) -> GradeJob:
    """A case as a job: with pictures alone, or with the true boxes of the edited scene."""
    record = load_record(instance_json(case.edit, [("", case.fault, case.scene)]).encode(), case.name)
    request = service_pb2.GradeRequest(
        request_id=case.name, spatial_edit=tabletop_message(record, boxes_given=boxes_given)
    )
    request.options.profile = "gsi_real"
    request.spatial_edit.puzzle.image.data = scene_picture(case.edit.before)
    shown = scene_picture(case.scene)
    if boxes_given:
        request.scene.image.data = shown
        (result,) = record.children("wrong_results")
        request.scene.detections.extend(detection_messages(result, longest_px=None))
    else:
        request.image.data = shown
    return job_from_proto(request, lambda media, _: media.data)


@lru_cache(maxsize=64)  # many results begin with one picture
def scene_picture(scene: Scene) -> bytes:
    """A scene, drawn, as PNG."""
    return cv2.imencode(".png", render_scene(scene)[..., ::-1])[1].tobytes()


@dataclass(frozen=True)
class EditResult:
    """What was expected of a case, from its own boxes, and what its picture came to."""

    case: EditCase
    expected: Verdict
    got: Verdict

    @property
    def compliance_right(self) -> bool:
        """Whether IC is that of the true boxes."""
        return _value(self.got, "ic_ungated") == _value(self.expected, "ic_ungated")

    @property
    def outcome_right(self) -> bool:
        """Whether the outcome is."""
        return self.got.outcome is self.expected.outcome


def _value(verdict: Verdict, name: str) -> float | None:
    return next(metric.value for metric in verdict.metrics if metric.name == name)


def run_case(case: EditCase, engine: Engine) -> EditResult:
    """Grades a case from its picture, and from its own boxes."""
    return EditResult(case, engine.grade(edit_job(case, boxes_given=True)), engine.grade(edit_job(case)))


def _row(name: str, results: list[EditResult]) -> tuple[str, ...]:
    cells = [name, str(len(results))]
    for count in (sum(one.compliance_right for one in results), sum(one.outcome_right for one in results)):
        bounds = wilson_interval(count, len(results))
        cells.append(f"{100 * count / len(results):.1f} [{100 * bounds.low:.1f}, {100 * bounds.high:.1f}]")
    return tuple(cells)


def print_results(results: list[EditResult], console: Console) -> None:
    """Prints the tables, and each case that went wrong."""
    keys: tuple[tuple[str, Callable[[EditResult], str]], ...] = (
        ("operation", lambda one: one.case.edit.operation.value),
        ("what was done", lambda one: one.case.fault),
    )
    for title, key in keys:
        table = Table(title, "edits", "IC right (%)", "outcome right (%)")
        for name in sorted({key(one) for one in results}):
            table.add_row(*_row(name, [one for one in results if key(one) == name]))
        table.add_row(*_row("all", results))
        console.print(table)
    for one in results:
        if not (one.compliance_right and one.outcome_right):
            codes = ", ".join(reason.code for reason in one.got.reasons) or "none"
            console.print(
                f"{one.case.name}, {one.case.fault}: expected {one.expected.outcome.value}, got "
                f"{one.got.outcome.value} ({codes}); IC {_value(one.got, 'ic_ungated'):g}"
            )


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=300, help="how many edits (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first (default: %(default)s)")
    parser.add_argument("--no-lpips", action="store_true", help="leave LPIPS out, where torch is missing")
    parser.add_argument("--overlays", type=Path, help="folder for overlays of what went wrong")
    args = parser.parse_args()
    why = measures_missing()["lpips_alex"]
    if why is not None and not args.no_lpips:
        parser.error(f"{why}; or give --no-lpips")
    engine = Engine(measures=NoLpips() if args.no_lpips else None)
    results = [run_case(case, engine) for case in tqdm(edit_cases(args.edits, args.first), "edits", args.edits)]
    console = Console(width=120)
    print_results(results, console)
    if args.overlays is not None:
        args.overlays.mkdir(parents=True, exist_ok=True)
        for one in results:
            if not (one.compliance_right and one.outcome_right):
                drawn = engine.grade(replace(edit_job(one.case), overlay=True)).overlay
                if drawn is not None:
                    (args.overlays / f"{one.case.name}.png").write_bytes(drawn.png)


if __name__ == "__main__":
    main()
