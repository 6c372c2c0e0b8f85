"""The package lpips called as its documentation says, with its trunk filled from the weights that were found."""

from __future__ import annotations

import warnings

import numpy as np

from grader.lpips.nets import LpipsNet
from grader.lpips.places import WeightPlaces
from grader.lpips.weights import load_trunk


def reference_network(net: LpipsNet, *, spatial: bool = False):
    """The package's network. It would download the trunk itself; what is filled in here is the same."""
    import lpips
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it calls torchvision by arguments that are out of use
        network = lpips.LPIPS(net=str(net), pnet_rand=True, spatial=spatial, verbose=False)
    arrays = dict(load_trunk(net, WeightPlaces.from_environment()).arrays)
    network.net.load_state_dict(
        {name: torch.from_numpy(arrays[name.split(".", 1)[1]]) for name in network.net.state_dict()}
    )
    return network


def reference_value(network, candidate: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """What it gives for two uint8 pictures on 2x - 1: one number, or a map."""
    import torch

    with torch.no_grad():
        tensors = [
            2 * torch.from_numpy(picture).permute(2, 0, 1)[None].float() / 255 - 1 for picture in (candidate, reference)
        ]
        return network(*tensors)[0, 0].numpy()
