"""Grades what models made for visual-planning tasks: right or not, how right, why not, and shown.

In a notebook:

    import grader

    puzzle = grader.load_puzzle("runs/mazes/instances/circle-5-0")
    verdict = grader.grade(puzzle, "answer.png", overlay=True)
    print(verdict, verdict.metric("coverage"), verdict.codes)
    verdict.overlay

Names are imported when they are first used, so that ``import grader`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.client import AsyncGraderClient, GraderCallError, GraderClient, RetryPolicy
    from grader.engine.engine import Engine
    from grader.face.grading import grade
    from grader.face.grids import grid_maze
    from grader.face.jigsaw import jigsaw
    from grader.face.labels import form_board, hinge_folding, paper_fold
    from grader.face.loading import load_puzzle
    from grader.face.mazes import maze_from_grid, maze_from_mask
    from grader.face.puzzles import box, compare, maze, queens, rush_hour, scene, sliding, spatial_edit
    from grader.face.rewards import NoRewardError, Rewards
    from grader.face.tables import PandasMissingError, load_run, to_frame, to_rows
    from grader.model.errors import FieldViolation, GraderError, InvalidRequestError, MeasureUnavailableError
    from grader.model.jobs import (
        FramesCandidate,
        GradeJob,
        ImageCandidate,
        SceneCandidate,
        Similarity,
        TaskInput,
        TextCandidate,
        VideoCandidate,
        VideoPolicy,
    )
    from grader.model.verdict import Metric, Outcome, Overlay, Reason, Verdict
    from grader.profiles.reading import load_profiles
    from grader.runs.manifest import Manifest, load_manifest

__version__ = "0.2.0"

__all__ = [
    "AsyncGraderClient",
    "Engine",
    "FieldViolation",
    "FramesCandidate",
    "GradeJob",
    "GraderCallError",
    "GraderClient",
    "GraderError",
    "ImageCandidate",
    "InvalidRequestError",
    "Manifest",
    "MeasureUnavailableError",
    "Metric",
    "NoRewardError",
    "Outcome",
    "Overlay",
    "PandasMissingError",
    "Reason",
    "RetryPolicy",
    "Rewards",
    "SceneCandidate",
    "Similarity",
    "TaskInput",
    "TextCandidate",
    "Verdict",
    "VideoCandidate",
    "VideoPolicy",
    "__version__",
    "box",
    "compare",
    "form_board",
    "grade",
    "grid_maze",
    "hinge_folding",
    "jigsaw",
    "load_manifest",
    "load_profiles",
    "load_puzzle",
    "load_run",
    "maze",
    "maze_from_grid",
    "maze_from_mask",
    "paper_fold",
    "queens",
    "rush_hour",
    "scene",
    "sliding",
    "spatial_edit",
    "to_frame",
    "to_rows",
]

_PLACES = {
    "grader.client": ("AsyncGraderClient", "GraderCallError", "GraderClient", "RetryPolicy"),
    "grader.engine.engine": ("Engine",),
    "grader.face.grading": ("grade",),
    "grader.face.grids": ("grid_maze",),
    "grader.face.jigsaw": ("jigsaw",),
    "grader.face.labels": ("form_board", "hinge_folding", "paper_fold"),
    "grader.face.loading": ("load_puzzle",),
    "grader.face.mazes": ("maze_from_grid", "maze_from_mask"),
    "grader.face.puzzles": ("box", "compare", "maze", "queens", "rush_hour", "scene", "sliding", "spatial_edit"),
    "grader.face.rewards": ("NoRewardError", "Rewards"),
    "grader.face.tables": ("PandasMissingError", "load_run", "to_frame", "to_rows"),
    "grader.model.errors": ("FieldViolation", "GraderError", "InvalidRequestError", "MeasureUnavailableError"),
    "grader.model.jobs": (
        "FramesCandidate",
        "GradeJob",
        "ImageCandidate",
        "SceneCandidate",
        "Similarity",
        "TaskInput",
        "TextCandidate",
        "VideoCandidate",
        "VideoPolicy",
    ),
    "grader.model.verdict": ("Metric", "Outcome", "Overlay", "Reason", "Verdict"),
    "grader.profiles.reading": ("load_profiles",),
    "grader.runs.manifest": ("Manifest", "load_manifest"),
}


def __getattr__(name: str) -> object:
    """Imports a name of the public face when it is first used (PEP 562)."""
    import importlib

    for module, names in _PLACES.items():
        if name in names:
            found = getattr(importlib.import_module(module), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Lists the public face beside what is imported already."""
    return sorted({*globals(), *__all__})
