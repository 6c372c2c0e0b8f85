"""How a verdict on an edit is put together: what a detector is asked, what is noted, and what can not be missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.spatial_edit.viewpoint.turning import find_features
from grader.metrics.space.edit_tables import Background
from grader.metrics.space.edit_types import Detection
from grader.model.errors import InvalidRequestError
from grader.model.jobs import BoxInput, DetectionInput, RotationForm, SceneCandidate
from grader.model.verdict import Note, Outcome
from grader.tasks.common.judgement import Judgement
from grader.tasks.spatial_edit.judging.judge import EditEvidence, judge_edit
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.pictures import judge_edited_scene
from grader.tasks.spatial_edit.scene.finding import ColoredScene
from grader.tasks.spatial_edit.scene.scene import EditScene
from grader.tasks.spatial_edit.settings import SpatialEditSettings
from grader.tools.box_sources import FoundBoxes, Tools
from tests.samples.edits import AFTER, AROUND, BEFORE, PlainMeasures, scenery
from tests.spatial_edit.judging.scenes import CAMERA, scene, seen, solid

SETTINGS = SpatialEditSettings()
TOOLS = Tools(PlainMeasures())
PLATE = seen("plate", 0.6)
TO = solid(-0.4)


class Boxes:
    """A detector that finds one thing after another, and remembers what it was asked."""

    def __init__(self, *answers: tuple[Detection, ...]) -> None:
        self.answers, self.asked = list(answers), []

    def until(self, end_at):
        return self

    def find(self, picture, camera, labels):
        self.asked.append((picture.shape, camera, labels))
        return FoundBoxes(self.answers[len(self.asked) - 1], "theirs 1.0")


def move(**changes: object) -> EditScene:
    made = scene(EditOperation.MOVE, TO, (seen(), PLATE))
    return replace(made, **({"picture": BEFORE, "background": np.ones(BEFORE.shape[:2], np.bool_)} | changes))


def sent(*found: Detection, rating: float | None = None, image: bytes | None = None) -> SceneCandidate:
    def given(one: Detection) -> DetectionInput:
        box = BoxInput(one.box.center, one.box.size, RotationForm.YAW, (0.0,))
        return DetectionInput(one.label, box, None)

    return SceneCandidate(image, tuple(map(given, found)), rating)


MOVED = (seen(x=-0.4), PLATE)


def judged(
    puzzle: EditScene,
    picture: np.ndarray | None = AFTER,
    candidate: SceneCandidate | None = None,
    tools: Tools = TOOLS,
) -> Judgement:
    return judge_edited_scene(puzzle, picture, candidate, tools, SETTINGS)


def values(judgement: Judgement) -> dict[str, float | None]:
    return {one.name: one.value for one in judgement.metrics}


class TestDetector:
    def test_it_is_asked_for_both_pictures_and_all_labels_once(self):
        boxes = Boxes((seen(), PLATE), MOVED)
        found = judged(move(), tools=Tools(PlainMeasures(), boxes))
        assert found.outcome is Outcome.PASS
        assert boxes.asked == [(BEFORE.shape, CAMERA, ("mug", "plate"))] * 2
        assert found.box_detector == "theirs 1.0"
        assert [(one.label, one.target) for one in found.observation.objects] == [("mug", True), ("plate", False)]
        assert found.notes == ()

    def test_what_it_finds_before_stands_in_for_what_is_not_said(self):
        boxes = Boxes((seen(), PLATE), (seen(x=-0.4),))
        found = judged(move(detections=()), AROUND, tools=Tools(PlainMeasures(), boxes))
        assert boxes.asked[0][2] == ("mug",)
        assert [one.code for one in found.reasons] == ["OTHERS_REMOVED"]

    def test_its_own_error_is_taken_off(self):
        """It sees the mug 1 cm too far to the right, before and after."""
        boxes = Boxes((seen(x=0.01), PLATE), (seen(x=-0.39), PLATE))
        found = judged(move(), tools=Tools(PlainMeasures(), boxes))
        assert values(found)["d_pred_m"] == pytest.approx(0.4)
        assert values(found)["to_destination_m"] == pytest.approx(0.0, abs=1e-9)

    def test_what_it_does_not_see_before_it_does_not_judge(self):
        with pytest.raises(InvalidRequestError) as raised:
            judged(move(), tools=Tools(PlainMeasures(), Boxes((PLATE,))))
        assert [(one.field, one.reason) for one in raised.value.violations] == [
            ("spatial_edit.puzzle.source_box", "NOT_SEEN")
        ]

    def test_without_one_it_is_said_what_to_do(self):
        with pytest.raises(InvalidRequestError) as raised:
            judged(move())
        (wrong,) = raised.value.violations
        assert (wrong.field, wrong.reason) == ("spatial_edit.puzzle.colored_boxes", "MISSING")
        assert "GRADER_BOX_DETECTOR" in wrong.description

    def test_what_is_sent_needs_none(self):
        found = judged(move(), candidate=sent(*MOVED))
        assert (found.outcome, found.box_detector) == (Outcome.PASS, "")


class TestNotes:
    def test_a_picture_of_another_size_was_resized(self):
        found = judged(move(), np.repeat(np.repeat(BEFORE, 2, axis=0), 2, axis=1), sent(*MOVED))
        text = "it has 640x480 pixels and was resized to 320x240 before it was compared"
        assert found.notes == (Note("RESIZED", text),)

    def test_bars_are_cut_off_a_picture_but_not_off_a_scene(self):
        filled = np.pad(BEFORE, ((40, 40), (0, 0), (0, 0)))
        boxes = Tools(PlainMeasures(), Boxes((seen(), PLATE), MOVED))
        assert judged(move(), filled, tools=boxes).notes == (
            Note("BARS_CUT", "bars were cut off: of 320x320 pixels 320x240 were looked at"),
        )
        assert [note.code for note in judged(move(), filled, sent(*MOVED)).notes] == ["RESIZED", "STRETCHED"]

    def test_without_the_picture_before_it_is_measured_and_not_resized(self):
        found = judged(move(picture=None, background=None), BEFORE[:100], sent(*MOVED))
        text = "the background could not be looked at, so this edit is measured, not judged; send both pictures"
        assert (found.outcome, found.score, found.reward) == (Outcome.MEASURED, None, None)
        assert found.notes == (Note("GATE_NOT_AVAILABLE", text),)
        assert found.overlay is not None
        assert judged(move(), None, sent(*MOVED)).overlay is None

    def test_a_plain_scene_does_not_say_whether_the_camera_turned(self):
        flat = np.full_like(BEFORE, 120)
        features = find_features(flat, None, SETTINGS.viewpoint.features)
        turn = replace(
            move(picture=flat, features=features), operation=EditOperation.ROTATE, destination=solid(yaw=0.8)
        )
        found = judged(turn, flat, sent(PLATE))
        text = (
            "the pictures have 0 features in common outside of the boxes, and these do not say whether the camera "
            "turned; the outcome does not depend on it"
        )
        assert Note("VIEWPOINT_UNKNOWN", text) in found.notes

    def test_a_view_has_this_grader_s_own_rule(self):
        """SA is 0.5 SSIM + 0.5 (1 - LPIPS) = 1 for the picture itself."""
        view = replace(
            scene(EditOperation.VIEW), source=None, camera=None, picture=scenery(1), result=BEFORE, background=None
        )
        found = judged(view, BEFORE, sent())
        text = "GSI-Bench gives no rule for views: SA = 0.5 SSIM + 0.5 (1 - LPIPS), IC = SA >= 0.5 are this grader's"
        assert found.notes == (Note("OWN_RULE_FOR_VIEWS", text),)
        assert (found.outcome, found.score) == (Outcome.PASS, pytest.approx(1.0))
        assert judged(view, scenery(1), sent()).outcome is Outcome.FAIL
        # Without a scene nothing is looked for either.
        assert judged(view, BEFORE).outcome is Outcome.PASS

    def test_what_only_a_box_in_the_picture_shows_may_have_been_missed(self):
        place = BoxInput(PLATE.box.center, PLATE.box.size, RotationForm.YAW, (0.0,))
        # The destination's outline: about 0.2 x 300 / 1.8 wide and 0.3 x 300 / 1.8 high, around x = 160 - 60.
        flat = DetectionInput("mug", None, (78.0, 94.0, 42.0, 52.0))
        found = judged(move(), BEFORE, SceneCandidate(None, (DetectionInput("plate", place), flat), None))
        text = "a box in the picture lies where the object should be, but none in space does; was it missed there?"
        assert found.notes == (Note("SEEN_IN_PICTURE_ONLY", text),)
        assert "TARGET_MISSING" in [one.code for one in found.reasons]


class TestRatings:
    @pytest.mark.parametrize(("rating", "ac"), [(0.0, 0.0), (10.0, 100.0), (7.5, 75.0)])
    def test_a_rating_is_from_0_to_10(self, rating, ac):
        assert values(judged(move(), candidate=sent(*MOVED, rating=rating)))["ac"] == ac

    @pytest.mark.parametrize(("rating", "said"), [(-0.1, "-0.1"), (10.1, "10.1")])
    def test_another_is_refused(self, rating, said):
        with pytest.raises(InvalidRequestError) as raised:
            judged(move(), candidate=sent(*MOVED, rating=rating))
        assert [(one.field, one.reason, one.description) for one in raised.value.violations] == [
            ("scene.appearance_rating", "OUT_OF_RANGE", f"it is {said}; give 0 to 10, or leave it out")
        ]

    def test_a_view_needs_its_picture(self):
        with pytest.raises(InvalidRequestError) as raised:
            judged(scene(EditOperation.VIEW), None, sent())
        assert [(one.field, one.reason) for one in raised.value.violations] == [("scene.image", "MISSING")]


class TestBackground:
    def test_boxes_that_leave_none_say_so(self):
        empty = np.zeros(BEFORE.shape[:2], np.bool_)
        found = judged(move(background=empty), candidate=sent(*MOVED))
        assert found.reasons[0].code == "NO_BACKGROUND"
        assert (values(found)["ssim_background"], values(found)["gate"]) == (None, 0.0)

    def test_only_the_background_is_compared(self):
        kept = np.zeros(BEFORE.shape[:2], np.bool_)
        kept[:, :160] = True
        changed = BEFORE.copy()
        changed[:, 170:] = 0
        assert values(judged(move(background=kept), changed, sent(*MOVED)))["lpips_background"] == 0.0
        assert judged(move(background=~kept), changed, sent(*MOVED)).reasons[0].code == "BACKGROUND_CHANGED"


class TestMissing:
    """What preparing an edit makes sure of; without it, the grader is wrong, not the request."""

    def test_a_judge_needs_what_its_operation_is_judged_by(self):
        likeness = Background(1.0, 0.0)
        for half in (None, Background(1.0, None), Background(None, 0.0)):
            with pytest.raises(RuntimeError, match="a view is judged by both measures"):
                judge_edit(scene(EditOperation.VIEW), EditEvidence((), half), SETTINGS)
        with pytest.raises(RuntimeError, match="has its box before"):
            judge_edit(replace(scene(EditOperation.MOVE, TO), source=None), EditEvidence((), likeness), SETTINGS)
        for operation in (EditOperation.MOVE, EditOperation.ROTATE, EditOperation.RESIZE):
            with pytest.raises(RuntimeError, match="has a destination"):
                judge_edit(scene(operation), EditEvidence((), likeness), SETTINGS)

    def test_boxes_are_found_in_a_picture_with_a_camera(self):
        colored = ColoredScene((), None)
        for change in ({"camera": None}, {}):
            picture = BEFORE if change else None
            with pytest.raises(RuntimeError, match="no picture or no camera"):
                judged(move(colored=colored, **change), picture)

    def test_a_detector_of_others_is_not_asked_without_them_either(self):
        boxes = Boxes()
        for change in ({"camera": None}, {"picture": None, "camera": None}):
            with pytest.raises(RuntimeError, match="no picture or no camera"):
                judged(move(**change), tools=Tools(PlainMeasures(), boxes))
        assert boxes.asked == []
