"""Which verdicts are worth disputing: each ground alone, their order, and that no kind hides the others."""

import json

from grader.report.data.disputes import Doubt, grounds, most_disputable
from grader.report.data.reading import read_runs
from tests.samples.report import FAIL, PASS, UNGRADABLE, Line, write_run


def records(folder, lines):
    return read_runs([write_run(folder, lines)]).records


def test_grounds(tmp_path):
    lines = [
        Line("right by score", FAIL, score=1.0, codes=("CELLS_FILLED",)),  # the reward of these lines is the score
        Line("high reward", FAIL, score=0.8, codes=("DOTS",)),
        Line("nearly", FAIL, score=0.96, codes=("DOTS",)),
        Line("below one", PASS, score=0.75),
        Line("unsure", FAIL, score=0.1, codes=("DOTS",), confidence=0.25),
        Line("sure", FAIL, score=0.1, codes=("DOTS",)),
        Line("right", PASS, score=1.0),
        Line("broken", UNGRADABLE, codes=("UNDECODABLE",)),
    ]
    found = {record.item.request_id: grounds(record) for record in records(tmp_path, lines)}
    assert found == {
        "right by score": ((Doubt.RIGHT_BY_SCORE, 1.0), (Doubt.HIGH_REWARD, 1.0)),
        "high reward": ((Doubt.HIGH_REWARD, 0.8),),
        "nearly": ((Doubt.NEARLY_RIGHT, 0.96), (Doubt.HIGH_REWARD, 0.96)),
        "below one": ((Doubt.BELOW_ONE, 0.25),),
        "unsure": ((Doubt.UNSURE, 0.75),),
        "sure": (),
        "right": (),
        "broken": (),
    }


def test_a_pass_that_was_aligned_badly_or_has_notes_or_two_readings(tmp_path):
    run = write_run(tmp_path, [Line("a", PASS, score=1.0)])
    said = json.loads((run / "results.jsonl").read_text())
    said["verdict"]["alignment"] = {"quality": 0.5}
    said["verdict"]["notes"] = [{"code": "FLOOR_REPAINTED"}]
    readings = [{"answered": False, "solved": False}, {"answered": True, "solved": True}]
    said["verdict"]["observation"] = {"plan": {"readings": readings}}
    (run / "results.jsonl").write_text(json.dumps(said) + "\n")
    (record,) = read_runs([run]).records
    assert grounds(record) == ((Doubt.READINGS_DIFFER, 0.95), (Doubt.BADLY_ALIGNED, 0.5), (Doubt.NOTES, 0.3))


def test_the_heaviest_come_first_and_no_kind_hides_the_others(tmp_path):
    cheats = [Line(f"cheat {at}", FAIL, score=1.0, codes=("CELLS_FILLED",)) for at in range(10)]
    others = [Line("low", PASS, score=0.4), Line("unsure", PASS, score=1.0, confidence=0.3)]
    chosen = [one.record.item.request_id for one in most_disputable(records(tmp_path, cheats + others), 6)]
    # A third of 6 places each, then the next by weight.
    assert chosen == ["cheat 0", "cheat 1", "cheat 2", "cheat 3", "unsure", "low"]
