"""What a request asks for and nothing would look at is refused by its name; what the documentation allows is not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from google.protobuf import json_format

from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.model.errors import InvalidRequestError
from grader.model.jobs import GradeJob, ImageCandidate, VideoPolicy
from grader.model.verdict import Outcome
from grader.runs.manifest import ManifestError, load_manifest
from grader.serving.work import inline_only
from grader.v1 import service_pb2
from tests.samples.edits import BEFORE, MUG, PLATE, PlainMeasures, box, edit, found, png, scenery
from tests.samples.puzzles import Geometry, board_sample, maze_sample

LEFT = box(-0.4)
MOVED = found(("mug", LEFT), PLATE)
HERE = found(MUG, PLATE)


def refused(job):
    """Every wrong field with its reason."""
    if isinstance(job, service_pb2.GradeRequest):
        job = job_from_proto(job, inline_only)
    with pytest.raises(InvalidRequestError) as raised:
        Engine().grade(job)
    return [(one.field, one.reason) for one in raised.value.violations]


def measured(request):
    """An edit without pictures, which is measured by its boxes alone."""
    return Engine().grade(job_from_proto(request, inline_only)).outcome is Outcome.MEASURED


def bare(operation, objects, destination=None, **puzzle):
    return edit(operation, objects, destination, before=None, after=None, **puzzle)


def test_options_about_clips_are_refused_of_all_else():
    board = board_sample()
    job = GradeJob("one", board.task, ImageCandidate(png(board.pictures.solution)))
    assert refused(replace(job, annotated_video=True)) == [("options.annotated_video", "NOT_TAKEN")]
    best = VideoPolicy.BEST_FRAME
    assert refused(replace(job, video_policy=best)) == [("options.video_policy", "NOT_TAKEN")]
    # FINAL_FRAME is what is not said, too.
    assert Engine().grade(replace(job, video_policy=VideoPolicy.FINAL_FRAME)).outcome is Outcome.PASS


def test_all_options_that_change_nothing_are_named_at_once():
    request = bare("MOVE", MOVED, LEFT)
    request.options.annotated_video = True
    request.options.video_policy = service_pb2.VIDEO_POLICY_BEST_FRAME
    request.options.similarity.append(service_pb2.SIMILARITY_SSIM)
    fields = ("options.similarity[0]", "options.annotated_video", "options.video_policy")
    assert refused(request) == [(field, "NOT_TAKEN") for field in fields]


def test_likeness_is_refused_where_nothing_is_compared():
    request = bare("MOVE", MOVED, LEFT)
    request.options.similarity.extend([service_pb2.SIMILARITY_SSIM, service_pb2.SIMILARITY_LPIPS_VGG])
    assert refused(request) == [(f"options.similarity[{place}]", "NOT_TAKEN") for place in range(2)]
    assert request.scene.detections
    request.image.data = png(BEFORE)
    assert refused(request) == [(f"options.similarity[{place}]", "NOT_TAKEN") for place in range(2)]


def test_an_overlay_may_be_asked_for_where_nothing_is_drawn():
    request = bare("MOVE", MOVED, LEFT)
    request.options.overlay = True
    assert Engine().grade(job_from_proto(request, inline_only)).overlay is None


@pytest.mark.parametrize(("operation", "objects"), [("REMOVE", found(PLATE)), ("VIEW", [])])
def test_a_destination_of_what_has_none_is_refused(operation, objects):
    request = edit(operation, objects, LEFT)
    if operation == "VIEW":
        request.spatial_edit.truth.image.data = png(scenery(1))
    assert refused(request) == [("spatial_edit.truth.destination_box", "NOT_TAKEN")]


@pytest.mark.parametrize(
    ("operation", "destination"),
    [("MOVE", LEFT), ("ROTATE", box(yaw=0.5)), ("RESIZE", box(size=(0.6, 0.6, 0.6))), ("REMOVE", None)],
)
def test_a_wanted_picture_of_all_but_a_view_is_refused(operation, destination):
    request = bare(operation, HERE, destination)
    assert measured(request)
    request.spatial_edit.truth.image.data = png(scenery(1))
    assert refused(request) == [("spatial_edit.truth.image", "NOT_TAKEN")]


def test_what_boxes_look_like_is_refused_beside_what_was_found():
    kind = {"label": "mug", "color_hex": "#ff0000", "size_m": {"x": 0.3, "y": 0.3, "z": 0.3}}
    request = bare("MOVE", MOVED, LEFT, colored_boxes={"kinds": [kind]})
    assert refused(request) == [("spatial_edit.puzzle.colored_boxes", "NOT_TAKEN")]
    # A scene in which nothing was found says so: nobody looks for the boxes.
    del request.scene.detections[:]
    request.scene.image.data = png(BEFORE)
    assert refused(request) == [("spatial_edit.puzzle.colored_boxes", "NOT_TAKEN")]


def test_what_is_not_needed_may_be_there():
    """Of a view, label, boxes and camera; of any edit, a prompt that says something else than the operation."""
    request = edit("VIEW", HERE, before=scenery(1))
    request.spatial_edit.truth.image.data = png(BEFORE)
    job = job_from_proto(request, inline_only)
    assert job.task.target == "mug"
    assert Engine(measures=PlainMeasures()).grade(job).outcome is Outcome.PASS
    assert measured(bare("MOVE", MOVED, LEFT, prompt="Remove the mug."))


@pytest.mark.parametrize("geometry", [Geometry.SQUARE, Geometry.CIRCLE])
def test_sizes_of_another_kind_of_maze_are_passed_over(geometry):
    """AMAZE's records have a width, a height and rings whatever the geometry."""
    maze = maze_sample(geometry)
    extra = ("width_cells", "height_cells") if geometry is Geometry.CIRCLE else ("rings",)
    job = GradeJob("one", maze.task, ImageCandidate(png(maze.pictures.solution)))
    more = replace(job, task=replace(maze.task, **dict.fromkeys(extra, 7)))
    assert Engine().grade(more) == Engine().grade(job)


def test_two_candidates_in_one_line_of_a_manifest_are_refused(tmp_path):
    """Over the wire the last one counts, which is protobuf's rule; in JSON both can be seen."""
    request = json_format.MessageToDict(bare("MOVE", MOVED, LEFT))
    request["image"] = {"uri": "a.png"}
    (tmp_path / "a.png").write_bytes(png(BEFORE))
    (tmp_path / "both.jsonl").write_text(json.dumps(request) + "\n")
    with pytest.raises(ManifestError, match=r"candidate"):
        load_manifest(tmp_path / "both.jsonl")
