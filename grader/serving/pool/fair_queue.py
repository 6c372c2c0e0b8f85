"""A queue that is fair between clients: each gets as much of the workers' time as any other that asks.

Every client has a line of its own and a clock of the seconds that it has had. The line whose clock is behind comes
next. What a request costs is the time that a worker takes for it, which is what its pixels, frames and words come to;
before that is known, the client's own mean is charged, and mended at the end. A client that was away does not save up:
its clock is set to that of those who are served.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

_FIRST_GUESS_S = 0.1
_NEW_SHARE = 0.3
"""Weight of the latest request in the mean of what a client's requests take."""
_MAX_IDLE_LINES = 1024
"""Clients that are remembered though nothing of theirs is here."""
_GREED = 4
"""A client may have this many times as many places as are left free, so that others always find some."""


class _HasClient(Protocol):
    @property
    def client(self) -> str: ...


T = TypeVar("T", bound=_HasClient)


@dataclass
class _Line(Generic[T]):
    clock_s: float
    guess_s: float
    waiting: deque[T] = field(default_factory=deque)
    running: int = 0

    @property
    def places(self) -> int:
        return len(self.waiting) + self.running


class FairQueue(Generic[T]):
    """Lines of clients before workers. It is not safe by itself: its owner locks.

    Parameters
    ----------
    room : int
        How many may be here, those that are being worked on included.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._lines: dict[str, _Line[T]] = {}
        self._now_s = 0.0
        self._typical_s = _FIRST_GUESS_S
        self._places = 0

    @property
    def typical_s(self) -> float:
        """What a request takes, about."""
        return self._typical_s

    @property
    def places(self) -> int:
        """How many are here, waiting or being worked on."""
        return self._places

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self._places - sum(line.running for line in self._lines.values())

    def waiting_by_client(self) -> dict[str, int]:
        """How many wait of each client that has some waiting."""
        return {client: len(line.waiting) for client, line in self._lines.items() if line.waiting}

    def admits(self, client: str) -> bool:
        """Whether there is room for one more of a client's."""
        line = self._lines.get(client)
        free = self._room - self._places
        return free > 0 and (0 if line is None else line.places) < _GREED * free

    def push(self, item: T) -> None:
        """Puts an item at the end of its client's line, whether there is room or not."""
        line = self._lines.get(item.client)
        if line is None:
            self._forget_idle()
            line = self._lines[item.client] = _Line(self._now_s, self._typical_s)
        elif not line.places:
            line.clock_s = max(line.clock_s, self._now_s)
        line.waiting.append(item)
        self._places += 1

    def pop(self) -> tuple[T, float] | None:
        """The next item and what was charged for it; ``None`` where nothing waits. It is here until `ended`."""
        lines = [line for line in self._lines.values() if line.waiting]
        if not lines:
            return None
        line = min(lines, key=lambda one: one.clock_s)
        self._now_s = max(self._now_s, line.clock_s)
        line.clock_s += line.guess_s
        line.running += 1
        return line.waiting.popleft(), line.guess_s

    def ended(self, client: str, charged_s: float, took_s: float) -> None:
        """Notes that an item that was popped is done, and what it took."""
        line = self._lines[client]
        line.running -= 1
        self._places -= 1
        line.clock_s += took_s - charged_s
        line.guess_s += _NEW_SHARE * (took_s - line.guess_s)
        self._typical_s += _NEW_SHARE * (took_s - self._typical_s)

    def remove(self, item: T) -> bool:
        """Takes an item out that waits; says whether it did."""
        line = self._lines.get(item.client)
        if line is None or item not in line.waiting:
            return False
        line.waiting.remove(item)
        self._places -= 1
        return True

    def clear(self) -> list[T]:
        """Takes out all that wait."""
        left = [item for line in self._lines.values() for item in line.waiting]
        for line in self._lines.values():
            line.waiting.clear()
        self._places -= len(left)
        return left

    def _forget_idle(self) -> None:
        if len(self._lines) >= _MAX_IDLE_LINES:
            self._lines = {client: line for client, line in self._lines.items() if line.places}
