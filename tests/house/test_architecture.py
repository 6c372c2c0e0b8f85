"""Who may import whom, and other rules that hold for all code."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from grader.contract.wires import wire_of
from grader.tasks.registry import list_tasks
from grader.v1 import service_pb2

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("puzzles", "detectors", "grader", "calibration")
# The contract's messages, written by protoc.
GENERATED = ROOT / "grader" / "v1"
MOST_LINES = 400
MOST_MODULES = 12

LAYERS: tuple[tuple[str, ...], ...] = (
    ("puzzles", "detectors"),
    ("puzzles.common",),
    tuple(f"puzzles.{task.name}" for task in list_tasks()),
    ("puzzles.amaze",),
    ("puzzles.mentis", "puzzles.tabletop"),
    ("grader.model", "grader.processes", "grader.output", "grader.v1", "grader"),
    ("grader.media", "grader.wire", "grader.answers"),
    ("grader.contract",),
    ("grader.metrics", "grader.alignment", "grader.drawing", "detectors.common"),
    ("grader.lpips", *(f"detectors.{task.name}" for task in list_tasks())),
    ("grader.tools",),
    ("grader.tasks.common",),
    ("grader.tasks.plans",),
    tuple(f"grader.tasks.{task.name}" for task in list_tasks() if task.name != "grid_maze"),
    ("grader.tasks.grid_maze",),  # what is drawn on a grid maze is read as on any maze
    ("grader.tasks.registry",),
    ("grader.profiles",),
    ("grader.engine", "grader.client"),
    ("grader.serving",),
    ("grader.runs",),
    ("grader.importers", "grader.report", "grader.pipelines"),
    ("calibration",),
    ("grader.make", "grader.face"),
    ("grader.cli",),
    ("grader.__main__",),
    ("server",),
)  # fmt: skip
"""Rooms of the house, the lowest first. A room may use those below it, and nothing beside or above it."""
FLOOR = {room: height for height, rooms in enumerate(LAYERS) for room in rooms}


def _sources(*places: str) -> list[Path]:
    found = [path for place in places for path in sorted((ROOT / place).rglob("*.py")) if GENERATED not in path.parents]
    return [*found, ROOT / "server.py"] if "server.py" in places else found


SOURCES = _sources("puzzles", "detectors", "grader", "calibration", "server.py")


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def _statements(path: Path) -> tuple[tuple[ast.AST, bool, bool], ...]:
    """All statements and handlers of a module: each with whether it is within a function, and there for types alone."""
    found: list[tuple[ast.AST, bool, bool]] = []
    waiting: list[tuple[ast.AST, bool, bool]] = [(node, False, False) for node in parsed(path).body]
    while waiting:
        node, inside, typing = waiting.pop()
        found.append((node, inside, typing))
        within = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        only = typing or (
            isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        )
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += [(child, within, only) for child in getattr(node, name, ())]
    return tuple(found)


@cache
def imported(path: Path) -> tuple[tuple[str, bool], ...]:
    """Every imported module with whether that happens within a function; imports for types alone are left out."""
    name = _name(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: list[tuple[str, bool]] = []
    for node, inside, typing in _statements(path):
        if typing:
            continue
        if isinstance(node, ast.Import):
            found += [(alias.name, inside) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*package.split(".")[: len(package.split(".")) - node.level + 1], base]).strip(".")
            found.append((base, inside))
            # ``from grader.media import png`` imports a module, ``from grader.media.png import x`` perhaps a name.
            found += [(f"{base}.{alias.name}", inside) for alias in node.names]
    return tuple(found)


def reaches(module: str, *prefixes: str) -> bool:
    return any(module == prefix or module.startswith(f"{prefix}.") for prefix in prefixes)


def offenders(sources: list[Path], *prefixes: str, allowed: tuple[str, ...] = (), lazily: bool = True) -> list[str]:
    return [
        f"{_name(path)} imports {module}"
        for path in sources
        for module, inside in imported(path)
        if reaches(module, *prefixes) and not reaches(module, *allowed) and (lazily or not inside)
    ]


@cache
def _room(module: str) -> str | None:
    """The room that a module is in: the longest name of `LAYERS` that it begins with; None for what is not ours."""
    while module and module not in FLOOR:
        module = module.rpartition(".")[0]
    return module or None


def test_there_is_code_to_look_at() -> None:
    names = {_name(path) for path in SOURCES}
    assert {"server", "grader.engine.engine", "grader.tasks.maze.spec", "detectors.maze.paths"} <= names
    assert ("grader.media.pictures", False) in imported(ROOT / "grader" / "engine" / "engine.py")
    assert any(inside for _, inside in imported(ROOT / "grader" / "cli" / "main.py"))


# --- the house ---


def test_arrows_point_down() -> None:
    """So there is no circle either, neither between modules of different rooms nor between rooms."""
    wrong = []
    for path in SOURCES:
        here = _room(_name(path))
        assert here is not None, f"{_name(path)} is in no room of LAYERS"
        for module, _ in imported(path):
            there = _room(module)
            if there not in (None, here) and FLOOR[there] >= FLOOR[here] and module != "grader.__version__":
                wrong.append(f"{_name(path)} imports {module}")
    assert wrong == []


def _modules_of(path: Path, known: set[str]) -> set[str]:
    return {module for module, inside in imported(path) if module in known and not inside} - {_name(path)}


def test_modules_do_not_go_in_circles() -> None:
    """Within a room too; a package's own ``__init__`` counts as a module."""
    known = {_name(path) for path in SOURCES}
    below = {_name(path): _modules_of(path, known) for path in SOURCES}
    left = dict(below)
    while free := {name for name, used in left.items() if not used & left.keys()}:
        left = {name: used for name, used in left.items() if name not in free}
    assert sorted(left) == []


def test_a_module_is_short_enough_to_hold_in_the_head() -> None:
    lengths = {_name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_no_package_has_more_than_a_dozen_modules() -> None:
    beside: dict[Path, int] = defaultdict(int)
    for path in [*SOURCES, *_sources("tests", "benchmarks", "examples")]:
        if path.name not in ("__init__.py", "__main__.py", "server.py"):
            beside[path.parent.relative_to(ROOT)] += 1
    # The bank of cheats is a list of pictures, a module a kind.
    crowded = {str(folder): count for folder, count in beside.items() if count > MOST_MODULES}
    assert crowded.keys() <= {"benchmarks/cheats", "benchmarks/accuracy", "benchmarks/rollouts"}


def test_a_folder_says_what_it_is_for() -> None:
    folders = sorted({path.parent for path in SOURCES if path.parent != ROOT})
    assert [str(folder) for folder in folders if not ast.get_docstring(parsed(folder / "__init__.py"))] == []


@pytest.mark.parametrize("task", list_tasks(), ids=lambda task: task.name)
def test_a_task_has_the_same_name_everywhere(task) -> None:
    assert (ROOT / "grader" / "tasks" / task.name / "spec.py").is_file()
    assert (ROOT / "docs" / "tasks" / f"{task.name}.md").is_file()
    assert (ROOT / "tests" / task.name / "__init__.py").is_file()
    assert wire_of(task.name).read is not None
    for top in ("detectors", "puzzles"):
        own = {module.split(".")[1] for path in (ROOT / "grader" / "tasks" / task.name).rglob("*.py")
               for module, _ in imported(path) if module.startswith(f"{top}.")}  # fmt: skip
        assert own <= {task.name, "common"}, f"{task.name} uses {top} of another name"


def test_the_contract_has_a_field_for_every_task() -> None:
    fields = service_pb2.GradeRequest.DESCRIPTOR.oneofs_by_name["task"].fields
    assert [field.name for field in fields] == [task.name for task in list_tasks()]


def test_reading_and_writing_messages_imports_no_detector() -> None:
    """So clients, and workers before their engine is there, start quickly."""
    code = (
        "import sys, grader.contract.requests as r, grader.contract.verdicts, grader.contract.wires as w\n"
        + "".join(f"w.wire_of({task.name!r})\n" for task in list_tasks())
    )
    code += "print([m for m in sys.modules if m.startswith('detectors') or m in ('cv2', 'scipy', 'skimage')])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# --- what each part may know ---


def test_puzzles_know_nothing_of_grading() -> None:
    assert offenders(_sources("puzzles"), "grader", "detectors", "calibration") == []


def test_detectors_know_nothing_of_grading() -> None:
    """A detector never sees the answer; of the grader it may use the decoding of media only."""
    assert offenders(_sources("detectors"), "grader", "calibration", allowed=("grader.media",)) == []


SOLVERS = (
    "puzzles.maze.maze",
    "puzzles.queens",
    "puzzles.sliding.tiles",
    "puzzles.sliding.chance",
    "puzzles.hinge_folding.solver",
    "puzzles.hinge_folding.generator",
    *(f"puzzles.rush_hour.{name}" for name in ("rules", "slides", "solver", "generator", "chance")),
)
"""What knows answers. A lot's layout (``puzzles.rush_hour.lot``) and a board's shape are geometry and may be seen."""


def test_detectors_do_not_solve_puzzles() -> None:
    assert offenders(_sources("detectors"), *SOLVERS) == []


TASKS = _sources("grader/tasks")
WIRES = [path for path in TASKS if path.name == "wire.py"]
CORE = [
    *_sources("puzzles", "detectors"),
    *(path for path in TASKS if path not in WIRES),
    *_sources(*(f"grader/{name}" for name in (
        "model", "media", "alignment", "metrics", "answers", "drawing", "tools", "profiles", "engine"))),
]  # fmt: skip


def test_what_grades_knows_neither_grpc_nor_protobuf() -> None:
    assert offenders(CORE, "grpc", "grpc_status", "grpc_health", "grpc_reflection", "google", "grader.v1") == []


def test_answers_are_read_without_any_puzzle() -> None:
    """Text goes in, moves and labels come out; nothing else of this house is needed, and no library."""
    answers = _sources("grader/answers")
    assert answers
    assert offenders(answers, *PACKAGES, "numpy", "cv2", allowed=("grader.answers",)) == []


JUDGES = [
    path
    for path in TASKS
    if path.stem in ("judge", "marker", "path", "answers", "progress", "words", "chance") or "judging" in path.parts
]  # fmt: skip


def test_a_judge_sees_no_pixels() -> None:
    looks = {"looks"}  # what an edited picture shows besides boxes is looked at there, for the judge
    judges = [path for path in JUDGES if path.stem not in looks]
    assert {path.parent.name for path in judges} >= {"maze", "clips", "queens", "rush_hour", "sliding", "judging"}
    assert offenders(judges, "cv2", "numpy", "PIL", "skimage", "scipy") == []


def test_the_scoring_path_does_not_draw() -> None:
    """Overlays are drawn on request; detectors, metrics, judges and alignment do without."""
    quiet = [*_sources("detectors", "grader/metrics", "grader/alignment", "grader/answers"), *JUDGES]
    assert offenders(quiet, "grader.drawing") == []


GRPC = ("grpc", "grpc_status", "grpc_health", "grpc_reflection")


def test_grpc_is_known_to_few() -> None:
    """Service, its streams, server, who calls, client and box client; command line and runs only once they need it."""
    names = ("service", "streams", "received", "server", "access/clients", "access/certificates", "box_client")
    open_users = [
        *(ROOT / "grader" / "serving" / f"{name}.py" for name in names),
        *(ROOT / "grader" / "client" / f"{name}.py" for name in ("sync", "aio", "errors")),
        ROOT / "calibration" / "service" / "servicer.py",
    ]
    lazy_users = _sources("grader/cli", "grader/runs", "grader/face")
    others = [path for path in SOURCES if path not in (*open_users, *lazy_users)]
    assert offenders(others, *GRPC) == []
    assert offenders(lazy_users, *GRPC, lazily=False) == []
    assert all(any(reaches(module, "grpc") for module, _ in imported(path)) for path in open_users)


def test_a_report_grades_nothing() -> None:
    """It reads what runs hold: no engine, no detector, no server."""
    report = _sources("grader/report")
    assert report
    assert offenders(report, "detectors", "puzzles", *GRPC, "grader.engine", "grader.serving", "grader.client") == []


def test_calibration_grades_nothing() -> None:
    """It reads runs and labels; of the server only its service knows, which stands in it."""
    own, service = _sources("calibration"), _sources("calibration/service")
    grades = ("detectors", "puzzles", "grader.engine", "grader.client", "grader.tasks", "grader.profiles")
    assert service
    assert offenders(own, *grades) == []
    assert offenders([path for path in own if path not in service], *GRPC, "grader.serving") == []


def test_nothing_reads_calibration_but_the_command_line() -> None:
    """And that only where it is asked for; `server.py` puts its service beside the grader's."""
    own, command = _sources("calibration"), _sources("grader/cli")
    assert own
    others = [path for path in SOURCES if path not in (*own, *command, ROOT / "server.py")]
    assert offenders(others, "calibration") == []
    assert offenders(command, "calibration", lazily=False) == []


def test_nothing_imports_tests_or_tools() -> None:
    assert offenders(SOURCES, "tests", "tools", "benchmarks", "examples", "pytest", "hypothesis") == []


# --- how faults are treated ---


def test_no_assert_outside_tests() -> None:
    """``python -O`` removes them; what has to hold is checked by raising."""
    assert [
        f"{_name(path)}:{node.lineno}"
        for path in SOURCES
        for node, _, _ in _statements(path)
        if isinstance(node, ast.Assert)
    ] == []


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
        for node, _, _ in _statements(path)
        if isinstance(node, ast.ExceptHandler)
        and _caught(node) & {"everything", "Exception", "BaseException"}
        and not _passes_on(node)
    ]
    (boundary,) = [
        node for node in ast.walk(parsed(ROOT / "grader" / "serving" / "work.py"))
        if isinstance(node, ast.FunctionDef) and node.name == "contained"
    ]  # fmt: skip
    assert len(broad) == 1
    place, _, number = broad[0].partition(":")
    assert place == "grader.serving.work"
    assert boundary.lineno < int(number) <= boundary.end_lineno


# --- reasons ---


def test_a_code_has_one_failure_mode() -> None:
    modes: dict[str, set[str]] = defaultdict(set)
    for task in list_tasks():
        for reason in task.reasons:
            modes[reason.code].add(reason.mode.name)
    assert {code: sorted(found) for code, found in modes.items() if len(found) > 1} == {}


def test_a_task_declares_each_code_once() -> None:
    for task in list_tasks():
        codes = [reason.code for reason in task.reasons]
        assert len(codes) == len(set(codes)), task.name


# --- names ---


def test_a_class_s_name_stands_for_one_thing() -> None:
    """Public classes; so that a name in a traceback or a docstring says which one it is."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in SOURCES:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(_name(path))
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}
