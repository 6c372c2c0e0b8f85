"""Once for real, in small: graded, labelled, fitted, and graded by what was fitted."""

import json

from google.protobuf import json_format

from calibration.cases import CalibrationOptions, number_of
from calibration.make import make_calibration
from calibration.profile_file import ProfileWish
from grader.metrics.runs.aggregates import ItemEnd
from grader.profiles.calibrated import BELOW_THRESHOLD
from grader.report.data.estimates import Resampling
from grader.report.data.reading import read_runs
from grader.runs import backends
from grader.runs.batch import run_batch
from grader.v1 import media_pb2, queens_pb2, service_pb2
from tests.fakes.processes import PoolHere
from tests.samples.puzzles import board_sample, jpeg, png

BOARD = board_sample(n=4)


def request(name, data):
    task = BOARD.task
    puzzle = queens_pb2.QueensPuzzle(
        image=media_pb2.Media(data=task.image), size_cells=task.size_cells, regions=task.regions
    )
    truth = queens_pb2.QueensTruth(
        queens=[queens_pb2.QueenCell(row=row, column=column) for row, column in task.queens],
        solution_image=media_pb2.Media(data=png(BOARD.pictures.solution)),
    )
    asked = queens_pb2.QueensTask(puzzle=puzzle, truth=truth)
    return service_pb2.GradeRequest(request_id=name, queens=asked, image=media_pb2.Media(data=data), puzzle_id=name)


def test_verdicts_by_a_fitted_profile_are_those_that_its_threshold_gives(tmp_path, monkeypatch):
    """People are made to call coarse JPEGs right and lossless pictures wrong; a threshold on the error parts them."""
    monkeypatch.setattr(backends, "WorkerPool", PoolHere)
    right, nothing = BOARD.pictures.solution, BOARD.pictures.input
    pictures = {f"jpeg {quality}": jpeg(right, quality) for quality in range(60, 76, 2)}
    pictures |= {f"png {at}": png(right) for at in range(8)} | {f"nothing {at}": png(nothing) for at in range(2)}
    manifest = tmp_path / "manifest.jsonl"
    lines = [json.dumps(json_format.MessageToDict(request(name, data))) + "\n" for name, data in pictures.items()]
    manifest.write_text("".join(lines))
    run_batch(manifest, tmp_path / "run", progress=False, workers=1)
    before = read_runs([tmp_path / "run"]).records
    assert {one.item.request_id for one in before if one.passed} == {name for name in pictures if "nothing" not in name}
    labels = tmp_path / "people.csv"
    said = [f"{name},{'right' if 'jpeg' in name else 'wrong'}\n" for name in pictures if "nothing" not in name]
    labels.write_text("request_id,label\n" + "".join(said))
    profiles = tmp_path / "profiles"
    profiles.mkdir()
    options = CalibrationOptions(number="mse_in", most_false_passes=0.75, resampling=Resampling(0))
    make_calibration(tmp_path / "run", [labels], None, options, profile=ProfileWish(profiles / "coarse.json"))
    fitted = json.loads((profiles / "coarse.json").read_text())["calibration"]
    assert fitted["agreement"]["false_passes"] == 0 < fitted["agreement"]["wrong"]

    run_batch(manifest, tmp_path / "fitted", profile="coarse", profiles=profiles, progress=False, workers=1)
    after = {one.item.request_id: one for one in read_runs([tmp_path / "fitted"]).records}
    turned = 0
    for one in before:
        other = after[one.item.request_id]
        assert "profile coarse " in other.made_by
        assert (other.score, other.measures) == (one.score, one.measures)
        if one.passed and number_of(one, "mse_in") < fitted["threshold"]:
            turned += 1
            assert (other.end, other.codes, other.reward) == (ItemEnd.FAIL, (BELOW_THRESHOLD,), 0.0)
        else:
            assert (other.end, other.codes, other.reward) == (one.end, one.codes, one.reward)
    assert turned >= 8
