"""Runs numeric checks of spatial edits: ``python -m benchmarks.vectors FILE [--only GROUP]``.

FILE has the form of ``vectors.json`` in the spatial-edit fixtures: groups of cases with inputs, ``expected`` and
``tol``. Every difference is printed: id, figure, what was expected, what was got, the tolerance. ``expected.error``
means that the input has to be rejected. What other routes give for a case (closed form, half-spaces, random points) is
compared as well; so is what the benchmark's public code gives (``ref_code_*``, ``expected_official_code``), with the
rules that follow that code. Ends with 1 where anything differs.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from grader.metrics.space.boxes3d import BoxArray, OrientedBox, box_overlaps, yaw_box
from grader.metrics.space.edit_rules import GSI_BENCH_CODE, SEED_RULES, EditRules
from grader.metrics.space.edit_tables import (
    Background,
    Dataset,
    EditFigure,
    EditKind,
    GateState,
    edit_table,
    human_class,
    locality,
    locality_gate,
    table_scores,
)
from grader.metrics.space.edit_types import Detection
from grader.metrics.space.edits import (
    closeness,
    score_move,
    score_remove,
    score_resize,
    score_rotate,
    score_view,
)
from grader.metrics.space.geometry_errors import GeometryError
from grader.metrics.space.projection import box_outline, boxes_mask, read_camera
from grader.metrics.space.rotations import from_axis, from_matrix, from_six, geodesic

Case = Mapping[str, Any]


@dataclass(frozen=True)
class Check:
    """One figure of a case: what was expected, what was got, and how far they may be apart."""

    case: str
    figure: str
    expected: object
    got: object
    tolerance: float

    @property
    def holds(self) -> bool:
        """Whether both are the same, within the tolerance where they are numbers."""
        return _alike(self.expected, self.got, self.tolerance)


def _alike(expected: object, got: object, tolerance: float) -> bool:
    if isinstance(expected, list | tuple) and isinstance(got, list | tuple):
        return len(expected) == len(got) and all(
            _alike(one, other, tolerance) for one, other in zip(expected, got, strict=True)
        )
    if isinstance(expected, bool | str) or expected is None or not isinstance(got, int | float):
        return expected == got
    # Not-a-number is like nothing.
    return isinstance(expected, int | float) and abs(expected - got) <= tolerance


def _box(case: Case) -> OrientedBox:
    return OrientedBox(case["center"], case["size"], case["R"])


def _found(case: Case, name: str) -> list[Detection]:
    return [Detection(one["label"], _box(one)) for one in case[name]]


def _overlap(one: OrientedBox, other: OrientedBox) -> dict[str, object]:
    found = box_overlaps(BoxArray.of([one]), BoxArray.of([other]))
    iou, intersection, union = (float(values[0]) for values in (found.iou, found.intersection, found.union))
    others = dict.fromkeys(("check_qhull_intersection", "check_mc_intersection"), intersection)
    return {"iou": iou, "closed_form": iou, "intersection": intersection, "union": union, **others}


def iou3d(case: Case) -> dict[str, object]:
    """Overlap of two oriented boxes."""
    return _overlap(_box(case["a"]), _box(case["b"]))


def iou_yaw7(case: Case) -> dict[str, object]:
    """Overlap of two boxes of seven numbers."""
    return _overlap(yaw_box(case["a7"]), yaw_box(case["b7"]))


def so3(case: Case) -> dict[str, object]:
    """The angle between two rotations."""
    theta = float(geodesic(from_matrix(case["R1"], "R1"), from_matrix(case["R2"], "R2")))
    return {"theta_rad": theta, "theta_deg": math.degrees(theta)}


def rotation_import(case: Case) -> dict[str, object]:
    """Rotations that are given otherwise than by a matrix."""
    rotation = from_six(case["pose_6d"]) if "pose_6d" in case else from_axis("y", case["yaw"], "yaw")
    return {"R": rotation.tolist()}


def move(case: Case) -> dict[str, object]:
    """A move."""
    found = score_move(
        case["target_label"],
        _box(case["source"]),
        _box(case["dest"]),
        _found(case, "original_detections"),
        _found(case, "edited_detections"),
    )
    got = _measures(found, d_pred=found.d_pred_m, d_gt=found.d_gt_m)
    if found.iou is not None and found.d_pred_m is not None:
        rules = GSI_BENCH_CODE
        term = closeness(found.d_pred_m, found.d_gt_m, rules.move_ratio_power, rules.ratio_epsilon)
        sa = rules.move_iou_share * found.iou + rules.move_distance_share * term
        got["ref_code_sa_same_iou"] = sa * (1.0 if found.counts_match else rules.move_count_factor)
    return got


def rotate(case: Case) -> dict[str, object]:
    """A turn."""
    boxes = _box(case["source"]), _box(case["dest"])
    found = score_rotate(case["target_label"], *boxes, _found(case, "edited_detections"))
    return _measures(
        found, theta_gt=found.theta_gt_rad, theta_pred=found.theta_pred_rad, theta_diff=found.theta_diff_rad
    )


def resize(case: Case) -> dict[str, object]:
    """A change of size."""
    boxes = _box(case["source"]), _box(case["dest"])
    return _measures(score_resize(case["target_label"], *boxes, _found(case, "edited_detections")))


def remove(case: Case) -> dict[str, object]:
    """A removal."""
    inputs = _box(case["source"]), _found(case, "original_detections"), _found(case, "edited_detections")
    counted = score_remove(*inputs, GSI_BENCH_CODE)
    return _measures(score_remove(*inputs), ref_code_sa_count_rule=counted.sa)


def view(case: Case) -> dict[str, object]:
    """A change of view."""
    return _measures(score_view(case["ssim"], case["lpips"]))


def gate(case: Case) -> dict[str, object]:
    """The gate on the background; an SSIM of null means that there is none."""
    background = Background(case["ssim"], case["lpips"], empty=case["ssim"] is None)
    return {"pass": locality_gate(Dataset(case["dataset"]), background).state is GateState.PASSED}


def aggregate(case: Case) -> dict[str, object]:
    """Means over edits."""

    def table(rules: EditRules) -> dict[str, object]:
        rows = [
            table_scores(
                EditKind.MOVE,
                EditFigure(float(one["ic"])),
                EditFigure(float(one["sa"])),
                EditFigure(locality(one["lpips"])),
                one["ac_0_10"],
                rules,
            )
            for one in case["samples"]
        ]
        means = edit_table(rows).all
        values = {name.upper(): getattr(means, name).value for name in ("ic", "sa", "el", "ac")}
        return {**values, "Avg": means.average}

    return {"expected_text": table(SEED_RULES), "expected_official_code": table(GSI_BENCH_CODE)}


def human_labels(case: Case) -> dict[str, object]:
    """The class of a score."""
    return {"class": int(human_class(case["score"]))}


def projection(case: Case) -> dict[str, object]:
    """Outlines and pixels of boxes. Corners of an outline are compared from the one nearest to the first expected."""
    boxes, camera = [_box(one) for one in case["boxes"]], read_camera(case["K"])
    mask = boxes_mask(boxes, camera, case["width"], case["height"])
    outlines = [box_outline(box, camera) for box in boxes]
    corners, bounds = [], []
    for outline, expected in zip(outlines, case["expected"]["hull_vertices_px"], strict=True):
        bounds.append([*outline.min(axis=0).tolist(), *outline.max(axis=0).tolist()] if len(outline) else [])
        if len(outline) and expected:
            start = int(np.argmin(np.abs(outline - np.array(expected[0])).max(axis=1)))
            around = [np.roll(outline, -start, axis=0), np.roll(outline[::-1], start + 1, axis=0)]
            outline = min(around, key=lambda one: _apart(one, np.array(expected)))
        corners.append(outline.tolist())
    return {
        "hull_vertices_px": corners,
        "aabb_px": bounds,
        "hull_masked_pixels": int(mask.sum()),
        "kept_fraction_hull": 1.0 - float(mask.mean()),
    }


def _apart(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> float:
    return float(np.abs(one - other).max()) if one.shape == other.shape else math.inf


def _measures(found: Any, **more: object) -> dict[str, object]:
    return {**dataclasses.asdict(found), "ic": int(found.ic), **more}


GROUPS: Mapping[str, Callable[[Case], dict[str, object]]] = {
    function.__name__: function
    for function in (
        iou3d,
        iou_yaw7,
        so3,
        rotation_import,
        move,
        rotate,
        resize,
        remove,
        view,
        gate,
        aggregate,
        human_labels,
        projection,
    )
}
"""What computes the figures of a case of a group."""
_REFERENCES = (
    "ref_code_sa_same_iou",
    "ref_code_sa_count_rule",
    "expected_official_code",
    "closed_form",
    "check_qhull_intersection",
    "check_mc_intersection",
)
_SIGMAS = 5
"""Standard errors that an estimate by random points may be off."""
_PIXELS = ("hull_masked_pixels",)
# A rectangle's pixels are another mask than the outline's; this project has none.
_IGNORED = ("rect_masked_pixels",)


def cases_of(group: str, content: Any) -> Iterator[tuple[str, Case]]:
    """The cases of a group with their names, all in the form inputs, expected, tol."""
    if group == "aggregate":
        yield "aggregate", {**content, "expected": {"expected_text": content["expected_text"]}}
    elif group == "gate":
        for at, case in enumerate(content["cases"]):
            yield f"gate[{at}] {case['dataset']} {case['ssim']} {case['lpips']}", {"tol": 0.0, **case}
    elif group == "human_labels":
        for at, (score, wanted) in enumerate(content["cases"]):
            yield f"human_labels[{at}]", {"score": score, "expected": {"class": wanted}, "tol": 0.0}
    else:
        for case in content:
            yield case["id"], case


def check_case(group: str, name: str, case: Case) -> Iterator[Check]:
    """Compares every figure of a case."""
    expected = case["expected"]
    try:
        got = GROUPS[group](case)
    except GeometryError as error:
        if "error" in expected:
            yield Check(name, "error", "rejected", "rejected", 0.0)
        else:
            yield Check(name, "error", "accepted", f"{error.field}: {error.reason.value}: {error.description}", 0.0)
        return
    except KeyError as error:
        yield Check(name, "error", "all inputs", f"{error} is missing", 0.0)
        return
    if "error" in expected:
        yield Check(name, "error", f"rejected: {expected['error']}", "accepted", 0.0)
        return
    references = {key: case[key] for key in _REFERENCES if case.get(key) is not None}
    for figure, value in [*expected.items(), *references.items()]:
        if figure in _IGNORED:
            continue
        if isinstance(value, dict):
            inner = got.get(figure)
            for key, one in value.items():
                result = inner.get(key, "nothing") if isinstance(inner, dict) else "nothing"
                yield Check(name, f"{figure}.{key}", one, result, _tolerance(case, figure))
        else:
            yield Check(name, figure, value, got.get(figure, "nothing"), _tolerance(case, figure))


def _tolerance(case: Case, figure: str) -> float:
    tolerance = case.get("tol", 0.0)
    if figure == "check_mc_intersection":
        return float(max(tolerance, _SIGMAS * case["check_mc_stderr"]))
    if not isinstance(tolerance, Mapping):
        return float(tolerance)
    if figure == "kept_fraction_hull":
        return float(tolerance["pixels"] / (case["width"] * case["height"]))
    return float(tolerance["pixels" if figure in _PIXELS else "px"])


def main() -> int:
    """Checks a file; 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", metavar="GROUP", choices=sorted(GROUPS))
    options = parser.parse_args()
    content = json.loads(options.file.read_text(encoding="utf-8"))
    cases, checks, different = 0, 0, 0
    for group, inside in content.items():
        if group == "meta" or (options.only and group != options.only):
            continue
        if group not in GROUPS:
            print(f"{group}: this group is not known")
            different += 1
            continue
        of_group = 0
        for name, case in cases_of(group, inside):
            of_group += 1
            for check in check_case(group, name, case):
                checks += 1
                if not check.holds:
                    different += 1
                    print(f"{name}\t{check.figure}\texpected {check.expected}\tgot {check.got}\ttol {check.tolerance}")
        print(f"{group}: {of_group} cases")
        cases += of_group
    print(f"{cases} cases, {checks} figures, {different} differ")
    return 1 if different or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
