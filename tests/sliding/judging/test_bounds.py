"""What is exactly at a bound: each is set to what is measured, and to the next number below."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.sliding.board import TileBox, likely_boxes, moved_much, stepped
from detectors.sliding.config import TILE_CONFIG, TileConfig
from detectors.sliding.model import TileModel, color_change, make_model, split
from detectors.sliding.reading import BoardReading, clearer, explain, read_content, weights
from detectors.sliding.slides import Line, fit_slide
from detectors.sliding.stretch import Stretch, lasting_flaws
from detectors.sliding.tiles import find_tiles
from grader.media.frames import Frame
from tests.sliding.small_boards import COLORS, STATE, board, model, sliding

MODEL = model()
START = MODEL.start


def below(value: float) -> float:
    return float(np.nextafter(value, -np.inf))


def with_radius(cell: int, radius: float) -> TileModel:
    changed = MODEL.radius.copy()
    changed[cell] = radius
    return replace(MODEL, radius=changed)


def configured(one: TileModel, **parts: object) -> TileModel:
    return replace(one, config=replace(TILE_CONFIG, **parts))


def off_by(cell: int, levels: float) -> np.ndarray:
    """Cells of the board at rest, one of them lighter."""
    cells = split(MODEL.drawn(START), 3)
    cells[cell] = cells[cell] + np.float32(levels)
    return cells


class TestReadings:
    def test_a_ratio_of_one_is_explained(self):
        at = BoardReading(START, None, 0.0, 1.0, (1.0, 0.5))
        above = BoardReading(START, None, 0.0, float(np.nextafter(1.0, 2.0)), (float(np.nextafter(1.0, 2.0)), 0.5))
        assert (at.explained, at.bad) == (True, ())
        assert (above.explained, above.bad) == (False, (0,))
        whole = BoardReading(START, None, 0.0, 2.0, (1.0, 2.0, *[0.0] * 7))
        shares = weights(whole, MODEL)
        assert shares.shape == (72, 72)
        assert shares[:24, :24].all()
        assert not shares[:24, 24:48].any()
        # The blank in the middle, whose shade may be any, tells no light.
        assert not shares[24:48, 24:48].any()
        assert shares[24:].sum() == 5 * 24 * 24

    def test_a_cell_as_far_off_as_its_radius_shows_its_tile(self):
        cells = off_by(8, 6.0)
        distance = float(MODEL.distances(cells)[8, 8])
        assert read_content(cells, START, with_radius(8, distance)).pieces[8] == 8
        assert read_content(cells, START, with_radius(8, below(distance))).pieces[8] is None

    def test_so_does_one_whose_tile_was_not_expected(self):
        """Tiles 1 and 8 have changed places, tile 8 a little lighter."""
        swapped = (8, *START[1:8], 0)
        cells = split(MODEL.drawn(swapped), 3)
        cells[0] = cells[0] + np.float32(6)
        distance = float(MODEL.distances(cells)[0, 8])
        assert read_content(cells, START, with_radius(8, distance)).pieces[0] == 8
        assert read_content(cells, START, with_radius(8, below(distance))).pieces[0] is None

    def test_another_arrangement_fits_up_to_its_radius(self):
        swapped = (1, 0, *START[2:])
        cells = split(MODEL.drawn(swapped), 3)
        cells[0] = cells[0] + np.float32(6)
        distance = float(np.sqrt(np.square(MODEL.distances(cells))[0, 1]))
        for radius, taken in ((distance * (1 + 1e-9), True), (distance * (1 - 1e-9), False)):
            assert (clearer(cells, START, with_radius(1, radius)) == swapped) is taken

    def test_tiles_that_look_alike_are_nearer_than_the_least_radius(self):
        """A copy of tile 1 in cell 1 is taken for tile 2 only where the two count as alike."""
        colors = list(COLORS)
        colors[0], colors[1] = (150, 150, 40), (160, 150, 40)
        twins = model(colors)
        apart = float(twins.apart[0, 1])
        cells = split(twins.drawn((0, 0, *START[2:])), 3)
        for least, piece in ((apart * (1 + 1e-9), 1), (apart, 0)):
            likeness = replace(TILE_CONFIG.likeness, least_radius=least, alike_margin=1.0)
            seen = read_content(cells, START, configured(twins, likeness=likeness))
            assert seen.pieces[1] == piece

    def test_more_than_half_of_the_cells_tell_the_light_or_all_do(self):
        reading = BoardReading(START, None, 0.0, 2.0, (2.0,) * 4 + (0.0,) * 5)
        assert len(reading.bad) == 4
        assert weights(reading, MODEL).mean() == pytest.approx(4 / 9)  # the blank tells nothing either


class TestSlides:
    def test_a_tile_a_twentieth_off_is_on_its_way_and_one_less_is_not(self):
        cells = split(sliding(MODEL, START, (4, 5), 3), 3)
        offset = fit_slide(cells, START, Line((4, 5)), MODEL).offset
        assert offset == pytest.approx(3 / 24, abs=0.01)
        for least, slides in ((offset, True), (float(np.nextafter(offset, 1)), False)):
            made = configured(MODEL, slide=replace(TILE_CONFIG.slide, least_offset=least))
            # With such radii a board at rest fits as well.
            loose = replace(made, radius=np.full(9, 200.0))
            assert (explain(cells, START, loose).slide is not None) is slides

    def test_a_slide_has_to_explain_more_than_rest_by_its_gain(self):
        cells = split(sliding(MODEL, START, (4, 5), 6), 3)
        gain = fit_slide(cells, START, Line((4, 5)), MODEL).gain
        loose = replace(MODEL, radius=np.full(9, 200.0))
        for most, slides in ((gain * 1.01 + 1e-6, True), (gain, False)):
            made = replace(loose, config=replace(TILE_CONFIG, slide=replace(TILE_CONFIG.slide, gain=most)))
            assert (explain(cells, START, made).slide is not None) is slides


class TestStretches:
    @pytest.mark.parametrize(("frames", "found"), [(4, 0), (5, 1), (6, 1)])
    def test_what_lasts_as_long_as_a_flaw_must_is_one(self, frames, found):
        one = Stretch(START, MODEL.drawn(START), 0, frames, [frames, *[0] * 8], [0] * 9)
        assert len(lasting_flaws(one, 5, START, (), MODEL)) == found

    def test_half_of_the_cells_are_no_other_scene_yet(self):
        """Of 3 x 3 cells 4.5 are half; of 2 x 2 exactly two are."""
        small = np.random.default_rng(2).integers(0, 256, (48, 48, 3), np.uint8)
        two = find_model(small)
        one = Stretch(two.start, two.drawn(two.start), 0, 9, [9, 9, 0, 0], [0] * 4)
        assert [len(finding.cells) for finding in lasting_flaws(one, 5, two.start, (), two)] == [1, 1]
        one = Stretch(two.start, two.drawn(two.start), 0, 9, [9, 9, 9, 0], [0] * 4)
        assert [len(finding.cells) for finding in lasting_flaws(one, 5, two.start, (), two)] == [3]


def find_model(picture: np.ndarray) -> TileModel:
    return make_model(picture, 2, (1, 2, 3, -1), TILE_CONFIG)


class TestColors:
    def test_as_many_pixels_as_asked_for_are_enough(self):
        goal = MODEL.drawn(START)
        weight = np.zeros((72, 72))
        weight[:24] = 1.0  # a third of 24 x 24 sampled pixels: exactly 8 of 24 rows
        for share, told in ((1 / 3, True), (float(np.nextafter(1 / 3, 1)) + 1e-12, False)):
            change = color_change(goal, goal, weight, replace(TILE_CONFIG.colors, least_share=share))
            assert (change is not None) is told


class TestBoards:
    def test_a_board_that_moved_by_the_limit_did_not_move_much(self):
        first = TileBox(0.0, 0.0, 64.0, 64.0)
        at = [
            TileBox(-8.0, 0, 80.0, 64),
            TileBox(0, -8.0, 64, 80.0),
            TileBox(16.0, 0, 64, 64),
            TileBox(0, 16.0, 64, 64),
        ]
        assert [moved_much(box, first, 0.25) for box in at] == [False] * 4
        assert [moved_much(box, first, below(0.25)) for box in at] == [True] * 4
        shrunk = [TileBox(8.0, 0, 48.0, 64), TileBox(0, 8.0, 64, 48.0)]
        assert [moved_much(box, first, 0.25) for box in shrunk] == [False] * 2
        assert [moved_much(box, first, below(0.25)) for box in shrunk] == [True] * 2

    def test_a_step_within_the_bounds_is_made_whole(self):
        box = stepped(TileBox(10.0, 20.0, 100.0, 200.0), (0.02, -0.03, 0.04, -0.01), TILE_CONFIG.registration)
        # 2 to the right less half of 4 growth; 6 up and half of 2 shrinking down.
        assert (box.left, box.top, box.width, box.height) == pytest.approx((10.0, 15.0, 104.0, 198.0))

    def test_places_are_as_many_as_asked_for(self):
        frame = np.random.default_rng(1).integers(0, 256, (60, 60, 3), np.uint8)
        picture = np.random.default_rng(2).integers(0, 256, (40, 40, 3), np.uint8)
        for count in (1, 2, 5):
            config = replace(TILE_CONFIG.search, candidates=count)
            assert len(likely_boxes(frame, picture, config)) == count


class TestClips:
    def frames(self, *boards: np.ndarray) -> list[Frame]:
        return [Frame(k, k / 24, np.clip(np.rint(one), 0, 255).astype(np.uint8)) for k, one in enumerate(boards)]

    def test_a_board_as_like_as_asked_for_is_the_puzzle(self):
        shown = self.frames(MODEL.drawn(START))
        match = find_tiles(shown, board(), 3, STATE).match
        assert match > 0.99

        def found(least: float) -> bool:
            config: TileConfig = replace(TILE_CONFIG, search=replace(TILE_CONFIG.search, least_match=least))
            return find_tiles(shown, board(), 3, STATE, config).board is not None

        assert found(match)
        assert not found(float(np.nextafter(match, 2)))

    def test_equal_states_are_one_object(self):
        """So that a long clip holds few."""
        frames = find_tiles(self.frames(*[MODEL.drawn(START)] * 4), board(), 3, STATE).frames
        assert all(one.state is frames[0].state for one in frames)

    def test_boards_at_rest_that_give_way_to_the_next_make_a_fade(self):
        """Tiles 1 and 2 are alike, so that they may change by nearly a half and still be themselves."""
        colors = list(COLORS)
        colors[0], colors[1] = (150, 150, 40), (150, 150, 95)
        twins = model(colors)
        start, end = twins.drawn(START), twins.drawn((1, 0, *START[2:]))

        def kinds(*shares: float) -> list[str]:
            boards = [start] * 4 + [(1 - share) * start + share * end for share in shares] + [end] * 4
            found = find_tiles(self.frames(*boards), board(colors), 3, STATE)
            return [event.kind.name for event in found.events]

        assert kinds(0.3, 0.45) == ["CROSS_FADE"]
        assert kinds() == kinds(0.3) == ["TILE_SWAP"]

    def test_no_frame_at_all(self):
        found = find_tiles([], board(), 3, STATE)
        assert (found.size, found.start, found.board, found.match, found.frames) == (3, STATE, None, 0.0, ())
