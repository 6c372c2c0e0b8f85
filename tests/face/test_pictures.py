"""The pictures of docs/tasks are drawn by the code itself, are small, and stand on their pages."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from tools.task_pictures import MOST_BYTES, SHEETS, TASKS, jigsaw_sheet, picture_of

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


@pytest.mark.parametrize("name", [*TASKS, *SHEETS])
def test_a_task_has_its_picture_on_its_page(name):
    page = (DOCS / "tasks" / f"{name}.md").read_text(encoding="utf-8")
    assert f"](../images/{name}.png)" in page.split("\n## ")[0]
    assert 1000 < (DOCS / "images" / f"{name}.png").stat().st_size <= MOST_BYTES


@pytest.mark.parametrize("name", ["maze", "compare"])
def test_a_picture_is_drawn_anew_like_the_one_that_is_there(name):
    """The candidates end as they were made to; sizes are those in the file, so a changed overlay is noticed."""
    data = picture_of(name)
    assert len(data) <= MOST_BYTES
    with Image.open(io.BytesIO(data)) as drawn, Image.open(DOCS / "images" / f"{name}.png") as kept:
        assert drawn.size == kept.size


def test_the_sheet_of_questions_is_the_one_that_is_there():
    with Image.open(io.BytesIO(jigsaw_sheet())) as drawn, Image.open(DOCS / "images" / "jigsaw.png") as kept:
        assert drawn.size == kept.size
