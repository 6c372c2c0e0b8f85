"""The notebook in examples runs, and shows what it is said to show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.run_notebook import executed, main, read_notebook

PATH = Path(__file__).resolve().parent.parent.parent / "examples" / "grade.ipynb"


def words(notebook):
    """What its cells print and show as text."""
    outputs = [out for cell in notebook["cells"] if cell["cell_type"] == "code" for out in cell["outputs"]]
    return ["".join(out.get("text", []) or out["data"]["text/plain"]) for out in outputs]


def kinds(notebook):
    outputs = [out for cell in notebook["cells"] if cell["cell_type"] == "code" for out in cell["outputs"]]
    return [sorted(out.get("data", {})) for out in outputs]


def test_the_notebook_runs_and_its_outputs_are_those_in_the_file():
    kept = read_notebook(PATH)
    anew = executed(kept)
    assert words(anew) == words(kept)
    assert kinds(anew) == kinds(kept)
    assert ["image/png", "text/plain"] in kinds(kept)
    assert PATH.stat().st_size < 200_000


def test_a_cell_that_raises_stops(tmp_path):
    path = tmp_path / "one.ipynb"
    cells = [{"cell_type": "markdown", "source": ["# one"]}, {"cell_type": "code", "source": ["a = 1\n", "a / 0"]}]
    path.write_text(json.dumps({"cells": cells}))
    with pytest.raises(ZeroDivisionError):
        main([str(path)])
    cells[1]["source"] = ["print('a')\n", "a = [1, 2]\n", "a"]
    path.write_text(json.dumps({"cells": cells}))
    assert main([str(path)]) == 0
    printed, shown = read_notebook(path)["cells"][1]["outputs"]
    assert (printed["text"], shown["data"]) == (["a\n"], {"text/plain": ["[1, 2]"]})
