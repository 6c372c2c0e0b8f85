"""Grid mazes: rules, shortest paths, text, generator, groups and pictures."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import grader
from puzzles.grid_maze.generator import MazeParameters, generate_grid_maze
from puzzles.grid_maze.maze import Tile, letters_of, parse_grid, parse_lines, parse_steps
from puzzles.grid_maze.paths import LISTED_PATHS, WalkEnd, shortest_paths, walk
from puzzles.grid_maze.recipes import CORE, GridMazeRecipe, group_recipes
from puzzles.grid_maze.records import annotation_of, meta_of
from puzzles.grid_maze.render import layout_of, render_grid_maze

SMALL = parse_lines(["S.#", ".T.", "..G"])
OPEN = parse_lines(["S....", ".....", ".....", ".....", "....G"])


def by_trying(maze, length):
    """Every word of a length that leads from start to goal through no wall or trap, by its letters alone."""
    tiles = {(row, col): sign for row, line in enumerate(maze.lines) for col, sign in enumerate(line)}
    ways = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
    found = []
    for word in product("UDLR", repeat=length):
        here = next(spot for spot, sign in tiles.items() if sign == "S")
        for letter in word:
            here = (here[0] + ways[letter][0], here[1] + ways[letter][1])
            if tiles.get(here, "#") in "#T":
                break
        else:
            if tiles[here] == "G":
                found.append("".join(word))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_shortest_paths_are_those_that_trying_all_words_finds(seed):
    maze = generate_grid_maze(MazeParameters(3, 4, 0.3, seed % 3, seed=seed))
    paths = shortest_paths(maze)
    shorter = [word for length in range(paths.length) for word in by_trying(maze, length)]
    listed = [letters_of(path) for path in paths.paths()]
    assert shorter == []
    assert listed == by_trying(maze, paths.length)
    assert len(listed) == paths.count
    assert all(walk(maze, path).end is WalkEnd.AT_GOAL for path in paths.paths())


def test_paths_are_counted_without_a_limit():
    assert shortest_paths(OPEN).count == 70  # 8! / (4! 4!)
    assert len(shortest_paths(OPEN).listed()) == LISTED_PATHS
    wide = parse_lines(["S" + "." * 39, *["." * 40] * 38, "." * 39 + "G"])
    # 78! / (39! 39!), which no float holds.
    assert shortest_paths(wide).count == 27217014869199032015600


def test_a_goal_that_is_walled_in_has_no_path():
    maze = parse_lines(["S#.", "##.", "..G"])
    paths = shortest_paths(maze)
    assert (paths.length, paths.count, list(paths.paths())) == (None, 0, [])


@pytest.mark.parametrize(
    ("letters", "end", "failed", "where"),
    [
        ("DDRR", WalkEnd.AT_GOAL, None, (2, 2)),
        ("DD", WalkEnd.ELSEWHERE, None, (2, 0)),
        ("", WalkEnd.ELSEWHERE, None, (0, 0)),
        ("RR", WalkEnd.WALL, 1, (0, 1)),
        ("DR", WalkEnd.TRAP, 1, (1, 0)),
        ("DUU", WalkEnd.LEFT_GRID, 2, (0, 0)),
        ("DDRRUD", WalkEnd.AT_GOAL, None, (2, 2)),
    ],
)
def test_steps_come_to_what_the_rules_say(letters, end, failed, where):
    done = walk(SMALL, parse_steps(letters))
    assert (done.end, done.failed_step, done.spots[-1]) == (end, failed, where)


def test_a_grid_is_read_as_it_is_written():
    assert SMALL.text == "S . #\n. T .\n. . G\n"
    assert parse_grid(SMALL.text) == parse_grid("S.#\n.T.\n..G") == SMALL
    assert (SMALL.start, SMALL.goal, SMALL.rows, SMALL.cols) == ((0, 0), (2, 2), 3, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("S.\n.", "row 1 has 1 tiles"),
        ("S.\n..", "0 tiles G"),
        ("SG\nS.", "2 tiles S"),
        ("SX\n.G", "row 0 has 'X'"),
        ("SG", "1 rows"),
        ("", "0 rows"),
    ],
)
def test_a_grid_that_is_none_is_refused_in_words(text, message):
    with pytest.raises(ValueError, match=message):
        parse_grid(text)


# --- generator ---


@pytest.mark.parametrize("border", [False, True])
@pytest.mark.parametrize("cut", [False, True])
def test_a_maze_has_what_was_asked_for(border, cut):
    for seed in range(6):
        asked = MazeParameters(9, 11, 0.3, 4, cut, border, seed)
        maze = generate_grid_maze(asked)
        assert maze == generate_grid_maze(asked)
        inside = 7 * 9 if border else 9 * 11
        walls = int(0.3 * (inside - 2)) + (9 * 11 - inside)
        assert (maze.rows, maze.cols, maze.count(Tile.TRAP)) == (9, 11, 4)
        # Walls that cut the last paths come on top; walls that would cut a path are left out.
        assert maze.count(Tile.WALL) >= walls if cut else maze.count(Tile.WALL) <= walls
        assert (shortest_paths(maze).length is None) is cut
        ring = int(border)
        (top, left), (bottom, right) = maze.start, maze.goal
        assert abs(top - bottom) == 8 - 2 * ring or abs(left - right) == 10 - 2 * ring
        assert abs(top - bottom) + abs(left - right) >= (9 + 11) // 3
        if border:
            edge = {maze.lines[0], maze.lines[-1], *("".join(line[place] for line in maze.lines) for place in (0, -1))}
            assert {sign for line in edge for sign in line} == {"#"}


@pytest.mark.parametrize("cut", [False, True])
def test_the_same_seed_gives_the_same_walls_with_traps_and_without(cut):
    bare, trapped = (generate_grid_maze(MazeParameters(11, 11, 0.25, traps, cut, seed=3)) for traps in (0, 6))
    assert [line.replace("T", ".") for line in trapped.lines] == list(bare.lines)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"rows": 2, "cols": 5}, "rows must be from 3"),
        ({"rows": 4, "cols": 9, "border_walls": True}, "rows must be from 5"),
        ({"rows": 5, "cols": 65}, "cols must be from 3 to 64"),
        ({"rows": 5, "cols": 5, "wall_density": 1.0}, "wall density"),
        ({"rows": 5, "cols": 5, "seed": -1}, "seed"),
        ({"rows": 5, "cols": 5, "force_unreachable": True, "least_length": 3}, "no least length"),
    ],
)
def test_parameters_out_of_range_are_refused_by_name(asked, message):
    with pytest.raises(ValueError, match=message):
        MazeParameters(**asked)


def test_a_length_that_no_maze_has_is_given_up():
    with pytest.raises(ValueError, match="ask for a shorter one"):
        generate_grid_maze(MazeParameters(3, 3, least_length=9))


# --- groups ---

GROUPS = {"A": 8, "B": 15, "C": 15, "D": 12, "E": 14, "F": 10, "G": 16, "H": 10, "X": 10}


def test_groups_are_those_of_the_paper():
    recipes = group_recipes()
    assert [one.name for one in recipes] == [f"gen_maze_{number:03}" for number in range(1, 111)]
    assert {group: sum(one.group == group for one in recipes) for group in GROUPS} == GROUPS
    core = [one for one in recipes if one.group in CORE]
    assert (len(core), sum(one.parameters.force_unreachable for one in core)) == (100, 28)
    assert sum(one.parameters.force_unreachable for one in recipes) == 31
    assert all(one.parameters.force_unreachable for one in recipes if one.group == "E")
    assert len({(one.parameters, one.palette) for one in group_recipes() + group_recipes(1)}) == 220


def test_groups_have_pairs_that_differ_in_one_thing():
    def pairs(group):
        found = [one for one in group_recipes() if one.group == group]
        return zip(found[::2], found[1::2], strict=True)

    for without, having in pairs("D"):
        assert without.parameters.seed == having.parameters.seed
        assert (without.parameters.trap_count, having.parameters.trap_count > 2) == (0, True)
    for without, having in pairs("F"):
        assert without.parameters.seed == having.parameters.seed
        assert (without.parameters.border_walls, having.parameters.border_walls) == (False, True)


def test_a_maze_of_the_last_group_is_long():
    (hard,) = (one for one in group_recipes() if one.number == 105)
    maze = generate_grid_maze(hard.parameters)
    assert (maze.rows, maze.cols) == (20, 20)
    assert shortest_paths(maze).length >= 28


def test_a_recipe_of_ones_own_is_named_by_what_it_was_made_with():
    recipe = GridMazeRecipe(MazeParameters(9, 7, 0.25, 3, True, True, 12), "meadow")
    assert recipe.name == "grid-maze-09x07-250-03ub-meadow-0000012"
    with pytest.raises(ValueError, match="there are forest, desert, dungeon, meadow"):
        GridMazeRecipe(MazeParameters(5, 5), "sea")


# --- records and pictures ---


def test_annotations_list_fifty_paths_and_the_record_says_how_many_there_are():
    said = annotation_of(OPEN)
    assert said["reachable"] is True
    assert len(said["accepted_shortest_paths"]) == len(set(said["accepted_shortest_paths"])) == 50
    recipe = GridMazeRecipe(MazeParameters(5, 5, 0), "forest")
    meta = meta_of(OPEN, recipe)
    assert (meta["n_shortest_paths_true"], meta["n_accepted_paths_listed"]) == (70, 50)
    assert (meta["tile_px"], meta["origin_xy"]) == (180, [62, 62])


@pytest.mark.parametrize(("size", "tile", "corner"), [(5, 180, 62), (8, 112, 64), (13, 69, 63), (20, 45, 62)])
def test_tiles_lie_where_those_of_the_public_pictures_do(size, tile, corner):
    assert (layout_of(size, size).tile_px, layout_of(size, size).origin_xy) == (tile, (corner, corner))


@pytest.mark.parametrize("palette", ["forest", "desert", "dungeon", "meadow"])
def test_each_kind_of_tile_looks_like_itself_and_like_no_other(palette):
    maze = parse_lines(["S#T.", "#T.G", "....", "#..T"])
    picture = render_grid_maze(maze, palette).astype(int)
    assert picture.shape == (1024, 1024, 3)
    place = layout_of(4, 4)
    left, top = place.origin_xy
    looks = {}
    for row, line in enumerate(maze.lines):
        for col, sign in enumerate(line):
            y, x = top + row * place.tile_px, left + col * place.tile_px
            looks.setdefault(sign, []).append(picture[y : y + place.tile_px, x : x + place.tile_px])
    means = {sign: np.mean([one.mean(axis=(0, 1)) for one in found], axis=0) for sign, found in looks.items()}
    for sign, found in looks.items():
        for other, mean in means.items():
            far = max(np.abs(one.mean(axis=(0, 1)) - means[sign]).max() for one in found)
            assert other == sign or np.abs(mean - means[sign]).max() > far + 4, (palette, sign, other)


def test_more_traps_than_tiles_are_refused():
    # 9 x 9 tiles without start and goal
    with pytest.raises(ValueError, match="room for 79 traps"):
        MazeParameters(9, 9, trap_count=80)


@pytest.mark.parametrize("grid", [None, 7, [None], [["S", "G"]]])
def test_a_grid_that_is_no_text_is_refused_in_words(grid):
    with pytest.raises(TypeError, match="a grid is a text, or a list of its rows"):
        grader.grid_maze(grid)
