"""Whether LPIPS can be measured on this machine, and what with, as far as that is told without loading anything."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass

from grader.lpips.nets import LpipsNet
from grader.lpips.places import WeightPlaces, WeightsError
from grader.model.errors import GraderError
from grader.model.jobs import Similarity

NETS = {
    Similarity.LPIPS_ALEX: LpipsNet.ALEX,
    Similarity.LPIPS_VGG: LpipsNet.VGG,
    Similarity.LPIPS_SQUEEZE: LpipsNet.SQUEEZE,
}
"""The network under each measure of similarity that needs one."""

PACKAGES = ("torch", "torchvision", "lpips")
HOW_TO_INSTALL = (
    "install them with `pip install --editable '.[lpips]'` in the folder that this program was installed from"
)


class LpipsError(GraderError):
    """LPIPS can't be measured here; the message says what to do."""


@dataclass(frozen=True)
class LpipsSource:
    """What values were computed with, for a verdict's provenance.

    Attributes
    ----------
    torch_version, lpips_version : of the packages
    device : ``cpu``, ``cuda`` or ``cuda:1``
    weights_sha256 : of the network's weights, hex; `grader.lpips.weights.Trunk.digest`
    """

    torch_version: str
    lpips_version: str
    device: str
    weights_sha256: str


def why_unavailable(net: LpipsNet, places: WeightPlaces) -> str | None:
    """Why LPIPS can't be measured on this machine, and what to do; None where it can.

    Looks for packages and for weights, which it checks by their digests. It does not import torch, so it fits a
    server's start.
    """
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        return f"LPIPS needs {', '.join(missing)}; {HOW_TO_INSTALL}"
    from grader.lpips.weights import find_weights

    try:
        find_weights(net, places)
    except WeightsError as error:
        return str(error)
    return None
