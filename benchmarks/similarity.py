"""SSIM and LPIPS beside scikit-image and the package lpips called plainly: ``python -m benchmarks.similarity``.

Every time is the processor time of one core, the median over several runs, both sides in turn. LPIPS is measured where
its packages and weights are there (``make test-lpips`` gets both); otherwise the reason is printed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from skimage.metrics import structural_similarity

from grader.lpips.availability import why_unavailable
from grader.lpips.nets import LpipsNet
from grader.lpips.network import LpipsScorer
from grader.lpips.pairs import PicturePair
from grader.lpips.places import WeightPlaces
from grader.lpips.weights import load_trunk
from grader.metrics.ssim import masked_gaussian_ssim, masked_ssim

_SIZES_PX = (512, 1024)
_PAIRS = 50
_SMALL_PX = 64
_GROUP = 8
"""Candidates that share a reference; the column gives the time of one of them."""
_Picture = NDArray[np.uint8]


def picture_pair(side: int, seed: int) -> tuple[_Picture, _Picture]:
    """A smooth picture of random colours, and the same with noise; (side, side, 3) uint8."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 256, (max(side // 16, 2), max(side // 16, 2), 3), dtype=np.uint8)
    reference = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)
    noise = rng.normal(0.0, 25.0 * rng.random(), reference.shape)
    return np.clip(reference + noise, 0, 255).astype(np.uint8), np.asarray(reference, np.uint8)


def mask_of(side: int) -> NDArray[np.bool_]:
    """Keeps all but a rectangle of a quarter of the picture."""
    kept = np.ones((side, side), np.bool_)
    kept[side // 4 : 3 * side // 4, side // 4 : 3 * side // 4] = False
    return kept


def _medians(work: Sequence[Callable[[], object]], runs: int) -> list[float]:
    """Milliseconds of processor time of each, in turn, so that all see the same machine."""
    for one in work:
        one()
    times = [[_timed(one) for one in work] for _ in range(runs)]
    return [statistics.median(of) for of in zip(*times, strict=True)]


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000.0 * (time.process_time() - start)


def _skimage(pair: tuple[_Picture, _Picture]) -> float:
    return float(structural_similarity(*pair, channel_axis=2, data_range=255))  # type: ignore[no-untyped-call]


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def measure_ssim(console: Console, runs: int) -> None:
    """Prints times for each size, and the largest difference over random pairs."""
    table = _table(
        "SSIM (processor ms, one core)", "side", "scikit-image", "ours", "ratio", "masked", "floats", "Gauss"
    )
    for side in _SIZES_PX:
        pair, kept = picture_pair(side, side), mask_of(side)
        floats = (pair[0] / 255.0, pair[1] / 255.0)
        times = _medians(
            [
                partial(_skimage, pair),
                partial(masked_ssim, *pair),
                partial(masked_ssim, *pair, kept),
                partial(masked_ssim, *floats),
                partial(masked_gaussian_ssim, *pair),
            ],
            runs,
        )
        theirs, ours, *others = times
        shown = [theirs, ours, *others]
        cells = [f"{value:.0f}" for value in shown]
        table.add_row(str(side), *cells[:2], f"{ours / theirs:.2f}", *cells[2:])
    console.print(table)
    differences = []
    for seed in range(_PAIRS):
        pair = picture_pair(_SMALL_PX + seed, seed)
        differences.append(abs((masked_ssim(*pair) or 0.0) - _skimage(pair)))
    console.print(f"largest difference to scikit-image on {_PAIRS} random pairs: {max(differences):.1e}")


def plain_network(net: LpipsNet, places: WeightPlaces) -> Any:
    """The package's network, as its documentation has it, on the trunk that was found."""
    import lpips
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network = lpips.LPIPS(net=str(net), pnet_rand=True, verbose=False)
    arrays = dict(load_trunk(net, places).arrays)
    network.net.load_state_dict(
        {name: torch.from_numpy(arrays[name.split(".", 1)[1]]) for name in network.net.state_dict()}
    )
    return network


def plain_value(network: Any, pair: tuple[_Picture, _Picture]) -> float:
    """The package's value for two uint8 pictures, on 2x - 1."""
    import torch

    with torch.no_grad():
        tensors = (torch.from_numpy(picture).permute(2, 0, 1)[None].float() / 255 for picture in pair)
        return float(network(*(2 * tensor - 1 for tensor in tensors)))


def measure_lpips(console: Console, net: LpipsNet, runs: int) -> None:
    """Prints times for each size, and the largest differences over random pairs; or why it can't be measured."""
    places = WeightPlaces.from_environment()
    problem = why_unavailable(net, places)
    if problem is not None:
        console.print(f"LPIPS with {net} is not measured: {problem}", markup=False)
        return
    import torch

    torch.set_num_threads(1)
    start = time.process_time()
    scorer = LpipsScorer(net, places)
    made = time.process_time() - start
    plain = plain_network(net, places)
    table = _table(f"LPIPS, {net} (processor ms, one core)", "side", "package", "ours", "ratio", "masked", "of 8")
    for side in _SIZES_PX:
        pair, kept = picture_pair(side, side), mask_of(side)
        eight = [PicturePair(np.roll(pair[0], shift, 0), pair[1]) for shift in range(_GROUP)]
        theirs, ours, masked, group = _medians(
            [
                partial(plain_value, plain, pair),
                partial(scorer.score, *pair),
                partial(scorer.score, *pair, kept),
                partial(scorer.score_batch, eight),
            ],
            runs,
        )
        table.add_row(
            str(side), f"{theirs:.0f}", f"{ours:.0f}", f"{ours / theirs:.2f}", f"{masked:.0f}", f"{group / _GROUP:.0f}"
        )
    console.print(table)
    to_package, to_full_mask = [], []
    for seed in range(_PAIRS):
        pair = picture_pair(_SMALL_PX + seed, seed)
        value = scorer.score(*pair) or 0.0
        to_package.append(abs(value - plain_value(plain, pair)))
        to_full_mask.append(abs(value - (scorer.score(*pair, np.ones(pair[0].shape[:2], np.bool_)) or 0.0)))
    console.print(f"largest difference to the package on {_PAIRS} random pairs: {max(to_package):.1e}")
    console.print(f"largest difference between no mask and one that keeps all: {max(to_full_mask):.1e}")
    console.print(f"making the scorer, torch imported and the weights checked: {made:.1f} s")


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="runs a figure is the median of (default: 5)")
    nets = [str(net) for net in LpipsNet]
    parser.add_argument("--net", choices=nets, action="append", help="a network of LPIPS; again for more (alex)")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    console = Console()
    measure_ssim(console, options.runs)
    for name in options.net or ["alex"]:
        measure_lpips(console, LpipsNet(name), options.runs)


if __name__ == "__main__":
    main()
