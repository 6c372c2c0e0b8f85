"""How far a picture lies off another, block by block: Gauss-Newton steps on greys that a drawn answer does not sway.

Where the picture shows at p what belongs at p + u, grey - target is about g . u for small u, with g the target's
gradient. Over a block that gives the normal equations S u = e, with S = sum w g g^T and e = sum w g (grey - target)
[1]_. The weights w fall with the difference, since what differs by much was drawn.

References
----------
.. [1] B. D. Lucas, T. Kanade, "An iterative image registration technique with an application to stereo vision", 1981.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class FlowConfig:
    """How displacements are told from greys.

    Attributes
    ----------
    blocks : into at most how many rows and columns of blocks a picture is divided
    min_block_px : least height and width of a block, where two of them fit
    half_grey : difference in grey levels at which a pixel counts half
    least_structure : added to the diagonal of S, per pixel, in grey levels squared: it keeps a flat block solvable, and
        still
    affine_rounds : how often an affine change is solved for, each time but the first with blocks that disagree with it
        trusted less
    half_trust_px : displacement beyond the affine change, in pixels, at which a block counts half
    stiffness : how alike the displacements of neighbouring blocks have to be, relative to what their edges tell
    telling : the quantile of the blocks' traces of S that stands for what edges tell
    field_rounds : rounds of Jacobi's iteration
    """

    blocks: int = 12
    min_block_px: int = 12
    half_grey: float = 32.0
    least_structure: float = 1.0
    affine_rounds: int = 3
    half_trust_px: float = 0.5
    stiffness: float = 0.05
    telling: float = 0.9
    field_rounds: int = 60


@dataclass(frozen=True)
class BlockFlow:
    """The normal equations of each block, (rows, columns) arrays of float64, as means over the block's pixels.

    Attributes
    ----------
    xx, xy, yy : the weighted structure tensor S
    x, y : the right side e
    """

    xx: NDArray[np.float64]
    xy: NDArray[np.float64]
    yy: NDArray[np.float64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]

    def gathered(self, rows: int, columns: int) -> BlockFlow:
        """The same in fewer, larger blocks."""
        return BlockFlow(*_means(np.stack([self.xx, self.xy, self.yy, self.x, self.y]), rows, columns))

    def steps(self, config: FlowConfig) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Each block's own displacement (across, down) in pixels, as far as its edges tell."""
        xx, yy = self.xx + config.least_structure, self.yy + config.least_structure
        determinant = xx * yy - self.xy**2
        return (yy * self.x - self.xy * self.y) / determinant, (xx * self.y - self.xy * self.x) / determinant


def block_grid(height: int, width: int, config: FlowConfig) -> tuple[int, int]:
    """Into how many rows and columns of blocks a picture is divided."""
    rows, columns = (max(2, min(config.blocks, side // config.min_block_px)) for side in (height, width))
    return rows, columns


def block_flow(
    grey: NDArray[np.float32],
    target: NDArray[np.float32],
    gradients: tuple[NDArray[np.float32], NDArray[np.float32]],
    usable: NDArray[np.bool_],
    grid: tuple[int, int],
    config: FlowConfig,
) -> BlockFlow:
    """Compares a picture with its target.

    Parameters
    ----------
    grey, target : ndarray of shape (h, w), float32, 0 to 255
        The picture has the target's contrast already.
    gradients : two ndarray of shape (h, w), float32
        Of the target, along x and y, in grey levels a pixel.
    usable : ndarray of shape (h, w), bool
        Pixels that can be compared.
    grid : tuple of int
        Rows and columns of blocks.
    config : FlowConfig
    """
    error = grey - target
    weight = usable / (1.0 + (error * np.float32(1.0 / config.half_grey)) ** 2)
    along_x, along_y = gradients
    weighted_x, weighted_y = along_x * weight, along_y * weight
    factors = (
        (weighted_x, along_x),
        (weighted_x, along_y),
        (weighted_y, along_y),
        (weighted_x, error),
        (weighted_y, error),
    )
    products = np.empty((len(factors), *grey.shape), np.float32)
    for place, (one, other) in enumerate(factors):
        np.multiply(one, other, out=products[place])
    return BlockFlow(*_means(products, *grid))


def affine_step(flow: BlockFlow, config: FlowConfig) -> NDArray[np.float64]:
    """The small affine change that explains the blocks' displacements best.

    Blocks that disagree with the rest are trusted less, by rounds of reweighting.

    Returns
    -------
    ndarray of shape (2, 3), float64
        Displacement (x, y) = change @ (X, Y, 1) in pixels, for X and Y from -1 to 1 across the picture.
    """
    rows, columns = flow.xx.shape
    across = (2.0 * np.arange(columns) + 1.0) / columns - 1.0
    down = (2.0 * np.arange(rows) + 1.0) / rows - 1.0
    basis = np.stack([*np.meshgrid(across, down), np.ones((rows, columns))]).reshape(3, -1)
    xx, xy, yy, x, y = (one.ravel() for one in (flow.xx, flow.xy, flow.yy, flow.x, flow.y))
    trust = np.ones_like(x)
    # Not to be moved without evidence.
    ridge = np.eye(2 * len(basis)) * config.least_structure
    change = np.zeros((2, 3))
    for _ in range(config.affine_rounds):
        pairs = basis[:, None, :] * basis[None, :, :] * trust
        system = np.block(
            [[(pairs * xx).sum(axis=2), (pairs * xy).sum(axis=2)], [(pairs * xy).sum(axis=2), (pairs * yy).sum(axis=2)]]
        )
        right = np.concatenate([(basis * trust * x).sum(axis=1), (basis * trust * y).sum(axis=1)])
        change = np.linalg.solve(system + ridge, right).reshape(2, 3)
        moved_x, moved_y = ((change[axis][:, None] * basis).sum(axis=0) for axis in (0, 1))
        left = BlockFlow(xx, xy, yy, x - xx * moved_x - xy * moved_y, y - xy * moved_x - yy * moved_y)
        step_x, step_y = left.steps(config)
        trust = 1.0 / (1.0 + (step_x**2 + step_y**2) / config.half_trust_px**2)
    return change


def projective_step(flow: BlockFlow, config: FlowConfig) -> NDArray[np.float64]:
    """The displacements of blocks that a small perspective change explains best, told as `affine_step` tells its own.

    To first order in its eight numbers a perspective moves (X, Y), from -1 to 1 across the picture, by an affine change
    and (g X + h Y) (X, Y).

    Returns
    -------
    ndarray of shape (rows, columns, 2), float64
        Displacement (x, y) of each block in pixels.
    """
    rows, columns = flow.xx.shape
    down, across = np.meshgrid(*((2.0 * np.arange(n) + 1.0) / n - 1.0 for n in (rows, columns)), indexing="ij")
    one, none = np.ones_like(across), np.zeros_like(across)
    # By unknown, what it moves along x and along y.
    along_x = np.stack([across, down, one, none, none, none, across**2, across * down]).reshape(-1, across.size)
    along_y = np.stack([none, none, none, across, down, one, across * down, down**2]).reshape(-1, across.size)
    xx, xy, yy, x, y = (each.ravel() for each in (flow.xx, flow.xy, flow.yy, flow.x, flow.y))
    trust = np.ones_like(x)
    moved_x, moved_y = np.zeros_like(x), np.zeros_like(y)
    for _ in range(config.affine_rounds):
        weighted_x = (along_x * xx + along_y * xy) * trust
        weighted_y = (along_x * xy + along_y * yy) * trust
        system = (weighted_x[:, None] * along_x + weighted_y[:, None] * along_y).sum(axis=2)
        right = ((along_x * x + along_y * y) * trust).sum(axis=1)
        # Not to be moved without evidence.
        change = np.linalg.solve(system + np.eye(len(right)) * config.least_structure, right)
        moved_x, moved_y = ((change[:, None] * along).sum(axis=0) for along in (along_x, along_y))
        left = BlockFlow(xx, xy, yy, x - xx * moved_x - xy * moved_y, y - xy * moved_x - yy * moved_y)
        step_x, step_y = left.steps(config)
        trust = 1.0 / (1.0 + (step_x**2 + step_y**2) / config.half_trust_px**2)
    return np.stack([moved_x, moved_y], axis=1).reshape(rows, columns, 2)


def smooth_field(flow: BlockFlow, config: FlowConfig) -> NDArray[np.float64]:
    """The displacements that explain the blocks best while neighbours stay alike.

    Minimises sum (u^T S u - 2 u . e) + k sum |u - u'|^2 over neighbouring blocks by Jacobi iteration, where k is
    the stiffness times an upper quantile of the traces of S.

    Returns
    -------
    ndarray of shape (rows, columns, 2), float64
        Displacement (x, y) of each block in pixels.
    """
    rows, columns = flow.xx.shape
    # Of blocks that have edges: most blocks of a maze with large cells have none, and follow the others.
    k = config.stiffness * float(np.quantile(flow.xx + flow.yy, config.telling)) + 1e-9
    count = np.full((rows, columns), 4.0)  # not a threshold: a block has four neighbours, but at the rim
    count[[0, -1], :] -= 1.0
    count[:, [0, -1]] -= 1.0
    xx, yy = flow.xx + k * count, flow.yy + k * count
    determinant = xx * yy - flow.xy**2
    own, edges = np.stack([yy, xx]), np.stack([flow.x, flow.y])
    # In a frame of noughts every block has four neighbours.
    framed = np.zeros((2, rows + 2, columns + 2))
    field = framed[:, 1:-1, 1:-1]
    above, below, before, after = (
        *(framed[:, :-2, 1:-1], framed[:, 2:, 1:-1]),
        *(framed[:, 1:-1, :-2], framed[:, 1:-1, 2:]),
    )
    right, cross = np.empty_like(edges), np.empty_like(edges)
    for _ in range(config.field_rounds):
        np.add(above, below, out=right)
        right += before
        right += after
        right *= k
        right += edges
        np.multiply(flow.xy, right[::-1], out=cross)
        right *= own
        right -= cross
        np.divide(right, determinant, out=field)
    return np.moveaxis(field.copy(), 0, -1)


def _means(values: NDArray[np.floating], rows: int, columns: int) -> NDArray[np.float64]:
    """The mean of each block of (n, h, w) arrays, (n, rows, columns)."""
    height, width = values.shape[1:]
    row_starts = np.arange(rows) * height // rows
    column_starts = np.arange(columns) * width // columns
    row_ends = np.append(row_starts[1:], height)
    strips = np.empty((len(values), rows, width))
    for row, (start, end) in enumerate(zip(row_starts, row_ends, strict=True)):
        # Row by row from the first one, as reduceat does, in a fraction of its time.
        np.add.reduce(values[:, start:end], axis=1, dtype=np.float64, out=strips[:, row])
    sums = np.add.reduceat(strips, column_starts, axis=2)
    sizes = (row_ends - row_starts)[:, None] * np.diff(np.append(column_starts, width))
    # Of a picture with fewer rows than blocks some blocks have none.
    return np.asarray(sums / np.maximum(sizes, 1), np.float64)
