"""What happens to colours and fine detail: drifts, light, noise, blur, compression."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy.frame_nuisances import resized
from benchmarks.accuracy.scenes import FileKind, Scene

_LEAST_FREE_PX = 16.0


def _sign(dice: np.random.Generator) -> int:
    return 1 if dice.random() < 0.5 else -1


def _toned(scene: Scene, table: NDArray[np.floating]) -> Scene:
    """Maps every channel by a table of 256 values."""
    picture = cv2.LUT(scene.picture, np.rint(np.clip(table, 0, 255)).astype(np.uint8))
    return replace(scene, picture=picture.astype(np.uint8))


def _hsv(scene: Scene) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(scene.picture.astype(np.float32) / 255, cv2.COLOR_RGB2HSV), np.float32)


def _from_hsv(scene: Scene, hsv: NDArray[np.float32]) -> Scene:
    picture = np.rint(np.clip(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB) * 255, 0, 255)).astype(np.uint8)
    return replace(scene, picture=picture)


def hue(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Turns all hues by some degrees."""
    hsv = _hsv(scene)
    hsv[..., 0] = (hsv[..., 0] + level * _sign(dice)) % 360
    return _from_hsv(scene, hsv)


def saturation(scene: Scene, level: float, dice: np.random.Generator) -> Scene:  # noqa: ARG001
    """Makes colours paler."""
    hsv = _hsv(scene)
    hsv[..., 1] *= level
    return _from_hsv(scene, hsv)


def brightness(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Adds to all channels, or takes away."""
    return _toned(scene, np.arange(256) + level * _sign(dice))


def contrast(scene: Scene, level: float, dice: np.random.Generator) -> Scene:  # noqa: ARG001
    """Draws all channels towards the middle."""
    return _toned(scene, 128 + level * (np.arange(256) - 128.0))


def gamma(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Bends the tone curve up or down."""
    return _toned(scene, 255 * (np.arange(256) / 255) ** (level ** _sign(dice)))


def _shaded(scene: Scene, shade: NDArray[np.floating]) -> Scene:
    picture = np.rint(scene.picture * shade[..., None]).astype(np.uint8)
    return replace(scene, picture=picture)


def light(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Darkens towards one side."""
    width, height = scene.size
    angle = dice.uniform(0, 2 * np.pi)
    x, y = np.linspace(-0.5, 0.5, width)[None, :], np.linspace(-0.5, 0.5, height)[:, None]
    along = (x * np.cos(angle) + y * np.sin(angle)) / (abs(np.cos(angle)) + abs(np.sin(angle))) + 0.5
    return _shaded(scene, (1 - level * along).astype(np.float32))


def vignette(scene: Scene, level: float, dice: np.random.Generator) -> Scene:  # noqa: ARG001
    """Darkens towards the corners."""
    width, height = scene.size
    x, y = np.linspace(-1, 1, width)[None, :], np.linspace(-1, 1, height)[:, None]
    return _shaded(scene, (1 - level * (x**2 + y**2) / 2).astype(np.float32))


def noise(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Adds Gaussian noise, each channel by itself."""
    grain = dice.standard_normal(scene.picture.shape, dtype=np.float32)
    picture = np.clip(scene.picture + level * grain, 0, 255).astype(np.uint8)
    return replace(scene, picture=picture)


def pepper(scene: Scene, level: float, dice: np.random.Generator) -> Scene:
    """Makes single pixels black or white."""
    count = int(level * scene.picture.shape[0] * scene.picture.shape[1])
    rows, columns = (dice.integers(0, side, count) for side in scene.picture.shape[:2])
    picture = scene.picture.copy()
    picture[rows, columns] = np.where(dice.random(count) < 0.5, 0, 255)[:, None]
    return replace(scene, picture=picture)


def blur(scene: Scene, level: float, dice: np.random.Generator) -> Scene:  # noqa: ARG001
    """Blurs by a share of the cells' size."""
    sigma = max(0.4, level * scene.free_px / 64)
    return replace(scene, picture=cv2.GaussianBlur(scene.picture, (0, 0), sigma).astype(np.uint8))


def downup(scene: Scene, level: float, dice: np.random.Generator) -> Scene:  # noqa: ARG001
    """Makes the picture smaller and large again."""
    width, height = scene.size
    scale = min(1.0, max(level, _LEAST_FREE_PX / scene.free_px))
    small = resized(scene, round(width * scale), round(height * scale))
    picture = cv2.resize(small.picture, (width, height), interpolation=cv2.INTER_CUBIC)
    return replace(scene, picture=picture.astype(np.uint8))


def jpeg(scene: Scene, level: float, dice: np.random.Generator) -> Scene:  # noqa: ARG001
    """A JPEG file."""
    return replace(scene, file=FileKind.JPEG, quality=int(level))


def webp(scene: Scene, level: float, dice: np.random.Generator) -> Scene:  # noqa: ARG001
    """A WebP file."""
    return replace(scene, file=FileKind.WEBP, quality=int(level))
