"""A small camera above a table, rows of boxes on it, and pictures of them drawn by hand."""

from __future__ import annotations

import math

import numpy as np

from detectors.spatial_edit.boxes.findings import BoxView, TablePlane
from detectors.spatial_edit.boxes.geometry import FACES, corners_of, entry_depth, project, seen_faces, size_numbers

VIEW = BoxView(160.0, 160.0, 80.0, 60.0, 160, 120)
PITCH, DROP = 0.6, 0.6
PLANE = TablePlane((0.0, -math.cos(PITCH), -math.sin(PITCH)), -DROP)
SIZE = (0.16, 0.1, 0.12)


def row_of(right: float = 0.0, away: float = 0.75, yaw: float = 0.7, size=SIZE) -> np.ndarray:
    """A box on the table of `PLANE`."""
    return np.array([right, away, yaw, *size_numbers(size), PITCH, 0.0, DROP])


def drawn(*rows: np.ndarray, fine: int = 4) -> tuple[np.ndarray, list[np.ndarray]]:
    """Faces in light of their own, over a table of 0.2: linear RGB (120, 160, 3), and how much of each box is seen.

    Each pixel is the mean of ``fine`` x ``fine`` points. Boxes are red, their faces 0.8, 0.6 and 0.4 bright.
    """
    grid = (np.arange(160 * fine) + 0.5) / fine, (np.arange(120 * fine) + 0.5) / fine
    points = np.stack(np.meshgrid(*grid), axis=-1).reshape(-1, 2)
    depth = np.full(len(points), np.inf)
    owner = np.full(len(points), -1)
    light = np.full((len(points), 3), 0.2)
    for number, row in enumerate(rows):
        entered = entry_depth(row, points, VIEW)
        nearer = entered < depth
        depth[nearer], owner[nearer] = entered[nearer], number
        corners = corners_of(row[None])[0]
        rays = np.column_stack([(points - (80.0, 60.0)) / 160.0, np.ones(len(points))])
        hit = rays * np.where(np.isfinite(entered), entered, 0.0)[:, None]
        middle = corners.mean(axis=0)
        for face, (corner, seen) in enumerate(zip(FACES, seen_faces(corners), strict=True)):
            if not seen:
                continue
            normal = corners[list(corner)].mean(axis=0) - middle
            on_face = nearer & (np.abs((hit - middle) @ normal - normal @ normal) < 1e-9)
            light[on_face] = np.array([1.0, 0.1, 0.1]) * (0.8, 0.6, 0.4)[face // 2]
    shape = (120, fine, 160, fine)
    linear = light.reshape(*shape, 3).mean(axis=(1, 3)).astype(np.float32)
    shares = [(owner == number).reshape(shape).mean(axis=(1, 3)).astype(np.float32) for number in range(len(rows))]
    return linear, shares


def pixels_of(row: np.ndarray) -> np.ndarray:
    """The corners in the picture."""
    return project(corners_of(row[None])[0], VIEW)
