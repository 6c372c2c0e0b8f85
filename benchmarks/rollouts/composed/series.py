"""Grades the maker's own series: a picture after every move of a right plan, in a look of its own for each."""

from __future__ import annotations

from collections.abc import Iterator

from tqdm import tqdm

from benchmarks.rollouts.grading import Said, grade, in_processes
from grader.importers.mentisoculi.messages import lot_message
from grader.v1 import service_pb2
from puzzles.amaze.files import png_bytes
from puzzles.mentis.recipes import RushHourRecipe
from puzzles.mentis.styles import random_lot_style
from puzzles.rush_hour.render import render_lot
from puzzles.rush_hour.rules import simulate
from puzzles.rush_hour.style import LotStyle

LEVELS = (3, 4, 5)
_FIRST_SEED = 5000
SIZE = (720, 720)


def series_recipes(count: int) -> Iterator[RushHourRecipe]:
    """Yields so many recipes of levels 3 to 5, always the same ones."""
    for number in range(count):
        yield RushHourRecipe(LEVELS[number % len(LEVELS)], _FIRST_SEED + number)


def series_request(recipe: RushHourRecipe) -> service_pb2.GradeRequest:
    """A recipe's puzzle as a request, with a picture after every move."""
    made = recipe.puzzle()
    style = random_lot_style(recipe.seed) if recipe.seed % 2 else LotStyle()
    request = service_pb2.GradeRequest(request_id=recipe.name, puzzle_id=recipe.name)
    request.rush_hour.CopyFrom(lot_message(made.lot))
    for poses in simulate(made.lot, made.solution).poses[1:]:
        request.frames.images.add().data = png_bytes(render_lot(made.lot, poses, style, SIZE))
    return request


def _made_and_graded(recipe: RushHourRecipe) -> Said:
    return grade(series_request(recipe).SerializeToString())


def run_series(count: int, jobs: int) -> int:
    """Grades so many series; 0 if all pass, 1 otherwise."""
    recipes = list(series_recipes(count))
    answers = in_processes(_made_and_graded, recipes, jobs)
    passed = 0
    for recipe, said in tqdm(zip(recipes, answers, strict=True), total=len(recipes), unit="series", disable=None):
        if said.outcome == "PASS":
            passed += 1
        else:
            print(f"{recipe.name}: {said.outcome} {', '.join(said.reasons)}: {said.message}")
    print(f"{passed} of {len(recipes)} series pass")
    return 0 if passed == len(recipes) else 1
