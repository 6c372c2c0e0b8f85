"""A network that needs no torch and does what a pair's first pixel says, for tests of what stands around the real ones.

alex works. vgg lacks something. squeeze ends the process while it is loaded, until there is a file ``whole``.
"""

import contextlib
import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from grader.lpips.availability import LpipsError, LpipsSource
from grader.lpips.messages import PairAnswer
from grader.lpips.nets import LpipsNet
from grader.lpips.network import PictureTooSmallError
from grader.lpips.pairs import PicturePair, write_pair
from grader.lpips.sharing.broker import LpipsBroker
from grader.lpips.sharing.process import LpipsSpec

ORDERS = ("MEASURE", "SLEEP", "HOLD", "DIE", "ONCE", "FAULT", "NAN")
MIN_SIDE_PX = 16
MISSING = "something of vgg is missing; install it"
SELF_CHECK = "it gives 1 where 1 is known"
SOURCE = LpipsSource("1.0", "2.0", "a fake device", "ab" * 32)


def ordered_pair(order: str, side: int = 32, value: int = 0) -> PicturePair:
    """A pair that is to be measured, or ``SLEEP tenths``, or an order of ``ORDERS``. LPIPS of it is value / 1000.

    ``HOLD`` is measured once `let_go` was called.
    """
    word, _, tenths = order.partition(" ")
    reference = np.zeros((side, side, 3), np.uint8)
    candidate = reference.copy()
    candidate[0, 0] = ORDERS.index(word), int(tenths or 0), value
    return PicturePair(candidate, reference)


class FakeNetwork:
    """Writes the size of each batch to the file ``batches``, one a line."""

    source = SOURCE
    self_check = SELF_CHECK
    known_value = 1.0

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def score_batch(self, pairs: list[PicturePair], *, batched: bool = False) -> tuple[float | None, ...]:
        with (self._folder / "batches").open("a") as file:
            file.write(f"{len(pairs)}{' at once' if batched else ''}\n")
        if min(pairs[0].candidate.shape[:2]) < MIN_SIDE_PX:
            raise PictureTooSmallError(f"a side is below {MIN_SIDE_PX}")
        for pair in pairs:
            self._obey(ORDERS[pair.candidate[0, 0, 0]], pair.candidate[0, 0, 1] / 10)
        return tuple(None if pair.kept is not None and not pair.kept.any() else _value(pair) for pair in pairs)

    def _obey(self, word: str, seconds: float) -> None:
        match word:
            case "SLEEP":
                time.sleep(seconds)
            case "HOLD":
                wait_until((self._folder / "go").exists)
            case "DIE":
                os.kill(os.getpid(), signal.SIGKILL)
            case "ONCE":
                if not (self._folder / "died").exists():
                    (self._folder / "died").touch()
                    os.kill(os.getpid(), signal.SIGKILL)
            case "FAULT":
                raise RuntimeError("a fault of CUDA")
            case "NAN":
                raise LpipsError("the network gave nan")


def _value(pair: PicturePair) -> float:
    return int(pair.candidate[0, 0, 2]) / 1000


def load_fake(net: LpipsNet, folder: Path) -> FakeNetwork:
    with (folder / "loads").open("a") as file:
        file.write(f"{net}\n")
    if net is LpipsNet.VGG and not (folder / "whole").exists():
        raise LpipsError(MISSING)
    if net is LpipsNet.SQUEEZE and not (folder / "whole").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    return FakeNetwork(folder)


def let_go(folder: Path) -> None:
    """Ends what ``HOLD`` holds."""
    (folder / "go").touch()


def lines(folder: Path, name: str) -> list[str]:
    """What the process wrote to a file."""
    path = folder / name
    return path.read_text().splitlines() if path.exists() else []


@contextlib.contextmanager
def fake_broker(
    folder: Path,
    *,
    timeout_s: float = 30.0,
    missing: Mapping[LpipsNet, str] | None = None,
    why_not: Callable[[LpipsNet], str | None] = lambda _: None,
    **spec: object,
) -> Iterator[LpipsBroker]:
    """A broker whose process loads the networks of this module."""
    folder.mkdir(exist_ok=True)
    made = LpipsSpec(functools.partial(load_fake, folder=folder), log_level="CRITICAL", **spec)
    known = {net: (missing or {}).get(net) for net in LpipsNet}
    broker = LpipsBroker(made, timeout_s, known, why_not)
    try:
        yield broker
    finally:
        broker.close()


def ask(
    broker: LpipsBroker,
    order: str,
    net: LpipsNet = LpipsNet.ALEX,
    given_up: Callable[[], bool] = lambda: False,
    **pair: int,
) -> PairAnswer | None:
    """What comes of one pair."""
    answer = broker.measure(write_pair(net, ordered_pair(order, **pair)), given_up)
    return None if answer is None else PairAnswer.from_bytes(answer)


class Asked:
    """A question in a thread of its own."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self._answer: PairAnswer | None = None
        self._thread = threading.Thread(target=self._run, args=(args, kwargs), daemon=True)
        self._thread.start()

    def _run(self, args: tuple, kwargs: dict) -> None:
        self._answer = ask(*args, **kwargs)

    def answer(self) -> PairAnswer | None:
        """Waits for it."""
        self._thread.join(30)
        if self._thread.is_alive():
            raise TimeoutError("there is no answer")
        return self._answer


def wait_until(holds: Callable[[], bool]) -> None:
    """Waits until something holds; fails after a while."""
    end = time.monotonic() + 30
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError("it did not come true")
        time.sleep(0.02)
