"""Spatial-edit fixtures that this project did not draw, in ../shared/fixtures/gsi: every figure of every case."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks import vectors
from grader.metrics.space.boxes3d import OrientedBox, yaw_box
from grader.metrics.space.edit_rules import GSI_BENCH_CODE, SEED_RULES, EditRules
from grader.metrics.space.edit_tables import Dataset, EditMeasures, GateState, edit_score
from grader.metrics.space.edit_types import Detection, MoveScore, RemoveScore
from grader.metrics.space.edits import score_move, score_remove, score_resize, score_rotate
from grader.metrics.space.projection import check_camera, read_camera
from grader.metrics.space.rotations import from_matrix, from_six

pytestmark = pytest.mark.shared

ROOT = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "gsi"
VECTORS, SAMPLES = ROOT / "vectors.json", ROOT / "synthetic_official_format"
COUNTS = {
    "iou3d": 18,
    "iou_yaw7": 2,
    "so3": 9,
    "rotation_import": 2,
    "move": 10,
    "rotate": 7,
    "resize": 6,
    "remove": 6,
    "view": 2,
    "gate": 11,
    "aggregate": 1,
    "human_labels": 5,
    "projection": 6,
}


@cache
def content(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_all_groups_are_there() -> None:
    groups = {
        group: len(list(vectors.cases_of(group, inside)))
        for group, inside in content(VECTORS).items()
        if group != "meta"
    }
    assert groups == COUNTS


@pytest.mark.parametrize("group", COUNTS)
def test_every_case_holds(group: str) -> None:
    checks = [
        check
        for name, case in vectors.cases_of(group, content(VECTORS)[group])
        for check in vectors.check_case(group, name, case)
    ]
    assert len(checks) >= COUNTS[group]
    assert [check for check in checks if not check.holds] == []


def test_the_runner_prints_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Right: 0. A figure, a tolerance and an error that are not so: 1, and their lines."""
    copy = tmp_path / "vectors.json"
    shutil.copy(VECTORS, copy)
    monkeypatch.setattr("sys.argv", ["vectors", str(copy), "--only", "so3"])
    assert vectors.main() == 0
    assert "9 cases, 17 figures, 0 differ" in capsys.readouterr().out
    wrong = json.loads(copy.read_text())
    wrong["so3"][0]["expected"]["theta_deg"] = 1.0
    wrong["so3"][3]["expected"] = {"error": "made up"}
    wrong["so3"][8]["expected"] = {"theta_rad": 0.0}
    copy.write_text(json.dumps(wrong))
    assert vectors.main() == 1
    out = capsys.readouterr().out
    assert "so3_identity\ttheta_deg\texpected 1.0\tgot 0.0\ttol 1e-06" in out
    assert "so3_90\terror\texpected rejected: made up\tgot accepted" in out
    assert "so3_reflection\terror\texpected accepted\tgot R2: REFLECTION" in out
    assert "9 cases, 16 figures, 3 differ" in out


# --- Four made-up samples in the benchmark's own file layout, read by as little code as will do ---


@cache
def sample(number: int) -> tuple[dict[str, Any], list[Detection], list[Detection]]:
    edit = content(SAMPLES / "fine_dataset" / f"scene0001_frame_000010_edit_{number}.json")
    cached = content(SAMPLES / "infer_cache.json")[f"scene0001_frame_000010_{number}"]

    def detections(side: str) -> list[Detection]:
        found = []
        for one in cached[side]["detections"]:
            center, size = one["bbox_3d"][:3], one["bbox_3d"][3:6]
            found.append(Detection(one["label"], OrientedBox(center, size, one["rotation_matrix"])))
        return found

    return edit, detections("origin_result"), detections("new_result")


def measures(number: int, rules: EditRules) -> EditMeasures:
    edit, original, edited = sample(number)
    source = yaw_box(edit["original_bbox_3d"])
    if number == 2:
        return score_remove(source, original, edited, rules)
    goal = yaw_box(edit["new_bbox_3d"])
    if number == 0:
        return score_move(edit["target"], source, goal, original, edited, rules)
    if number == 1:
        goal = OrientedBox(goal.center, goal.size, edit["new_rotation_matrix"])
        return score_rotate(edit["target"], source, goal, edited, rules)
    return score_resize(edit["target"], source, goal, edited, rules)


@pytest.mark.parametrize("number", range(4))
def test_samples_in_the_benchmarks_own_format(number: int) -> None:
    expected = content(SAMPLES / "expected.json")[f"scene0001_frame_000010_{number}"]
    found = measures(number, SEED_RULES)
    text = expected["expected_text"]
    assert int(found.ic) == text["ic"]
    assert found.sa == pytest.approx(text["sa"], abs=1e-12)
    if isinstance(found, MoveScore):
        assert (found.iou, found.d_pred_m, found.d_gt_m, found.counts_match) == (
            pytest.approx(text["iou"], abs=1e-12),
            pytest.approx(text["d_pred"], abs=1e-12),
            pytest.approx(text["d_gt"], abs=1e-12),
            text["counts_match"],
        )
        assert found.right_direction
    if isinstance(found, RemoveScore):
        assert (found.target_gone, found.wrongly_removed) == (text["target_gone"], text["wrongly_removed"])
    # Boxes alone: the gate is not available.
    score = edit_score(found, Dataset.REAL)
    assert (score.gate.state, score.scores.ic.value) == (GateState.NOT_AVAILABLE, None)
    assert (score.ic_ungated, score.sa_ungated) == (text["ic"], found.sa)
    code, official = measures(number, GSI_BENCH_CODE), expected["official_code_gate_passed"]
    assert (float(code.ic), code.sa) == (official["ic"], pytest.approx(official["sa"], abs=1e-12))


def test_a_samples_forms_of_one_rotation_agree() -> None:
    """A detection's matrix, its six numbers and its yaw say the same; and K is that of the frame of 896 x 672."""
    edit, _, _ = sample(0)
    check_camera(read_camera(edit["camera_intrinsics"]), 896, 672)
    found = 0
    for cached in content(SAMPLES / "infer_cache.json").values():
        for side in cached.values():
            for one in side["detections"]:
                rotation = from_matrix(one["rotation_matrix"])
                assert abs(rotation - from_six(one["pose_6d"])).max() < 1e-12
                assert abs(rotation - yaw_box(one["bbox_3d"]).matrix).max() < 1e-12
                corners = OrientedBox(one["bbox_3d"][:3], one["bbox_3d"][3:6], rotation.tolist()).corners()
                gaps = abs(corners[:, None] - one["vertices_3d"]).max(axis=2).min(axis=1)
                assert gaps.max() < 1e-12
                found += 1
    assert found > 8
