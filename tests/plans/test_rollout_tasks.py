"""Clips and series of pictures through the contract: outcomes, ends, options, and what a verdict holds of them."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.rollouts.records import LotFault, RolloutCase, TileFault
from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.engine.engine import Engine
from grader.importers.mentisoculi.messages import lot_message, tiles_message
from grader.media.clips.video import open_video
from grader.media.encoding import encode_mp4
from grader.media.pictures import decode_image
from grader.media.types import MediaLimits
from grader.model.errors import InvalidRequestError
from grader.model.verdict import Outcome
from grader.serving.work import inline_only
from grader.tasks.registry import list_tasks
from grader.tasks.rush_hour.model import LotObservation
from grader.tasks.sliding.model import TilesObservation
from grader.v1 import service_pb2, verdict_pb2
from puzzles.amaze.files import png_bytes
from puzzles.mentis.styles import SLIDING_STYLES
from puzzles.rush_hour.generator import generate_lot
from puzzles.rush_hour.render import render_steps
from puzzles.sliding.motion import clip_frames, plan_glides
from puzzles.sliding.pictures import make_picture
from puzzles.sliding.render import render_board
from puzzles.sliding.tiles import generate_sliding, solve
from tests.samples.clips import pictures
from tests.samples.rollouts import ENGINE, codes, find_case, grade, message, tiny_case, values

LOT, TILES = LotFault.NONE, TileFault.NONE
SHOWN = pytest.mark.parametrize("task", [LOT, TILES], ids=["lot", "tiles"])


def case_of(task: LotFault | TileFault) -> RolloutCase:
    """A right clip; found when it is first asked for, since the suite is long to lay out."""
    return find_case(task, "small")


def right(task: LotFault | TileFault) -> service_pb2.GradeRequest:
    return message(case_of(task))


@SHOWN
def test_a_right_clip_passes_and_says_what_it_shows(task) -> None:
    case = case_of(task)
    verdict = grade(message(case))
    assert (verdict.outcome, verdict.score, verdict.reward, verdict.reasons) == (Outcome.PASS, 1.0, 1.0, ())
    found = values(verdict)
    assert (found["solved"], found["strict_legal"], found["solved_strict"]) == (1.0, 1.0, 1.0)
    # The clip shows a shortest plan.
    assert found["moves"] == found["least_moves"] == case.level
    seen = verdict.observation
    assert isinstance(seen, LotObservation | TilesObservation)
    assert len(seen.moves) == case.level
    assert all(one.span.start_s < one.span.end_s for one in seen.moves)
    assert seen.events == ()
    assert verdict.clip is not None
    assert (verdict.clip.size, verdict.clip.truncated, verdict.clip.codec) == ((360, 360), False, "h264")
    assert set(found) == {metric.name for metric in task_of(case).metrics if "video" in kinds(metric)}


def task_of(case):
    name = {"rush-hour": "rush_hour", "sliding": "sliding"}[case.task.value]
    return next(task for task in list_tasks() if task.name == name)


def kinds(metric) -> set[str]:
    return {kind.value for kind in metric.kinds}


def test_a_verdict_on_a_clip_has_its_digest_and_the_decoder() -> None:
    request = right(LOT)
    made = grade(request).provenance
    assert made.input_sha256["video"] == hashlib.sha256(request.video.data).hexdigest()
    assert made.library_versions["av"]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (LotFault.CUT, "SCENE_CUT"),
        (LotFault.STATIC, "NOTHING_MOVES"),
        (LotFault.RED_TELEPORTS, "TELEPORT"),
        (TileFault.CUT, "SCENE_CUT"),
        (TileFault.STATIC, "NOTHING_MOVES"),
    ],
)
def test_a_wrong_clip_fails_with_its_reason(fault, code) -> None:
    """What each fault is called, tests/rush_hour and tests/sliding tell; here it crosses the contract."""
    verdict = grade(message(tiny_case(fault)))
    assert verdict.outcome is Outcome.FAIL
    assert code in codes(verdict)
    assert verdict.reward == 0.0
    place = next(reason for reason in verdict.reasons if reason.code == code).places[0]
    assert place.span is not None
    assert 0 <= place.span.first_frame <= place.span.last_frame < verdict.clip.decoded_frames


def test_a_legal_prefix_earns_its_share() -> None:
    """0.9 x (1 - least moves left / least moves at first) x (least / (least + 2))^3, least by the solver."""
    verdict = grade(message(tiny_case(LotFault.PREFIX)))
    found = values(verdict)
    assert (verdict.outcome, verdict.score) == (Outcome.FAIL, 0.0)
    needed = found["least_moves"]
    assert verdict.reward == pytest.approx(0.9 * found["plan_progress"] * (needed / (needed + 2)) ** 3)
    assert 0.0 < found["plan_progress"] < 1.0


def test_what_is_undone_fails_by_the_final_frame_and_passes_by_the_best() -> None:
    request = message(tiny_case(TileFault.UNDONE))
    final = grade(request)
    assert codes(final) == ["SOLVED_THEN_UNDONE"]
    assert values(final)["ever_solved"] == 1.0
    request.options.video_policy = service_pb2.VIDEO_POLICY_BEST_FRAME
    assert grade(request).outcome is Outcome.PASS


def test_a_truncated_clip_is_judged_on_what_decodes_and_flagged() -> None:
    verdict = grade(message(tiny_case(LotFault.TRUNCATED)))
    assert verdict.outcome is Outcome.FAIL
    assert verdict.clip.truncated
    assert 0 < verdict.clip.decoded_frames < verdict.clip.declared_frames
    assert "CLIP_TRUNCATED" in [note.code for note in verdict.notes]


@pytest.mark.parametrize(
    "data", [b"", b"no clip", png_bytes(np.zeros((8, 8, 3), np.uint8))], ids=["empty", "text", "png"]
)
def test_what_is_no_clip_is_ungradable(data: bytes) -> None:
    request = right(LOT)
    request.video.data = data
    verdict = grade(request)
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.UNGRADABLE, None, 0.0)
    assert len(verdict.reasons) == 1


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (MediaLimits(max_frames=10), "TOO_MANY_FRAMES"),
        (MediaLimits(max_duration_s=0.5), "TOO_LONG"),
        (MediaLimits(max_frame_pixels=1000), "TOO_MANY_PIXELS"),
    ],
    ids=["frames", "duration", "size"],
)
def test_a_clip_over_a_limit_is_ungradable(limits: MediaLimits, code: str) -> None:
    verdict = Engine(limits).grade(job_from_proto(right(LOT), inline_only))
    assert (verdict.outcome, codes(verdict)) == (Outcome.UNGRADABLE, [code])


def test_the_overlay_of_a_clip_is_a_contact_sheet_and_the_annotated_clip_has_every_frame() -> None:
    request = right(TILES)
    request.options.overlay = request.options.annotated_video = True
    verdict = grade(request)
    sheet = decode_image(verdict.overlay.png).pixels
    assert sheet.shape[:2] == (verdict.overlay.height_px, verdict.overlay.width_px)
    with open_video(verdict.annotated_video.mp4) as clip:
        count = sum(1 for _ in clip.frames())
        assert (clip.header.width_px, clip.header.height_px) == (360, 360)
    assert count == verdict.clip.decoded_frames


def test_pictures_alone_draw_no_clip() -> None:
    """Without being asked for, neither is made."""
    verdict = grade(right(TILES))
    assert (verdict.overlay, verdict.annotated_video) == (None, None)


def test_the_same_clip_has_the_same_verdict_to_the_bit() -> None:
    request = message(tiny_case(LotFault.RED_TELEPORTS))
    request.options.overlay = True
    job = job_from_proto(request, inline_only)
    first = verdict_to_proto(ENGINE.grade(job)).SerializeToString(deterministic=True)
    ENGINE.grade(job_from_proto(message(tiny_case(TileFault.CUT)), inline_only))
    assert verdict_to_proto(Engine().grade(job)).SerializeToString(deterministic=True) == first


def test_a_verdict_on_a_clip_crosses_the_contract_whole() -> None:
    verdict = grade(message(tiny_case(LotFault.RED_TELEPORTS)))
    made = verdict_to_proto(verdict)
    assert made.clip.decoded_frames == verdict.clip.decoded_frames
    assert [event.code for event in made.observation.lot.events] == [event.code for event in verdict.observation.events]
    place = made.reasons[0].places[0]
    assert (place.span.start_s, place.object) == (
        verdict.reasons[0].places[0].span.start_s,
        verdict.reasons[0].places[0].object,
    )
    assert [track.object for track in made.observation.lot.tracks] == [
        track.object for track in verdict.observation.tracks
    ]
    assert made.outcome == verdict_pb2.OUTCOME_FAIL


# --- series of pictures ---


def steps_of(case) -> service_pb2.GradeRequest:
    """The clip's rests as pictures: the frame in which each move has ended."""
    request = message(case)
    verdict = grade(request)
    ends = [move.span.last_frame for move in verdict.observation.moves]
    with open_video(request.video.data) as clip:
        shown = {frame.index: frame.pixels.copy() for frame in clip.frames() if frame.index in ends}
    request.ClearField("video")
    for end in ends:
        request.frames.images.add(data=png_bytes(shown[end]))
    request.frames.text = f'{{"answer": "{", ".join(move.move for move in verdict.observation.moves)}"}}'
    return request


@SHOWN
def test_a_picture_after_every_move_passes(task) -> None:
    request = steps_of(case_of(task))
    verdict = grade(request)
    found = values(verdict)
    assert (verdict.outcome, found["solved_by_images"], found["solved_by_words"]) == (Outcome.PASS, 1.0, 1.0)
    assert (found["agreement"], found["images_minus_actions"], found["images_minus_expected"]) == (1.0, 0.0, 0.0)
    assert set(verdict.provenance.input_sha256) >= {"frames.images[0]", "frames.text"}


def test_a_picture_that_is_left_out_is_a_missing_step() -> None:
    case = find_case(LotFault.NONE, "margins", least_level=2)
    request = steps_of(case)
    assert len(request.frames.images) >= 2
    del request.frames.images[0]
    verdict = grade(request)
    assert codes(verdict) == ["STEP_MISSING"]
    assert values(verdict)["images_minus_actions"] == -1.0


def test_a_series_without_pictures_fails_and_one_that_does_not_decode_is_ungradable() -> None:
    request = right(LOT)
    request.ClearField("video")
    request.frames.SetInParent()
    assert codes(grade(request)) == ["NO_IMAGES"]
    request.frames.images.add(data=b"no picture")
    assert grade(request).outcome is Outcome.UNGRADABLE


def test_a_task_takes_its_kinds_only() -> None:
    request = right(LOT)
    request.ClearField("video")
    request.image.data = png_bytes(np.zeros((8, 8, 3), np.uint8))
    with pytest.raises(InvalidRequestError) as caught:
        grade(request)
    (wrong,) = caught.value.violations
    assert (wrong.field, wrong.reason) == ("candidate", "NOT_TAKEN")
    assert "video, frames, text" in wrong.description


def test_a_clip_of_another_thing_is_not_the_puzzle() -> None:
    request = right(LOT)
    request.video.data = encode_mp4(pictures(12, 64, 48), 12.0)
    verdict = grade(request)
    assert (codes(verdict), verdict.reward) == (["NOT_THE_PUZZLE"], 0.0)
    tiles = right(TILES)
    tiles.video.data = request.video.data
    assert codes(grade(tiles)) == ["NOT_THE_PUZZLE"]


def test_a_lot_needs_the_colours_of_its_vehicles_for_a_clip() -> None:
    request = right(LOT)
    request.rush_hour.puzzle.vehicles[0].color_hex = ""
    with pytest.raises(InvalidRequestError) as caught:
        grade(request)
    assert [wrong.field for wrong in caught.value.violations] == ["rush_hour.puzzle.vehicles[0].color_hex"]


def test_tiles_need_the_puzzles_picture_for_a_clip() -> None:
    request = right(TILES)
    request.sliding.puzzle.ClearField("image")
    with pytest.raises(InvalidRequestError) as caught:
        grade(request)
    assert [(wrong.field, wrong.reason) for wrong in caught.value.violations] == [("sliding.puzzle.image", "MISSING")]


def test_a_job_of_a_clip_is_what_the_request_says() -> None:
    job = job_from_proto(right(LOT), inline_only)
    assert replace(job, overlay=True).overlay
    assert (job.annotated_video, job.video_policy.value) == (False, "FINAL_FRAME")


# --- puzzles that grader make writes ---


@pytest.mark.parametrize("level", [1, 2])
def test_a_lot_in_which_every_vehicle_has_moved_is_still_found(level: int) -> None:
    """A small lot has nothing but its exit that stays where it was."""
    made = generate_lot(level, seed=100)
    request = service_pb2.GradeRequest(request_id="small", rush_hour=lot_message(made.lot))
    for shown in render_steps(made.lot, made.solution):
        request.frames.images.add(data=png_bytes(shown))
    assert codes(grade(request)) == []


# Every other style; what the others look like tests/sliding reads.
@pytest.mark.parametrize("name", list(SLIDING_STYLES)[::2])
def test_a_board_in_every_style_is_cut_out_of_its_picture(name: str) -> None:
    style, puzzle = SLIDING_STYLES[name], generate_sliding(2, 1, 7)
    picture = make_picture(180, seed=5)
    request = service_pb2.GradeRequest(request_id=name, sliding=tiles_message(puzzle))
    request.sliding.puzzle.image.data = png_bytes(render_board(picture, puzzle.start, puzzle.target, style, (180, 180)))
    timeline = plan_glides(puzzle.start, solve(puzzle.start, puzzle.target))
    frames = clip_frames(picture, timeline, puzzle.target, style, (180, 180), 12.0)
    request.video.data = encode_mp4(frames, 12.0)
    assert codes(grade(request)) == []
