"""What lies exactly at a bound of an edit's judgement: each bound is set to what is measured, and next to it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.spatial_edit.predicted.config import PredictedConfig
from detectors.spatial_edit.predicted.leftover import Leftover
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
from grader.tasks.spatial_edit.judging.looks import looks_of
from grader.tasks.spatial_edit.judging.sightings import check_sightings
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.own_error import check_seen
from grader.tasks.spatial_edit.settings import (
    BesidesSettings,
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
        found = (seen(x=0.5),)
        reach = math.dist(found[0].box.center, solid().center)
        for bound, refused in ((reach, False), (below(reach), True)):
            inputs = Inputs(MediaLimits())
            check_seen(found, "mug", solid(), bound, inputs)
            if refused:
                with pytest.raises(InvalidRequestError):
                    inputs.check()
            else:
                inputs.check()


class TestJudge:
    def test_as_much_left_as_may_be_is_an_edit(self):
        """0.25 of 0.5 m are left: a half."""
        made = scene(EditOperation.MOVE, solid(-0.5), BEFORE)
        found = EditEvidence((seen(x=-0.25), PLATE), ALIKE)
        for bound, codes in ((0.5, []), (below(0.5), ["NOT_NEARER"])):
            settings = SpatialEditSettings(judging=JudgingSettings(most_left=bound))
            assert [one.code for one in judge_edit(made, found, settings).reasons] == codes


class TestLooks:
    CONFIG = PredictedConfig()
    CALM = Leftover(1.0, 1.0, (1.0, 1.0), 1.0, 1.0, 0.0, ())

    @pytest.mark.parametrize(
        ("change", "codes"),
        [
            ({}, []),
            ({"tone": 0.75}, []), ({"tone": below(0.75)}, ["LOOK_CHANGED"]),
            ({"tone": 1.35}, []), ({"tone": above(1.35)}, ["LOOK_CHANGED"]),
            ({"tint": 1.25}, []), ({"tint": above(1.25)}, ["LOOK_CHANGED"]),
            ({"changed": 0.25}, []), ({"changed": above(0.25)}, ["LOOK_CHANGED"]),
            ({"recolored": 0.014}, []), ({"recolored": above(0.014)}, ["LOOK_CHANGED"]),
            ({"place": above(1.0)}, ["NOT_CLEARED"]),
            ({"ground": above(1.0)}, ["MARKS_ADDED"]),
            ({"boxes": (above(1.0), 1.0)}, ["TARGET_NOT_SOLID"]),
            ({"boxes": (1.0, above(1.0))}, ["MARKS_ADDED"]),
            ({"flat": (0,)}, ["TARGET_NOT_SOLID"]), ({"flat": (1,)}, []),
        ],
    )  # fmt: skip
    def test_what_is_left_is_a_fault_beyond_each_bound(self, change, codes):
        left = replace(self.CALM, **change)
        looks = looks_of(left, ("The Mug", "plate"), scene(EditOperation.MOVE, solid(-0.5), BEFORE), self.CONFIG)
        assert [one.code for one in looks.besides] == codes
        assert looks.kept is not bool({"LOOK_CHANGED", "MARKS_ADDED"} & set(codes))
        assert (looks.target, looks.others) == left.boxes

    def test_what_is_marked_is_named(self):
        left = replace(self.CALM, boxes=(2.0, 3.0), ground=4.0)
        looks = looks_of(left, ("mug", "plate"), scene(EditOperation.MOVE, solid(-0.5), BEFORE), self.CONFIG)
        assert [(one.code, one.labels) for one in looks.besides] == [
            ("TARGET_NOT_SOLID", ("mug",)), ("MARKS_ADDED", ("plate",)),
        ]  # fmt: skip
