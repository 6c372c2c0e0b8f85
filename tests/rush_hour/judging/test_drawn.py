"""What is drawn over pictures and clips of a lot: seen wherever it lies, in any colour, unlike what is harmless."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest
from PIL import Image

from detectors.rush_hour.findings import LotEventKind
from detectors.rush_hour.lots import find_lot
from grader.media.frames import Frame
from grader.model.verdict import Outcome
from grader.tasks.rush_hour.puzzle import LotPuzzle
from grader.tasks.rush_hour.rollouts import judge_lot_pictures
from grader.tasks.rush_hour.settings import RUSH_HOUR_SETTINGS
from puzzles.common.lettering import draw_text
from puzzles.common.raster import Color, Picture
from puzzles.mentis.recipes import RushHourRecipe
from puzzles.rush_hour.canvas import LotCanvas
from puzzles.rush_hour.lot import Lot
from puzzles.rush_hour.render import sprites_of
from puzzles.rush_hour.rules import simulate
from puzzles.rush_hour.style import LotStyle

Change = Callable[[Picture], Picture]
SIDE = 600
DARK: Color = (20, 20, 25)


@cache
def right() -> tuple[Lot, tuple[Picture, ...], tuple[tuple[float, float], ...], tuple[float, float]]:
    """A lot, its first picture and one after every move, where the second vehicle is in each, and a free place."""
    made = RushHourRecipe(3, 5000).puzzle()
    style = LotStyle()
    canvas = LotCanvas(made.lot, style, (SIDE, SIDE))
    states = simulate(made.lot, made.solution).poses
    pictures = tuple(canvas.draw(sprites_of(made.lot, poses, style)) for poses in states)
    places = tuple(canvas.view.point(poses[1].x, poses[1].y) for poses in states)
    return made.lot, pictures, places, canvas.view.point(2.4, 8.7)


def judged(change: Callable[[Picture, int], Picture]) -> tuple[Outcome, list[str], list[str]]:
    lot, pictures, _, _ = right()
    images = [change(picture.copy(), number) for number, picture in enumerate(pictures)][1:]
    found = judge_lot_pictures(LotPuzzle(lot, len(images)), images, "", RUSH_HOUR_SETTINGS)
    return found.outcome, [one.code for one in found.reasons], [one.object for r in found.reasons for one in r.places]


def crossed(picture: Picture, at: tuple[float, float], color: Color, width: int = 2) -> Picture:
    x, y = round(at[0]), round(at[1])
    for sign in (-1, 1):
        cv2.line(picture, (x - 20, y - sign * 20), (x + 20, y + sign * 20), color, width, cv2.LINE_AA)
    return picture


class TestSeries:
    @pytest.mark.parametrize("color", [DARK, (250, 250, 250)])
    def test_a_cross_over_a_vehicle_in_all_pictures_fails(self, color: Color) -> None:
        lot, _, places, _ = right()
        outcome, codes, objects = judged(lambda picture, number: crossed(picture, places[number], color))
        assert (outcome, codes) == (Outcome.FAIL, ["STEP_ALTERED"])
        assert set(objects) == {lot.vehicles[1].label}

    def test_a_word_over_a_vehicle_in_one_picture_fails(self) -> None:
        _, _, places, _ = right()

        def change(picture: Picture, number: int) -> Picture:
            if number == 2:
                draw_text(picture, "WRONG", places[number], 14, DARK)
            return picture

        assert judged(change)[:2] == (Outcome.FAIL, ["STEP_ALTERED"])

    @pytest.mark.parametrize("color", [(235, 235, 235), (255, 225, 225)])
    def test_an_arrow_on_the_floor_fails_however_faint(self, color: Color) -> None:
        _, _, _, (x, y) = right()

        def change(picture: Picture, _: int) -> Picture:
            cv2.arrowedLine(picture, (round(x) - 60, round(y)), (round(x) + 60, round(y)), color, 4, cv2.LINE_AA)
            return picture

        assert judged(change) == (Outcome.FAIL, ["STEP_ALTERED"], [""] * len(right()[1][1:]))

    @pytest.mark.parametrize(
        "change",
        [
            lambda picture: compressed(picture, 60),
            lambda picture: np.clip(picture + np.random.default_rng(1).normal(0, 5, picture.shape), 0, 255),
            lambda picture: np.clip(picture * np.array([1.04, 0.95, 0.9]), 0, 255),
            lambda picture: cv2.resize(picture, (430, 430), interpolation=cv2.INTER_AREA),
            lambda picture: captioned(picture),
        ],
        ids=["compressed", "noise", "colours", "smaller", "captions"],
    )
    def test_what_is_harmless_passes(self, change: Change) -> None:
        assert judged(lambda picture, _: change(picture).astype(np.uint8))[:2] == (Outcome.PASS, [])


def compressed(picture: Picture, quality: int) -> Picture:
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "JPEG", quality=quality)
    return np.asarray(Image.open(stream).convert("RGB"))


def captioned(picture: Picture) -> Picture:
    draw_text(picture, "After this move", (SIDE / 2, 16), 14, DARK)
    return picture


class TestClips:
    @pytest.mark.parametrize(("where", "label"), [("vehicle", 1), ("floor", None), ("nowhere", None)])
    def test_what_is_drawn_for_a_while_is_an_event(self, where: str, label: int | None) -> None:
        lot, pictures, places, free = right()
        marked = {
            "vehicle": lambda: crossed(pictures[0].copy(), places[0], DARK),
            "floor": lambda: crossed(pictures[0].copy(), free, (255, 215, 215), 4),
            "nowhere": lambda: pictures[0],
        }[where]()
        frames = [Frame(k, k / 24, marked if k >= 4 else pictures[0]) for k in range(14)]
        found = [one for one in find_lot(frames, lot).events if one.kind is LotEventKind.DRAWN]
        named = {(one.first, one.last, one.label) for one in found}
        # What reaches beyond a vehicle is seen beside it, too.
        expected = {(4, 13, lot.vehicles[label].label if label else "")}
        assert named - {(4, 13, "")} == (expected if where == "vehicle" else set())
        assert bool(named) == (where != "nowhere")
