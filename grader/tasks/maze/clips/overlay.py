"""What was seen in a frame of a maze's clip: the way so far, the tip or marker, and what is wrong at that time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.drawing.canvas import BLUE, GREEN, VERMILION, Canvas, line, ring, tag
from grader.media.frames import Frame
from grader.tasks.maze.clips.clip import MazeClipJudgement


def draw_maze_frame(frame: Frame, judged: MazeClipJudgement) -> Canvas:
    """The frame with what was seen in it.

    Parameters
    ----------
    frame : Frame
    judged : MazeClipJudgement
        Of the clip that the frame is of; its first frame's alignment places what is drawn.
    """
    canvas = frame.pixels.copy()
    unit = max(1.5, max(canvas.shape[:2]) / 260.0)
    done = [point for point in judged.trajectory if point.frame <= frame.index]
    matrix = np.array(judged.alignment.matrix, np.float64).reshape(2, 3)
    if done:
        way = _in_frame(matrix, np.array([(point.x, point.y) for point in done], np.float64))
        passed = judged.outcome.value == "PASS"
        if len(way) > 1:
            line(canvas, way, GREEN if passed else BLUE, unit, casing=1.0)
        ring(canvas, way[-1], 4.0 * unit, GREEN if passed else VERMILION, unit)
    text_size = max(11, round(6.0 * unit))
    for place, event in enumerate(one for one in judged.events if one.first_frame <= frame.index <= one.last_frame):
        where = np.array([canvas.shape[1] / 2.0, (1.5 + 2.0 * place) * text_size])
        tag(canvas, where, event.code, VERMILION, text_size)
    return canvas


def _in_frame(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (N, 2) of the puzzle in pixels of the candidate, by the inverse of an alignment's matrix."""
    return np.asarray((points - matrix[:, 2]) @ np.linalg.inv(matrix[:, :2]).T, np.float64)
