"""How a camera turned and moved between two pictures of a scene that stands still, from points seen in both.

Points are rays: (x, y, 1) = K^-1 (pixel, 1). A point that is seen along ``a`` before and ``b`` after by a camera that
turned by R and moved by t fulfils b^T [t]x R a = 0, whatever its distance (the essential matrix of [1]_, section 9.6).
With t unknown but for its direction, these are five numbers. How far a pair of rays is from fulfilling it is measured
by Sampson's distance ([1]_, equation 11.9).

References
----------
.. [1] R. Hartley and A. Zisserman, "Multiple View Geometry in Computer Vision", second edition, 2004.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from detectors.spatial_edit.viewpoint.config import CameraMotionConfig

Floats = NDArray[np.float64]

_STEP = 1e-6  # not a threshold: of derivatives, in radians
_TINY = 1e-18  # not a threshold: guards divisions by squares
_STEPS = 5  # not a threshold: a motion has so many numbers, three of its turn and two of its way
# The damping of Levenberg's and Marquardt's steps, how it changes, and its range.
_DAMPING, _CHANGE = 1e-3, 5.0  # not a threshold: a fit ends in the same place with others
_LEAST_DAMPING, _MOST_DAMPING = 1e-9, 1e6  # not a threshold: likewise
_WAYS = 14  # not a threshold: the first of the 13 directions of 27 that are not opposite to another one


@dataclass(frozen=True, eq=False)
class Poses:
    """Possible motions of a camera.

    Attributes
    ----------
    rotations : (s, 3, 3), from the frame before to the one after
    translations : (s, 3), of unit length
    """

    rotations: Floats
    translations: Floats

    def __len__(self) -> int:
        return len(self.rotations)


@dataclass(frozen=True, eq=False)
class Motion:
    """A motion of the camera that was fitted.

    Attributes
    ----------
    rotation_rad : by how much it turned, from 0
    agrees : (n,) bool, which pairs agree with it
    cost : 1 for each pair that does not agree, and for those that do the square of their part of the reach
    """

    rotation_rad: float
    agrees: NDArray[np.bool_]
    cost: float


def rays(points: Floats, intrinsics: Floats) -> Floats:
    """Returns the rays (n, 3) of pixels (n, 2) under K, (3, 3)."""
    found: Floats = np.column_stack([points, np.ones(len(points))]) @ np.linalg.inv(intrinsics).T
    return found


def candidate_poses(before: Floats, after: Floats, intrinsics: Floats, config: CameraMotionConfig) -> Poses:
    """Returns motions to start a fit from.

    They are those of essential matrices and of a homography that random samples agree on, for scenes in depth and for
    planes, and no turn at all with a motion in each of 13 directions. OpenCV's samples are drawn from a fixed seed.

    Parameters
    ----------
    before, after : ndarray of shape (n, 2)
        Pixels of the same points in both pictures; n is at least 5.
    intrinsics : ndarray of shape (3, 3)
    config : MotionConfig
        `MotionConfig.sample_reaches_px` are in pixels of the points.
    """
    rotations: list[Floats] = []
    translations: list[Floats] = []
    for reach in config.sample_reaches_px:
        essential, _ = cv2.findEssentialMat(before, after, intrinsics, cv2.RANSAC, config.sample_confidence, reach)
        for part in () if essential is None else np.split(np.asarray(essential), len(essential) // 3):
            one, other, way = cv2.decomposeEssentialMat(part)
            for turn in (one, other):
                rotations.append(np.asarray(turn, np.float64))
                translations.append(np.asarray(way, np.float64).ravel())
    plane, _ = cv2.findHomography(before, after, cv2.RANSAC, config.plane_reach * max(config.sample_reaches_px))
    if plane is not None:
        _, turns, shifts, _ = cv2.decomposeHomographyMat(plane, intrinsics)
        for turn, way in zip(turns, shifts, strict=True):
            rotations.append(np.asarray(turn, np.float64))
            translations.append(np.asarray(way, np.float64).ravel())
    still = [np.array(way, np.float64) for way in np.ndindex(3, 3, 3)]
    for way in still[_WAYS:]:  # half of them; the others point the opposite way, which is tried too
        rotations.append(np.eye(3))
        translations.append(way - 1.0)
    kept = [place for place, way in enumerate(translations) if np.linalg.norm(way) > _STEP]
    ways = np.array([translations[place] / np.linalg.norm(translations[place]) for place in kept])
    return Poses(np.array([rotations[place] for place in kept]), ways)


def fit_motion(
    before: Floats, after: Floats, starts: Poses, reach: float, most_rad: float, config: CameraMotionConfig
) -> Motion | None:
    """Finds the motion that most pairs of rays agree with, from the best of some starts.

    Parameters
    ----------
    before, after : ndarray of shape (n, 3)
        Rays.
    starts : Poses
    reach : float
        How far off a pair may be to agree, as a ray's part (pixels over the focal length).
    most_rad : float
        The camera turned by no more than this.
    config : MotionConfig
        How many starts are followed, and how far.

    Returns
    -------
    Motion or None
        None where there is no start.
    """
    if not len(starts):
        return None
    turns, ways = _within(starts.rotations, most_rad), starts.translations
    first = np.argsort(_robust(_distances(turns, ways, before, after), reach), kind="stable")[: config.starts_kept]
    turns, ways = _refined(turns[first], ways[first], before, after, reach, most_rad, config.rounds)
    off = np.abs(_distances(turns, ways, before, after)) / reach
    best: Motion | None = None
    for place in range(len(turns)):
        for way in (ways[place], -ways[place]):
            agrees = (off[place] < 1.0) & _in_front(turns[place], way, before, after, config.far_rad)
            cost = float(np.where(agrees, off[place] ** 2, 1.0).sum())
            if best is None or cost < best.cost:
                angle = float(np.linalg.norm(Rotation.from_matrix(turns[place]).as_rotvec()))
                best = Motion(angle, agrees, cost)
    return best


def _distances(turns: Floats, ways: Floats, before: Floats, after: Floats) -> Floats:
    """Returns Sampson's distances (s, n), signed, of pairs of rays under poses."""
    cross = np.zeros((len(ways), 3, 3))
    cross[:, 0, 1], cross[:, 0, 2], cross[:, 1, 2] = -ways[:, 2], ways[:, 1], -ways[:, 0]
    cross -= cross.transpose(0, 2, 1).copy()
    essential = cross @ turns
    lines_after = before @ essential.transpose(0, 2, 1)
    lines_before = after @ essential
    # Sums of two and three numbers, a million of them: written out, they take a third of the time of sum(-1).
    x, y, z = (lines_after[..., axis] for axis in range(3))
    x_before, y_before = (lines_before[..., axis] for axis in range(2))
    steep = x**2 + y**2 + (x_before**2 + y_before**2)
    found: Floats = (after[:, 0] * x + after[:, 1] * y + after[:, 2] * z) / np.sqrt(steep + _TINY)
    return found


def _robust(distances: Floats, reach: float) -> Floats:
    """Returns Cauchy's loss, summed over pairs."""
    loss: Floats = np.log1p((distances / reach) ** 2).sum(-1)
    return loss


def _within(turns: Floats, most_rad: float) -> Floats:
    """Returns rotations, with those that are larger cut down to ``most_rad``."""
    vectors = Rotation.from_matrix(turns).as_rotvec()
    angles = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: Floats = Rotation.from_rotvec(vectors * np.minimum(1.0, most_rad / np.maximum(angles, _STEP))).as_matrix()
    return found


def _moved(turns: Floats, ways: Floats, steps: Floats) -> tuple[Floats, Floats]:
    """Returns poses after steps (s, 5): three of the turn, two of the way across itself."""
    # Two directions across each way: its cross products with the axis that it is least along, and with that.
    axes = np.eye(3)[np.argmin(np.abs(ways), axis=1)]
    across = np.cross(ways, axes)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    other = np.cross(ways, across)
    moved = ways + steps[:, 3:4] * across + steps[:, 4:5] * other
    return (
        Rotation.from_rotvec(steps[:, :3]).as_matrix() @ turns,
        moved / np.linalg.norm(moved, axis=1, keepdims=True),
    )


def _refined(
    turns: Floats, ways: Floats, before: Floats, after: Floats, reach: float, most_rad: float, rounds: int
) -> tuple[Floats, Floats]:
    """Improves each pose by Levenberg's and Marquardt's steps with Cauchy's weights; none gets worse."""
    count = len(turns)
    damping = np.full(count, _DAMPING)
    distances = _distances(turns, ways, before, after)
    loss = _robust(distances, reach)
    for _ in range(rounds):
        slopes = np.empty((count, len(before), _STEPS))
        for number in range(_STEPS):
            step = np.zeros((count, _STEPS))
            step[:, number] = _STEP
            slopes[..., number] = (_distances(*_moved(turns, ways, step), before, after) - distances) / _STEP
        weights = 1.0 / (1.0 + (distances / reach) ** 2)
        square = np.einsum("sni,sn,snj->sij", slopes, weights, slopes)
        right = np.einsum("sni,sn,sn->si", slopes, weights, distances)
        diagonal = np.einsum("sii->si", square)
        padded = square + np.eye(_STEPS) * (damping[:, None] * diagonal + _TINY)[:, :, None]
        step = -np.linalg.solve(padded, right[..., None])[..., 0]
        turned, went = _moved(turns, ways, step)
        turned = _within(turned, most_rad)
        moved = _distances(turned, went, before, after)
        new = _robust(moved, reach)
        better = new < loss
        turns = np.where(better[:, None, None], turned, turns)
        ways = np.where(better[:, None], went, ways)
        distances = np.where(better[:, None], moved, distances)
        loss = np.where(better, new, loss)
        damping = np.where(better, damping / _CHANGE, damping * _CHANGE)
        damping = np.clip(damping, _LEAST_DAMPING, _MOST_DAMPING)
    return turns, ways


def _in_front(turn: Floats, way: Floats, before: Floats, after: Floats, far_rad: float) -> NDArray[np.bool_]:
    """Tells which points lie before both cameras, or so far away that it can't be told."""
    turned = before @ turn.T
    between = np.cross(after, turned)
    square = (between**2).sum(1)
    depth = -(between * np.cross(after, way)).sum(1) / np.maximum(square, _TINY)
    behind = (turned * depth[:, None] + way)[:, 2]
    lengths = np.linalg.norm(after, axis=1) * np.linalg.norm(turned, axis=1)
    found: NDArray[np.bool_] = ((depth > 0) & (behind > 0)) | (np.sqrt(square) < far_rad * lengths)
    return found
