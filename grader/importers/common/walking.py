"""Goes through folders."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

PICTURE_SUFFIXES = frozenset((".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif"))
"""Of files that are taken for pictures; none is opened for that."""


def files_below(folder: Path, within: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """Every file below a folder, by name; through links too, for data sets are often links into a store.

    Parameters
    ----------
    folder : Path
    within : frozenset of Path
        The folders around it, resolved: a link to one of these would lead round and round, and is left out.
    """
    real = folder.resolve()
    if real in within:
        return
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            yield from files_below(path, within | {real})
        elif path.is_file():
            yield path


def strange_pictures(folder: Path, known: Collection[Path], apart: Collection[Path] = ()) -> list[Path]:
    """Every picture below a folder of outputs that belongs to nothing, wherever it lies.

    Parameters
    ----------
    folder : Path
        Resolved.
    known : collection of Path
        The pictures that belong to something.
    apart : collection of Path
        Resolved folders below it that are not a model's, such as that of the instances.

    Returns
    -------
    list of Path
        Relative to the folder.
    """
    return [
        path.relative_to(folder)
        for path in files_below(folder)
        if path.suffix.lower() in PICTURE_SUFFIXES
        and path not in known
        and not any(path.is_relative_to(place) for place in apart)
    ]
