"""The demo's edits, where LPIPS is missing: measured by their boxes, each comes to what it was made for."""

from __future__ import annotations

from pathlib import Path

from examples.demo_edits import before_path, measured_text, write_edits
from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.engine.engine import Engine


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
        assert (tmp_path / "outputs" / request.request_id).read_bytes() == request.scene.image.data
    # A right and a wrong one of five operations.
    assert expected == ["MEASURED, IC 1", "MEASURED, IC 0"] * 5
