"""Pages of the public API are made from docstrings, with a picture for each task."""

from __future__ import annotations

import grader
from tools.make_docs import MODULES, main


def test_pages_are_made_of_everything_public(tmp_path):
    assert main(tmp_path) == 0
    page = (tmp_path / "grader.html").read_text(encoding="utf-8")
    assert [name for name in grader.__all__ if name != "__version__" and f'id="{name}"' not in page] == []
    for module in MODULES[1:]:
        assert (tmp_path / f"{module.replace('.', '/')}.html").is_file()
    for task in ("maze", "queens", "rush_hour", "sliding", "spatial_edit", "compare"):
        assert f'src="images/{task}.png"' in page
        assert (tmp_path / "images" / f"{task}.png").is_file()
