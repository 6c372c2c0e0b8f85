"""Centrelines of ink: a graph that has the ends, forks and lengths of the drawing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.maze.strokes.segments import StrokeGraph, trace_strokes


def drawn(*lines: tuple[tuple[int, int], tuple[int, int]], width: int = 5) -> np.ndarray:
    mask = np.zeros((80, 120), np.uint8)
    for one, other in lines:
        cv2.line(mask, one, other, 1, width)
    return mask > 0


def test_a_line_has_two_ends_and_its_length() -> None:
    mask = np.zeros((80, 120), bool)
    mask[38:43, 18:93] = True
    graph = trace_strokes(mask)
    assert graph.pieces[0] == 1
    assert len(graph.ends) == 2
    ends = sorted((graph.pixels[end].tolist() for end in graph.ends), key=lambda pixel: pixel[1])
    # Thinning takes about half a width off each end.
    for end, x in zip(ends, (20, 90), strict=True):
        assert abs(end[0] - 40) <= 1
        assert abs(end[1] - x) <= 4
    # Five pixels wide: the middle one is three from the nearest pixel outside.
    assert np.median(graph.half_widths) == pytest.approx(3.0, abs=0.2)
    first, last = graph.ends.tolist()
    assert len(graph.route(first, last)) == len(graph.pixels)


def test_forks_and_pieces() -> None:
    fork = trace_strokes(drawn(((10, 40), (100, 40)), ((55, 40), (55, 75))))
    assert (fork.pieces[0], len(fork.ends)) == (1, 3)
    apart = trace_strokes(drawn(((10, 20), (50, 20)), ((70, 60), (110, 60))))
    assert (apart.pieces[0], len(apart.ends)) == (2, 4)
    ends = apart.ends.tolist()
    one, other = ends[0], ends[-1]
    assert apart.route(one, other).tolist() == [one]
    joined = apart.with_edges(np.array([[one, other]], np.intp))
    assert joined.pieces[0] == 1


def test_a_route_goes_to_the_farthest_pixel() -> None:
    graph = trace_strokes(drawn(((10, 40), (100, 40)), ((20, 40), (20, 60))))
    left = int(graph.pixels[:, 1].argmin())
    route = graph.route(left, None)
    assert route[0] == left
    assert graph.pixels[route[-1], 1] >= 95
    steps = np.abs(np.diff(graph.pixels[route], axis=0)).max(axis=1)
    assert (steps == 1).all()


def test_ink_at_the_picture_s_edge_is_traced() -> None:
    mask = np.zeros((30, 50), bool)
    mask[:5, :] = True
    graph = trace_strokes(mask)
    assert len(graph.ends) == 2
    assert (np.abs(graph.pixels[:, 0] - 2) <= 1).all()


def test_nothing_to_trace() -> None:
    graph = trace_strokes(np.zeros((10, 10), bool))
    assert (len(graph.pixels), len(graph.edges), len(graph.ends), graph.pieces[0]) == (0, 0, 0, 0)


def test_a_pixel_more() -> None:
    graph = StrokeGraph(np.array([[0, 0], [0, 1]], np.intp), np.array([[0, 1]], np.intp), np.ones(2, np.float32))
    grown = graph.with_pixel(np.array([5, 5], np.intp), 1)
    assert grown.pixels.tolist() == [[0, 0], [0, 1], [5, 5]]
    assert grown.pieces[0] == 1
    assert sorted(grown.ends.tolist()) == [0, 2]
    assert graph.with_edges(np.zeros((0, 2), np.intp)) is graph
