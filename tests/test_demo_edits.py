"""The demo's edits, where LPIPS is missing: measured by their boxes, each comes to what it was made for."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

from examples.demo_edits import before_path, draw_boxes, measured_text, write_edits
from grader.convert import verdict_to_proto
from grader.convert_requests import job_from_proto
from grader.engine import Engine


def test_edits_without_lpips_are_measured_as_meant(tmp_path: Path) -> None:
    engine = Engine()
    expected = []
    for request, text in write_edits(tmp_path, judged=False):
        verdict = verdict_to_proto(engine.grade(job_from_proto(request, lambda media, _: media.data)))
        assert measured_text(verdict) == text, request.request_id
        expected.append(text)
        assert (tmp_path / before_path(request)).is_file()
        picture = (tmp_path / "outputs" / request.request_id).read_bytes()
        assert picture == request.scene.image.data
        plain, drawn = (np.asarray(Image.open(io.BytesIO(data))) for data in (picture, draw_boxes(picture, verdict)))
        assert plain.shape == drawn.shape
        assert (plain != drawn).any()
    # A right and a wrong one of five operations.
    assert expected == ["MEASURED, IC 1", "MEASURED, IC 0"] * 5
