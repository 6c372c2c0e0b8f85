"""Whether LPIPS can be measured, network by network, and what is to be said of it."""

from __future__ import annotations

import enum
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from grader.lpips.messages import AnswerKind, PairAnswer
from grader.lpips.nets import LpipsNet

_TRY_AGAIN_S = 10.0
"""How long a network that something is missing of is not looked at again."""
_BACK_OFFS_S = (0.0, 2.0, 5.0, 10.0)
"""How long a network is not tried again after the first, second, ... time in a row that loading it failed."""


class NetStatus(enum.Enum):
    """Whether LPIPS can be measured with a network."""

    UNTRIED = "UNTRIED"
    CHECKING = "CHECKING"
    AVAILABLE = "AVAILABLE"
    UNAVAILABLE = "UNAVAILABLE"
    """Something has to be installed or set."""
    FAILING = "FAILING"
    """The process does not start, or dies while it loads; it is tried again."""


@dataclass(frozen=True)
class NetState:
    """Whether LPIPS can be measured with a network.

    Attributes
    ----------
    status : whether it can
    text : what was checked, or why it can't be measured
    since : on ``time.monotonic()``
    failures : how often in a row the process did not come up with it
    """

    status: NetStatus
    text: str
    since: float
    failures: int = 0

    @property
    def again_at(self) -> float:
        """When it is looked at or tried again, on ``time.monotonic()``."""
        match self.status:
            case NetStatus.FAILING:
                return self.since + _BACK_OFFS_S[min(self.failures, len(_BACK_OFFS_S)) - 1]
            case NetStatus.UNAVAILABLE:
                return self.since + _TRY_AGAIN_S
            case _:
                return self.since

    def answer(self) -> bytes | None:
        """What a pair is answered at once that comes now; ``None`` where it is to be tried."""
        return self.refusal() if time.monotonic() < self.again_at else None

    def refusal(self) -> bytes | None:
        """What a pair is answered that can't be measured; ``None`` in a state in which it is to be tried."""
        if self.status is NetStatus.UNAVAILABLE:
            return refusal(AnswerKind.UNAVAILABLE, self.text)
        if self.status is NetStatus.FAILING:
            return refusal(AnswerKind.FAILED, self.text, max(0.0, self.again_at - time.monotonic()))
        return None


def refusal(kind: AnswerKind, text: str, again_s: float = 0.0) -> bytes:
    """The answer to a pair that has no value; ``again_s`` is how long to wait before another try."""
    return PairAnswer(kind, text=text, again_s=again_s).to_bytes()


class NetStates:
    """The state of each network; any thread may read and set them.

    Parameters
    ----------
    missing : mapping
        Why a network can't be used, such as missing weights; None where nothing is known to be missing.
    """

    def __init__(self, missing: Mapping[LpipsNet, str | None]) -> None:
        self._lock = threading.Lock()
        long_ago = time.monotonic() - _TRY_AGAIN_S  # so the first pair that comes looks again
        self._states = {
            net: NetState(NetStatus.UNTRIED if why is None else NetStatus.UNAVAILABLE, why or "", long_ago)
            for net, why in missing.items()
        }

    def all(self) -> dict[LpipsNet, NetState]:
        """Every network's state."""
        with self._lock:
            return dict(self._states)

    def of(self, net: LpipsNet) -> NetState:
        """One network's state."""
        with self._lock:
            return self._states[net]

    def set(self, net: LpipsNet, status: NetStatus, text: str = "") -> NetState:
        """Sets one, and gives what was before."""
        with self._lock:
            before = self._states[net]
            failures = before.failures + 1 if status is NetStatus.FAILING else 0
            self._states[net] = NetState(status, text, time.monotonic(), failures)
            return before

    def turn(self, before: NetStatus, after: NetStatus, text: str = "") -> list[LpipsNet]:
        """Sets all that have one status to another, and gives them."""
        now = time.monotonic()
        with self._lock:
            turned = [net for net, state in self._states.items() if state.status is before]
            self._states.update(dict.fromkeys(turned, NetState(after, text, now)))
            return turned
