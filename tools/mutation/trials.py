"""One fault at a time: put in, tested, taken out. Results are written at once, so that a run can go on where it was."""

from __future__ import annotations

import hashlib
import json
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from .chosen import CAUGHT, TESTS
from .lines import Coverage, Test
from .sites import Mutation
from .trees import STOPPED, Tree

# Start-up of a test run, and how much longer than without a fault the tests may take before a fault counts as caught.
START_S = 60.0
SLOWER = 6.0


@dataclass(frozen=True)
class Result:
    """What became of a fault.

    Parameters
    ----------
    package : name of the package
    path, line, operator, before, after : the fault
    file_digest, tests_digest : the file it was put into, and all that the tests were
    caught : whether a test failed, or ran too long
    by : the test that caught it, or why nothing did
    seconds : how long it took
    """

    package: str
    path: str
    line: int
    operator: str
    before: str
    after: str
    file_digest: str
    tests_digest: str
    caught: bool
    by: str
    seconds: float

    @property
    def key(self) -> tuple[str, ...]:
        """What makes a result that of a fault, wherever its line has moved to meanwhile."""
        return (self.path, self.operator, self.before, self.after, self.file_digest)


@dataclass(frozen=True)
class Trial:
    """A fault that is to be tried, and with what."""

    package: str
    mutation: Mutation
    tests: Sequence[Test]
    source: bytes
    tests_digest: str

    @property
    def key(self) -> tuple[str, ...]:
        """As that of its result."""
        found = self.mutation
        return (found.path, found.operator, found.before, found.after, _digest(self.source), str(found.start))

    def result(self, caught: bool, by: str, seconds: float) -> Result:
        """The result of this trial."""
        found = self.mutation
        return Result(
            self.package,
            found.path,
            found.line,
            found.operator,
            found.before,
            found.after,
            _digest(self.source),
            self.tests_digest,
            caught,
            by,
            round(seconds, 2),
        )


def _digest(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()[:16]


def trials_of(package: str, found: Sequence[Mutation], coverage: Coverage, tests_digest: str) -> list[Trial]:
    """The trials of the faults of one package."""
    return [
        Trial(package, mutation, coverage.tests_of(mutation), coverage.sources[mutation.path], tests_digest)
        for mutation in found
    ]


class Results:
    """The results so far, in a file of JSON Lines."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.lock = threading.Lock()
        self.known: dict[tuple[str, ...], Result] = {}
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                result = Result(**json.loads(line))
                self.known[(*result.key, str(result.line))] = result

    def of(self, trial: Trial) -> Result | None:
        """What is known of a fault. One that slipped through is tried again when tests or code have changed."""
        result = self.known.get((*trial.key[:-1], str(trial.mutation.line)))
        return result if result and (result.caught or result.tests_digest == trial.tests_digest) else None

    def add(self, result: Result) -> None:
        """Keeps a result, also if the process ends right after."""
        with self.lock:
            self.known[(*result.key, str(result.line))] = result
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")


def run_all(
    trials: Sequence[Trial], trees: Sequence[Tree], results: Results, told: Callable[[Result], None]
) -> list[Result]:
    """Runs the trials that are not known yet, one a tree at a time; returns the results of all, in their order."""
    free: queue.SimpleQueue[Tree] = queue.SimpleQueue()
    for tree in trees:
        free.put(tree)

    def one(trial: Trial) -> Result:
        known = results.of(trial)
        if known:
            return known
        tree = free.get()
        try:
            result = run(trial, tree)
        finally:
            free.put(tree)
        results.add(result)
        told(result)
        return result

    with ThreadPoolExecutor(len(trees)) as pool:
        futures = [pool.submit(one, trial) for trial in trials]
        try:
            return [future.result() for future in futures]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def run(trial: Trial, tree: Tree) -> Result:
    """Puts one fault into a tree, and runs the tests that can feel it, fastest first, until one fails."""
    if not trial.tests:
        return trial.result(False, "no test runs this line", 0.0)
    listed, caught = tree.folder / "tests.json", tree.folder / "caught.txt"
    listed.write_text(json.dumps([test.name for test in trial.tests]), encoding="utf-8")
    caught.unlink(missing_ok=True)
    modules = dict.fromkeys(test.name.split("::")[0] for test in trial.tests)
    limit = START_S + SLOWER * sum(test.seconds for test in trial.tests)
    start = time.monotonic()
    with tree.changed(trial.mutation.path, trial.mutation.applied(trial.source)):
        code, said = tree.pytest(
            ["-p", "tools.mutation.chosen", "-x", "--tb=no", *modules], {TESTS: str(listed), CAUGHT: str(caught)}, limit
        )
    seconds = time.monotonic() - start
    if code == 0:
        return trial.result(False, f"{len(trial.tests)} tests pass", seconds)
    if said == STOPPED:
        return trial.result(True, STOPPED, seconds)
    return trial.result(True, caught.read_text("utf-8") if caught.exists() else "the tests do not start", seconds)
