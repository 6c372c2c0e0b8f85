"""Goes through folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


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
