"""Small clips of sliding puzzles: pictures from seeds, looks of tiles, slides, and what else may happen in clips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from grader.media.frames import Frame
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import BlankMove, apply_move

FPS = 24
Picture = np.ndarray
_STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def shapes(seed: int, side: int = 480) -> Picture:
    """A picture of coloured discs and boxes on a gradient."""
    dice = np.random.default_rng(seed)
    down, right = np.mgrid[0:side, 0:side] / side
    image = np.stack([70 + 120 * down, 90 + 90 * right, 160 - 100 * down * right], axis=-1).astype(np.uint8)
    for _ in range(40):
        color = tuple(int(value) for value in dice.integers(20, 236, 3))
        x, y, r = (int(value) for value in (*dice.integers(0, side, 2), dice.integers(side // 30, side // 9)))
        if dice.random() < 0.5:
            cv2.circle(image, (x, y), r, color, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(image, (x - r, y - r), (x + r, y + r // 2), color, -1)
    return image


def sky(seed: int, side: int = 480) -> Picture:
    """A pale sky, nearly the same everywhere, over a dark hill in the lowest third."""
    dice = np.random.default_rng(seed)
    down = np.mgrid[0:side, 0:side][0] / side
    image = np.stack([150 + 10 * down, 180 + 8 * down, 225 - 4 * down], axis=-1)
    image += cv2.GaussianBlur(dice.normal(0, 8, (side, side, 3)), (0, 0), 3)
    hill = np.mgrid[0:side, 0:side][0] > side * (0.75 + 0.08 * np.sin(np.arange(side) / side * 7))[None, :]
    image[hill] = image[hill] * 0.3 + 20
    return np.clip(image, 0, 255).astype(np.uint8)


@dataclass(frozen=True)
class Look:
    """How tiles are drawn: lengths in shares of a cell; the blank's colour; numbers on tiles."""

    gap: float = 0.0
    corner: float = 0.0
    border: float = 0.0
    blank: tuple[int, int, int] = (0, 0, 0)
    numbers: bool = False


@dataclass(frozen=True)
class Piece:
    """A tile drawn at a row and column, fractions allowed, mixed with another tile's look."""

    tile: int
    row: float
    column: float
    turns_into: int | None = None
    share: float = 0.0


@dataclass
class Art:
    """Draws boards of one picture, whose solved state has tiles 1, 2, ... in order and the blank last."""

    picture: Picture
    size: int
    look: Look = field(default_factory=Look)
    side: int = 240
    filling: float = 0.0

    def tile(self, number: int) -> tuple[Picture, Picture]:
        """The look of a tile, and how opaque each pixel is."""
        cell = self.side // self.size
        row, column = divmod(number - 1, self.size)
        whole = cv2.resize(self.picture, (self.side, self.side), interpolation=cv2.INTER_AREA)
        part = whole[row * cell : (row + 1) * cell, column * cell : (column + 1) * cell].copy()
        gap, corner = round(self.look.gap * cell / 2), round(self.look.corner * cell)
        if self.look.border:
            thick = max(1, round(self.look.border * cell))
            cv2.rectangle(part, (gap, gap), (cell - 1 - gap, cell - 1 - gap), (250, 250, 245), 2 * thick - 1)
        if self.look.numbers:
            place = (gap + cell // 10, gap + cell // 3)
            cv2.putText(part, str(number), place, cv2.FONT_HERSHEY_SIMPLEX, cell / 90, (255, 255, 255), 3, cv2.LINE_AA)
            cv2.putText(part, str(number), place, cv2.FONT_HERSHEY_SIMPLEX, cell / 90, (10, 10, 10), 1, cv2.LINE_AA)
        opaque = np.zeros((cell, cell), np.float32)
        low, high = gap + corner, cell - 1 - gap - corner
        cv2.rectangle(opaque, (low, gap), (high, cell - 1 - gap), 1, -1)
        cv2.rectangle(opaque, (gap, low), (cell - 1 - gap, high), 1, -1)
        for x in (low, high):
            for y in (low, high):
                cv2.circle(opaque, (x, y), corner, 1, -1, cv2.LINE_AA)
        return part.astype(np.float32), opaque[..., None]

    def board(self, pieces: Iterable[Piece]) -> Picture:
        """A board with pieces; the last ones lie on top."""
        cell = self.side // self.size
        board = np.empty((cell * self.size, cell * self.size, 3), np.float32)
        board[:] = self.look.blank
        for piece in pieces:
            part, opaque = self.tile(piece.tile)
            if piece.turns_into is not None:
                part = (1 - piece.share) * part + piece.share * self.tile(piece.turns_into)[0]
            x, y = round(piece.column * cell), round(piece.row * cell)
            under = board[y : y + cell, x : x + cell]
            high, wide = under.shape[:2]
            under += opaque[:high, :wide] * (part[:high, :wide] - under)
        return board.astype(np.uint8)

    def at_rest(self, state: tuple[int, ...]) -> Picture:
        """The board of a state."""
        return self.board(at_rest(state, self.size))


def at_rest(state: tuple[int, ...], size: int) -> list[Piece]:
    """The pieces of a state."""
    return [Piece(tile, *divmod(place, size)) for place, tile in enumerate(state) if tile != BLANK]


def moved(state: tuple[int, ...], moves: str) -> tuple[int, ...]:
    """The state after moves, given as words."""
    for word in moves.split():
        state = apply_move(state, BlankMove(word))
    return state


def slides(art: Art, state: tuple[int, ...], moves: str, each: int = 12, rest: int = 4) -> list[Picture]:
    """Boards that show moves of the blank, given as words, one tile at a time."""
    boards = [art.at_rest(state)] * rest
    size = art.size
    for word in moves.split():
        row, column = divmod(state.index(BLANK), size)
        down, right = _STEPS[word]
        tile = state[(row + down) * size + column + right]
        for step in range(1, each):
            share = 0.5 - 0.5 * float(np.cos(np.pi * step / each))
            still = [piece for piece in at_rest(state, size) if piece.tile != tile]
            going = Piece(tile, row + down * (1 - share), column + right * (1 - share))
            boards.append(art.board([*still, going]))
        state = apply_move(state, BlankMove(word))
        boards += [art.at_rest(state)] * rest
    return boards


def flown(art: Art, before: tuple[int, ...], after: tuple[int, ...], frames: int = 16) -> list[Picture]:
    """Boards on which each tile goes straight to its place in another state."""
    boards = []
    for step in range(1, frames):
        pieces = []
        for tile in before:
            if tile != BLANK:
                start, end = (np.array(divmod(state.index(tile), art.size)) for state in (before, after))
                row, column = start + (end - start) * step / frames
                pieces.append(Piece(tile, float(row), float(column)))
        boards.append(art.board(pieces))
    return boards


def faded(before: Picture, after: Picture, frames: int = 16) -> list[Picture]:
    """Boards that are mixtures of two."""
    return [cv2.addWeighted(before, 1 - step / frames, after, step / frames, 0) for step in range(1, frames)]


@dataclass(frozen=True)
class Camera:
    """How boards lie in frames: frame size, margin colour, the board's share of the shorter side, and its motion.

    ``drift`` is the shift along x at the end in shares of the board, ``zoom`` the growth at the end.
    """

    width: int = 480
    height: int = 270
    margin: int = 255
    share: float = 0.88
    drift: float = 0.0
    zoom: float = 0.0
    stretch: float = 1.0

    def shot(self, boards: list[Picture], change: Callable[[Picture, float], Picture] | None = None) -> Iterator[Frame]:
        """The frames of some boards; each may be changed, given the share of the clip that has gone by."""
        for index, board in enumerate(boards):
            gone = index / max(1, len(boards) - 1)
            side = min(self.width, self.height) * self.share * (1 + self.zoom * gone)
            wide, high = side * self.stretch, side
            left = (self.width - wide) / 2 + self.drift * gone * side
            top = (self.height - high) / 2
            many = 2 if side < 1.5 * board.shape[0] else 1
            large = cv2.resize(board, None, fx=many, fy=many, interpolation=cv2.INTER_LINEAR)
            way = np.array(
                [
                    [wide / large.shape[1], 0, left + 0.5 * wide / large.shape[1] - 0.5],
                    [0, high / large.shape[0], top + 0.5 * high / large.shape[0] - 0.5],
                ]
            )
            pixels = np.full((self.height, self.width, 3), self.margin, np.uint8)
            cv2.warpAffine(
                large, way, (self.width, self.height), pixels, cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT
            )
            if change is not None:
                pixels = change(pixels, gone)
            yield Frame(index, index / FPS, np.ascontiguousarray(pixels))


def graded(hue: float, saturation: float, brightness: float) -> Callable[[Picture, float], Picture]:
    """A change of colour that comes in over a clip: degrees, and shares."""

    def change(pixels: Picture, gone: float) -> Picture:
        hsv = cv2.cvtColor(pixels.astype(np.float32) / 255, cv2.COLOR_RGB2HSV)
        hsv[..., 0] = (hsv[..., 0] + hue * gone) % 360
        hsv[..., 1] = np.clip(hsv[..., 1] * (1 + saturation * gone), 0, 1)
        hsv[..., 2] = np.clip(hsv[..., 2] * (1 + brightness * gone), 0, 1)
        return (cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB) * 255).round().astype(np.uint8)

    return change


def compressed(seed: int, quality: int = 30, noise: float = 6.0) -> Callable[[Picture, float], Picture]:
    """Noise and JPEG blocks, other ones in each frame."""
    dice = np.random.default_rng(seed)

    def change(pixels: Picture, gone: float) -> Picture:
        noisy = np.clip(pixels + dice.normal(0, noise, pixels.shape), 0, 255).astype(np.uint8)
        _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return cv2.imdecode(data, cv2.IMREAD_COLOR)

    return change


def decoded(path: Path) -> Iterator[Frame]:
    """The frames of a file."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        base = stream.time_base or Fraction(1, FPS)
        for index, frame in enumerate(container.decode(stream)):
            yield Frame(index, float((frame.pts or 0) * base), frame.to_ndarray(format="rgb24"))
