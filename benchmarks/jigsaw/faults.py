"""What makes an assembly wrong: of each kind a function from the right quarters to wrong ones."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from puzzles.jigsaw.rendered import render_landscape

Pixels = NDArray[np.uint8]
Quarters = list[Pixels]
Fault = Callable[[Quarters, int, np.random.Generator], None]
"""Changes quarters in place: those in their order, the number of one of them, dice."""


def swapped(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """Two pieces in each other's place."""
    other = (at + int(dice.integers(1, 4))) % 4
    quarters[at], quarters[other] = quarters[other], quarters[at]


def rotated(quarters: Quarters, at: int, _dice: np.random.Generator) -> None:
    """A piece upside down."""
    quarters[at] = np.ascontiguousarray(np.rot90(quarters[at], 2))


def mirrored(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece mirrored."""
    quarters[at] = np.ascontiguousarray(quarters[at][:, ::-1] if dice.integers(2) else quarters[at][::-1])


def twice(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece copied over another."""
    quarters[at] = quarters[(at + int(dice.integers(1, 4))) % 4].copy()


def blank(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A quarter of one colour."""
    quarters[at] = np.full_like(quarters[at], int(dice.choice([0, 128, 255])))


def invented(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece of another picture."""
    quarters[at] = other_piece(quarters, dice)


def blended(quarters: Quarters, at: int, _dice: np.random.Generator) -> None:
    """Two pieces over one another."""
    quarters[at] = np.asarray(cv2.addWeighted(quarters[at], 0.6, quarters[(at + 1) % 4], 0.4, 0), np.uint8)


def repainted(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece painted anew: its colours in its places, without its detail, and a little bent."""
    quarters[at] = _repaint(quarters[at], dice)


def all_repainted(quarters: Quarters, _at: int, dice: np.random.Generator) -> None:
    """All of it painted anew."""
    quarters[:] = [_repaint(one, dice) for one in quarters]


def drawn_in(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A disc of a tenth to a quarter of a piece's height, and of any colour that is seen."""
    height, width = quarters[at].shape[:2]
    side = int(height * dice.uniform(0.1, 0.25))
    top, left = (int(dice.integers(int(0.1 * span), span - side - int(0.1 * span))) for span in (height, width))
    made = quarters[at].copy()
    ground = made[top : top + side, left : left + side].mean(axis=(0, 1))
    colour = ground + np.where(ground > 128, -1, 1) * dice.uniform(50, 110, 3)
    shape = ((left + side // 2, top + side // 2), (side // 2, side // 2))
    cv2.ellipse(made, *shape, 0, 0, 360, tuple(map(float, colour)), -1)
    quarters[at] = made


def at_the_centre(quarters: Quarters, _at: int, dice: np.random.Generator) -> None:
    """A disc where the four pieces meet."""
    whole = joined(quarters)
    height, width = quarters[0].shape[:2]
    quarters[:] = cut(_disc(whole, (width, height), dice))


def on_a_cut(quarters: Quarters, _at: int, dice: np.random.Generator) -> None:
    """A disc across the cut between two pieces."""
    whole = joined(quarters)
    height, width = quarters[0].shape[:2]
    along = dice.choice([0.5, 1.5]) + dice.uniform(-0.25, 0.25)
    place = (width, int(along * height)) if dice.integers(2) else (int(along * width), height)
    quarters[:] = cut(_disc(whole, place, dice))


def at_the_edge(quarters: Quarters, _at: int, dice: np.random.Generator) -> None:
    """A disc at the edge of the picture."""
    whole = joined(quarters)
    height, width = whole.shape[:2]
    along = dice.uniform(0.1, 0.9)
    place = (int(dice.integers(2)) * (width - 1), int(along * height))
    if dice.integers(2):
        place = (int(along * width), int(dice.integers(2)) * (height - 1))
    quarters[:] = cut(_disc(whole, place, dice))


def _disc(whole: Pixels, place: tuple[int, int], dice: np.random.Generator) -> Pixels:
    """A disc with a radius of 6 to 13 % of a piece's height, of any colour that is seen."""
    radius = int(whole.shape[0] / 2 * dice.uniform(0.06, 0.13))
    x, y = place
    ground = whole[max(0, y - radius) : y + radius, max(0, x - radius) : x + radius].mean(axis=(0, 1))
    colour = ground + np.where(ground > 128, -1, 1) * dice.uniform(50, 110, 3)
    return np.asarray(cv2.circle(whole.copy(), place, radius, tuple(map(float, colour)), -1), np.uint8)


def patched(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A part of another picture within a piece."""
    height, width = quarters[at].shape[:2]
    side = int(height * dice.uniform(0.2, 0.3))
    top, left = (int(dice.integers(int(0.1 * span), span - side - int(0.1 * span))) for span in (height, width))
    made = quarters[at].copy()
    made[top : top + side, left : left + side] = other_piece(quarters, dice)[top : top + side, left : left + side]
    quarters[at] = made


def shrunk(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece made smaller, within its quarter."""
    piece = quarters[at]
    height, width = piece.shape[:2]
    scale = dice.uniform(0.6, 0.8)
    small = cv2.resize(piece, (int(width * scale), int(height * scale)), interpolation=cv2.INTER_AREA)
    made = np.full_like(piece, int(dice.choice([0, 255])))
    top, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
    made[top : top + small.shape[0], left : left + small.shape[1]] = small
    quarters[at] = made


def blurred_seams(quarters: Quarters, _at: int, _dice: np.random.Generator) -> None:
    """What lies beside the cuts blurred, so that nobody sees whether it fits."""
    whole = joined(quarters)
    height, width = quarters[0].shape[:2]
    soft, wide = cv2.GaussianBlur(whole, (0, 0), 9), int(0.18 * height)
    whole[height - wide : height + wide] = soft[height - wide : height + wide]
    whole[:, width - wide : width + wide] = soft[:, width - wide : width + wide]
    quarters[:] = cut(whole)


def recoloured(quarters: Quarters, at: int, _dice: np.random.Generator) -> None:
    """A piece with its colours exchanged."""
    quarters[at] = np.ascontiguousarray(quarters[at][..., [1, 2, 0]])


def darkened(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece at a half to three quarters of its light."""
    quarters[at] = (quarters[at] * dice.uniform(0.5, 0.75)).astype(np.uint8)


def grainy(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece under noise."""
    noise = dice.normal(0, dice.uniform(35, 60), quarters[at].shape)
    quarters[at] = np.clip(quarters[at] + noise, 0, 255).astype(np.uint8)


def mosaic(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece in squares of five to eight pixels."""
    height, width = quarters[at].shape[:2]
    side = int(dice.integers(5, 9))
    small = cv2.resize(quarters[at], (width // side, height // side), interpolation=cv2.INTER_AREA)
    quarters[at] = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def wavy(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece whose rows are shifted to and fro."""
    reach = dice.uniform(3, 6)
    rows = [np.roll(row, round(reach * np.sin(place / 3)), axis=0) for place, row in enumerate(quarters[at])]
    quarters[at] = np.stack(rows)


def another_picture(quarters: Quarters, _at: int, dice: np.random.Generator) -> None:
    """Another picture altogether."""
    height, width = quarters[0].shape[:2]
    quarters[:] = cut(np.asarray(cv2.resize(_landscape(dice), (2 * width, 2 * height)), np.uint8))


def another_crop(quarters: Quarters, _at: int, _dice: np.random.Generator) -> None:
    """The photograph itself, but another part of it than the pieces are of."""
    whole = joined(quarters)
    height, width = whole.shape[:2]
    part = whole[int(0.14 * height) :, int(0.14 * width) :]
    quarters[:] = cut(np.asarray(cv2.resize(part, (width, height)), np.uint8))


def side_by_side(quarters: Quarters, _at: int, dice: np.random.Generator) -> None:
    """The pieces shown in a row, as they were given."""
    height, width = quarters[0].shape[:2]
    row = np.hstack([quarters[one] for one in dice.permutation(4)])
    made = np.full((2 * height, 2 * width, 3), 255, np.uint8)
    made[height // 2 : height // 2 + height] = cv2.resize(row, (2 * width, height), interpolation=cv2.INTER_AREA)
    quarters[:] = cut(made)


def _landscape(dice: np.random.Generator) -> Pixels:
    return render_landscape(1_000_000 + int(dice.integers(1_000_000)))


def other_piece(quarters: Quarters, dice: np.random.Generator) -> Pixels:
    """Another picture, of the size of a quarter."""
    size = (quarters[0].shape[1], quarters[0].shape[0])
    return np.asarray(cv2.resize(_landscape(dice), size, interpolation=cv2.INTER_AREA), np.uint8)


def _repaint(piece: Pixels, dice: np.random.Generator) -> Pixels:
    height, width = piece.shape[:2]
    fields = [
        cv2.resize(dice.normal(0, 1, (6, 6)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        for _ in range(2)
    ]
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    across, down = (columns + 0.02 * width * fields[0], rows + 0.02 * width * fields[1])
    smooth = cv2.medianBlur(piece, 7)
    return np.asarray(
        cv2.remap(smooth, across.astype(np.float32), down.astype(np.float32), cv2.INTER_LINEAR,
                  borderMode=cv2.BORDER_REFLECT), np.uint8
    )  # fmt: skip


def joined(quarters: Quarters) -> Pixels:
    """Four quarters as a picture."""
    return np.vstack([np.hstack(quarters[:2]), np.hstack(quarters[2:])])


def cut(whole: Pixels) -> Quarters:
    """A picture in four quarters."""
    height, width = whole.shape[0] // 2, whole.shape[1] // 2
    return [
        whole[row * height : (row + 1) * height, column * width : (column + 1) * width].copy()
        for row in range(2)
        for column in range(2)
    ]


FAULTS: dict[str, Fault] = {
    one.__name__: one
    for one in (
        *(swapped, rotated, mirrored, twice, blank, invented, blended, repainted, all_repainted, drawn_in, patched),
        *(at_the_centre, on_a_cut, at_the_edge),
        *(darkened, grainy, mosaic, wavy),
        *(shrunk, blurred_seams, recoloured, another_picture, another_crop, side_by_side),
    )
}
