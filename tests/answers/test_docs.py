"""The examples of docs/answers.md are read as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.answers.result import NoAnswer, Reading
from tests.samples.answers import PARSERS, short

PAGE = (Path(__file__).resolve().parent.parent.parent / "docs" / "answers.md").read_text(encoding="utf-8")
TASKS = {name.replace("_", " "): name for name in PARSERS}


def examples(heading: str) -> list[tuple[str, list[str]]]:
    """Of the table whose second column has that heading, each row's task and its texts, which stand in code."""
    table = PAGE.partition(f"| task | {heading} |")[2].partition("\n\n")[0]
    rows = [row.split(" | ") for row in table.splitlines()[2:]]
    return [
        (TASKS[row[0].strip("| ")], [text.replace("\\n", "\n") for text in re.findall(r"`([^`]+)`", row[1])])
        for row in rows
    ]


@pytest.mark.parametrize("heading", ["strict", "only lenient", "neither"])
def test_examples_are_read_as_the_page_says(heading: str) -> None:
    rows = examples(heading)
    assert [task for task, _ in rows] == list(PARSERS)
    for task, texts in rows:
        assert len(texts) >= 2
        strict, lenient = (
            [short(PARSERS[task](text, reading)) for text in texts] for reading in (Reading.STRICT, Reading.LENIENT)
        )
        # One row, one answer.
        assert lenient == lenient[:1] * len(texts), texts
        assert (lenient[0] is None) == (heading == "neither"), texts
        assert strict == (lenient if heading == "strict" else [None] * len(texts)), texts


def test_reasons_are_named() -> None:
    assert [reason.value for reason in NoAnswer if f"`{reason.value}`" not in PAGE] == []
