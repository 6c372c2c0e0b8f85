"""Rewards for training, in the shapes that training loops take; a server grades.

`Rewards` is called as the reward functions of flow_grpo are, ``(images, prompts, metadata) -> (rewards, details)``;
`Rewards.compute_scores` as those of verl are, for answers in words. Each sample names its puzzle in its metadata.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.face.errors import WrongValueError
from grader.face.pictures import encoded
from grader.model.errors import GraderError
from grader.pipelines.replies import KnownPuzzles, UnknownPuzzleError

if TYPE_CHECKING:
    from grader.client import GraderClient
    from grader.v1 import service_pb2

_TRIES = 4
_FULL = 255.0
_BEYOND = 0.01
"""Decoders of models go over the ends by so much."""


class NoRewardError(GraderError):
    """Samples without a reward, through a fault of the request or of the grader; the message says which and why."""


class Rewards:
    """Grades samples of known puzzles and gives their rewards. Many samples of one puzzle make it go over once.

    Parameters
    ----------
    client : GraderClient
        The connection, best with ``send_once=True``; it stays the caller's to close.
    puzzles : mapping of str to GradeRequest
        Puzzles with their truths, by the name that metadata give under ``puzzle_id``. A candidate in them is put aside.
    without : float, optional
        The reward of a sample that has no verdict, through a fault of the request or of the grader, even when it was
        tried again. By default such a fault raises: it says nothing about the sample.

    Examples
    --------
    >>> rewards = Rewards.of_manifest(client, "manifest.jsonl")  # doctest: +SKIP
    >>> values, details = rewards(images, prompts, [{"puzzle_id": "maze-1"}] * len(images))  # doctest: +SKIP
    """

    def __init__(
        self,
        client: GraderClient,
        puzzles: Mapping[str, service_pb2.GradeRequest] | KnownPuzzles,
        *,
        without: float | None = None,
    ) -> None:
        self._client, self._without = client, without
        self._puzzles = puzzles if isinstance(puzzles, KnownPuzzles) else KnownPuzzles(puzzles)
        self._numbers = count()

    @classmethod
    def of_manifest(cls, client: GraderClient, path: str | PathLike[str], *, without: float | None = None) -> Rewards:
        """Takes the puzzles of a manifest, each by its ``puzzle_id``, or the id of the request where it has none."""
        return cls(client, KnownPuzzles.of_manifest(path), without=without)

    def __call__(
        self, images: Any, prompts: Sequence[str], metadata: Sequence[Mapping[str, Any]]
    ) -> tuple[list[float], dict[str, list[Any]]]:
        """Grades pictures.

        Parameters
        ----------
        images : array, tensor or sequence
            (N, 3, H, W) or (N, H, W, 3), of uint8 or of floats from 0 to 1; or a sequence of pictures: arrays, tensors,
            Pillow's images, encoded bytes, paths.
        prompts : sequence of str
            Are not looked at.
        metadata : sequence of dict
            Each names the puzzle under ``puzzle_id``.

        Returns
        -------
        list of float
            The rewards.
        dict
            Lists of as many entries: ``score``, ``outcome``, ``reason`` (the gravest; empty on PASS) and ``fault`` (why
            there is no verdict; empty where there is one).

        Raises
        ------
        NoRewardError
            If a sample has no verdict, or no known puzzle, and ``without`` is not given.
        """
        del prompts
        requests = []
        for image, said in zip(images, metadata, strict=True):
            request = self._request(said)
            request.image.data = encoded(_picture(image))
            requests.append(request)
        return self._graded(requests)

    def compute_scores(
        self,
        data_sources: Sequence[str],
        solution_strs: Sequence[str],
        ground_truths: Sequence[Any],
        extra_infos: Sequence[Mapping[str, Any]],
    ) -> list[dict[str, Any]]:
        """Grades answers in words; ``extra_infos`` name the puzzles. Each dict has the reward under ``score``."""
        del data_sources, ground_truths
        requests = []
        for text, said in zip(solution_strs, extra_infos, strict=True):
            request = self._request(said)
            request.text = text
            requests.append(request)
        rewards, details = self._graded(requests)
        return [
            {"score": reward, "outcome": outcome, "reason": reason, "fault": fault}
            for reward, outcome, reason, fault in zip(
                rewards, details["outcome"], details["reason"], details["fault"], strict=True
            )
        ]

    def _request(self, said: Mapping[str, Any]) -> service_pb2.GradeRequest:
        try:
            return self._puzzles.request(said, f"sample {next(self._numbers)}")
        except UnknownPuzzleError as error:
            raise NoRewardError(str(error)) from error

    def _graded(self, requests: Sequence[service_pb2.GradeRequest]) -> tuple[list[float], dict[str, list[Any]]]:
        answers = self._answers(requests)
        rewards: list[float] = []
        details: dict[str, list[Any]] = {"score": [], "outcome": [], "reason": [], "fault": []}
        faults = []
        for request in requests:
            answer = answers.get(request.request_id)
            fault = "no answer came" if answer is None else _fault(answer)
            if answer is None or fault:
                faults.append(f"{request.puzzle_id or request.request_id}: {fault}")
                rewards.append(self._without or 0.0)
                verdict = None
            else:
                verdict = answer.verdict
                rewards.append(float(verdict.reward))
            details["fault"].append(fault)
            details["score"].append(verdict.score if verdict is not None and verdict.HasField("score") else None)
            details["outcome"].append("" if verdict is None else _outcome(verdict.outcome))
            details["reason"].append(verdict.reasons[0].code if verdict is not None and verdict.reasons else "")
        if faults and self._without is None:
            raise NoRewardError("; ".join(faults[:5]) + (f"; {len(faults) - 5} more" if len(faults) > 5 else ""))
        return rewards, details

    def _answers(self, requests: Iterable[service_pb2.GradeRequest]) -> dict[str, service_pb2.GradeBatchResponse]:
        """The answers by request; what fails in a way that may mend is tried again."""
        from grader.client import GraderCallError, RetryPolicy
        from grader.wire.statuses import is_transient

        left = {request.request_id: request for request in requests}
        answers: dict[str, service_pb2.GradeBatchResponse] = {}
        for tried in range(1, _TRIES + 1):
            try:
                for answer in self._client.grade_batch(list(left.values())):
                    answers[answer.request_id] = answer
                    if not is_transient(answer.status):
                        left.pop(answer.request_id, None)
            except GraderCallError as error:
                if not error.transient or tried == _TRIES:
                    raise
            if not left:
                break
            RetryPolicy().wait(tried)
        return answers


def _fault(answer: service_pb2.GradeBatchResponse) -> str:
    return f"{answer.status.reason}: {answer.status.message}" if answer.status.code else ""


def _outcome(number: int) -> str:
    from grader.v1 import verdict_pb2

    name: str = verdict_pb2.Outcome.Name(number)
    return name.removeprefix("OUTCOME_")


def _picture(image: Any) -> Any:
    """A picture as `encoded` takes it; of arrays and tensors, channels come first or last, floats go from 0 to 1."""
    if hasattr(image, "detach"):  # a tensor, whose package need not be here
        image = image.detach().float().cpu().numpy()
    if not isinstance(image, np.ndarray):
        return image
    if image.ndim == 3 and image.shape[0] == 3 and image.shape[2] != 3:
        image = image.transpose(1, 2, 0)
    if np.issubdtype(image.dtype, np.floating):
        if not (image.size and image.min() >= -_BEYOND and image.max() <= 1.0 + _BEYOND):
            raise WrongValueError("pictures of floats have values from 0 to 1; for 0 to 255 give uint8")
        image = np.clip(np.rint(image * _FULL), 0, _FULL).astype(np.uint8)
    return np.ascontiguousarray(image)
