"""What measures LPIPS for a verdict: this process, or another that is asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from grader.lpips.availability import LpipsError, LpipsSource
from grader.lpips.messages import AnswerKind, PairAnswer
from grader.lpips.nets import LpipsNet
from grader.lpips.network import LpipsScorer, PictureTooSmallError
from grader.lpips.pairs import PicturePair
from grader.lpips.places import WeightPlaces, WeightsError
from grader.model.errors import LpipsFailedError, MeasureUnavailableError


class Network(Protocol):
    """A loaded network; `LpipsScorer` outside of tests."""

    source: LpipsSource
    self_check: str
    known_value: float | None

    def score_batch(self, pairs: Sequence[PicturePair], *, batched: bool = False) -> tuple[float | None, ...]:
        """LPIPS of pairs of one size; see `LpipsScorer.score_batch`."""


def measure_pairs(network: Network, pairs: Sequence[PicturePair], *, batched: bool = False) -> list[PairAnswer]:
    """What comes of pairs of one size, in their order; see `LpipsScorer.score_batch` for ``batched``."""
    try:
        values = network.score_batch(pairs, batched=batched)
    except PictureTooSmallError as error:
        return [PairAnswer(AnswerKind.UNMEASURABLE, text=str(error))] * len(pairs)
    return [
        PairAnswer(AnswerKind.MEASURED, value, "" if value is not None else "no pixel counts", network.source)
        for value in values
    ]


class ScoresPairs(Protocol):
    """What measures LPIPS."""

    def score(self, net: LpipsNet, pair: PicturePair) -> PairAnswer:
        """Measures a pair of uint8 pictures.

        Returns
        -------
        PairAnswer
            MEASURED or UNMEASURABLE.

        Raises
        ------
        MeasureUnavailableError
            If LPIPS can't be measured on this machine.
        LpipsFailedError
            If what measures failed, and may not fail again.
        """


class LocalScores:
    """Measures in this process, and keeps the networks that it has loaded.

    Threads wait for one another: a network uses all cores by itself, and sets what holds for the whole of torch.

    Parameters
    ----------
    places : WeightPlaces or None
        Where weights are; None for what the environment says.
    """

    def __init__(self, places: WeightPlaces | None = None) -> None:
        self._places = places
        self._networks: dict[LpipsNet, LpipsScorer] = {}
        self._lock = threading.Lock()

    def score(self, net: LpipsNet, pair: PicturePair) -> PairAnswer:
        """Measures a pair; see `ScoresPairs.score`."""
        with self._lock:
            if net not in self._networks:
                try:
                    self._networks[net] = LpipsScorer(net, self._places)
                except (LpipsError, WeightsError) as error:
                    raise MeasureUnavailableError(str(error)) from error
            return measure_pairs(self._networks[net], [pair])[0]


class RemoteScores:
    """Lets another process measure.

    Parameters
    ----------
    ask : callable
        Gives the other side's `PairAnswer` as bytes.
    """

    def __init__(self, ask: Callable[[LpipsNet, PicturePair], bytes]) -> None:
        self._ask = ask

    def score(self, net: LpipsNet, pair: PicturePair) -> PairAnswer:
        """Measures a pair; see `ScoresPairs.score`."""
        try:
            answer = PairAnswer.from_bytes(self._ask(net, pair))
        except (EOFError, OSError) as error:
            raise LpipsFailedError("the server ended before LPIPS was measured; try again") from error
        if answer.kind is AnswerKind.UNAVAILABLE:
            raise MeasureUnavailableError(answer.text)
        if answer.kind is AnswerKind.FAILED:
            raise LpipsFailedError(answer.text, answer.again_s)
        return answer
