"""Composed edits: pictures from seeds, what is true of them, and the tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.accuracy import processes
from benchmarks.composed.visibility import EASILY
from benchmarks.composed_edits.cases import NUISANCES, compose
from benchmarks.composed_edits.run import grade, judged, main, page
from benchmarks.composed_edits.stages import stage_of
from benchmarks.composed_edits.wrongs import ROLES
from tests.fakes.processes import Here


def test_the_same_seed_gives_the_same_picture():
    first, again = compose(61), compose(61)
    assert first.data == again.data
    assert (first.wrong, first.family, first.role, first.nuisance) == (
        again.wrong, again.family, again.role, again.nuisance,
    )  # fmt: skip


def test_places_of_a_stage_are_of_its_pictures():
    stage = stage_of(0)
    assert stage.before.shape == stage.after.shape
    assert not (stage.vacated & stage.new_mask).any()
    assert not (stage.ground & (stage.owners_before >= 0)).any()
    assert stage.stays
    assert not stage_of(4).stays  # a removal


@pytest.mark.parametrize("family", ROLES)
def test_each_place_has_something_that_is_wrong_and_seen(family):
    made = 0
    for number in range(2):
        stage = stage_of(number)
        for role in list(ROLES[family].values())[:3]:
            changed = role(stage, np.random.default_rng(number))
            if changed is not None:
                assert changed.shape == stage.after.shape
                made += not np.array_equal(changed, stage.after)
    assert made


def test_nuisances_are_files():
    dice = np.random.default_rng(0)
    for make in NUISANCES.values():
        assert make(stage_of(0).after, dice)[:4] in (b"\x89PNG", b"\xff\xd8\xff\xe0", b"RIFF")


def graded(**changes):
    return replace(grade(next(case for case in map(compose, range(60, 80)) if not case.wrong)), **changes)


def test_right_and_wrong_are_counted():
    right = graded()
    assert (right.got, right.reasons, right.error) == ("PASS", (), "")
    wrong = replace(right, wrong=True, visibility=2 * EASILY, family="place", role="place-grey", got="FAIL")
    lines = judged([right, wrong, replace(wrong, got="PASS")])
    assert lines[0].startswith("MISSED  wrong and easily seen, yet PASS: 1 of 2")
    assert lines[1].startswith("reached right, yet not PASS: 0 of 1")
    assert "too few for a claim" in lines[-1]
    assert "| place-grey | 2 | 2 |" in page([right, wrong, replace(wrong, got="PASS")])


def test_the_command_writes_tables(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(processes, "ProcessPoolExecutor", Here)
    assert main(["--pictures", "1", "--seed", "0", "--workers", "1", "--out", str(tmp_path)]) == 0
    assert "1 edits: too few for a claim" in capsys.readouterr().out
    assert (tmp_path / "tables.md").read_text().startswith("# Composed edits")
    assert main(["--pictures", "0"]) == 2
    assert "at least 1" in capsys.readouterr().err
