"""Learned perceptual similarity (LPIPS), over a whole picture or over what a mask keeps.

The networks run in torch, through the package ``lpips``. Both are imported only when a scorer is made, so that all else
works where they are not installed.
"""

from __future__ import annotations

import contextlib
import math
import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.lpips.availability import HOW_TO_INSTALL, PACKAGES, LpipsError, LpipsSource
from grader.lpips.cache import FeatureCache
from grader.lpips.nets import LpipsNet
from grader.lpips.pairs import PicturePair
from grader.lpips.places import WeightPlaces, how_to_get
from grader.lpips.weights import Trunk, load_trunk
from grader.media.quiet import WITHOUT_WARNINGS
from grader.metrics.pixels import check_pair

_Pixels = NDArray[np.uint8] | NDArray[np.floating]

_VERSION = "0.1"
_SELF_CHECK_SIDE_PX = 64
_SELF_CHECK_TOLERANCE = 1e-4
# What the package lpips 0.1.4, called as its documentation says on torch 2.14.1, gives for `self_check_pair` on 2x - 1.
# There is none for squeeze: its weights could not be had where these were recorded.
_SELF_CHECK_VALUES: Mapping[LpipsNet, float] = {LpipsNet.ALEX: 0.257002, LpipsNet.VGG: 0.356755}
_KEPT_REFERENCES_BYTES = 160 * 1024 * 1024
# The least side that leaves a pixel for every layer, by the strides and windows of each network.
_MIN_SIDE_PX: Mapping[LpipsNet, int] = {LpipsNet.ALEX: 31, LpipsNet.VGG: 16, LpipsNet.SQUEEZE: 17}


class LpipsNotInstalledError(LpipsError):
    """A package that LPIPS needs is not installed."""


class LpipsSelfCheckError(LpipsError):
    """The loaded network does not give the values that are known of it."""


class PictureTooSmallError(ValueError):
    """A side is shorter than the network needs, which `LpipsScorer.min_side_px` says."""


class LpipsScorer:
    """A loaded network that compares pictures. Lower is more alike.

    Parameters
    ----------
    net : LpipsNet
        The network under the measure; values of different ones can't be compared.
    places : WeightPlaces or None
        Where the weights are; None for what the environment says.
    device : str
        ``cpu``, or a CUDA device such as ``cuda`` or ``cuda:1``.

    Attributes
    ----------
    net : LpipsNet
    source : LpipsSource
        What its values are computed with.
    self_check : str
        What was tried when it was made, as the end of a sentence.
    known_value : float or None
        What it was compared with then; None where no value is known.
    weights_path : Path
        The file that they were read from.
    min_side_px : int
        The shortest side of a picture that can be compared.

    Raises
    ------
    LpipsNotInstalledError
        If torch, torchvision or lpips is missing.
    WeightsMissingError, WeightsDamagedError
        If there are no whole weights. There is no score with other ones.
    LpipsSelfCheckError
        If the network does not give the values that are known of it.
    LpipsError
        If the device can't be used.

    Notes
    -----
    R. Zhang et al., "The Unreasonable Effectiveness of Deep Features as a Perceptual Metric", 2018, equation 1, version
    0.1 of the weights of its linear layers. Pictures come as 2x - 1.

    Pairs are computed one by one and on one thread, whatever torch is set to: in batches, and on more threads, torch
    sums in another order, and last bits change. On the CPU a batch is not faster. The count of threads belongs to the
    process. So a scorer is for several threads at a time only in a process that had torch set to one thread before.

    The features of the references that were used last are kept (160 MB), so each further candidate of a reference costs
    little more than half. That changes no bit.
    """

    def __init__(self, net: LpipsNet = LpipsNet.ALEX, places: WeightPlaces | None = None, device: str = "cpu") -> None:
        torch, package = _packages()
        trunk = load_trunk(net, WeightPlaces.from_environment() if places is None else places)
        self.net = net
        self.known_value = _SELF_CHECK_VALUES.get(net)
        self.weights_path: Path = trunk.path
        self.min_side_px = _MIN_SIDE_PX[net]
        self._torch, self._package = torch, package
        self._references = FeatureCache(_KEPT_REFERENCES_BYTES)
        network = _network(torch, package, trunk)
        try:
            self._device = torch.device(device)
            # Channels last is faster on the CPU; it moves values by some 1e-7.
            self._network = network.to(self._device, memory_format=torch.channels_last)
        except (RuntimeError, AssertionError) as error:  # torch asserts that it was built with CUDA
            raise LpipsError(f"LPIPS can't use the device {device!r}: {error}") from error
        self.source = LpipsSource(str(torch.__version__), version("lpips"), str(self._device), trunk.digest)
        self.self_check = self._check_itself()

    def score(
        self,
        candidate: NDArray[np.uint8] | NDArray[np.floating],
        reference: NDArray[np.uint8] | NDArray[np.floating],
        kept: NDArray[np.bool_] | None = None,
    ) -> float | None:
        """LPIPS of a pair.

        Parameters
        ----------
        candidate, reference : ndarray of shape (H, W, 3)
            RGB, both uint8, or both floating in [0, 1].
        kept : ndarray of shape (H, W), bool, or None
            The pixels that count; None for all.

        Returns
        -------
        float or None
            0 for equal pictures; most are below 1, which is no bound. None where nothing is kept.

        Raises
        ------
        ValueError
            If shapes or types differ, or floats lie anywhere outside [0, 1].
        PictureTooSmallError
            If a side is shorter than `min_side_px`.

        Notes
        -----
        Without a mask it is the value of the package ``lpips``: a mean over each layer, summed. With one, what is not
        kept is replaced in the candidate by the reference, the layers' maps are enlarged to the picture and summed
        (``spatial=True`` of that package), and the sum is averaged over what is kept. So a mask that keeps all gives
        the mean of the enlarged maps, which differs from the value without one in the fifth decimal.
        """
        return self._scores([PicturePair(candidate, reference, kept)])[0]

    def score_batch(self, pairs: Sequence[PicturePair], *, batched: bool = False) -> tuple[float | None, ...]:
        """`score` of each pair, to the bit, unless ``batched``; all pictures are of one size.

        Parameters
        ----------
        pairs : sequence of PicturePair
        batched : bool
            Whether all pictures go through the network at once. That is faster on CUDA; last bits change with what else
            is in the batch (by some 1e-7), and memory grows with it.

        Raises
        ------
        ValueError
            If sizes differ, or as `score` does.
        """
        if len({pair.candidate.shape for pair in pairs}) > 1:
            raise ValueError("the pictures of a batch are of one size")
        return self._scores(pairs, batched=batched)

    def _scores(self, pairs: Sequence[PicturePair], *, batched: bool = False) -> tuple[float | None, ...]:
        for pair in pairs:
            self._check(pair)
        counting = [pair for pair in pairs if pair.kept is None or pair.kept.any()]
        with _same_to_the_bit(self._torch), self._torch.inference_mode():
            found = iter(self._together(counting) if batched else map(self._alone, counting))
            return tuple(next(found) if pair.kept is None or pair.kept.any() else None for pair in pairs)

    def _alone(self, pair: PicturePair) -> float:
        key = self._references.key_of(pair.reference)
        reference = self._references.get(key)
        if reference is None:
            reference = self._features([pair.reference])
            self._references.put(key, reference)
        return self._distance(self._features([_shown(pair)]), reference, pair.kept)

    def _together(self, pairs: Sequence[PicturePair]) -> Iterator[float]:
        """One pass for all. Nothing of it is kept: it would bring last bits into what is computed alone."""
        places: dict[object, int] = {}
        pictures = [_shown(pair) for pair in pairs]
        of_reference = []
        for pair in pairs:
            place = places.setdefault(self._references.key_of(pair.reference), len(pictures))
            of_reference.append(place)
            if place == len(pictures):
                pictures.append(pair.reference)
        features = self._features(pictures) if pictures else []
        for place, (pair, reference) in enumerate(zip(pairs, of_reference, strict=True)):
            one, other = ([layer[at : at + 1] for layer in features] for at in (place, reference))
            yield self._distance(one, other, pair.kept)

    def _check(self, pair: PicturePair) -> None:
        check_pair(pair.candidate, pair.reference, pair.kept)
        shape = pair.candidate.shape
        if len(shape) != 3 or shape[2] != 3:
            raise ValueError(f"LPIPS compares pictures of shape (H, W, 3), not {shape}")
        if min(shape[:2]) < self.min_side_px:
            raise PictureTooSmallError(
                f"{shape[1]} x {shape[0]} pixels are too few for LPIPS's network {self.net}, which needs "
                f"{self.min_side_px} a side"
            )

    def _distance(self, one: list[Any], other: list[Any], kept: NDArray[np.bool_] | None) -> float:
        """The package's ``forward`` from each layer's features on."""
        total: Any = 0
        for layer, here, there in zip(self._network.lins, one, other, strict=True):
            differences = layer((here - there) ** 2)
            if kept is None:
                total += self._package.spatial_average(differences)
            else:
                total += self._package.upsample(differences, out_HW=kept.shape)
        found = total[0, 0].cpu().numpy()
        value = float(found.item() if kept is None else found[kept].sum(dtype=np.float64) / np.count_nonzero(kept))
        if not math.isfinite(value):
            raise LpipsError(f"LPIPS's network {self.net} gave {value} on {self._device}; try another device")
        return value

    def _features(self, pictures: Sequence[_Pixels]) -> list[Any]:
        """What each layer sees of pictures of one size, (N, channels, rows, columns), normalised at each place."""
        outputs = self._network.net(self._network.scaling_layer(self._tensor(pictures)))
        return [self._package.normalize_tensor(output) for output in outputs]

    def _tensor(self, pictures: Sequence[_Pixels]) -> Any:
        """Pictures as (N, 3, H, W) float32 in [-1, 1] on the device, with channels last in memory as they come."""
        scaled = np.empty((len(pictures), *pictures[0].shape), np.float32)
        for place, picture in zip(scaled, pictures, strict=True):
            top = np.float32(255.0 if picture.dtype == np.uint8 else 1.0)
            place[...] = picture.astype(np.float32) / top * np.float32(2.0) - np.float32(1.0)
        return self._torch.from_numpy(scaled).permute(0, 3, 1, 2).to(self._device)

    def _check_itself(self) -> str:
        candidate, reference = self_check_pair()
        found, same = self.score(candidate, reference), self.score(reference, reference)
        expected = found if self.known_value is None else self.known_value
        if found is None or expected is None or same != 0.0 or abs(found - expected) > _SELF_CHECK_TOLERANCE:
            raise LpipsSelfCheckError(
                f"LPIPS's network {self.net} from {self.weights_path} gives {found} where {expected} is known, and "
                f"{same} for equal pictures; reinstall the packages, or {how_to_get(self.net)}"
            )
        if self.known_value is None:
            return (
                f"the digest of its weights and equal pictures were checked; no value is known to compare its "
                f"{found:.6f} with"
            )
        return f"it gives {found:.6f} where {self.known_value:.6f} is known, and 0 for equal pictures"


def _shown(pair: PicturePair) -> _Pixels:
    """The candidate with what is not kept replaced by the reference."""
    if pair.kept is None:
        return pair.candidate
    return np.where(pair.kept[..., None], pair.candidate, pair.reference)


def self_check_pair() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A candidate and a reference of 64 x 64 pixels by a formula in whole numbers, for which values are recorded."""
    rows, columns = np.mgrid[:_SELF_CHECK_SIDE_PX, :_SELF_CHECK_SIDE_PX]
    reference = np.stack([4 * columns, 4 * rows, 4 * (rows ^ columns)], axis=2).astype(np.uint8)
    candidate = np.roll(reference, 5, axis=1)
    candidate[16:40, 16:40] = candidate[16:40, 16:40, ::-1]
    return candidate, reference


def _packages() -> tuple[Any, Any]:
    """The modules torch and lpips."""
    try:
        with WITHOUT_WARNINGS:
            import lpips
            import torch
    except ImportError as error:
        raise LpipsNotInstalledError(f"LPIPS needs {', '.join(PACKAGES)} ({error}); {HOW_TO_INSTALL}") from error
    return torch, lpips


def _network(torch: Any, package: Any, trunk: Trunk) -> Any:
    """The package's network with the published weights.

    It is made without memory ("meta") and then gets every tensor; torch refuses if one is missing. So no weight can be
    left as it was made up.
    """
    # It calls torchvision by arguments that are out of use, which warns.
    with torch.device("meta"), WITHOUT_WARNINGS:
        network = package.LPIPS(net=str(trunk.net), version=_VERSION, pretrained=False, pnet_rand=True, verbose=False)
    try:
        network.load_state_dict(_state(torch, package, trunk, network.state_dict()), strict=True, assign=True)
    except (KeyError, OSError, RuntimeError, pickle.UnpicklingError) as error:
        raise LpipsError(f"the installed package lpips is not as it should be ({error}); reinstall it") from error
    return network.eval().requires_grad_(False)


def _state(torch: Any, package: Any, trunk: Trunk, names: Iterable[str]) -> dict[str, Any]:
    """Every tensor of a network: the trunk's, those of the linear layers that the package holds, and its constants."""
    arrays = dict(trunk.arrays)
    path = Path(package.__file__).parent / "weights" / f"v{_VERSION}" / f"{trunk.net}.pth"
    layers = torch.load(path, map_location="cpu", weights_only=True)
    constants = package.ScalingLayer().state_dict()
    state = {}
    for name in names:
        kind, _, rest = name.partition(".")
        if kind == "net":  # net.slice2.3.weight
            state[name] = torch.from_numpy(arrays[rest.partition(".")[2]])
        elif kind == "scaling_layer":
            state[name] = constants[rest]
        else:  # lin2.model.1.weight, and the same tensor once more as lins.2.model.1.weight
            state[name] = layers[f"lin{rest}" if kind == "lins" else name]
    return state


@contextlib.contextmanager
def _same_to_the_bit(torch: Any) -> Iterator[None]:
    """One thread, and on CUDA no choice of algorithm by trial and no short floats; afterwards all is as it was."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=True, allow_tf32=False):
            yield
    finally:
        torch.set_num_threads(threads)
