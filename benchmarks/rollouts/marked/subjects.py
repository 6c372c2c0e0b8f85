"""Right series of lots and of sliding puzzles, fresh ones, and where things lie in their pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from grader.importers.mentisoculi.messages import lot_message, tiles_message
from grader.v1 import service_pb2
from puzzles.amaze.files import png_bytes
from puzzles.common.raster import Picture
from puzzles.mentis.recipes import RushHourRecipe
from puzzles.mentis.styles import random_lot_style, random_sliding_style
from puzzles.rush_hour.canvas import LotCanvas
from puzzles.rush_hour.render import sprites_of
from puzzles.rush_hour.rules import simulate as simulate_lot
from puzzles.rush_hour.style import LotStyle
from puzzles.sliding.pictures import make_picture
from puzzles.sliding.render import BoardCanvas, SlidingStyle, TilePlace, render_board
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import State, generate_sliding, simulate, solve

Spot = tuple[float, float]
_SOURCE_PX = 600


@dataclass(frozen=True, eq=False)
class Subject:
    """A right series.

    Attributes
    ----------
    name : of the puzzle
    request : the puzzle as a request, without a candidate
    pictures : one after every move
    unit_px : a unit of the lot, or a tile's side, in pixels
    box : the lot or board in the picture: left, top, right, bottom
    things : for each picture where each vehicle or tile is, (x, y) in pixels
    still : where an obstacle or the blank is, for each picture; none where there is none
    """

    name: str
    request: service_pb2.GradeRequest
    pictures: tuple[Picture, ...]
    unit_px: float
    box: tuple[float, float, float, float]
    things: tuple[tuple[Spot, ...], ...]
    still: tuple[tuple[Spot, ...], ...]


def lot_subject(seed: int) -> Subject:
    """A lot of level 3 to 5 in a look and size of its own."""
    dice = np.random.default_rng(seed)
    recipe = RushHourRecipe(3 + seed % 3, 20000 + seed)
    made = recipe.puzzle()
    style = random_lot_style(seed) if seed % 2 else LotStyle()
    side = int(dice.choice((420, 512, 720, 960)))
    canvas = LotCanvas(made.lot, style, (side, side))
    states = simulate_lot(made.lot, made.solution).poses[1:]
    request = service_pb2.GradeRequest(request_id=recipe.name, puzzle_id=recipe.name)
    request.rush_hour.CopyFrom(lot_message(made.lot))
    low, high = canvas.view.point(0, 0), canvas.view.point(made.lot.width, made.lot.height)
    obstacles = tuple(canvas.view.point(one.pose.x, one.pose.y) for one in made.lot.obstacles)
    return Subject(
        recipe.name, request, tuple(canvas.draw(sprites_of(made.lot, poses, style)) for poses in states),
        canvas.view.unit_px, (low[0], high[1], high[0], low[1]),
        tuple(tuple(canvas.view.point(at.x, at.y) for at in poses) for poses in states),
        tuple(obstacles for _ in states),
    )  # fmt: skip


def tile_subject(seed: int) -> Subject:
    """A sliding puzzle of 2 x 2 to 4 x 4 in a look and size of its own."""
    dice = np.random.default_rng(seed)
    size = 2 + seed % 3
    moves = int(dice.integers(2, 6))
    puzzle = generate_sliding(size, moves, seed)
    picture, style = make_picture(_SOURCE_PX, seed), random_sliding_style(seed) if seed % 2 else SlidingStyle()
    side = int(dice.choice((264, 400, 512, 720)))
    canvas = BoardCanvas(picture, puzzle.target, style, (side, side))
    states = simulate(puzzle.start, solve(puzzle.start, puzzle.target)).states[1:]
    request = service_pb2.GradeRequest(request_id=f"tiles-{seed}", puzzle_id=f"tiles-{seed}")
    request.sliding.CopyFrom(tiles_message(puzzle))
    bare = replace(style, board_share=1.0, border_share=0.0)
    request.sliding.puzzle.image.data = png_bytes(render_board(picture, puzzle.start, puzzle.target, bare))

    def spot(cell: int) -> Spot:
        row, column = divmod(cell, size)
        return canvas.left + (column + 0.5) * canvas.tile_px, canvas.top + (row + 0.5) * canvas.tile_px

    def drawn(state: State) -> Picture:
        places = [TilePlace(tile, *divmod(cell, size)) for cell, tile in enumerate(state) if tile != BLANK]
        return canvas.draw(places, [divmod(state.index(BLANK), size)])

    board = canvas.tile_px * size
    return Subject(
        f"tiles-{seed}", request, tuple(drawn(state) for state in states), canvas.tile_px,
        (canvas.left, canvas.top, canvas.left + board, canvas.top + board),
        tuple(tuple(spot(state.index(tile)) for tile in sorted(set(state) - {BLANK})) for state in states),
        tuple((spot(state.index(BLANK)),) for state in states),
    )  # fmt: skip
