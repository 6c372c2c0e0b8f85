"""Where the weights of the networks under LPIPS may lie. Nothing is read here, and nothing fetched."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.lpips.nets import NET_FILES, SDIST, LpipsNet
from grader.model.errors import GraderError

GIVEN_VARIABLE = "GRADER_LPIPS_WEIGHTS"
CACHE_VARIABLE = "GRADER_CACHE"


class WeightsError(GraderError):
    """Weights that can't be had; the message says how to get them."""


class WeightsMissingError(WeightsError):
    """No file with the weights was found."""


class WeightsDamagedError(WeightsError):
    """There is a file, and it is not what it should be."""


@dataclass(frozen=True)
class WeightPlaces:
    """Where weights are looked for, in this order.

    Attributes
    ----------
    given : a file or folder that the user named; where there is one, nothing else is looked at
    hub : where torch keeps what torchvision downloads
    cache : this program's own folder, which ``grader weights`` writes to
    """

    given: Path | None
    hub: Path
    cache: Path

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> WeightPlaces:
        """Reads ``GRADER_LPIPS_WEIGHTS``, ``GRADER_CACHE``, and what torch and the XDG rules name.

        Parameters
        ----------
        environ : mapping or None
            The environment; None for that of this process.
        """
        env = os.environ if environ is None else environ
        home = Path(env.get("HOME") or Path.home())
        xdg = Path(env.get("XDG_CACHE_HOME", ""))
        caches = xdg if xdg.is_absolute() else home / ".cache"  # a relative one is to be ignored, by the XDG rules
        torch_home = Path(env.get("TORCH_HOME") or caches / "torch").expanduser()
        own = Path(env.get(CACHE_VARIABLE) or caches / "visual-grader").expanduser()
        given = env.get(GIVEN_VARIABLE)
        return cls(
            given=Path(given).expanduser() if given else None,
            hub=torch_home / "hub" / "checkpoints",
            cache=own / "weights",
        )

    def copy_path(self, net: LpipsNet) -> Path:
        """The converted copy that ``grader weights`` writes."""
        return self.cache / copy_name(net)


def copy_name(net: LpipsNet) -> str:
    """The name of the file that holds the converted copy of a network's weights."""
    return f"lpips-{net}.npz"


def how_to_get(net: LpipsNet) -> str:
    """The sentence that ends every message on missing weights."""
    return f"get them with `grader weights --net {net}`"


def given_file(given: Path, net: LpipsNet) -> Path:
    """The file with a network's weights that a user's path means: the path itself, or a file in it with a known name.

    Raises
    ------
    WeightsMissingError
        If there is no such file.
    """
    if given.is_dir():
        files = NET_FILES[net]
        for name in (copy_name(net), files.state_name, files.pickle_name, f"{SDIST}.tar.gz"):
            if name and (given / name).is_file():
                return given / name
        raise WeightsMissingError(
            f"the folder {given} holds no weights of LPIPS's network {net}, such as {files.state_name} or "
            f"{copy_name(net)}; {how_to_get(net)}"
        )
    if given.is_file():
        return given
    raise WeightsMissingError(f"{given}, given for the weights of LPIPS, does not exist; {how_to_get(net)}")
