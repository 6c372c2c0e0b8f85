"""Fields of an edit: missing, at a bound, and beyond it, with the sentence that says so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grader.media.types import MediaLimits
from grader.metrics.space.rectangles import PixelRectangle
from grader.model.errors import InvalidRequestError
from grader.model.jobs import BoxInput, CandidateKind, DetectionInput, RotationForm
from grader.tasks.common.inputs import Inputs
from grader.tasks.spatial_edit.model import EditOperation, IntrinsicsInput, SpatialEditInput
from grader.tasks.spatial_edit.scene.boxes import read_box, read_detections, read_intrinsics, read_scene
from grader.tasks.spatial_edit.scene.scene import EditScene, check_count, prepare_edit
from grader.tasks.spatial_edit.settings import SpatialEditSettings
from tests.samples.edits import png

BOX = BoxInput((0.0, 0.0, 2.0), (0.3, 0.3, 0.3), RotationForm.YAW, (0.0,))
WHOLE = "a box has center_m, size_m and rotation; give all three"


def inputs() -> Inputs:
    return Inputs(MediaLimits())


def faults(given: Inputs) -> list[tuple[str, str, str]]:
    with pytest.raises(InvalidRequestError) as raised:
        given.check()
    return [(one.field, one.reason, one.description) for one in raised.value.violations]


def grey(width: int, height: int) -> bytes:
    return png(np.full((height, width, 3), 120, np.uint8))


def task(**changes: object) -> SpatialEditInput:
    """A move of a mug by 0.4 m, without pictures."""
    given: dict[str, object] = {
        "image": None, "prompt": "", "operation": EditOperation.MOVE, "target": "mug", "source_box": BOX,
        "intrinsics": None, "detections": (DetectionInput("mug", BOX),), "colored_boxes": None,
        "destination_box": BoxInput((-0.4, 0.0, 2.0), (0.3, 0.3, 0.3), RotationForm.YAW, (0.0,)), "result_image": None,
    }  # fmt: skip
    return SpatialEditInput(**(given | changes))


def prepared(kind: CandidateKind = CandidateKind.SCENE, **changes: object) -> EditScene:
    return prepare_edit(task(**changes), SpatialEditSettings(), MediaLimits(), kind)


def refused(kind: CandidateKind = CandidateKind.SCENE, **changes: object) -> list[tuple[str, str, str]]:
    with pytest.raises(InvalidRequestError) as raised:
        prepared(kind, **changes)
    return [(one.field, one.reason, one.description) for one in raised.value.violations]


class TestBoxes:
    def test_a_whole_box_is_read(self):
        given = inputs()
        box = read_box(BOX, "p", given)
        given.check()
        assert box is not None
        assert (box.center, box.size) == ((0.0, 0.0, 2.0), (0.3, 0.3, 0.3))
        assert np.array_equal(box.matrix, np.eye(3))

    def test_no_box_is_missing(self):
        given = inputs()
        assert read_box(None, "p", given) is None
        assert faults(given) == [("p", "MISSING", "give the box: center_m, size_m and rotation")]

    @pytest.mark.parametrize(
        ("box", "missing"),
        [
            (BoxInput(None, BOX.size_m, BOX.form, (0.0,)), ["center_m"]),
            (BoxInput(BOX.center_m, None, BOX.form, (0.0,)), ["size_m"]),
            (BoxInput(BOX.center_m, BOX.size_m, None, ()), ["rotation"]),
            (BoxInput(None, None, None, ()), ["center_m", "size_m", "rotation"]),
        ],
    )
    def test_each_part_is_missed(self, box, missing):
        given = inputs()
        assert read_box(box, "p", given) is None
        assert faults(given) == [(f"p.{name}", "MISSING", WHOLE) for name in missing]

    @pytest.mark.parametrize("count", [0, 8, 10])
    def test_a_matrix_has_nine_numbers(self, count):
        given = inputs()
        box = BoxInput(BOX.center_m, BOX.size_m, RotationForm.MATRIX, tuple(np.eye(4).ravel()[:count]))
        assert read_box(box, "p", given) is None
        assert [(field, code) for field, code, _ in faults(given)] == [("p.rotation.matrix", "WRONG_SHAPE")]

    def test_detections_that_are_faulty_are_left_out_and_named(self):
        given = inputs()
        found = (DetectionInput("mug", BOX), DetectionInput("", BOX), DetectionInput("cup", None))
        assert [one.label for one in read_detections(found, "d", given)] == ["mug"]
        assert [(field, code) for field, code, _ in faults(given)] == [
            ("d[1].label", "EMPTY_LABEL"), ("d[2].box", "MISSING"),
        ]  # fmt: skip

    def test_boxes_in_the_picture_are_brought_to_the_size_of_the_one_before(self):
        """From 10 to 10 + 20 across and from 30 to 30 + 5 down, at twice and three times the size."""
        given = inputs()
        found = (DetectionInput("mug", BOX, (10.0, 30.0, 20.0, 5.0)), DetectionInput("cup", None, (1.0, 2.0, 3.0, 4.0)))
        in_space, seen = read_scene(found, "d", given, (2.0, 3.0))
        given.check()
        assert [(one.label, one.box_2d) for one in in_space] == [("mug", PixelRectangle(20.0, 90.0, 60.0, 105.0))]
        assert [(one.label, one.place) for one in seen] == [("cup", PixelRectangle(2.0, 6.0, 8.0, 18.0))]
        (plain,) = read_detections(found[:1], "d", given)
        assert plain.box_2d == PixelRectangle(10.0, 30.0, 30.0, 35.0)

    @pytest.mark.parametrize(
        "flat",
        [(0.0, 0.0, 0.0, 5.0), (0.0, 0.0, 5.0, 0.0), (0.0, 0.0, -5.0, 5.0), (math.nan, 0.0, 5.0, 5.0),
         (0.0, math.inf, 5.0, 5.0)],
    )  # fmt: skip
    def test_a_box_in_the_picture_has_an_area(self, flat):
        given = inputs()
        in_space, seen = read_scene((DetectionInput("mug", None, flat),), "d", given, (1.0, 1.0))
        assert (in_space, seen) == ((), ())
        text = "give finite left_px, top_px, and width_px and height_px above 0"
        assert faults(given) == [("d[0].box_2d", "OUT_OF_RANGE", text)]

    def test_what_is_seen_in_the_picture_alone_has_a_label_too(self):
        given = inputs()
        _, seen = read_scene((DetectionInput("", None, (0.0, 0.0, 5.0, 5.0)),), "d", given, (1.0, 1.0))
        assert seen == ()
        assert [(field, code) for field, code, _ in faults(given)] == [("d[0].label", "EMPTY_LABEL")]

    @pytest.mark.parametrize(("count", "taken"), [(500, True), (501, False)])
    def test_at_most_500_things_are_taken(self, count, taken):
        given = inputs()
        check_count(range(count), "scene.detections", given)
        if taken:
            given.check()
        else:
            text = "there are 501; at most 500 are taken"
            assert faults(given) == [("scene.detections", "OUT_OF_RANGE", text)]


class TestCameras:
    def read(self, size: tuple[int, int] | None = (320, 240), **changes: float) -> tuple[object, Inputs]:
        numbers = {"fx_px": 300.0, "fy_px": 300.0, "cx_px": 160.0, "cy_px": 120.0, "skew_px": 0.0} | changes
        given = inputs()
        return read_intrinsics(IntrinsicsInput(**numbers), "k", size, given), given

    @pytest.mark.parametrize("name", ["fx_px", "fy_px"])
    @pytest.mark.parametrize(("length", "taken"), [(32.0, True), (31.9, False), (32_000.0, True), (32_001.0, False)])
    def test_focal_lengths_are_a_tenth_to_a_hundred_times_the_longer_side(self, name, length, taken):
        """The longer side has 320 pixels."""
        camera, given = self.read(**{name: length})
        assert (camera is not None) is taken
        if not taken:
            text = "its focal lengths are 0.1 to 100 times the picture's longer side, and its skew is less than them"
            assert faults(given) == [("k", "OUT_OF_RANGE", text)]

    @pytest.mark.parametrize(("skew", "taken"), [(199.0, True), (200.0, False), (-199.0, True), (-200.0, False)])
    def test_the_skew_is_less_than_both_focal_lengths(self, skew, taken):
        camera, _ = self.read(fx_px=200.0, skew_px=skew)
        assert (camera is not None) is taken

    @pytest.mark.parametrize("name", ["fx_px", "fy_px", "cx_px", "cy_px", "skew_px"])
    def test_without_a_picture_no_number_is_beyond_a_million(self, name):
        assert self.read(None, **{name: 1e6})[0] is not None
        camera, given = self.read(None, **{name: 1e6 + 1})
        assert camera is None
        assert faults(given) == [(f"k.{name}", "OUT_OF_RANGE", "it is beyond 1,000,000 px")]

    def test_a_picture_needs_its_camera_and_none_needs_none(self):
        given = inputs()
        assert read_intrinsics(None, "k", None, given) is None
        given.check()
        assert read_intrinsics(None, "k", (320, 240), given) is None
        text = "give the camera, in pixels of the picture, so that boxes can be projected"
        assert faults(given) == [("k", "MISSING", text)]


class TestEdits:
    def test_a_move_without_pictures_is_prepared(self):
        made = prepared()
        assert (made.operation, made.target, made.camera, made.picture, made.background) == (
            EditOperation.MOVE, "mug", None, None, None,
        )  # fmt: skip
        assert (made.size, made.features, made.before, made.colored) == ((1, 1), None, (), None)
        assert [one.label for one in made.detections] == ["mug"]

    @pytest.mark.parametrize(("side", "taken"), [(32, True), (31, False)])
    @pytest.mark.parametrize("across", [True, False])
    def test_pictures_have_32_pixels_a_side(self, side, taken, across):
        size = (side, 40) if across else (40, side)
        view = {"operation": EditOperation.VIEW, "image": grey(40, 40), "destination_box": None}
        view["result_image"] = grey(*size)
        if taken:
            made = prepared(**view)
            assert (made.size, made.target, made.source, made.detections) == (size, "", None, ())
        else:
            text = f"it is {size[0]}x{size[1]}; give at least 32 pixels a side"
            assert refused(**view) == [("spatial_edit.truth.image", "OUT_OF_RANGE", text)]
            both = refused(**(view | {"image": grey(*size), "result_image": grey(40, 40)}))
            assert both == [("spatial_edit.puzzle.image", "OUT_OF_RANGE", text)]

    def test_a_view_needs_both_pictures(self):
        found = refused(operation=EditOperation.VIEW, destination_box=None)
        assert [(field, code) for field, code, _ in found] == [
            ("spatial_edit.puzzle.image", "MISSING"), ("spatial_edit.truth.image", "MISSING"),
        ]  # fmt: skip

    @pytest.mark.parametrize("operation", [EditOperation.MOVE, EditOperation.ROTATE, EditOperation.RESIZE])
    def test_an_object_that_stays_has_a_destination_and_a_source(self, operation):
        found = refused(operation=operation, source_box=None, destination_box=None)
        assert [(field, code) for field, code, _ in found] == [
            ("spatial_edit.puzzle.source_box", "MISSING"), ("spatial_edit.truth.destination_box", "MISSING"),
        ]  # fmt: skip

    def test_a_removal_has_no_destination(self):
        text = "the operation remove has no destination; leave it out"
        assert refused(operation=EditOperation.REMOVE) == [("spatial_edit.truth.destination_box", "NOT_TAKEN", text)]
        assert prepared(operation=EditOperation.REMOVE, destination_box=None).destination is None

    @pytest.mark.parametrize("operation", [EditOperation.MOVE, EditOperation.REMOVE])
    def test_what_was_there_before_is_needed_to_count(self, operation):
        kept = {} if operation is EditOperation.MOVE else {"destination_box": None}
        text = "give what was found before the edit: objects are counted, and places compared, with it"
        assert refused(operation=operation, detections=(), **kept) == [
            ("spatial_edit.puzzle.detections", "MISSING", text)
        ]

    def test_a_turn_and_a_change_of_size_do_without(self):
        turned = BoxInput(BOX.center_m, BOX.size_m, RotationForm.YAW, (0.8,))
        assert prepared(operation=EditOperation.ROTATE, detections=(), destination_box=turned).detections == ()
        larger = BoxInput(BOX.center_m, (0.4, 0.4, 0.4), RotationForm.YAW, (0.0,))
        assert prepared(operation=EditOperation.RESIZE, detections=(), destination_box=larger).detections == ()

    @pytest.mark.parametrize(
        ("operation", "part"),
        [(EditOperation.MOVE, ".center_m"), (EditOperation.ROTATE, ".rotation"), (EditOperation.RESIZE, ".size_m")],
    )
    def test_a_destination_that_asks_for_nothing_is_refused(self, operation, part):
        found = refused(operation=operation, destination_box=BOX)
        path = f"spatial_edit.truth.destination_box{part}"
        assert [(field, code) for field, code, _ in found] == [(path, "DEGENERATE_EDIT")]

    def test_nothing_has_the_label(self):
        text = "nothing that the request says is there has the label 'teapot'"
        assert refused(target="teapot") == [("spatial_edit.puzzle.target", "MISMATCH", text)]
        assert refused(target=" ")[0][:2] == ("spatial_edit.puzzle.target", "MISSING")

    def test_an_operation_is_needed(self):
        text = "set it; the prompt does not begin with a word that says it either, such as move, rotate or remove"
        assert refused(operation=None)[0] == ("spatial_edit.puzzle.operation", "MISSING", text)
        assert prepared(operation=None, prompt="Slide it.").operation is EditOperation.MOVE
        assert prepared(prompt="Remove it.").operation is EditOperation.MOVE

    def test_boxes_have_to_be_in_the_picture(self):
        camera = IntrinsicsInput(100.0, 100.0, 50.0, 40.0, 0.0)
        shown = {"image": grey(100, 80), "intrinsics": camera}
        behind = BoxInput((0.0, 0.0, -2.0), BOX.size_m, BOX.form, (0.0,))
        text = "no part of it is in the picture; boxes are in the camera's frame, with +z forward"
        assert refused(source_box=behind, **shown) == [("spatial_edit.puzzle.source_box", "OUT_OF_RANGE", text)]
        assert refused(destination_box=behind, **shown) == [
            ("spatial_edit.truth.destination_box", "OUT_OF_RANGE", text)
        ]
        made = prepared(**shown)
        # Front faces 1.85 m away: of 0.3 x 100 / 1.85 = 16.2 pixels a side, twice.
        assert (~made.background).sum() == pytest.approx(2 * 16.2**2, rel=0.1)
        assert made.features is None

    def test_the_background_of_a_turn_has_its_features_looked_at(self):
        camera = IntrinsicsInput(100.0, 100.0, 50.0, 40.0, 0.0)
        turned = BoxInput(BOX.center_m, BOX.size_m, RotationForm.YAW, (0.8,))
        shown = {"image": grey(100, 80), "intrinsics": camera, "destination_box": turned}
        assert prepared(operation=EditOperation.ROTATE, **shown).features is not None
        assert prepared(operation=EditOperation.ROTATE, **(shown | {"image": None})).features is None
