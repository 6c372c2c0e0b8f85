"""Written answers as they are imported, whatever file they come from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from grader.importers.mentisoculi.names import MentisTask
from grader.model.json_fields import JsonObject

TEXT_FIELDS = ("raw_text", "output_text", "text")
"""Where entries hold what a model wrote; the first that is there counts."""
REASON_FIELDS = ("finish_reason", "stop_reason", "finishReason", "stopReason")
"""Where entries hold why a model stopped."""

Sitting = tuple[str, str, MentisTask | None, int | None]
"""Model, strategy, task and level."""


@dataclass(frozen=True)
class Answer:
    """What a model wrote about a puzzle.

    Attributes
    ----------
    puzzle_id : of the puzzle
    text : what was written; None where nothing is there, as after a request that failed
    finish_reason : why the model stopped, where it wrote nothing and that is said
    """

    puzzle_id: str
    text: str | None
    finish_reason: str = ""

    @property
    def missing(self) -> bool:
        """Whether there is no answer, and no word of the model's service why."""
        return self.text is None and not self.finish_reason

    @property
    def written(self) -> str:
        """The text that is judged; where the model wrote nothing, what its service said of that, in JSON."""
        return json.dumps({"finish_reason": self.finish_reason}) if self.finish_reason else self.text or ""


@dataclass(frozen=True)
class AnswerSheet:
    """The answers of one file, or of one attempt in it.

    Attributes
    ----------
    file : where they are
    name : how their requests are told from those of other sheets
    model, strategy : who wrote them and how; empty where that is not said
    task, level : what they are about; None of puzzles that are in no level, and of those that are not there
    attempt : which attempt they are, from 1; 0 where that is not said
    answers : each about a puzzle of its own
    """

    file: Path
    name: str
    model: str
    strategy: str
    task: MentisTask | None
    level: int | None
    attempt: int
    answers: tuple[Answer, ...]

    @property
    def sitting(self) -> Sitting:
        """What sheets have in common that hold the same model's answers to the same puzzles."""
        return self.model, self.strategy, self.task, self.level


def answer_of(entry: JsonObject, puzzle_id: str) -> Answer:
    """The answer that an entry holds; ValueError naming the field that is no text.

    A text that is null or absent is none: then the request failed, or a filter took what was written, and a reason for
    the end says so.
    """
    field = next((one for one in TEXT_FIELDS if entry.has(one)), None)
    text = None if field is None or entry.content[field] is None else _whole(entry.text(field))
    said = next((value for one in REASON_FIELDS if isinstance(value := entry.content.get(one), str)), "")
    return Answer(puzzle_id, text, "" if text else _whole(said.strip()))


def _whole(text: str) -> str:
    """The text without halves of characters, which JSON may hold and no message can."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
