"""The composed benchmark: pictures from seeds, their visibility, counts and curve, and the command."""

import json

import cv2
import numpy as np
import pytest

from benchmarks.accuracy import processes
from benchmarks.composed import writing
from benchmarks.composed.cases import WRONG, compose
from benchmarks.composed.chart import draw_curve, worst
from benchmarks.composed.grading import Graded, engine, grade
from benchmarks.composed.harmless import HARMLESS
from benchmarks.composed.inks import LEAST_OPACITY
from benchmarks.composed.run import main, seeds_of
from benchmarks.composed.stages import PER_STAGE, stage_of, task_of
from benchmarks.composed.tables import EDGES, curve, failed, judged, page, passed
from benchmarks.composed.visibility import noise_power, visibility
from tests.fakes.processes import Here

WHITE = np.full((160, 400, 3), 250, np.uint8)


def with_box(levels, width, length=200):
    """White with a box that is some levels darker."""
    picture = WHITE.copy()
    picture[80 : 80 + width, 50 : 50 + length] -= np.uint8(levels)
    return picture


def test_the_same_seed_gives_the_same_picture():
    first = compose(33)
    stage_of.cache_clear()
    again = compose(33)
    assert first.data == again.data
    assert first.visibility == again.visibility
    assert (first.role, first.ink) == (again.role, again.ink)
    assert compose(34).data != first.data


def test_a_task_alone_has_the_same_pictures():
    boards, mazes = seeds_of(7, 30, "queens"), seeds_of(7, 30, "maze")
    assert sorted({*boards, *mazes})[:20] == seeds_of(7, 20) == list(range(7_000_000, 7_000_020))
    assert not {*boards} & {*mazes}
    for seed in (boards[0], mazes[0]):
        assert stage_of(str(seed // PER_STAGE)).task == task_of(str(seed // PER_STAGE))
    assert task_of(str(boards[0] // PER_STAGE)) == "queens"


def test_a_case_says_what_it_is():
    cases = [compose(seed) for seed in range(40, 45)]
    for case in cases:
        roles = {role.name for role in (WRONG if case.wrong else HARMLESS)[case.task]}
        assert case.role in roles
        assert case.picture.dtype == np.uint8
        assert case.picture.shape[2] == 3
        assert (case.ink != "") == case.wrong
        assert not case.wrong or LEAST_OPACITY <= case.opacity <= 1
        assert case.visibility >= 0
    assert {case.wrong for case in cases} == {True, False}


def test_visibility_grows_with_contrast_and_with_area():
    assert visibility(WHITE, WHITE) == 0
    by_contrast = [visibility(WHITE, with_box(levels, 4)) for levels in (2, 5, 10, 40)]
    by_width = [visibility(WHITE, with_box(10, width)) for width in (1, 2, 4, 8, 16)]
    by_length = [visibility(WHITE, with_box(10, 4, length)) for length in (20, 80, 320)]
    for row in (by_contrast, by_width, by_length):
        assert row == sorted(row)
        assert row[-1] > 1.5 * row[0]


def test_a_hair_line_of_three_per_cent_is_not_seen_and_a_wide_way_of_five_is_seen_with_ease():
    # On 250, 9 levels are 3 % of OKLab's lightness under stray light, and 16 are 5 %.
    assert visibility(WHITE, with_box(9, 1)) < 1
    assert visibility(WHITE, with_box(16, 20)) > 5


def test_noise_and_edges_hide():
    dice = np.random.default_rng(1)
    added = with_box(10, 4)
    noisy = np.clip(WHITE + dice.normal(0, 40, WHITE.shape), 0, 255).astype(np.uint8)
    assert visibility(WHITE, added, noisy) < 0.6 * visibility(WHITE, added)
    striped = WHITE.copy()
    striped[:, ::8] = 0
    beside = np.minimum(striped, added)
    assert visibility(striped, beside) < 0.7 * visibility(WHITE, added)


def test_the_power_of_white_noise_is_its_variance():
    dice = np.random.default_rng(2)
    grey = np.full((200, 200, 3), 128, np.uint8)
    fine = np.clip(grey + dice.normal(0, 8, (200, 200, 1)), 0, 255).astype(np.uint8)
    # Around 128 a level is 0.0029 of OKLab's lightness, so 8 levels squared are 5.4e-4; stray light takes a little.
    assert float(np.median(noise_power(grey, fine))) == pytest.approx(5.2e-4, rel=0.15)
    coarse = cv2.GaussianBlur(fine.astype(np.float32), (0, 0), 1.5)
    coarse = np.clip(128 + 8 * (coarse - 128) / coarse.std(), 0, 255).astype(np.uint8)
    assert np.median(noise_power(grey, coarse)) > 3 * np.median(noise_power(grey, fine))


def graded(seed, wrong, got, seen=10.0, role="way-branch"):
    return Graded(
        seed, "maze-square-05-dfs-red", "maze", "square", 1024, wrong, role.split("-")[0], role, "hue", "solid", 0.5,
        3.0, "", "none", seen, got=got, reasons=("FOREIGN_STROKES",) if got == "FAIL" else (),
    )  # fmt: skip


RESULTS = [
    *(graded(seed, True, "FAIL") for seed in range(8)),
    graded(8, True, "PASS", 12.0),
    graded(9, True, "PASS", 30.0, "wall-many"),
    graded(10, True, "PASS", 0.6),
    graded(11, False, "PASS", 0.0, "nothing"),
    graded(12, False, "FAIL", 9.0, "shadow"),
]


def test_counts_and_curve():
    assert (passed(RESULTS).hits, passed(RESULTS).count) == (2, 10)
    assert (failed(RESULTS).hits, failed(RESULTS).count) == (1, 2)
    bins = {one.low: one.failed for one in curve(RESULTS)}
    assert len(bins) == len(EDGES) - 1
    assert (bins[10.0].hits, bins[10.0].count) == (8, 9)
    assert (bins[20.0].hits, bins[20.0].count) == (0, 1)
    assert (bins[0.5].hits, bins[0.5].count) == (0, 1)
    lines = judged(RESULTS)
    assert lines[0].startswith("MISSED  wrong and easily seen, yet PASS: 2 of 10")
    assert lines[1].startswith("MISSED  harmless, yet not PASS: 1 of 2")
    assert judged([graded(0, True, "FAIL")])[0].startswith("reached")
    assert judged([graded(0, True, "FAIL")])[1].startswith("UNKNOWN")


def test_tables_name_roles_inks_and_first_reasons():
    text = page(RESULTS)
    for wanted in ("## Wrong: Role", "maze way-branch", "## Wrong: Ink", "| hue |", "FOREIGN_STROKES 1", "1 to 5"):
        assert wanted in text


def test_the_worst_are_the_most_visible_that_pass():
    assert [one.seed for one in worst(RESULTS)] == [9, 8, 12]
    many = [graded(seed, True, "PASS") for seed in range(9)]
    assert len(worst(many)) == 3


def test_a_curve_is_drawn():
    chart = draw_curve({"mazes": (curve(RESULTS), (30, 90, 200))}, "test")
    assert (chart == (30, 90, 200)).all(axis=2).sum() > 100


class Broken:
    """An engine that raises."""

    def grade(self, job):
        raise RuntimeError("it broke")


def test_a_crash_of_the_grader_is_counted():
    found = grade(compose(33), Broken())
    assert found.got == "ERROR"
    assert "it broke" in found.error
    assert not found.right


def test_the_command_grades_resumes_keeps_and_shows(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(processes, "ProcessPoolExecutor", Here)
    command = ["--pictures", "2", "--seed", "0", "--workers", "1", "--out", str(tmp_path / "run"),
               "--save", str(tmp_path / "wrong")]  # fmt: skip
    assert main(command) == 0
    assert "2 pictures: too few for a claim" in capsys.readouterr().out
    lines = (tmp_path / "run" / "results.jsonl").read_bytes()
    assert main(command) == 0
    assert (tmp_path / "run" / "results.jsonl").read_bytes() == lines
    results = [json.loads(line) for line in lines.splitlines()]
    bad = [one for one in results if Graded(**one | {"reasons": ()}).bad]
    assert {path.stem for path in (tmp_path / "wrong").glob("*/*.json") if path.stem.isdigit()} == {
        str(one["seed"]) for one in bad
    }
    assert (tmp_path / "run" / "curve.png").exists()
    assert main(["--case", "3", "--out", str(tmp_path / "one")]) == 0
    assert "visibility" in capsys.readouterr().out
    assert main(["--pictures", "0"]) == 2
    assert main(["--again", str(tmp_path)]) == 2
    assert "--again takes the folder of an earlier run" in capsys.readouterr().err


def test_pictures_are_written_with_what_is_true_of_them(tmp_path, capsys, monkeypatch):
    for module in (processes, writing):
        monkeypatch.setattr(module, "ProcessPoolExecutor", Here)
    assert main(["--pictures", "2", "--seed", "0", "--workers", "1", "--write", str(tmp_path)]) == 0
    lines = [json.loads(line) for line in (tmp_path / "cases.jsonl").read_text().splitlines()]
    assert [one["seed"] for one in lines] == [0, 1]
    for one in lines:
        case = compose(one["seed"])
        assert (tmp_path / one["candidate"]).read_bytes() == case.data
        assert (tmp_path / one["puzzle"] / "image.png").read_bytes() == case.puzzle.image
        assert one["visibility"] == case.visibility
    before = (tmp_path / "cases.jsonl").read_bytes()
    (tmp_path / "cases.jsonl").write_bytes(before + b'{"seed": 2, "ro')  # as a kill may leave it
    assert main(["--pictures", "2", "--seed", "0", "--workers", "1", "--write", str(tmp_path)]) == 0
    assert (tmp_path / "cases.jsonl").read_bytes() == before
    assert main(["--read", str(tmp_path), "--workers", "1", "--out", str(tmp_path / "run")]) == 0
    assert "2 pictures" in capsys.readouterr().out
    read = [json.loads(line) for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines()]
    again = grade(compose(1), engine())
    assert (read[1]["got"], read[1]["role"], tuple(read[1]["reasons"])) == (again.got, again.role, again.reasons)
    assert main(["--read", str(tmp_path / "run")]) == 2
    assert "--write makes it" in capsys.readouterr().err


def test_the_help_teaches(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert "1 is the threshold" in text
    assert "examples:" in text
