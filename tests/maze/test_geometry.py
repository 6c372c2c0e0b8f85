"""Tilings: ids, sizes, neighbours, borders and cell maps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from puzzles.maze.circles import ring_counts
from puzzles.maze.geometry import Arc, CellGrid, Geometry
from puzzles.maze.grids import make_grid
from puzzles.maze.layout import CellMapKind, Layout, rasterise_cell_map

SCALES = [(geometry, scale) for geometry in Geometry for scale in (2, 3, 5)]


def grid_of(geometry: Geometry, scale: int) -> CellGrid:
    if geometry is Geometry.CIRCLE:
        return make_grid(geometry, rings=scale)
    return make_grid(geometry, width=scale, height=scale)


def test_ids_count_rows_and_rings() -> None:
    grid = make_grid(Geometry.HEXAGON, width=4, height=3)
    assert grid.id_of(2, 1) == 2 * 4 + 1 + 1
    assert grid.row_column(10) == (2, 1)
    rings = make_grid(Geometry.CIRCLE, rings=3)
    assert rings.id_of(0, 0) == 1
    assert rings.id_of(2, 6) == 20007
    assert rings.row_column(10006) == (1, 5)


def test_ring_counts() -> None:
    assert ring_counts(8) == (1, 6, 12, 24, 24, 24, 48, 48)


@pytest.mark.parametrize(("geometry", "scale"), SCALES)
def test_ids_go_both_ways(geometry: Geometry, scale: int) -> None:
    grid = grid_of(geometry, scale)
    assert [grid.id_of(*grid.row_column(cell)) for cell in grid.cell_ids] == list(grid.cell_ids)
    assert list(grid.cell_ids) == sorted(set(grid.cell_ids))


@pytest.mark.parametrize("geometry", Geometry)
@pytest.mark.parametrize("cell", [0, -1, 26, 20_000, 10_000_000])
def test_unknown_ids_are_refused(geometry: Geometry, cell: int) -> None:
    grid = grid_of(geometry, 5)
    with pytest.raises(ValueError, match="no cell"):
        grid.row_column(cell)
    with pytest.raises(ValueError, match="no cell"):
        grid.neighbours(cell)


def test_wrong_sizes_are_refused() -> None:
    for arguments in ({"width": 0, "height": 3}, {"width": 3, "height": 3, "rings": 1}):
        with pytest.raises(ValueError, match=r"at least 1|no rings"):
            make_grid(Geometry.SQUARE, **arguments)
    for arguments in ({"rings": 0}, {"rings": 3, "width": 3}):
        with pytest.raises(ValueError, match="rings"):
            make_grid(Geometry.CIRCLE, **arguments)


@pytest.mark.parametrize(("geometry", "scale"), SCALES)
def test_neighbours_are_mutual_and_share_one_border(geometry: Geometry, scale: int) -> None:
    grid = grid_of(geometry, scale)
    for cell in grid.cell_ids:
        for other in grid.neighbours(cell):
            assert cell in grid.neighbours(other)
            np.testing.assert_allclose(grid.border(cell, other).midpoint, grid.border(other, cell).midpoint, atol=1e-12)


@pytest.mark.parametrize(("geometry", "scale"), SCALES)
def test_a_border_parts_its_two_cells(geometry: Geometry, scale: int) -> None:
    """Just off a border's middle lies one cell on one side and the other, or the outside, on the other side."""
    grid = grid_of(geometry, scale)

    def beside(border: object) -> set[int]:
        points = border.points()  # type: ignore[attr-defined]
        place = len(points) // 2
        along = points[place] - points[place - 1]
        middle = (points[place] + points[place - 1]) / 2
        off = np.array([along[1], -along[0]]) / np.hypot(*along) * 1e-3
        return {grid.cell_at(tuple(middle + off)), grid.cell_at(tuple(middle - off))}

    for cell in grid.cell_ids:
        for other in grid.neighbours(cell):
            assert beside(grid.border(cell, other)) == {cell, other}
        for border in grid.outer_borders(cell):
            assert beside(border) == {cell, 0}


@pytest.mark.parametrize(("geometry", "scale"), SCALES)
def test_borders_add_up_to_the_outline(geometry: Geometry, scale: int) -> None:
    grid = grid_of(geometry, scale)
    for cell in grid.cell_ids:
        borders = [grid.border(cell, other) for other in grid.neighbours(cell)] + list(grid.outer_borders(cell))
        outline = grid.outline(cell)
        around = np.hypot(*(np.roll(outline, -1, axis=0) - outline).T).sum()
        assert sum(border.length for border in borders) == pytest.approx(around, rel=1e-3)


@pytest.mark.parametrize(("geometry", "scale"), SCALES)
def test_centres_lie_in_their_cells_and_cells_in_the_extent(geometry: Geometry, scale: int) -> None:
    grid = grid_of(geometry, scale)
    for cell in grid.cell_ids:
        assert grid.cell_at(grid.centre(cell)) == cell
        assert (grid.outline(cell) >= -1e-9).all()
        assert (grid.outline(cell) <= np.array(grid.extent) + 1e-9).all()


def test_centres_follow_the_published_formulas() -> None:
    height = math.sin(math.pi / 3)
    assert make_grid(Geometry.HEXAGON, width=3, height=3).centre(5) == pytest.approx((height + 3 * height, 2.5))
    triangles = make_grid(Geometry.TRIANGLE, width=3, height=3)
    assert triangles.centre(8) == pytest.approx((1.0, 3 * height - height / 3))
    assert triangles.centre(7) == pytest.approx((0.5, 2 * height + height / 3))
    circle = make_grid(Geometry.CIRCLE, rings=3)
    assert circle.centre(1) == (3.0, 3.0)
    assert circle.centre(10001) == pytest.approx((3 + 1.5 * math.sin(math.pi / 6), 3 - 1.5 * math.cos(math.pi / 6)))
    assert isinstance(circle.border(1, 10001), Arc)


@pytest.mark.parametrize(
    ("geometry", "scale", "size"),
    [
        (Geometry.SQUARE, 3, (318, 318)),
        (Geometry.SQUARE, 16, (1650, 1650)),
        (Geometry.HEXAGON, 3, (632, 524)),
        (Geometry.HEXAGON, 16, (2938, 2520)),
        (Geometry.TRIANGLE, 3, (216, 278)),
        (Geometry.TRIANGLE, 16, (882, 1430)),
        (Geometry.CIRCLE, 3, (636, 636)),
        (Geometry.CIRCLE, 16, (3298, 3298)),
    ],
)
def test_native_picture_sizes(geometry: Geometry, scale: int, size: tuple[int, int]) -> None:
    assert Layout(grid_of(geometry, scale)).picture_size == size


@pytest.mark.parametrize("kind", CellMapKind)
@pytest.mark.parametrize("geometry", Geometry)
def test_cell_maps_hold_every_cell_around_its_centre(geometry: Geometry, kind: CellMapKind) -> None:
    layout = Layout(grid_of(geometry, 4), cell_size_px=40.0, wall_width_px=4.0)
    cell_map = rasterise_cell_map(layout, kind)
    assert cell_map.dtype == np.int32
    assert cell_map.shape == layout.picture_size[::-1]
    assert set(np.unique(cell_map)) - {0} == set(layout.grid.cell_ids)
    for cell in layout.grid.cell_ids:
        x, y = layout.centre(cell)
        assert cell_map[int(y), int(x)] == cell
        assert layout.cell_at((x, y)) == cell


@pytest.mark.parametrize("geometry", Geometry)
def test_drawn_cells_have_equal_areas(geometry: Geometry) -> None:
    layout = Layout(grid_of(geometry, 3), cell_size_px=60.0, wall_width_px=6.0)
    cell_map = rasterise_cell_map(layout, CellMapKind.DRAWN)
    for cell in layout.grid.cell_ids:
        x, y = layout.grid.outline(cell).T * layout.cell_size_px
        area = abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2
        assert (cell_map == cell).sum() == pytest.approx(area, rel=0.02)


def test_layout_refuses_sizes_that_are_not_positive() -> None:
    with pytest.raises(ValueError, match="cell_size_px"):
        Layout(grid_of(Geometry.SQUARE, 2), cell_size_px=0.0)
    with pytest.raises(ValueError, match="wall_width_px"):
        Layout(grid_of(Geometry.SQUARE, 2), wall_width_px=math.nan)


@pytest.mark.parametrize("geometry", Geometry)
def test_routes_join_cells_that_are_not_adjacent_by_a_straight_line(geometry: Geometry) -> None:
    grid = grid_of(geometry, 4)
    first, last = grid.cell_ids[1], grid.cell_ids[-1]
    route = grid.route([first, last])
    np.testing.assert_allclose(route[0], grid.centre(first))
    np.testing.assert_allclose(route[-1], grid.centre(last))
    steps = np.unique(np.round(route, 9), axis=0)
    assert len(steps) == 2
    with pytest.raises(ValueError, match="at least one"):
        grid.route([])


def test_a_ring_route_goes_the_short_way_across_north() -> None:
    grid = make_grid(Geometry.CIRCLE, rings=3)
    route = grid.route([grid.id_of(2, 11), grid.id_of(2, 0)])
    np.testing.assert_allclose(np.hypot(*(route - 3).T), 2.5)
    assert route[:, 1].max() < 1.0


def test_a_ring_route_back_and_forth_reaches_its_turning_point() -> None:
    grid = make_grid(Geometry.CIRCLE, rings=3)
    turn = grid.id_of(2, 2)
    route = grid.route([grid.id_of(2, 0), grid.id_of(2, 1), turn, grid.id_of(2, 1)])
    assert np.hypot(*(route - np.array(grid.centre(turn))).T).min() < 1e-9
