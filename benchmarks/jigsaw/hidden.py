"""More of what makes an assembly wrong, as a stranger would try it: mixed in, melted, moved within, painted over."""

from __future__ import annotations

import cv2
import numpy as np

from benchmarks.jigsaw.faults import FAULTS, Fault, Pixels, Quarters, cut, joined, other_piece


def ghosted(quarters: Quarters, _at: int, dice: np.random.Generator) -> None:
    """Another order of the pieces, faintly over all of it: 8 to 25 %."""
    order = dice.permutation(4)
    while (order == np.arange(4)).any():
        order = dice.permutation(4)
    share = dice.uniform(0.08, 0.25)
    shown = [_mixed(one, quarters[order[place]], share) for place, one in enumerate(quarters)]
    quarters[:] = shown


def haunted(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """Another picture, faintly over one piece: 12 to 30 %."""
    quarters[at] = _mixed(quarters[at], other_piece(quarters, dice), dice.uniform(0.12, 0.3))


def melted(quarters: Quarters, _at: int, dice: np.random.Generator) -> None:
    """Cuts melted into one another: blurred over 5 to 10 % of a piece on each side."""
    whole = joined(quarters)
    height, width = quarters[0].shape[:2]
    soft, wide = cv2.GaussianBlur(whole, (0, 0), dice.uniform(4, 9)), int(dice.uniform(0.05, 0.1) * height)
    whole[height - wide : height + wide] = soft[height - wide : height + wide]
    whole[:, width - wide : width + wide] = soft[:, width - wide : width + wide]
    quarters[:] = cut(whole)


def softened(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece out of focus."""
    quarters[at] = np.asarray(cv2.GaussianBlur(quarters[at], (0, 0), dice.uniform(2.2, 5)), np.uint8)


def sharpened(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece with its edges drawn sharper."""
    piece = quarters[at].astype(np.float32)
    strong = dice.uniform(1.5, 3)
    quarters[at] = np.clip(piece + strong * (piece - cv2.GaussianBlur(piece, (0, 0), 2)), 0, 255).astype(np.uint8)


def filled(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """The most telling place of a piece filled with what lies around it: 18 to 35 % of its sides."""
    piece = quarters[at].copy()
    height, width = piece.shape[:2]
    side = int(height * dice.uniform(0.18, 0.35))
    edges = np.abs(cv2.Laplacian(piece.astype(np.float32), cv2.CV_32F)).mean(axis=2)
    told = cv2.boxFilter(edges, -1, (side, side))
    margin = side // 2 + 4
    inner = told[margin : height - margin, margin : width - margin]
    row, column = np.unravel_index(int(inner.argmax()), inner.shape)
    mask = np.zeros((height, width), np.uint8)
    cv2.ellipse(mask, (int(column) + margin, int(row) + margin), (side // 2, side // 2), 0, 0, 360, 255, -1)
    quarters[at] = np.asarray(cv2.inpaint(piece, mask, 4, cv2.INPAINT_TELEA), np.uint8)


def lettered(quarters: Quarters, _at: int, dice: np.random.Generator) -> None:
    """A word over the picture."""
    whole = joined(quarters)
    height, width = whole.shape[:2]
    word = str(dice.choice(["SOLVED", "1 2 3 4", "ANSWER", "SAMPLE", "OK"]))
    tall = height * dice.uniform(0.002, 0.005)
    place = (int(width * dice.uniform(0.05, 0.4)), int(height * dice.uniform(0.2, 0.9)))
    dark = whole[max(0, place[1] - 30) : place[1], place[0] : place[0] + width // 3].mean() < 128
    colour = (235, 235, 235) if dark else (25, 25, 25)
    cv2.putText(whole, word, place, cv2.FONT_HERSHEY_SIMPLEX, tall, colour, max(1, round(2 * tall)), cv2.LINE_AA)
    quarters[:] = cut(whole)


def scribbled(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A curve across a piece, 2 to 5 pixels wide."""
    made = quarters[at].copy()
    height, width = made.shape[:2]
    ends = [(width * dice.uniform(0.1, 0.3), height * dice.uniform(0.1, 0.9))]
    ends += [(width * x, height * dice.uniform(0.1, 0.9)) for x in (0.4, 0.6)]
    ends += [(width * dice.uniform(0.7, 0.9), height * dice.uniform(0.1, 0.9))]
    share = np.linspace(0, 1, 40)[:, None]
    weights = np.hstack([(1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3])
    line = np.round(sum(weights[:, place, None] * np.array(end) for place, end in enumerate(ends))).astype(np.int32)
    ground = made[line[:, 1], line[:, 0]].mean(axis=0)
    colour = ground + np.where(ground > 128, -1, 1) * dice.uniform(50, 110, 3)
    cv2.polylines(made, [line], False, tuple(map(float, colour)), int(dice.integers(2, 6)), cv2.LINE_AA)
    quarters[at] = made


def stuck_on(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A thing out of another picture, with soft edges: 15 to 30 % of a piece's sides."""
    quarters[at] = _laid_over(quarters[at], other_piece(quarters, dice), dice)


def cloned(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A part of another piece, with soft edges."""
    quarters[at] = _laid_over(quarters[at], quarters[(at + int(dice.integers(1, 4))) % 4], dice)


def halves_swapped(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """The halves of a piece in each other's place."""
    across = int(dice.integers(2))
    quarters[at] = np.roll(quarters[at], quarters[at].shape[across] // 2, axis=across)


def halves_exchanged(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """The lower or right halves of two pieces exchanged."""
    other = (at + int(dice.integers(1, 4))) % 4
    height, width = quarters[at].shape[:2]
    half = np.s_[height // 2 :, :] if dice.integers(2) else np.s_[:, width // 2 :]
    quarters[at], quarters[other] = quarters[at].copy(), quarters[other].copy()
    kept = quarters[at][half].copy()
    quarters[at][half] = quarters[other][half]
    quarters[other][half] = kept


def half_mirrored(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A half of a piece mirrored over the other."""
    made = quarters[at].copy()
    height, width = made.shape[:2]
    if dice.integers(2):
        made[:, width - width // 2 :] = made[:, : width // 2][:, ::-1]
    else:
        made[height - height // 2 :] = made[: height // 2][::-1]
    quarters[at] = made


def zoomed(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece larger than the others, cut off at its edges: 8 to 20 %."""
    piece = quarters[at]
    height, width = piece.shape[:2]
    scale = dice.uniform(1.08, 1.2)
    large = cv2.resize(piece, (int(width * scale), int(height * scale)), interpolation=cv2.INTER_CUBIC)
    top, left = (large.shape[0] - height) // 2, (large.shape[1] - width) // 2
    quarters[at] = np.asarray(large[top : top + height, left : left + width], np.uint8).copy()


def padded(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece 8 to 16 % smaller than the others, with its edges drawn on."""
    piece = quarters[at]
    height, width = piece.shape[:2]
    scale = dice.uniform(0.84, 0.92)
    small = cv2.resize(piece, (int(width * scale), int(height * scale)), interpolation=cv2.INTER_AREA)
    top, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
    pad = (top, height - small.shape[0] - top, left, width - small.shape[1] - left)
    quarters[at] = np.asarray(cv2.copyMakeBorder(small, *pad, cv2.BORDER_REFLECT), np.uint8)


def rolled(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece that was pushed aside by 8 to 20 %, and goes on at its other side."""
    across = int(dice.integers(2))
    quarters[at] = np.roll(quarters[at], int(quarters[at].shape[across] * dice.uniform(0.08, 0.2)), axis=across)


def tinted(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece in another light: one channel stronger and one weaker, by 15 to 30 %."""
    gains = dice.permutation([1 + dice.uniform(0.15, 0.3), 1.0, 1 - dice.uniform(0.15, 0.3)])
    quarters[at] = np.clip(quarters[at] * gains, 0, 255).astype(np.uint8)


def flattened(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece with half to 70 % of its contrast."""
    mean = quarters[at].mean(axis=(0, 1))
    quarters[at] = np.clip(mean + dice.uniform(0.5, 0.7) * (quarters[at] - mean), 0, 255).astype(np.uint8)


def posterized(quarters: Quarters, at: int, dice: np.random.Generator) -> None:
    """A piece in five to seven steps of each colour."""
    step = 255 / int(dice.integers(4, 7))
    quarters[at] = np.round(np.round(quarters[at] / step) * step).astype(np.uint8)


def _mixed(one: Pixels, other: Pixels, share: float) -> Pixels:
    return np.asarray(cv2.addWeighted(one, 1 - share, other, share, 0), np.uint8)


def _laid_over(piece: Pixels, source: Pixels, dice: np.random.Generator) -> Pixels:
    """An oval out of one picture in another one, each from a place of its own."""
    height, width = piece.shape[:2]
    side = int(height * dice.uniform(0.15, 0.3))
    (top, left), (down, across) = (
        tuple(int(dice.integers(int(0.08 * span), span - side - int(0.08 * span))) for span in (height, width))
        for _ in range(2)
    )
    mask = np.zeros((side, side), np.float32)
    cv2.ellipse(mask, (side // 2, side // 2), (int(0.42 * side), int(0.42 * side)), 0, 0, 360, 1.0, -1)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.2), np.float32)[..., None]
    made = piece.copy()
    target, taken = np.s_[top : top + side, left : left + side], np.s_[down : down + side, across : across + side]
    made[target] = np.round((1 - soft) * piece[target] + soft * source[taken]).astype(np.uint8)
    return made


HIDDEN: dict[str, Fault] = {
    one.__name__: one
    for one in (
        *(ghosted, haunted, melted, softened, sharpened, filled),
        *(lettered, scribbled, stuck_on, cloned),
        *(halves_swapped, halves_exchanged, half_mirrored, zoomed, padded, rolled),
        *(tinted, flattened, posterized),
    )
}
ALL_FAULTS: dict[str, Fault] = {**FAULTS, **HIDDEN}
