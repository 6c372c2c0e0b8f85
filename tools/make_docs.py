"""Makes pages of the public API from docstrings: ``python -m tools.make_docs [FOLDER]``, by default ``build/docs``."""

from __future__ import annotations

import shutil
import sys
import warnings
from pathlib import Path

import pdoc
import pdoc.render

import grader

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "docs"
IMAGES = ROOT / "docs" / "images"
_TEMPLATES = Path(__file__).resolve().parent / "api_templates"
MODULES = (
    "grader",
    "grader.engine.engine",
    "grader.client",
    "grader.model.errors",
    "grader.model.jobs",
    "grader.model.observations",
    "grader.model.places",
    "grader.model.verdict",
    "grader.runs.manifest",
    "grader.runs.rows",
    "grader.tasks.compare.model",
    "grader.tasks.maze.model",
    "grader.tasks.plans.model",
    "grader.tasks.queens.model",
    "grader.tasks.rush_hour.model",
    "grader.tasks.sliding.model",
    "grader.tasks.spatial_edit.model",
    "grader.media.pictures",
    "puzzles.rush_hour.lot",
)
"""What people import, and where what it gives and takes is defined."""


def main(folder: Path = FOLDER) -> int:
    """Writes ``index.html``, a page a module, and the pictures of tasks; returns the exit code.

    What pdoc warns of (a type that can't be read, a docstring that is no numpydoc) is raised.
    """
    pdoc.render.configure(
        docformat="numpy",
        show_source=False,
        footer_text=f"visual-grader {grader.__version__}",
        template_directory=_TEMPLATES,
    )
    pictures = {
        path.stem: f"images/{path.name}" for path in sorted(IMAGES.glob("*.png")) if path.stem in grader.__all__
    }
    pdoc.render.env.globals["pictures"] = pictures
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A class of Python that takes no parameters at run time, in fields that are not shown.
        warnings.filterwarnings("ignore", "Error parsing type annotation array", UserWarning)
        pdoc.pdoc(*MODULES, output_directory=folder)
    (folder / "images").mkdir(exist_ok=True)
    for picture in pictures:
        shutil.copyfile(IMAGES / f"{picture}.png", folder / "images" / f"{picture}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
