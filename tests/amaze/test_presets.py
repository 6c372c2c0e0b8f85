"""Recipes, looks and the sets of the paper: counts, names, sizes of pictures."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from puzzles.amaze.instances import MAX_SIDE_PX, RECIPE_NAME, Look, instruction, plan_instance, write_instance
from puzzles.amaze.presets import MAZE_PRESETS, QUEENS_PRESETS
from puzzles.amaze.recipes import MazeRecipe, QueensRecipe
from puzzles.amaze.styles import MAZE_STYLES, random_maze_style, random_queens_style
from puzzles.maze.geometry import Geometry
from puzzles.maze.layout import CellMapKind
from puzzles.maze.maze import MazeAlgorithm
from puzzles.maze.render import MazeStyle
from puzzles.queens.render import QueensStyle

PRESETS = [*MAZE_PRESETS.items(), *((f"queens {name}", preset) for name, preset in QUEENS_PRESETS.items())]
MAZE = MazeRecipe(Geometry.SQUARE, 5, MazeAlgorithm.DEPTH_FIRST, 12)


def test_the_test_set_of_mazes() -> None:
    recipes = [recipe for recipe in MAZE_PRESETS["amaze-test"].recipes() if isinstance(recipe, MazeRecipe)]
    assert len(recipes) == 2800  # 4 geometries x 14 scales x 50
    assert Counter(recipe.geometry for recipe in recipes) == dict.fromkeys(Geometry, 700)
    assert Counter(recipe.scale for recipe in recipes) == dict.fromkeys(range(3, 17), 200)
    assert Counter(recipe.algorithm for recipe in recipes) == dict.fromkeys(MazeAlgorithm, 1400)


def test_the_test_set_of_boards() -> None:
    recipes = [recipe for recipe in QUEENS_PRESETS["amaze-test"].recipes() if isinstance(recipe, QueensRecipe)]
    assert Counter(recipe.n for recipe in recipes) == dict.fromkeys(range(4, 11), 50)  # 350


def test_the_training_sets() -> None:
    assert len(MAZE_PRESETS["amaze-train-3"]) == 3200  # 4 geometries x 800
    assert {recipe.scale for recipe in MAZE_PRESETS["amaze-train-3"].recipes()} == {3}  # type: ignore[union-attr]
    assert len(QUEENS_PRESETS["amaze-train-4-800"]) == 800
    for count in (800, 1600, 3200, 6400):
        for presets, name in (
            (MAZE_PRESETS, "amaze-train-square-8"),
            (MAZE_PRESETS, "amaze-train-circle-8"),
            (QUEENS_PRESETS, "amaze-train-7"),
        ):
            recipes = presets[f"{name}-{count}"].recipes()
            assert len(recipes) == count
            assert presets[f"{name}-6400"].recipes()[:count] == recipes


@pytest.mark.parametrize(("name", "preset"), PRESETS, ids=[name for name, _ in PRESETS])
def test_a_preset_names_each_puzzle_once(name: str, preset: object) -> None:
    recipes = preset.recipes()
    assert len({recipe.name for recipe in recipes}) == len(recipes) == len(preset)  # type: ignore[arg-type]


@pytest.mark.parametrize("presets", [MAZE_PRESETS, QUEENS_PRESETS])
def test_test_training_and_validation_share_no_recipe(presets: dict[str, object]) -> None:
    parts: dict[str, set[object]] = {}
    for name, preset in presets.items():
        parts.setdefault(name.split("-")[1], set()).update(preset.recipes())
    assert set(parts) == {"test", "train", "validation"}
    assert not parts["test"] & parts["train"]
    assert not parts["test"] & parts["validation"]
    assert not parts["train"] & parts["validation"]


def test_names_sort_by_scale_and_seed() -> None:
    names = [
        MazeRecipe(Geometry.CIRCLE, scale, MazeAlgorithm.BREADTH_FIRST, seed).name
        for scale in (3, 10, 30)
        for seed in (0, 9, 10, 9_999_999)
    ]
    assert names == sorted(names)
    assert names[1] == "circle-03-bfs-0000009"
    assert QueensRecipe(12, 3).name == "queens-12-0000003"


def test_wrong_recipes_are_refused() -> None:
    for scale, seed in ((2, 0), (31, 0), (5, -1), (5, 10_000_000)):
        with pytest.raises(ValueError, match="must be from"):
            MazeRecipe(Geometry.SQUARE, scale, MazeAlgorithm.DEPTH_FIRST, seed)
    for n, seed in ((3, 0), (13, 0), (4, -1)):
        with pytest.raises(ValueError, match="must be from"):
            QueensRecipe(n, seed)


@pytest.mark.parametrize("geometry", Geometry)
@pytest.mark.parametrize("longest", [512, 801, MAX_SIDE_PX])
def test_a_picture_is_as_large_as_asked(geometry: Geometry, longest: int) -> None:
    recipe = MazeRecipe(geometry, 14, MazeAlgorithm.DEPTH_FIRST, 0)
    style = plan_instance(recipe, Look("thick_walls", longest_px=longest)).style
    assert isinstance(style, MazeStyle)
    assert max(style.layout(recipe.maze()).picture_size) == longest - longest % 2  # pictures have even sides
    assert style.wall_width_px / style.cell_size_px == pytest.approx(0.18)


@pytest.mark.parametrize("geometry", Geometry)
def test_cells_shrink_where_the_picture_would_be_too_large(geometry: Geometry) -> None:
    recipe = MazeRecipe(geometry, 30, MazeAlgorithm.DEPTH_FIRST, 0)
    instance = plan_instance(recipe, Look(cell_size_px=200))
    assert instance.shrunk
    assert isinstance(instance.style, MazeStyle)
    assert max(instance.style.layout(recipe.maze()).picture_size) == MAX_SIDE_PX
    assert plan_instance(recipe, Look(cell_size_px=30)).shrunk is False


def test_boards_are_as_large_as_asked() -> None:
    for look, cell, shrunk in (
        (Look(), 64, False),
        (Look(longest_px=1000), 1000 // 12, False),
        (Look(cell_size_px=20), 20, False),
        (Look(cell_size_px=500), 3300 // 12, True),
    ):
        instance = plan_instance(QueensRecipe(12, 0), look)
        assert (instance.style.cell_size_px, instance.shrunk) == (cell, shrunk)


def test_impossible_looks_are_refused() -> None:
    with pytest.raises(ValueError, match="not both"):
        Look(cell_size_px=50, longest_px=500)
    for wrong in ({"cell_size_px": 15.9}, {"cell_size_px": float("nan")}, {"longest_px": 3301}):
        with pytest.raises(ValueError, match="must be from"):
            Look(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"no style 'drak'; there are published, .*dark.* and random"):
        plan_instance(MAZE, Look("drak"))
    with pytest.raises(ValueError, match="no style 'tiles'"):
        plan_instance(QueensRecipe(4, 0), Look("tiles"))
    # 100 / (30 + 0.1) = 3.3 px a cell
    with pytest.raises(ValueError, match=r"square-30-dfs-0000000 would have cells of 3\.3 px, the least is 16"):
        plan_instance(MazeRecipe(Geometry.SQUARE, 30, MazeAlgorithm.DEPTH_FIRST, 0), Look(longest_px=100))


def test_the_published_look_is_the_default() -> None:
    assert plan_instance(MAZE, Look()).style == MazeStyle()
    assert plan_instance(QueensRecipe(5, 0), Look()).style == QueensStyle()
    others = [style for name, style in MAZE_STYLES.items() if name != "published"]
    assert {style.cell_map for style in others} == {CellMapKind.DRAWN}


def test_a_random_look_and_a_texture_follow_the_seed() -> None:
    assert plan_instance(QueensRecipe(5, 9), Look("random")).style == random_queens_style(9)
    plain = next(seed for seed in range(50) if random_maze_style(seed).texture is None)
    recipe = MazeRecipe(Geometry.SQUARE, 5, MazeAlgorithm.DEPTH_FIRST, plain)
    assert plan_instance(recipe, Look("random")).style == random_maze_style(plain)
    paper = plan_instance(MAZE, Look("paper")).style.texture
    assert paper is not None
    assert paper.seed == MAZE.seed


def test_instructions_name_the_colours() -> None:
    assert "one blue line, from the red disc to the red X" in instruction(MazeStyle())
    assert "one green line, from the purple disc to the purple X" in instruction(MAZE_STYLES["green_path"])
    assert "black disc" in instruction(QueensStyle())


def test_an_instance_says_how_it_was_made(tmp_path: Path) -> None:
    instance = plan_instance(MAZE, Look("green_path", longest_px=256))
    write_instance(tmp_path, instance)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*instance.files, "original_nomarkers.png"])
    recipe = json.loads((tmp_path / RECIPE_NAME).read_text())
    assert {key: recipe[key] for key in ("task", "geometry", "scale", "algorithm", "seed", "style")} == {
        "task": "maze",
        "geometry": "square",
        "scale": 5,
        "algorithm": "depth_first",
        "seed": 12,
        "style": "green_path",
    }
    assert recipe["look"]["path"] == list(MAZE_STYLES["green_path"].path)
    assert json.loads((tmp_path / "metadata.json").read_text())["path_color"] == "green"
    with Image.open(tmp_path / "input.png") as picture:
        assert picture.size == (256, 256)


def test_a_blue_path_adds_nothing_to_the_records(tmp_path: Path) -> None:
    write_instance(tmp_path, plan_instance(MAZE, Look("thin_path", longest_px=128)))
    assert "path_color" not in json.loads((tmp_path / "metadata.json").read_text())
