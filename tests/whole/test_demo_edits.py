"""The demo's edits, where LPIPS is missing: measured by their boxes, each comes to what it was made for."""

from __future__ import annotations

from pathlib import Path

from examples.demo_edits import before_path, measured_text, write_edits
from examples.demo_plans import write_plans
from examples.demo_set import OTHER_OUTPUTS, OUTPUTS, write_set
from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.engine.engine import Engine
from grader.importers.amaze.importer import import_amaze


def test_edits_without_lpips_are_measured_as_meant(tmp_path: Path) -> None:
    engine = Engine()
    expected = []
    for request, text in write_edits(tmp_path, judged=False):
        request.options.overlay = not expected
        verdict = verdict_to_proto(engine.grade(job_from_proto(request, lambda media, _: media.data)))
        assert measured_text(verdict) == text, request.request_id
        assert bool(verdict.overlay.png) is request.options.overlay
        expected.append(text)
        assert (tmp_path / before_path(request)).is_file()
        assert (tmp_path / OTHER_OUTPUTS / request.request_id).read_bytes() == request.scene.image.data
    # A right and a wrong one of five operations.
    assert expected == ["MEASURED, IC 1", "MEASURED, IC 0"] * 5


def test_all_that_lies_beside_the_mazes_and_boards_is_theirs(tmp_path: Path) -> None:
    """So that the import that the demo hints at has nothing to say of pictures that belong nowhere."""
    names = [name for name, _ in write_set(tmp_path)]
    next(write_plans(tmp_path))
    next(write_edits(tmp_path, judged=False))
    made = import_amaze(tmp_path, None, tmp_path / "first.jsonl", progress=False)
    assert (made.requests, made.unmatched_outputs, made.missing_answers) == (len(names), (), ())
    assert sorted(path.name for path in (tmp_path / OUTPUTS).iterdir()) == sorted(
        {name.split("/")[0] for name in names}
    )
