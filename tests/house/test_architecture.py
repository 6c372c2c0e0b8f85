"""Who may import whom, and other rules that hold for all code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("puzzles", "detectors", "grader", "calibration")
# The contract's messages, written by protoc.
GENERATED = ROOT / "grader" / "v1"


def _sources(*places: str) -> list[Path]:
    found = [path for place in places for path in sorted((ROOT / place).rglob("*.py")) if GENERATED not in path.parents]
    return [*found, ROOT / "server.py"] if "server.py" in places else found


SOURCES = _sources("puzzles", "detectors", "grader", "server.py")


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def _type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _imports(node: ast.AST, package: str, inside: bool = False) -> Iterator[tuple[str, bool]]:
    """Every imported module with whether that happens within a function; imports for types alone are left out."""
    for child in ast.iter_child_nodes(node):
        if _type_checking(child):
            continue
        if isinstance(child, ast.Import):
            yield from ((alias.name, inside) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            base = child.module or ""
            if child.level:
                base = ".".join([*package.split(".")[: len(package.split(".")) - child.level + 1], base]).strip(".")
            yield base, inside
            # ``from grader import media`` imports a module, ``from grader.media.pictures import x`` perhaps a name.
            yield from ((f"{base}.{alias.name}", inside) for alias in child.names)
        else:
            within = inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from _imports(child, package, within)


@cache
def imported(path: Path) -> tuple[tuple[str, bool], ...]:
    name = _name(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    return tuple(_imports(_tree(path), package))


def reaches(module: str, *prefixes: str) -> bool:
    return any(module == prefix or module.startswith(f"{prefix}.") for prefix in prefixes)


def offenders(sources: list[Path], *prefixes: str, allowed: tuple[str, ...] = (), lazily: bool = True) -> list[str]:
    return [
        f"{_name(path)} imports {module}"
        for path in sources
        for module, inside in imported(path)
        if reaches(module, *prefixes) and not reaches(module, *allowed) and (lazily or not inside)
    ]


def test_there_is_code_to_look_at() -> None:
    names = {_name(path) for path in SOURCES}
    assert {
        "server",
        "grader.engine.engine",
        "grader.tasks.maze.task",
        "detectors.maze.paths",
        "puzzles.maze.maze",
    } <= names
    assert ("grader.media.pictures", False) in imported(ROOT / "grader" / "engine.py")
    assert any(inside for _, inside in imported(ROOT / "grader" / "cli.py"))


def test_puzzles_know_nothing_of_grading() -> None:
    assert offenders(_sources("puzzles"), "grader", "detectors", "calibration") == []


def test_detectors_know_nothing_of_grading() -> None:
    """A detector never sees the answer; of the grader it may use the decoding of media only."""
    assert (
        offenders(
            _sources("detectors"), "grader", "calibration", allowed=("grader.media.pictures", "grader.media.frames")
        )
        == []
    )


SOLVERS = (
    "puzzles.maze.maze",
    "puzzles.queens.board",
    "puzzles.sliding.tiles",
    *(f"puzzles.rush_hour.{name}" for name in ("rules", "slides", "solver", "generator", "chance")),
)
"""What knows answers. A lot's layout (``puzzles.rush_hour.lot``) is geometry and may be seen."""


def test_detectors_do_not_solve_puzzles() -> None:
    assert offenders(_sources("detectors"), *SOLVERS) == []


CORE = [
    *_sources("puzzles", "detectors", "grader/tasks", "grader/metrics", "grader/profiles", "grader/answers"),
    *(ROOT / "grader").glob("media*.py"),
    *(ROOT / "grader" / f"{name}.py" for name in ("alignment", "engine", "errors", "jobs", "verdict")),
    *(ROOT / "grader").glob("overlay*.py"),
]


def test_what_grades_knows_neither_grpc_nor_protobuf() -> None:
    assert offenders(CORE, "grpc", "grpc_status", "grpc_health", "grpc_reflection", "google", "grader.v1") == []


def test_what_grades_does_not_know_what_stands_around_it() -> None:
    around = ("service", "server_app", "client", "workers", "worker_process", "work", "batch", "cli", "convert")
    assert offenders(CORE, *(f"grader.{name}" for name in (*around, "report"))) == []


def test_metrics_and_media_stand_below_tasks() -> None:
    low = [*_sources("grader/metrics"), *(ROOT / "grader").glob("media*.py")]
    assert (
        offenders(
            low,
            "grader.tasks.registry",
            "grader.engine.engine",
            "grader.alignment.align",
            "grader.profiles.profile",
            "detectors",
        )
        == []
    )


def test_answers_are_read_without_any_puzzle() -> None:
    """Text goes in, moves and labels come out; nothing else of this house is needed, and no library."""
    answers = _sources("grader/answers")
    assert answers
    assert offenders(answers, *PACKAGES, "numpy", "cv2", allowed=("grader.answers",)) == []


def test_a_judge_sees_no_pixels() -> None:
    judges = sorted((ROOT / "grader" / "tasks").glob("*_judge.py"))
    assert len(judges) == 3
    assert offenders(judges, "cv2", "numpy", "PIL", "skimage", "scipy") == []


def test_the_scoring_path_does_not_draw() -> None:
    """Overlays are drawn by tasks on request; detectors, metrics, judges and alignment do without."""
    drawing = tuple(f"grader.{path.stem}" for path in (ROOT / "grader").glob("overlay*.py"))
    drawers = (
        "base.py",
        "compare.py",
        "maze_pictures.py",
        "maze_rollouts.py",
        "queens.py",
        "rush_hour_rollouts.py",
        "spatial_edit.py",
    )
    quiet = [path for path in CORE if "overlay" not in path.name and path.name not in (*drawers, "sliding_rollouts.py")]
    assert offenders(quiet, *drawing) == []


def test_grpc_is_known_to_few() -> None:
    """service.py, server_app.py, client.py and box_client.py; cli.py, doctor.py and batch.py only once they need it."""
    grpc = ("grpc", "grpc_status", "grpc_health", "grpc_reflection")
    open_users = {ROOT / "grader" / f"{name}.py" for name in ("service", "server_app", "client", "box_client")}
    lazy_users = {ROOT / "grader" / f"{name}.py" for name in ("cli", "doctor", "batch")}
    assert offenders([path for path in SOURCES if path not in open_users | lazy_users], *grpc) == []
    assert offenders(sorted(lazy_users), *grpc, lazily=False) == []
    assert all(any(reaches(module, "grpc") for module, _ in imported(path)) for path in open_users)


def test_a_report_grades_nothing() -> None:
    """It reads what runs hold: no engine, no detector, no server."""
    grading = ("engine", "work", "workers", "batch", "service", "client", "convert", "alignment")
    report = _sources("grader/report")
    assert report
    others = [f"grader.{name}" for name in grading]
    # The one reader of JSON stands below all that reads JSON; it knows nothing of puzzles.
    assert offenders(report, "detectors", "puzzles", "grpc", *others, allowed=("grader.model.json_fields",)) == []


def test_nothing_reads_calibration() -> None:
    assert offenders(SOURCES, "calibration") == []


def test_nothing_imports_tests_or_tools() -> None:
    assert offenders(SOURCES, "tests", "tools", "benchmarks", "examples", "pytest", "hypothesis") == []


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_no_assert_outside_tests(path: Path) -> None:
    """``python -O`` removes them; what has to hold is checked by raising."""
    assert [node.lineno for node in ast.walk(_tree(path)) if isinstance(node, ast.Assert)] == []


def _caught(handler: ast.ExceptHandler) -> set[str]:
    if handler.type is None:
        return {"everything"}
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {kind.id for kind in kinds if isinstance(kind, ast.Name)}


def _passes_on(handler: ast.ExceptHandler) -> bool:
    """Whether a handler only tidies up: it ends by raising the same exception again."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_only_the_boundary_catches_everything() -> None:
    """work.contained turns any fault of the grader into a status; elsewhere an exception is caught by its name."""
    broad = [
        f"{_name(path)}:{node.lineno}"
        for path in SOURCES
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.ExceptHandler)
        and _caught(node) & {"everything", "Exception", "BaseException"}
        and not _passes_on(node)
    ]
    (boundary,) = [
        node for node in ast.walk(_tree(ROOT / "grader" / "work.py"))
        if isinstance(node, ast.FunctionDef) and node.name == "contained"
    ]  # fmt: skip
    assert len(broad) == 1
    place, _, number = broad[0].partition(":")
    assert place == "grader.serving.work"
    assert boundary.lineno < int(number) <= boundary.end_lineno
