"""Which faults are tried: lines drawn by a seed, each as likely as any other, and one fault on each."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .sites import Mutation, compiles, mutations


@dataclass(frozen=True)
class Equivalent:
    """A fault that nothing can tell, with the reason."""

    path: str
    before: str
    after: str
    reason: str


def read_equivalents(file: Path) -> list[Equivalent]:
    """Reads the list: blocks of a file's name, ``- `` line before, ``+ `` line after, ``= `` reason.

    Raises
    ------
    ValueError : a block is no such block
    """
    found = []
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    text = "\n".join(line for line in lines if not line.startswith("#"))
    for block in filter(None, (part.strip("\n") for part in text.split("\n\n"))):
        path, *rest = block.splitlines()
        if [line[:2] for line in rest] != ["- ", "+ ", "= "]:
            raise ValueError(f"{file}: a block is a file, then lines with '- ', '+ ' and '= '; this is none:\n{block}")
        found.append(Equivalent(path, *(line[2:] for line in rest)))
    return found


def choose(
    sources: Mapping[str, bytes], count: int, seed: int, equivalents: list[Equivalent]
) -> tuple[list[Mutation], list[Equivalent], list[Equivalent]]:
    """Draws faults.

    A line's turn depends on the seed, its file and its text only. So the draw stays what it was when other lines
    change, and results of an earlier run go on to count.

    Parameters
    ----------
    sources : the files, by name
    count : how many faults; fewer where there are fewer lines
    seed : any number
    equivalents : faults that are not tried

    Returns
    -------
    The faults; the equivalents that would have been drawn; the equivalents that no file has any more.
    """
    left_out = {(item.path, item.before, item.after): item for item in equivalents}
    lines: list[tuple[str, list[Mutation]]] = []
    present: set[tuple[str, str, str]] = set()
    for path, source in sorted(sources.items()):
        by_line: dict[int, list[Mutation]] = {}
        for mutation in mutations(path, source):
            by_line.setdefault(mutation.line, []).append(mutation)
        texts = source.decode().splitlines()
        seen: Counter[str] = Counter()
        for line, found in sorted(by_line.items()):
            text = texts[line - 1].strip()
            lines.append((_turn(seed, path, text, seen[text]), found))
            seen[text] += 1
            present.update((item.path, item.before, item.after) for item in found)
    chosen: list[Mutation] = []
    passed: list[Equivalent] = []
    for turn, found in sorted(lines, key=lambda entry: entry[0]):
        if len(chosen) == count:
            break
        for mutation in sorted(found, key=lambda item: _turn(turn, item.operator, item.after)):
            known = left_out.get((mutation.path, mutation.before, mutation.after))
            if known:
                passed.append(known)
            elif compiles(mutation, sources[mutation.path]):
                chosen.append(mutation)
            else:
                continue
            break
    return chosen, passed, [item for key, item in left_out.items() if key not in present and item.path in sources]


def _turn(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()
