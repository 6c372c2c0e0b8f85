"""The overlay of words: what was read of them is marked in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from grader.answers.result import Reading
from grader.drawing.words import marked_words
from grader.tasks.common.judgement import Judgement
from grader.tasks.plans.model import PlanObservation

PuzzleT = TypeVar("PuzzleT")
SettingsT = TypeVar("SettingsT")
WordsJudge = Callable[[PuzzleT, str, SettingsT], Judgement]


def marked(judge: WordsJudge[PuzzleT, SettingsT]) -> WordsJudge[PuzzleT, SettingsT]:
    """The same judge of words, whose judgements can show the words with what a person reads in them."""

    def judge_and_mark(puzzle: PuzzleT, text: str, settings: SettingsT) -> Judgement:
        judgement = judge(puzzle, text, settings)
        return replace(judgement, marked=lambda: _marked(text, judgement))

    return judge_and_mark


def _marked(text: str, judgement: Judgement) -> str:
    seen = judgement.observation
    readings = seen.readings if isinstance(seen, PlanObservation) else ()
    lenient = next((one for one in readings if one.reading is Reading.LENIENT), None)
    if lenient is None:
        return marked_words(text, (), (), None)
    return marked_words(text, lenient.moves, lenient.spans, lenient.unread)
