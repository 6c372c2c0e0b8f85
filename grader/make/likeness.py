"""What measures how alike pieces are beside colours and gradients: LPIPS, or an image encoder that a caller names."""

from __future__ import annotations

import enum
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from grader.lpips.messages import AnswerKind
from grader.lpips.nets import LpipsNet
from grader.lpips.pairs import PicturePair
from grader.lpips.scores import LocalScores, ScoresPairs
from grader.make.errors import MakeError
from puzzles.jigsaw.rules import Pixels
from puzzles.jigsaw.similarity import COLOR_GRADIENT, PieceSimilarity

_CLIP_SIDE = 224
_CLIP_MEAN = (0.48145466, 0.4578275, 0.40821073)
_CLIP_STD = (0.26862954, 0.26130258, 0.27577711)


class LikenessName(enum.StrEnum):
    """What can find hard distractors."""

    COLOR_GRADIENT = "color_gradient"
    LPIPS = "lpips"
    CLIP = "clip"


def likeness(name: LikenessName, model: Path | None = None, scores: ScoresPairs | None = None) -> PieceSimilarity:
    """What finds hard distractors.

    Parameters
    ----------
    name : LikenessName
    model : Path, optional
        For ``clip``: the image encoder as a TorchScript file, from (N, 3, 224, 224) to (N, D).
    scores : ScoresPairs, optional
        What measures LPIPS; by default this process.

    Raises
    ------
    MakeError
        If a model is named that is not needed or not there, or torch is not installed.
    MeasureUnavailableError
        When pieces are compared, if LPIPS can't be measured on this machine.
    """
    if (model is not None) != (name is LikenessName.CLIP):
        raise MakeError(
            "--similarity clip needs --clip-model, a TorchScript file of an image encoder; others need none"
        )
    if name is LikenessName.LPIPS:
        return PieceSimilarity("lpips_alex", _Lpips(scores or LocalScores()))
    if model is not None:
        return PieceSimilarity(f"clip:{model.name}", _Clip(model))
    return COLOR_GRADIENT


class _Lpips:
    """LPIPS on AlexNet."""

    def __init__(self, scores: ScoresPairs) -> None:
        self._scores = scores

    def __call__(self, one: Pixels, others: Sequence[Pixels]) -> list[float]:
        """How far each of some pieces is from one."""
        found = []
        for other in others:
            answer = self._scores.score(
                LpipsNet.ALEX, PicturePair(np.ascontiguousarray(one), np.ascontiguousarray(other))
            )
            if answer.kind is not AnswerKind.MEASURED or answer.value is None:
                raise MakeError(f"LPIPS can't compare pieces: {answer.text}; make pictures larger with --size")
            found.append(answer.value)
        return found


class _Clip:
    """Cosine distance of what an image encoder makes of pieces."""

    def __init__(self, model: Path) -> None:
        if not model.is_file():
            raise MakeError(f"{model} is not there; name a TorchScript file of an image encoder")
        if importlib.util.find_spec("torch") is None:
            raise MakeError("--similarity clip needs the package torch; install it with pip install '.[lpips]'")
        import torch

        self._torch: Any = torch
        try:
            self._encoder: Any = torch.jit.load(str(model), map_location="cpu").eval()
        except RuntimeError as error:
            raise MakeError(f"{model} is no TorchScript file: {str(error).splitlines()[0]}") from error

    def __call__(self, one: Pixels, others: Sequence[Pixels]) -> list[float]:
        """How far each of some pieces is from one."""
        pieces = np.stack([_for_clip(piece) for piece in (one, *others)])
        with self._torch.no_grad():
            made = self._encoder(self._torch.from_numpy(pieces)).numpy().astype(np.float64)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        return [float(1 - value) for value in made[1:] @ made[0]]


def _for_clip(piece: Pixels) -> np.ndarray[Any, np.dtype[np.float32]]:
    small = cv2.resize(piece, (_CLIP_SIDE, _CLIP_SIDE), interpolation=cv2.INTER_CUBIC)
    mean, deviation = np.array(_CLIP_MEAN, np.float32), np.array(_CLIP_STD, np.float32)
    scaled = (np.asarray(small, np.float32) / 255 - mean) / deviation
    return np.ascontiguousarray(scaled.transpose(2, 0, 1), np.float32)
