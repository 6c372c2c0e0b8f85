"""What lies exactly at a bound of an edit's judgement: each bound is set to what is measured, and next to it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.spatial_edit.scene.config import MarksConfig, SolidConfig, TracesConfig
from detectors.spatial_edit.scene.marks import SceneMarks, mask_overlap, staying_places
from detectors.spatial_edit.scene.solid_look import SolidLook
from detectors.spatial_edit.scene.traces import PlaceTraces
from grader.media.types import MediaLimits
from grader.metrics.space.edit_tables import Background
from grader.metrics.space.edits import score_move, score_rotate
from grader.metrics.space.rectangles import PixelRectangle
from grader.metrics.space.sightings import Sighting
from grader.model.errors import InvalidRequestError
from grader.tasks.common.inputs import Inputs
from grader.tasks.spatial_edit.judging.besides import done_besides, size_factor
from grader.tasks.spatial_edit.judging.exact_boxes import altered_besides
from grader.tasks.spatial_edit.judging.judge import EditEvidence, judge_edit
from grader.tasks.spatial_edit.judging.sightings import check_sightings
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.finding import check_seen, corrected
from grader.tasks.spatial_edit.settings import (
    BesidesSettings,
    FindingSettings,
    JudgingSettings,
    SightingsSettings,
    SpatialEditSettings,
)
from tests.spatial_edit.judging.scenes import scene, seen, solid

ALIKE = Background(1.0, 0.0)
PLATE = seen("plate", 0.8)
BEFORE = (seen(), PLATE)


def below(value: float) -> float:
    return float(np.nextafter(value, -math.inf))


def above(value: float) -> float:
    return float(np.nextafter(value, math.inf))


class TestBesides:
    def test_a_place_off_by_the_bound_is_kept(self):
        to = solid(yaw=0.5)
        found = (seen(x=0.07, yaw=0.5), PLATE)
        measures = score_rotate("mug", solid(), to, found)
        off = measures.to_destination_m
        made = scene(EditOperation.ROTATE, to, BEFORE)
        assert done_besides(measures, made, found, BesidesSettings(same_place_m=off)) == ()
        assert [one.code for one in done_besides(measures, made, found, BesidesSettings(same_place_m=below(off)))] == [
            "TARGET_ALTERED"
        ]

    def test_an_extent_off_by_the_bound_is_the_same(self):
        to = solid(-0.5)
        found = (seen(x=-0.5, size=(0.2, 0.3, 0.45)), PLATE)
        factor = size_factor(found[0].box, to)
        assert factor == pytest.approx(0.45 / 0.4)
        measures = score_move("mug", solid(), to, BEFORE, found)
        made = scene(EditOperation.MOVE, to, BEFORE)
        assert done_besides(measures, made, found, BesidesSettings(same_size=factor)) == ()
        told = done_besides(measures, made, found, BesidesSettings(same_size=below(factor)))
        assert [(one.code, one.detail) for one in told] == [("TARGET_ALTERED", "An extent is off by a factor of 1.12.")]

    def test_others_off_by_the_bound_are_where_they_were(self):
        to = solid(-0.5)
        made = scene(EditOperation.MOVE, to, BEFORE, BEFORE)
        found = (seen(x=-0.5), seen("plate", 0.83))
        off = math.dist(found[1].box.center, PLATE.box.center)
        for bound, codes in ((off, []), (below(off), ["OTHERS_REMOVED"])):
            settings = JudgingSettings(exact_boxes=replace(JudgingSettings().exact_boxes, most_m=bound))
            assert [one.code for one in altered_besides(made, found, 0, (), settings)] == codes

    def test_others_as_much_larger_as_the_bound_are_as_large(self):
        to = solid(-0.5)
        made = scene(EditOperation.MOVE, to, BEFORE, BEFORE)
        found = (seen(x=-0.5), seen("plate", 0.8, size=(0.2, 0.3, 0.44)))
        factor = size_factor(found[1].box, PLATE.box)
        for bound, codes in ((factor, []), (below(factor), ["RESIZED_BESIDES"])):
            settings = JudgingSettings(exact_boxes=replace(JudgingSettings().exact_boxes, most_factor=bound))
            assert [one.code for one in altered_besides(made, found, 0, (), settings)] == codes

    def test_details_tell_how_many_there_are_and_how_far_off_it_is(self):
        to = solid(-0.5)
        found = (seen(x=-0.5), seen(x=0.3), PLATE)
        told = done_besides(
            score_move("mug", solid(), to, BEFORE, found), scene(EditOperation.MOVE, to, BEFORE), found,
            BesidesSettings(),
        )  # fmt: skip
        assert [(one.code, one.labels, one.detail) for one in told] == [
            ("COUNT_DIFFERS", ("mug",), "There are 2, and should be 1."), ("OBJECTS_ADDED", ("mug",), ""),
        ]  # fmt: skip
        turned = (seen(x=0.25, yaw=0.5), PLATE)
        to = solid(yaw=0.5)
        told = done_besides(
            score_rotate("mug", solid(), to, turned), scene(EditOperation.ROTATE, to, BEFORE), turned, BesidesSettings()
        )
        assert [(one.code, one.detail) for one in told] == [("TARGET_ALTERED", "It is 0.25 m off its place.")]


class TestSightings:
    PLACE = PixelRectangle(120.0, 70.0, 180.0, 150.0)

    def check(self, operation: EditOperation, settings: SightingsSettings, match: int | None = 0):
        found = (seen(),) if match is not None else ()
        made = scene(operation, None if operation is EditOperation.REMOVE else solid())
        return check_sightings(made, found, (Sighting("mug", self.PLACE),), match, settings)

    def test_an_overlap_at_the_bound_confirms_the_place(self):
        overlap = self.check(EditOperation.MOVE, SightingsSettings()).overlap
        assert 0.2 < overlap < 0.9
        assert self.check(EditOperation.MOVE, SightingsSettings(same_place=overlap)).codes == frozenset()
        told = self.check(EditOperation.MOVE, SightingsSettings(same_place=above(overlap)))
        assert told.codes == {"PLACE_NOT_CONFIRMED"}

    def test_an_overlap_at_the_bound_is_of_one_object(self):
        overlap = self.check(EditOperation.REMOVE, SightingsSettings(), None).overlap
        for bound, codes in ((overlap, {"STILL_SEEN"}), (above(overlap), set())):
            assert self.check(EditOperation.REMOVE, SightingsSettings(same_object=bound), None).codes == codes
            only = self.check(EditOperation.MOVE, SightingsSettings(same_object=bound), None).only_seen
            assert only is bool(codes)


class TestFinding:
    def test_a_box_within_reach_to_a_hair_is_seen(self):
        """The longest extent of the source is 0.4 m."""
        found = (seen(x=0.5),)
        reach = math.dist(found[0].box.center, solid().center) - 0.4
        for bound, refused in ((reach + 1e-12, False), (reach - 1e-12, True)):
            inputs = Inputs(MediaLimits())
            check_seen(found, "mug", solid(), FindingSettings(seen_m=bound), inputs)
            if refused:
                with pytest.raises(InvalidRequestError):
                    inputs.check()
            else:
                inputs.check()

    def test_an_error_as_large_as_is_taken_off_is(self):
        before, found = (seen(x=0.03),), (seen(x=-0.5),)
        off = math.hypot(*np.subtract(solid().center, before[0].box.center))
        for bound, x in ((off, -0.53), (below(off), -0.5)):
            (one,) = corrected(found, before, "mug", solid(), FindingSettings(most_off_m=bound))
            assert one.box.center[0] == pytest.approx(x)


class TestJudge:
    def test_as_much_left_as_may_be_is_an_edit(self):
        """0.25 of 0.5 m are left: a half."""
        made = scene(EditOperation.MOVE, solid(-0.5), BEFORE)
        found = EditEvidence((seen(x=-0.25), PLATE), ALIKE)
        for bound, codes in ((0.5, []), (below(0.5), ["NOT_NEARER"])):
            settings = SpatialEditSettings(judging=JudgingSettings(most_left=bound))
            assert [one.code for one in judge_edit(made, found, settings).reasons] == codes


class TestLooks:
    CONFIG = MarksConfig()
    CALM = SceneMarks(1.0, 0.0, 0.0, (), 1.0, 1.0)

    @pytest.mark.parametrize(
        ("change", "other"),
        [
            ({}, False),
            ({"tone": 0.87}, False), ({"tone": below(0.87)}, True),
            ({"tone": 1.15}, False), ({"tone": above(1.15)}, True),
            ({"tone_tint": 0.05}, False), ({"tone_tint": above(0.05)}, True),
            ({"strange": 0.25}, False), ({"strange": above(0.25)}, True),
            ({"edges": 0.5}, False), ({"edges": below(0.5)}, True), ({"edges": None}, False),
            ({"staying": 0.25}, False), ({"staying": below(0.25)}, True), ({"staying": None}, False),
        ],
    )  # fmt: skip
    def test_a_picture_looks_otherwise_beyond_each_bound(self, change, other):
        assert replace(self.CALM, **change).other_look(self.CONFIG) is other

    @pytest.mark.parametrize(
        ("strange", "outline", "left"),
        [(0.1, 0.0, True), (below(0.1), 0.0, False), (0.0, 0.65, True), (0.0, below(0.65), False), (0.05, None, False)],
    )
    def test_traces_are_left_from_each_bound_on(self, strange, outline, left):
        assert PlaceTraces(strange, outline).left(TracesConfig()) is left

    @pytest.mark.parametrize(
        ("strange", "relief", "before", "solid_"),
        [
            (0.2, 0.3, 0.3, True), (above(0.2), 0.3, 0.3, False),
            # A quarter of the relief before, or of the least that counts, 0.05.
            (0.0, 0.05, 0.2, True), (0.0, 0.04, 0.2, True), (0.0, 0.0125, 0.2, True), (0.0, below(0.0125), 0.2, False),
            (0.0, 0.0, 0.05, False), (0.0, 0.0, below(0.05), True),
            (0.0, None, 0.3, True), (0.0, 0.0, None, True),
        ],
    )  # fmt: skip
    def test_an_object_is_solid_within_each_bound(self, strange, relief, before, solid_):
        assert SolidLook(strange, relief, before).solid(SolidConfig()) is solid_

    def test_places_stay_from_the_least_overlap_on(self):
        one, other = np.zeros((4, 8), np.bool_), np.zeros((4, 8), np.bool_)
        one[:, :6], other[:, 2:8] = True, True
        assert mask_overlap(one, other) == 0.5  # 4 of 8 columns
        assert mask_overlap(np.zeros_like(one), np.zeros_like(one)) == 0.0
        (kept,) = staying_places([one], [other], 0.5)
        assert kept is one
        assert staying_places([one], [other], above(0.5)) == []
