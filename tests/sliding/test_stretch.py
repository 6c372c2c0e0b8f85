"""What happened in frames that no slide explains."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.sliding.findings import TileEventKind
from detectors.sliding.model import split
from detectors.sliding.reading import BoardReading, read_content
from detectors.sliding.stretch import Finding, Stretch, as_sample, change_kind, is_fade, lasting_flaws
from tests.sliding.small_boards import model, moved

E = TileEventKind
MODEL = model()
START = MODEL.start
SWAPPED = (1, 0, *START[2:])
CUT = (2, 0, 1, *START[3:])


def samples(after: tuple[int, ...], shares: list[float], error: float = 0.0) -> list[np.ndarray]:
    """Boards that are mixtures of both arrangements, with noise as a share of their distance."""
    start, end = MODEL.drawn(START), MODEL.drawn(after)
    noise = np.random.default_rng(3).normal(0, 1, start.shape)
    away = np.sqrt(np.square(split(end - start, 3)).mean(axis=(1, 2, 3)))
    scale = np.repeat(np.repeat((error * away).reshape(3, 3), 24, axis=0), 24, axis=1)[..., None]
    return [as_sample((1 - share) * start + share * end + scale * noise) for share in shares]


class TestFade:
    def fades(self, shares: list[float], error: float = 0.0, after: tuple[int, ...] = SWAPPED) -> bool:
        return is_fade(MODEL.drawn(START), MODEL.drawn(after), samples(after, shares, error), MODEL)

    @pytest.mark.parametrize(
        ("shares", "fades"), [([0.3, 0.6], True), ([0.5], False), ([0.0, 0.0, 1.0], False), ([], False)]
    )
    def test_two_mixtures_make_a_fade(self, shares: list[float], fades: bool) -> None:
        assert self.fades(shares) is fades

    @pytest.mark.parametrize(("share", "fades"), [(0.11, False), (0.14, True), (0.86, True), (0.89, False)])
    def test_a_mixture_is_neither_end(self, share: float, fades: bool) -> None:
        assert self.fades([share, share]) is fades

    @pytest.mark.parametrize(("error", "fades"), [(0.15, True), (0.32, False)])
    def test_a_mixture_is_near_the_way(self, error: float, fades: bool) -> None:
        assert self.fades([0.5, 0.4, 0.6], error) is fades

    def test_most_of_the_samples_between_are_mixtures(self) -> None:
        mixed, noisy = samples(SWAPPED, [0.4, 0.6]), samples(SWAPPED, [0.4, 0.5, 0.6], 0.45)
        start, end = MODEL.drawn(START), MODEL.drawn(SWAPPED)
        assert is_fade(start, end, [*mixed, noisy[0]], MODEL)
        assert not is_fade(start, end, [*mixed, *noisy], MODEL)

    def test_half_of_the_cells_that_change_are_enough(self) -> None:
        two, cut = samples(SWAPPED, [0.4, 0.6]), MODEL.drawn(CUT)
        half = []
        for one in samples(CUT, [0.4, 0.6]):
            board = one.copy()
            board[:24, 48:] = MODEL.drawn(START)[:24, 48:]  # one of three does not fade
            half.append(board)
        assert is_fade(MODEL.drawn(START), cut, half, MODEL)
        for board in half:
            board[:24, 24:48] = MODEL.drawn(START)[:24, 24:48]
        assert not is_fade(MODEL.drawn(START), cut, half, MODEL)
        assert two

    def test_the_rim_of_cells_does_not_count(self) -> None:
        mixed = samples(SWAPPED, [0.4, 0.6])
        for sample in mixed:
            for edge in range(0, 72, 24):
                sample[:, edge : edge + 3] = sample[edge : edge + 3] = 0
                sample[:, edge + 21 : edge + 24] = sample[edge + 21 : edge + 24] = 255
        assert is_fade(MODEL.drawn(START), MODEL.drawn(SWAPPED), mixed, MODEL)

    def test_boards_alike_do_not_fade(self) -> None:
        assert not is_fade(MODEL.drawn(START), MODEL.drawn(START) + 5, [as_sample(MODEL.drawn(START))] * 3, MODEL)


class TestKind:
    @pytest.mark.parametrize(
        ("after", "expected"),
        [
            (SWAPPED, Finding(E.TILE_SWAP, (0, 1))),
            (moved(START, 5), None),
            (moved(START, 1), None),
            ((4, 1, 2, 3, 0, *START[5:]), Finding(E.TILE_TELEPORT, (0, 4))),
            (CUT, Finding(E.HARD_CUT, (0, 1, 2))),
            (moved(START, 5, 8), Finding(E.HARD_CUT, (4, 5, 8))),
        ],
    )
    def test_how_one_arrangement_became_another(self, after: tuple[int, ...], expected: Finding | None) -> None:
        assert change_kind(START, after, (), 0, MODEL) == expected

    @pytest.mark.parametrize(("gap", "kind"), [(2, E.HARD_CUT), (3, E.ALL_AT_ONCE)])
    def test_a_cut_takes_two_frames_at_most(self, gap: int, kind: TileEventKind) -> None:
        assert change_kind(START, CUT, (), gap, MODEL) == Finding(kind, (0, 1, 2))

    @pytest.mark.parametrize(("gap", "kind"), [(0, E.HARD_CUT), (1, E.TILES_TOGETHER), (9, E.TILES_TOGETHER)])
    def test_a_line_of_tiles_may_slide_in_frames_between(self, gap: int, kind: TileEventKind) -> None:
        """The blank, in the middle, is where no line of two ends; from a corner cell there are two such lines."""
        start = moved(START, 1, 0)
        after = (start[1], start[2], start[0], *start[3:])
        assert change_kind(start, after, (), gap, MODEL) == Finding(kind, (0, 1, 2))

    def test_mixtures_make_it_a_fade(self) -> None:
        shown = change_kind(START, moved(START, 5), tuple(samples(moved(START, 5), [0.3, 0.7])), 5, MODEL)
        assert shown == Finding(E.CROSS_FADE, (4, 5))


class TestStretch:
    def stretch(self, boards: list[np.ndarray]) -> Stretch:
        one = Stretch(START, MODEL.drawn(START), 7)
        for board in boards:
            cells = split(board, 3)
            off = MODEL.off(cells, START) / MODEL.radius
            reading = BoardReading(START, None, 0.0, float(off.max()), tuple(float(part) for part in off))
            one.add(board, reading, read_content(cells, START, MODEL), MODEL)
        return one

    def board(self, *, foreign: int | None = None, copy: tuple[int, int] | None = None) -> np.ndarray:
        board = MODEL.drawn(START)
        for cell, look in (
            (foreign, np.float32([90, 10, 90])),
            (copy[1] if copy else None, copy and MODEL.patches[copy[0]]),
        ):
            if cell is not None:
                row, column = divmod(cell, 3)
                board[row * 24 : row * 24 + 24, column * 24 : column * 24 + 24] = look
        return board

    def test_frames_with_faults_are_counted_by_cell(self) -> None:
        one = self.stretch([self.board(foreign=7)] * 2 + [self.board(copy=(0, 8))] * 3)
        assert one.frames == 5
        assert one.bad == [0, 0, 0, 0, 0, 0, 0, 2, 3]
        assert one.copied == [0, 0, 0, 0, 0, 0, 0, 0, 3]
        assert (one.begin, one.before) == (7, START)

    @pytest.mark.parametrize(("frames", "kept"), [(16, 16), (17, 9), (18, 9), (19, 10), (32, 16), (33, 9)])
    def test_a_bounded_number_of_boards_is_kept(self, frames: int, kept: int) -> None:
        # Beyond 16 each second one is dropped, and from then on each second frame is kept, then each fourth.
        one = self.stretch([self.board(foreign=7) + np.float32(frame / 4) for frame in range(frames)])
        assert len(one.samples) == kept

    def test_those_kept_are_spread_over_the_stretch(self) -> None:
        one = self.stretch([np.full((72, 72, 3), frame, np.float32) for frame in range(20)])
        assert [int(sample[0, 0, 0]) for sample in one.samples] == list(range(0, 20, 2))

    def test_samples_are_bytes(self) -> None:
        assert as_sample(np.float32([[[-3.0, 2.6, 300.0]]])).tolist() == [[[0, 3, 255]]]
        assert as_sample(np.float32([[[0.4, 0.6, 254.6]]])).tolist() == [[[0, 1, 255]]]


class TestFlaws:
    def flaws(self, bad: list[int], least: int = 5, copied: list[int] | None = None, beside: tuple[int, ...] = ()):
        one = Stretch(START, MODEL.drawn(START), 0, 20, bad, copied or [0] * 9)
        return lasting_flaws(one, least, START, beside, MODEL)

    def test_what_lasts_counts(self) -> None:
        assert self.flaws([0, 4, 5, 0, 0, 0, 0, 0, 6]) == (Finding(E.FOREIGN_TILE, (2,)), Finding(E.FOREIGN_TILE, (8,)))

    def test_the_blank_is_filled(self) -> None:
        assert self.flaws([0, 0, 0, 0, 9, 0, 0, 0, 0]) == (Finding(E.BLANK_FILLED, (4,)),)

    @pytest.mark.parametrize(("copied", "kind"), [(4, E.FOREIGN_TILE), (5, E.DUPLICATE_TILE)])
    def test_a_copy_half_of_the_time_is_one(self, copied: int, kind: TileEventKind) -> None:
        assert self.flaws([10, *[0] * 8], copied=[copied, *[0] * 8]) == (Finding(kind, (0,)),)

    def test_cells_where_tiles_went_are_excused(self) -> None:
        assert self.flaws([9, 9, *[0] * 7], beside=(1,)) == (Finding(E.FOREIGN_TILE, (0,)),)

    @pytest.mark.parametrize(("count", "scene"), [(4, False), (5, True), (6, True)])
    def test_more_than_half_of_the_cells_are_another_scene(self, count: int, scene: bool) -> None:
        found = self.flaws([9] * count + [0] * (9 - count))
        assert (found == (Finding(E.SCENE_REPLACED, tuple(range(count))),)) is scene
        assert len(found) == (1 if scene else count)
