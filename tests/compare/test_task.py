"""The compare task, and measures of likeness beside the verdicts of other tasks."""

from __future__ import annotations

import numpy as np
import pytest
from google.protobuf import json_format
from skimage.metrics import structural_similarity

from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.lpips.availability import LpipsSource
from grader.lpips.messages import AnswerKind, PairAnswer
from grader.lpips.nets import LpipsNet
from grader.model.errors import InvalidRequestError, LpipsFailedError
from grader.model.jobs import GradeJob, ImageCandidate, Similarity, TextCandidate
from grader.model.verdict import MeasuredWith, Outcome, Provenance, Verdict
from grader.serving.work import inline_only
from grader.tools.similarity import Measures
from grader.v1 import service_pb2
from tests.samples.edits import PlainMeasures, png, scenery
from tests.samples.puzzles import Geometry, board_sample, maze_sample

REFERENCE = scenery()
MASK = np.zeros(REFERENCE.shape[:2], np.uint8)
MASK[60:180, 80:240] = 255


def request(candidate: np.ndarray, mask: np.ndarray | None = MASK, *similarity: str) -> service_pb2.GradeRequest:
    made = json_format.ParseDict(
        {"request_id": "pair", "options": {"similarity": list(similarity)}}, service_pb2.GradeRequest()
    )
    made.compare.reference.data = png(REFERENCE)
    if mask is not None:
        made.compare.mask.data = png(mask)
    made.image.data = png(candidate)
    return made


def measured(*args: object) -> Verdict:
    return Engine(measures=PlainMeasures()).grade(job_from_proto(request(*args), inline_only))


def values(verdict: Verdict) -> dict[str, float | None]:
    return {metric.name: metric.value for metric in verdict.metrics}


def test_it_is_measured_and_not_judged():
    brighter = REFERENCE.copy()
    brighter[MASK > 0] = np.minimum(REFERENCE[MASK > 0], 204) + 51
    dimmer = np.where(MASK[..., None] > 0, np.minimum(REFERENCE, 204), REFERENCE)
    made = request(brighter)
    made.compare.reference.data = png(dimmer)
    verdict = Engine().grade(job_from_proto(made, inline_only))
    assert (verdict.outcome, verdict.score, verdict.reward, verdict.reasons) == (Outcome.MEASURED, None, None, ())
    # (51 / 255)^2 inside, whatever share of the picture that is; nothing outside.
    assert values(verdict) == {"mse_in": pytest.approx(0.04, abs=1e-12), "mse_out": 0.0}


def test_likeness_is_measured_on_request_inside_and_outside():
    noisy = REFERENCE.copy()
    noisy[MASK > 0] = scenery(1)[MASK > 0]
    found = values(measured(noisy, MASK, "SIMILARITY_SSIM", "SIMILARITY_LPIPS_ALEX", "SIMILARITY_SSIM"))
    assert list(found) == ["mse_in", "mse_out", "ssim_in", "ssim_out", "lpips_alex_in", "lpips_alex_out"]
    assert (found["mse_out"], found["ssim_out"], found["lpips_alex_out"]) == (0.0, 1.0, 0.0)
    assert found["ssim_in"] < 0.5


def test_without_a_mask_all_is_inside_and_outside_is_not_available():
    other = scenery(1)
    verdict = measured(other, None, "SIMILARITY_SSIM")
    expected = structural_similarity(other, REFERENCE, channel_axis=2, data_range=255)
    assert values(verdict)["ssim_in"] == pytest.approx(expected, abs=1e-6)
    missing = {metric.name: metric.unavailable_reason for metric in verdict.metrics if metric.value is None}
    assert list(missing) == ["mse_out", "ssim_out"]
    assert all("mask" in why for why in missing.values())


@pytest.mark.parametrize(
    ("mask", "missing"),
    [
        (None, {"mse_out": "the request has no mask"}),
        (np.full_like(MASK, 255), {"mse_out": "the mask is white all over"}),
        (np.zeros_like(MASK), {"mse_in": "the mask is black"}),
    ],
    ids=["none", "white", "black"],
)
def test_a_side_without_pixels_has_no_error_and_says_why(mask, missing):
    verdict = measured(REFERENCE, mask)
    assert values(verdict) == {"mse_in": 0.0, "mse_out": 0.0} | dict.fromkeys(missing)
    assert {one.name: one.unavailable_reason for one in verdict.metrics if one.value is None} == missing


def test_a_candidate_of_another_size_is_resized_and_said():
    verdict = measured(np.repeat(np.repeat(REFERENCE, 2, axis=0), 2, axis=1))
    assert [note.code for note in verdict.notes] == ["RESIZED"]
    assert values(verdict)["mse_in"] == 0.0


def test_a_candidate_of_another_shape_is_stretched_and_said():
    """Twice as wide and as high as before: it is stretched across by a half."""
    verdict = measured(np.repeat(REFERENCE, 2, axis=1))
    assert [note.code for note in verdict.notes] == ["RESIZED", "STRETCHED"]
    assert "by 0.5 against" in verdict.notes[1].message
    assert values(verdict)["mse_in"] == 0.0


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        (lambda made: made.compare.ClearField("reference"), "compare.reference", "MISSING"),
        (lambda made: setattr(made.compare.mask, "data", png(MASK[::2])), "compare.mask", "SIZE_MISMATCH"),
        (lambda made: setattr(made.compare.mask, "data", b"none"), "compare.mask", "UNKNOWN_FORMAT"),
        (lambda made: setattr(made.compare.reference, "data", b"none"), "compare.reference", "UNKNOWN_FORMAT"),
        (lambda made: made.options.similarity.append(0), "options.similarity[0]", "OUT_OF_RANGE"),
    ],
)
def test_what_is_wrong_is_named(change, field, reason):
    made = request(REFERENCE)
    change(made)
    with pytest.raises(InvalidRequestError) as raised:
        Engine().grade(job_from_proto(made, inline_only))
    assert [(wrong.field, wrong.reason) for wrong in raised.value.violations] == [(field, reason)]


def test_mazes_and_boards_have_likeness_to_their_solution():
    maze, board = maze_sample(Geometry.SQUARE), board_sample()
    for sample, solution in ((maze, maze.pictures.solution), (board, board.pictures.solution)):
        job = GradeJob("one", sample.task, ImageCandidate(png(solution)), similarity=(Similarity.SSIM,))
        found = values(Engine().grade(job))
        assert (found["ssim_in"], found["ssim_out"]) == (pytest.approx(1.0), pytest.approx(1.0))
        assert "ssim_in" not in values(Engine().grade(GradeJob("one", sample.task, ImageCandidate(png(solution)))))


def test_what_has_no_picture_to_compare_refuses_the_option():
    made = request(REFERENCE, MASK, "SIMILARITY_SSIM")
    made.text = "left"
    job = job_from_proto(made, inline_only)
    assert job.candidate == TextCandidate("left")
    with pytest.raises(InvalidRequestError) as raised:
        Engine().grade(job)
    assert [wrong.field for wrong in raised.value.violations] == ["candidate"]


class FailingVgg:
    """LPIPS of any pair is 0.5 on alex; vgg fails."""

    def score(self, net, pair):
        if net is LpipsNet.VGG:
            raise LpipsFailedError("it died")
        return PairAnswer(AnswerKind.MEASURED, 0.5, "", LpipsSource("2.1", "0.1", "cuda:1", "ab" * 32))


def test_provenance_says_what_lpips_was_measured_with():
    engine = Engine(measures=Measures(scores=FailingVgg()))

    def provenance(*similarity: str) -> Provenance:
        return engine.grade(job_from_proto(request(REFERENCE, MASK, *similarity), inline_only)).provenance

    made = provenance("SIMILARITY_SSIM", "SIMILARITY_LPIPS_ALEX")
    assert made.measured_with == (MeasuredWith("lpips_alex", "cuda:1", "ab" * 32),)
    assert (made.library_versions["torch"], made.library_versions["lpips"]) == ("2.1", "0.1")
    # Alex was measured before vgg failed; the next verdict, which needs neither, says nothing of it.
    with pytest.raises(LpipsFailedError):
        provenance("SIMILARITY_LPIPS_ALEX", "SIMILARITY_LPIPS_VGG")
    made = provenance("SIMILARITY_SSIM")
    assert made.measured_with == ()
    assert "torch" not in made.library_versions
