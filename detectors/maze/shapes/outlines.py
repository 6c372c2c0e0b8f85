"""Whether a marker's outline is the puzzle's: how far its edge lies off that, by parts of a pixel."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class MarkerOutlineConfig:
    """How far a marker's edge may lie off that of the puzzle's, at its own place, size, slant and weight.

    Attributes
    ----------
    band, band_px : what is drawn within this share of a marker's radius to either side of its edge, and within so many
        working pixels, displaces it there
    window : it is averaged along the edge over this share of the radius, either way half of it
    known : an edge is told where this share of what lies around it is in sight...
    sight : ...and of a marker of whose edge less than this share is told nothing is said
    rounded, thin : at corners it may lie as far off as they are rounded with this share of the radius, or of half of an
        arm's width
    thicker, thicker_px : strokes may be thicker or thinner by this share of the radius and so many working pixels to
        either side
    most : what lies off most is beside this share of the edge, which may be a word that touches it
    uneven, uneven_px : the usual deviation of the rest is at most this share of the radius, and so many
        working pixels...
    blurred_px : ...and for each pixel of blur so many more
    """

    band: float = 0.2
    band_px: float = 3.0
    window: float = 0.3
    known: float = 0.8
    sight: float = 0.3
    rounded: float = 0.16
    thin: float = 0.35
    thicker: float = 0.05
    thicker_px: float = 0.75
    most: float = 0.85
    uneven: float = 0.0075
    uneven_px: float = 0.085
    blurred_px: float = 0.025


@dataclass(frozen=True)
class _OutlineEdge:
    """A marker's edge: places (n, 2) in radii from the middle, outward normals (n, 2), lengths (n,), labels (n,)."""

    places: NDArray[np.float64]
    normals: NDArray[np.float64]
    lengths: NDArray[np.float64]
    labels: NDArray[np.intp]
    rings: tuple[slice, ...]

    def smooth(self, values: NDArray[np.float64], half: int) -> NDArray[np.float64]:
        """The sum of so many values to either side along each ring of the edge."""
        found = np.empty_like(values)
        for ring in self.rings:
            own = values[ring]
            steps = np.arange(half, -half - 1, -1)[:, None] + np.arange(len(own))
            found[ring] = own[steps % len(own)].sum(axis=0)
        return found


def is_uneven(
    share: NDArray[np.float32],
    weight: NDArray[np.float32],
    model: NDArray[np.float32],
    blur_px: int,
    config: MarkerOutlineConfig,
) -> bool:
    """Whether what stands in a marker's place has another outline.

    What a picture has more than the model, or less, is summed across the edge, which gives by how far it lies off,
    however blurred both are. A displacement, another size, a slant, and strokes that are thicker all over are taken
    off.

    Parameters
    ----------
    share : ndarray of shape (h, w), float32
        How far pixels are on the way from floor to marker, 0 to 1.
    weight : ndarray of shape (h, w), float32
        What of them is in sight.
    model : ndarray of shape (h, w), float32
        The same of the puzzle's marker, in its best place and at its best size.
    blur_px : int
        By how many working pixels the model is blurred.
    config : MarkerOutlineConfig
    """
    solid = (model >= 0.5).astype(np.uint8)
    radius = 0.5 * max(cv2.boundingRect(solid)[2:])
    edge, labels, near = _edge(solid, max(config.band_px, config.band * radius) + blur_px, radius)
    if not len(edge.labels):
        return False
    told = np.where(near & (weight > 0.0), labels, 0)
    count = int(labels.max()) + 1
    here = np.bincount(told.ravel(), minlength=count)[edge.labels]
    whole = np.bincount(np.where(near, labels, 0).ravel(), minlength=count)[edge.labels]
    more = np.bincount(told.ravel(), weights=(_leveled(share, weight, model) - model).ravel(), minlength=count)
    # How far corners would go in or out.
    # not a threshold: the side of OpenCV's larger mask
    depth = float(cv2.distanceTransform(solid, cv2.DIST_L2, 5).max())
    soft = min(config.rounded * radius, config.thin * depth)
    # not a threshold: as steep an edge as a normal one of that width has in its middle
    round_off = np.clip((cv2.GaussianBlur(model, (0, 0), soft) - 0.5) * 2.5 * soft + 0.5, 0.0, 1.0) - model
    rounded = np.bincount(np.where(near, labels, 0).ravel(), weights=round_off.ravel(), minlength=count)
    half = max(1, round(0.5 * config.window * radius))
    known = (here >= config.known * whole).astype(np.float64)
    length, most = edge.smooth(known * edge.lengths, half), edge.smooth(edge.lengths, half)
    # not a threshold: most of the window
    seen = (known > 0.0) & (length >= 0.6 * most)
    if float(seen.mean()) < config.sight:
        return False
    off = edge.smooth(known * more[edge.labels], half) / np.maximum(length, 1e-6)  # not a threshold: / 0
    limit = config.thicker * radius + config.thicker_px
    scale = config.uneven * radius + config.uneven_px + config.blurred_px * blur_px
    left = _unexplained(off, seen.astype(np.float64), edge, limit, scale)
    free = _unexplained(
        edge.smooth(np.asarray(rounded[edge.labels], np.float64), half) / most, np.ones(len(off)), edge, limit, scale
    )
    beyond = np.sort(np.maximum(np.abs(left) - np.abs(free), 0.0)[seen])
    usual = beyond[: math.ceil(config.most * beyond.size)]
    return float(np.sqrt((usual**2).mean())) > scale


def _edge(
    solid: NDArray[np.uint8], band: float, radius: float
) -> tuple[_OutlineEdge, NDArray[np.int32], NDArray[np.bool_]]:
    """A shape's edge; (h, w) labels of the pixel of it that lies nearest; and whether that is within a band."""
    rings, _ = cv2.findContours(solid, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    # not a threshold: fewer pixels have no outline
    kept = [ring[:, 0, :].astype(np.intp) for ring in rings if len(ring) >= 12]
    off_edge = np.ones(solid.shape, np.uint8)
    for ring in kept:
        off_edge[ring[:, 1], ring[:, 0]] = 0
    # not a threshold: the side of OpenCV's larger mask
    distance, nearest = cv2.distanceTransformWithLabels(off_edge, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    labels = np.asarray(nearest, np.int32)
    places, normals, lengths, slices, first = [], [], [], [], 0
    for ring in kept:
        own = ring.astype(np.float64)
        step = np.hypot(*(np.roll(own, -1, axis=0) - own).T)
        reach = range(1, max(2, round(0.15 * radius)) + 1)  # not a threshold: over less a slanted edge is a stair
        tangent = np.sum([np.roll(own, -by, axis=0) - np.roll(own, by, axis=0) for by in reach], axis=0)
        tangent /= np.maximum(np.hypot(*tangent.T), 1e-6)[:, None]  # not a threshold: against a division by 0
        places.append(own)
        # OpenCV follows outer edges counter-clockwise as they are seen, and those of holes clockwise.
        normals.append(np.stack([-tangent[:, 1], tangent[:, 0]], axis=1))
        lengths.append(0.5 * (step + np.roll(step, 1)))
        slices.append(slice(first, first + len(own)))
        first += len(own)
    if not kept:
        none = np.zeros((0, 2))
        return _OutlineEdge(none, none, np.zeros(0), np.zeros(0, np.intp), ()), labels, distance <= band
    at = np.concatenate(kept)
    middle = np.concatenate(places)
    edge = _OutlineEdge(
        (middle - middle.mean(axis=0)) / radius,
        np.concatenate(normals),
        np.concatenate(lengths),
        np.asarray(labels[at[:, 1], at[:, 0]], np.intp),
        tuple(slices),
    )
    return edge, labels, np.asarray(distance <= band, np.bool_)


def _leveled(
    share: NDArray[np.float32], weight: NDArray[np.float32], model: NDArray[np.float32]
) -> NDArray[np.float32]:
    """A picture of a marker whose floor is 0 and whose middle is 1: colours may have changed all over."""
    # not a threshold: where a model is all marker, and where it is all floor
    inside, outside = (weight > 0.0) & (model > 0.98), (weight > 0.0) & (model < 0.02)
    high = float(np.median(share[inside])) if inside.any() else 1.0
    low = float(np.median(share[outside])) if outside.any() else 0.0
    # not a threshold: of a marker that hardly shows no edge is told, and what overshoots is no displacement
    leveled = np.clip((share - low) / max(high - low, 0.3), -0.2, 1.2)
    return np.asarray(np.where(weight > 0.0, leveled, model), np.float32)


def _unexplained(
    off: NDArray[np.float64], weight: NDArray[np.float64], edge: _OutlineEdge, thicker: float, scale: float
) -> NDArray[np.float64]:
    """(n,) what is left of displacements beside a shift, a slant, another size, and strokes that are thicker."""
    across, down = edge.normals.T
    x, y = edge.places.T
    affine = np.stack([across, down, across * x, across * y, down * x, down * y])
    basis = np.concatenate([affine, np.ones((1, len(off)))])
    told, fit, left = weight, np.zeros(len(basis)), off
    for _ in range(3):  # not a threshold: it settles
        weighted = basis * told
        # not a threshold: a millionth keeps a system solvable in which a size and a weight are the same
        system = weighted @ basis.T + 1e-6 * max(float(told.sum()), 1.0) * np.eye(len(basis))
        fit = np.linalg.solve(system, weighted @ off)
        fit[-1] = np.clip(fit[-1], -thicker, thicker)
        rest = off - fit[-1] * basis[-1]
        fit[:-1] = np.linalg.solve(system[:-1, :-1], weighted[:-1] @ rest)
        left = off - fit @ basis
        # not a threshold: what is twice as far off as is usual sways little
        told = weight / (1.0 + (left / (2.0 * scale)) ** 2)
    return np.asarray(left, np.float64)


def hull_of(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The convex hull of a shape, as a mask of its box; of a cross also what lies between its arms."""
    found = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(found, cv2.convexHull(cv2.findNonZero(mask.view(np.uint8))), 1)
    return found > 0
