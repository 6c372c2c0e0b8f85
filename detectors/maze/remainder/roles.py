"""What is left on a maze gets a role by where it lies: a way or a wall, a mark, a note at a marker, decoration."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.energy import EnergyConfig, energies
from detectors.common.residual.mixing import distance_to, lengths, seen_color, times
from detectors.common.residual.windows import WindowsConfig, averages, coarser
from detectors.maze.ink import Ink
from detectors.maze.plan.cell_maps import OUTSIDE
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.remainder.config import RemainderConfig, RoleConfig
from detectors.maze.remainder.field import MazeResidual
from detectors.maze.remainder.matched import matched
from detectors.maze.shapes.writing import is_written


class Role(enum.Enum):
    """What something is that belongs neither to the maze nor to the line that was read."""

    WAY = "way"
    WALL = "wall"
    MARK = "mark"
    AT_MARKER = "at_marker"


@dataclass(frozen=True)
class Remainder:
    """Something that is left.

    Attributes
    ----------
    role : what it is, by where it lies
    cells : the cells in which it shows
    contrast : the greatest contrast of it, averaged over a window, in OKLab with a and b doubled
    plainness : how many times as plain it is as what is just seen
    """

    role: Role
    cells: tuple[int, ...]
    contrast: float
    plainness: float


@dataclass(frozen=True)
class _Cells:
    """By position in ``cell_ids``: how plain, beside what is just seen, and how contrasty what is left in a cell is.

    ``paired`` counts only what leads from a cell to an adjoining one; ``color`` is what is left where it is plainest.
    """

    alone: NDArray[np.float64]
    paired: NDArray[np.float64]
    contrast: NDArray[np.float64]
    color: NDArray[np.float64]

    @property
    def plain(self) -> NDArray[np.float64]:
        """The greater of both."""
        return np.maximum(self.alone, self.paired)

    @property
    def parts(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """All four."""
        return self.alone, self.paired, self.contrast, self.color


def _along_passages(shown: NDArray[np.bool_], residual: MazeResidual, plan: Floorplan, cells: set[int]) -> float:
    """Over which share (0 to 1) of what is in sight of a passage of some cells something shows, at the most."""
    most = 0.0
    for border in plan.borders:
        if not border.open or not cells & {border.first, border.second}:
            continue
        rows, columns = border.pixels.T
        known = residual.usable[rows, columns]
        # not a threshold: of a border of which less is in sight nothing is told
        if known.mean() >= 0.3:
            most = max(most, float(shown[rows, columns][known].mean()))
    return most


def _is_barred(
    residual: MazeResidual, apart: NDArray[np.bool_], plan: Floorplan, windows: WindowsConfig, config: RoleConfig
) -> bool:
    """Whether something lies all along a passage of a marker's cell, as a wall does, and no word."""
    reach = 2 * round(config.written * plan.cell_px) + 1
    contrast = lengths(residual.values) * apart
    shown = cv2.dilate(contrast, np.ones((reach, reach), np.uint8)) > windows.dot.visible
    return _along_passages(shown, residual, plan, {marker.cell for marker in plan.markers}) >= config.barred


def _is_grown(
    residual: MazeResidual,
    plan: Floorplan,
    ink: Ink,
    strokes: NDArray[np.bool_],
    cells: NDArray[np.integer],
    config: RoleConfig,
) -> bool:
    """Whether a wall goes on into some cells, or a bar about as wide lies at the line there: no writing."""
    wide = max(1, round(config.grown * plan.wall_px))
    shape = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    solid = plan.walls | plan.outside
    shown = cv2.morphologyEx((ink.dark | ink.other | solid).view(np.uint8), cv2.MORPH_OPEN, shape) > 0
    shown &= ~plan.marker_rims & ~strokes
    near = np.ones((round(config.grown_gap * plan.wall_px) | 1,) * 2, np.uint8)
    # not a threshold: a pixel's neighbours
    _, parts = cv2.connectedComponents(cv2.dilate(shown.view(np.uint8), near), connectivity=8)
    grown = shown & ~solid & np.isin(plan.labels, cells) & (plan.wall_distance > config.grown_far * plan.cell_px)
    # not a threshold: a pixel's neighbours
    _, pieces, stats, _ = cv2.connectedComponentsWithStats(grown.view(np.uint8), connectivity=8)
    long = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) >= config.grown_long * plan.wall_px
    grown &= long[pieces]
    contrast = lengths(residual.values)
    drawn = _joined(residual, contrast, plan, config)
    grown &= drawn > 0  # what nothing is left of is a wall's own edge
    hues = [seen_color(marker.rgb) - residual.ground.color for marker in plan.markers if marker.cell in cells]
    for piece in np.unique(drawn[grown]).tolist():
        part = drawn == piece
        hued = _has_hue(residual.values[part], hues, config)
        hued = hued and _along_passages(part, residual, plan, set(cells.tolist())) < config.along
        if hued or _is_word(residual, contrast, part, config):
            grown &= ~part
    if np.isin(parts[grown], parts[solid & shown]).any():
        return True
    # What a line casts of a shadow is known; what is left beside it was drawn there.
    crossing = parts[grown & ink.dark & (contrast > config.hue)]
    return bool(np.isin(crossing, parts[shown & (cv2.dilate(strokes.view(np.uint8), near) > 0)]).any())


def _words(residual: MazeResidual, plan: Floorplan, at: NDArray[np.bool_], config: RoleConfig) -> NDArray[np.bool_]:
    """(h, w) bool, words of which half or more lies in some cells, with a rim as wide as what joins their letters."""
    contrast = lengths(residual.values)
    drawn = _joined(residual, contrast, plan, config)
    found = np.zeros(at.shape, np.bool_)
    cells = {marker.cell for marker in plan.markers}
    for piece in np.unique(drawn[at & (drawn > 0)]).tolist():
        part = drawn == piece
        # not a threshold: half of it
        within = 2.0 * float(contrast[part & at].sum()) >= float(contrast[part].sum())
        dotted = within and _along_passages(part, residual, plan, cells) >= config.barred
        if within and not dotted and _is_word(residual, contrast, part, config):
            found |= part
    return found


def _joined(
    residual: MazeResidual, contrast: NDArray[np.float32], plan: Floorplan, config: RoleConfig
) -> NDArray[np.int32]:
    """(h, w), by number, what shows and hangs together: near walls little of a word is left, so that it falls apart."""
    near = np.ones((round(config.written * plan.cell_px) | 1,) * 2, np.uint8)
    least = max(config.writing.least, config.writing.noisy * residual.ground.noise)
    drawn = cv2.dilate((contrast > least).view(np.uint8), near)
    return np.asarray(cv2.connectedComponents(drawn, connectivity=8)[1], np.int32)  # not a threshold: neighbours


def _is_word(
    residual: MazeResidual, contrast: NDArray[np.float32], part: NDArray[np.bool_], config: RoleConfig
) -> bool:
    """Whether something is writing, by what is left or by what is shown: near walls little of a word is left."""
    if is_written(contrast, part, config.writing):
        return True
    rows, columns = np.nonzero(part)
    box = slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)
    return is_written(residual.shown(box), part[box], config.writing)


def _has_hue(values: NDArray[np.float32], hues: Sequence[NDArray[np.floating]], config: RoleConfig) -> bool:
    """Whether (n, 3) of what is left, all together, have one of some hues, (3,) each, as far as those are colourful."""
    own = values.sum(axis=0, dtype=np.float64)
    if np.hypot(own[1], own[2]) < config.colorful * np.sqrt((own**2).sum()):
        return False
    least = np.cos(np.deg2rad(config.hue_deg))
    return any(
        float(own[1:] @ hue[1:]) >= least * np.hypot(own[1], own[2]) * np.hypot(hue[1], hue[2])
        for hue in hues
        if np.hypot(hue[1], hue[2]) >= config.colorful * np.sqrt((hue**2).sum())
    )


def _either(first: NDArray[np.bool_], one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of two values of each cell the first, where that is chosen."""
    return np.where(first if one.ndim == 1 else first[:, None], one, other)


def _left(seen: _Cells, plan: Floorplan, least: float, config: RoleConfig) -> NDArray[np.bool_]:
    """In which cells something is left, and not only the rim of what lies beside them."""
    plain = seen.plain
    return (plain >= least) & (plain >= config.beside * _most_beside(plain, plan))


def remainders(
    residual: MazeResidual,
    plan: Floorplan,
    ink: Ink,
    strokes: NDArray[np.bool_],
    config: RemainderConfig,
    candidate_px: float,
) -> tuple[Remainder, ...]:
    """What is left of a maze, strongest first.

    Parameters
    ----------
    residual : MazeResidual
    plan : Floorplan
    ink : Ink
        Its colours of floor and wall tell walls from other ink.
    strokes : ndarray of shape (h, w), bool
        The line that was read.
    config : RemainderConfig
    candidate_px : float
        How many pixels of the candidate's own come on one of the frame's, along a side.
    """
    roles = config.roles
    lined = plan.cell_maxima(strokes.astype(np.float32)) > 0.0
    seen = _seen(residual, plan, strokes, lined, config, candidate_px)
    grained = plan.pieces is not None and (plan.texture is not None or residual.ground.noise > roles.grained)
    least = roles.textured if grained else 1.0
    if plan.pieces is not None:
        # Where most pieces show something, as what compression leaves, it is noise up to a little more than that.
        usual = float(np.median(seen.plain[plan.cell_ids != OUTSIDE]))
        least = max(least, roles.crowd * min(usual, 1.0))
    left = _left(seen, plan, least, roles)
    if not left.any():
        return ()
    beside = (seen.plain >= least) & ~left
    if beside.any():
        # What has the energy of a mark away from those cells is one.
        far = distance_to(np.isin(plan.labels, plan.cell_ids[left])) > roles.written * plan.cell_px
        drawn = _near_line(strokes, plan, config.windows)
        alone = times(residual.values, far.astype(np.float32))
        shown = _by_energy(alone, residual.usable & far, plan, drawn, config.energy, candidate_px)
        left |= beside & (plan.parts.by_cell(shown) >= least)
    at_marker = np.isin(plan.cell_ids, [marker.cell for marker in plan.markers])
    if (left & at_marker).any() and (left & ~at_marker).any():
        at = np.isin(plan.labels, plan.cell_ids[left & at_marker])
        words = _words(residual, plan, at, roles)
        # What is written at a marker shows in the windows of the cells around, too.
        reach = -1.0 if _is_barred(residual, ~words, plan, config.windows, roles) else roles.written * plan.cell_px
        usable = residual.usable & (distance_to(at) > reach) & ~words
        apart = _seen(
            replace(residual, values=residual.values * usable[..., None], usable=usable),
            plan,
            strokes,
            lined,
            config,
            candidate_px,
        )
        left = np.where(at_marker, left, _left(apart, plan, least, roles))
        seen = _Cells(*(_either(at_marker, one, other) for one, other in zip(seen.parts, apart.parts, strict=True)))
    plain = seen.plain
    axis = seen_color(ink.wall_rgb) - residual.ground.color
    found: list[Remainder] = []
    for group in _groups(left, plan):
        members = np.array(group, np.intp)
        if at_marker[members].all() and not _is_grown(residual, plan, ink, strokes, plan.cell_ids[members], roles):
            role = Role.AT_MARKER
        elif _is_wall(seen.color[members[plain[members].argmax()]], axis, roles):
            role = Role.WALL
        elif (seen.paired[members] >= 1.0).any():
            role = Role.WAY
        else:
            role = Role.MARK
        cells = tuple(int(cell) for cell in plan.cell_ids[members])
        found.append(Remainder(role, cells, float(seen.contrast[members].max()), float(plain[members].max())))
    return tuple(sorted(found, key=lambda one: (-one.plainness, one.cells)))


def _seen(
    residual: MazeResidual,
    plan: Floorplan,
    strokes: NDArray[np.bool_],
    lined: NDArray[np.bool_],
    config: RemainderConfig,
    candidate_px: float,
) -> _Cells:
    """How plain what is left is in each cell, by the window in which it is plainest."""
    count, parts = len(plan.cell_ids), plan.parts
    alone, led, strongest, contrast = np.zeros((4, len(parts.cells)))  # not a threshold: of each kind
    pairs, paired, inside = plan.corridors.pairs, np.zeros(count), plan.cell_ids != OUTSIDE
    dots, small = np.zeros(plan.labels.shape, np.float32), np.ones(len(parts.cells))
    windows = config.windows
    drawn = _near_line(strokes, plan, windows)
    scales = sorted({plan.unit_px, plan.cell_px})
    # Of pieces of a floor it also counts how plain what is usual is.
    at_scale = partial(averages, residual.values, residual.usable, plain_only=plan.pieces is None)
    looks = [at_scale(plan.cell_px, coarser(windows, plan.cell_px / plan.unit_px))]
    if len(scales) > 1:
        looks.append(at_scale(plan.unit_px, windows))
    for averaged, closer in ((one, look is not looks[0]) for look in looks for one in look):
        window = averaged.window
        most = parts.maxima(averaged.contrast)
        in_cells = parts.by_cell(most)
        noise = averaged.noise(in_cells[inside], in_cells[inside & ~lined])
        if closer:
            told = averaged.noise(most[parts.whole], most[parts.whole & ~drawn])
            # Specks that lie in most cells are noise, if few in each; what is as large as a part of a cell is no speck.
            noise = told if window is averaged.config.patch else max(noise, told)
        usual = max(window.visible, noise)
        more = np.ones(len(most))
        more[drawn] = np.clip(averaged.noise(most[drawn], most[:0]) / usual, 1.0, config.roles.beside_line)
        plain = most / (usual * more)
        better = plain > strongest
        strongest = np.maximum(strongest, plain)
        contrast = np.where(better, most, contrast)
        if window is averaged.config.dot:
            dots = np.maximum(dots, averaged.contrast)
            small = np.where(most >= windows.strong, windows.alone, 1.0)
        if closer:
            # In a large cell what leads on is seen however thin it is; what lies alone has to be as large as in others.
            plain = parts.maxima(parts.inner(averaged.contrast, window.side_px(plan.unit_px))) / (usual * more)
        else:
            least = np.maximum(averaged.alone(noise) * small, windows.alone * noise)
            alone = np.maximum(alone, most / (least * more))
        # What is looked at as in small cells leads from part to part, what is looked at as a whole from cell to cell.
        shown, adjoining, leads = (plain, parts.pairs, led) if closer else (parts.by_cell(plain), pairs, paired)
        both = np.minimum(shown[adjoining[:, 0]], shown[adjoining[:, 1]])
        for side in (0, 1):
            np.maximum.at(leads, adjoining[:, side], both)
    alone = np.maximum(alone, _by_energy(residual.values, residual.usable, plan, drawn, config.energy, candidate_px))
    plainest = parts.by_cell(strongest)
    contrast = parts.by_cell(np.where(strongest >= plainest[parts.cells], contrast, 0.0))
    alone, paired = parts.by_cell(alone), np.maximum(paired, parts.by_cell(led))
    color = np.zeros((count, 3))
    for cell in np.flatnonzero(np.maximum(alone, paired) >= 1.0).tolist():
        pixels = plan.pixels_of(cell)
        color[cell] = residual.values.reshape(-1, 3)[pixels[dots.ravel()[pixels].argmax()]]
    for scale in scales:
        along = matched(residual, plan, scale, lined, config.roles.beside_line, config.matched)
        for index in np.flatnonzero(along.plainness >= 1.0).tolist():
            for cell in pairs[index].tolist():
                # A single spot tells the colour better than an average over a bar, where one is plain.
                if max(alone[cell], paired[cell]) < 1.0:
                    contrast[cell], color[cell] = along.contrast[index], along.color[index]
                paired[cell] = max(paired[cell], along.plainness[index])
    return _Cells(alone, paired, contrast, color)


def _near_line(strokes: NDArray[np.bool_], plan: Floorplan, config: WindowsConfig) -> NDArray[np.bool_]:
    """(n,), which parts of cells the line is in, or close to where cells are large."""
    near = strokes if plan.unit_px >= plan.cell_px else distance_to(strokes) <= config.beside * plan.unit_px
    return plan.parts.maxima(near.astype(np.float32)) > 0.0


def _by_energy(
    values: NDArray[np.float32],
    usable: NDArray[np.bool_],
    plan: Floorplan,
    drawn: NDArray[np.bool_],
    config: EnergyConfig,
    candidate_px: float,
) -> NDArray[np.float64]:
    """(n,), how many times as plain as what is just seen the energy of what is left in each part of a cell is."""
    parts = plan.parts
    power, area = (parts.sums(one) for one in (energies(values, candidate_px, config), usable.astype(np.float32)))
    # Along a line more is left of what it mixes into the floor.
    near, apart = (config.plainness(power, area, parts.whole & where) for where in (drawn, ~drawn))
    return np.where(drawn, np.minimum(near, apart), apart)


def _most_beside(plain: NDArray[np.float64], plan: Floorplan) -> NDArray[np.float64]:
    """The plainest of the cells that lie beside each."""
    most = np.zeros(len(plain))
    for side in (0, 1):
        np.maximum.at(most, plan.near_cells[:, side], plain[plan.near_cells[:, 1 - side]])
    return most


def _groups(left: NDArray[np.bool_], plan: Floorplan) -> list[list[int]]:
    """Cells with something left, those that adjoin together."""
    parent = list(range(len(left)))

    def root(cell: int) -> int:
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    for one, other in plan.corridors.pairs[left[plan.corridors.pairs].all(axis=1)].tolist():
        parent[root(one)] = root(other)
    groups: dict[int, list[int]] = {}
    for cell in np.flatnonzero(left).tolist():
        groups.setdefault(root(cell), []).append(cell)
    return list(groups.values())


def _is_wall(color: NDArray[np.float64], axis: NDArray[np.float32], config: RoleConfig) -> bool:
    length = float(np.sqrt((axis**2).sum()))
    along = float((color * axis).sum()) / max(length, 1e-6)  # not a threshold: against a division by 0
    aside = float(np.sqrt(max(0.0, float((color**2).sum()) - along**2)))
    return along >= config.wall * length and aside < config.hue
