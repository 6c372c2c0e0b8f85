"""Executes a notebook's cells in this process, in their order, and keeps what they show. No kernel is needed.

``python -m tools.run_notebook examples/grade.ipynb`` writes the outputs into the file.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

Notebook = dict[str, Any]


def read_notebook(path: Path) -> Notebook:
    """Reads a notebook's JSON."""
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def executed(notebook: Notebook) -> Notebook:
    """A copy of a notebook with its code run from above to below, and the outputs of that.

    What a cell raises is raised.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            cells.append(cell)
            continue
        count += 1
        cells.append({**cell, "execution_count": count, "outputs": _outputs("".join(cell["source"]), names, count)})
    return {**notebook, "cells": cells}


def written(notebook: Notebook) -> str:
    """The file's text."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _outputs(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Runs a cell; its printed text, and its last expression's value where it ends in one."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"<cell {count}>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"<cell {count}>", "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        found.append({"data": _shown(value), "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return found


def _shown(value: object) -> dict[str, Any]:
    """What a notebook shows of a value, by type of media."""
    data: dict[str, Any] = {}
    if hasattr(value, "_repr_png_"):
        data["image/png"] = base64.b64encode(value._repr_png_()).decode("ascii")
    if hasattr(value, "_repr_html_"):
        data["text/html"] = _lines(value._repr_html_())
    return {**data, "text/plain": _lines(repr(value))}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main(paths: list[str]) -> int:
    """Executes notebooks in place; returns the exit code."""
    for path in map(Path, paths):
        path.write_text(written(executed(read_notebook(path))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
