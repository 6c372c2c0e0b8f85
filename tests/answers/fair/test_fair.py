"""Each answer of the tables is read as a fair person takes it, and strictly never more than leniently."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grader.answers.result import NoAnswer, Parsed, Reading, Unread
from tests.answers.fair.moves import OTHER_LANGUAGES, TILES, VEHICLES
from tests.answers.fair.structure import COMMITTED, NOT_COMMITTED, PLANS
from tests.samples.answers import PARSERS, short

TOLD = json.loads(Path(__file__).with_name("told.json").read_text(encoding="utf-8"))
SAID = {
    ("rush_hour", "S"): "A- R-", ("rush_hour", "W"): "A- R+",
    ("sliding", "S"): "left down right", ("sliding", "W"): "left down",
}  # fmt: skip


def read(task: str, text: str) -> str | None:
    """What a person reads; None for no plan. What the strict reading reads is the same."""
    strict, lenient = (PARSERS[task](text, reading) for reading in (Reading.STRICT, Reading.LENIENT))
    assert isinstance(strict, Unread) or strict == lenient
    said = short(lenient)
    if isinstance(lenient, Parsed):
        # Each part stands somewhere in the text.
        assert len(lenient.spans) == len(lenient.value)
        assert all(0 <= span.start < span.end <= len(text) for span in lenient.spans)
    return None if said is None else " ".join(said)


@pytest.mark.parametrize(("value", "said"), VEHICLES, ids=ascii)
def test_moves_of_vehicles(value: str, said: str | None) -> None:
    assert read("rush_hour", json.dumps({"answer": value}, ensure_ascii=False)) == said


@pytest.mark.parametrize(("value", "said"), TILES, ids=ascii)
def test_steps_of_the_blank(value: str, said: str | None) -> None:
    assert read("sliding", json.dumps({"answer": value}, ensure_ascii=False)) == said


@pytest.mark.parametrize(("task", "text", "said"), OTHER_LANGUAGES, ids=ascii)
def test_other_languages(task: str, text: str, said: str | None) -> None:
    assert read(task, text) == said


# Each of the hundreds of texts below takes less time than a test of its own would: a test a task names all that are
# read otherwise.


@pytest.mark.parametrize("task", PLANS)
def test_what_is_done_with_plans(task: str) -> None:
    otherwise = {}
    for form, said in [*COMMITTED, *NOT_COMMITTED]:
        text = re.sub(r"(?<![A-Za-z])([SW])(?![A-Za-z])", lambda found: PLANS[task][found[1]], form)
        found, wanted = read(task, text), SAID.get((task, said))
        if found != wanted:
            otherwise[form] = (found, wanted)
        if said == "AMBIGUOUS" and PARSERS[task](text, Reading.LENIENT).why is not NoAnswer.AMBIGUOUS:
            otherwise[form] = ("not ambiguous", said)
    assert otherwise == {}


@pytest.mark.parametrize("task", sorted({task for task, _, _ in TOLD}))
def test_answers_as_models_write_them(task: str) -> None:
    """Written by hand in the ways of many models, half of them traps, with what a fair person takes from each."""
    told = {text: (read(task, text), said) for one, text, said in TOLD if one == task}
    assert {text: both for text, both in told.items() if both[0] != both[1]} == {}
