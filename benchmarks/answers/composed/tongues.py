"""What is said around plans, in ten languages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("tongues.json")


@dataclass(frozen=True)
class Tongue:
    """A language: for each kind of thing that is said, some ways to say it.

    ``{m}`` stands for a move, ``{1}`` and ``{2}`` for plans, ``{o}`` for the name of an option.

    Attributes
    ----------
    colon : between a lead and what it announces
    leads, hedges, correct : announce an answer: plainly, with doubt, after a mistake
    headings, keys : the same as a heading, and as a key
    think, think_move : said before an answer; without moves, and of a move that is not in the plan
    retract, deny_after : take back what stands before
    deny_before, tries : announce what is not the answer
    either, both : leave it open
    option, choose : name an option, and choose one
    confirm : doubts and finds it right
    giveup : gives no answer
    trailing, explain, note_move : said after an answer
    echo : quotes the format that was asked for
    first, then : between moves
    reason, until, to_exit : beside a move; change nothing
    step, columns : name steps, and columns of a table (step, vehicle, direction, move, reason)
    vehicle, blank, forward, backward, up, down, left, right : words of moves
    """

    name: str
    colon: str
    leads: tuple[str, ...]
    headings: tuple[str, ...]
    hedges: tuple[str, ...]
    think: tuple[str, ...]
    think_move: tuple[str, ...]
    retract: tuple[str, ...]
    correct: tuple[str, ...]
    deny_before: tuple[str, ...]
    deny_after: tuple[str, ...]
    tries: tuple[str, ...]
    either: tuple[str, ...]
    option: tuple[str, ...]
    both: tuple[str, ...]
    choose: tuple[str, ...]
    confirm: tuple[str, ...]
    giveup: tuple[str, ...]
    trailing: tuple[str, ...]
    explain: tuple[str, ...]
    note_move: tuple[str, ...]
    echo: tuple[str, ...]
    first: tuple[str, ...]
    then: tuple[str, ...]
    reason: tuple[str, ...]
    until: tuple[str, ...]
    to_exit: tuple[str, ...]
    step: tuple[str, ...]
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    vehicle: tuple[str, ...]
    blank: tuple[str, ...]
    forward: tuple[str, ...]
    backward: tuple[str, ...]
    up: tuple[str, ...]
    down: tuple[str, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]

    def ways(self, way: str) -> tuple[str, ...]:
        """The words for a direction."""
        return {
            "forward": self.forward,
            "backward": self.backward,
            "up": self.up,
            "down": self.down,
            "left": self.left,
            "right": self.right,
        }[way]


@cache
def tongues() -> dict[str, Tongue]:
    """All languages by their names."""
    found: dict[str, dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return {
        name: Tongue(name, said.pop("colon"), **{key: tuple(ways) for key, ways in said.items()})
        for name, said in found.items()
    }
