"""What a study of people found, as tables and plots."""

from __future__ import annotations

import math
from collections.abc import Sequence

from calibration.studies.rates import Budgets, Setting, Solver, Successes, budgets_of, cutoffs_of, median, people_rates
from calibration.studies.trials import Trial
from grader.report.data.estimates import Estimate, Resampling
from grader.report.data.grouping import natural
from grader.report.page.plots import Figure, Series, rate_lines
from grader.report.tables.jigsaw.likeness import COEFFICIENTS, correlation_matrices, together
from grader.report.tables.table import Better, Cell, Column, Table, Unit
from grader.runs.items import NOT_SAID

_NOT_ASKED = Estimate(None, 0, why="there is no trial and no candidate of it")
_ALL = "(all levels)"
_LEAST = 3
"""So many places are needed for a correlation."""


def solvers_of(found: Successes) -> list[Solver]:
    """All groups and models, people first."""
    every = {solver for some in found.values() for solver in some}
    return sorted(every, key=lambda one: (not one.is_person, natural(one.name)))


def title_of(setting: Setting) -> str:
    """A setting in words."""
    return setting.task if setting.level == NOT_SAID else f"{setting.task}, {setting.level}"


def rate_table(found: Successes) -> Table:
    """Groups and models down, tasks at their levels across."""
    columns = (
        Column("who", "who"),
        Column("kind", "are"),
        *(Column(f"s{at}", title_of(one), Unit.PERCENT, over="n") for at, one in enumerate(found)),
    )
    rows = tuple(
        (
            solver.name,
            "people" if solver.is_person else "model",
            *(some[solver].rate if solver in some else _NOT_ASKED for some in found.values()),
        )
        for solver in solvers_of(found)
    )
    notes = ("People: answered right, in any time. Models: candidates that pass. n is shown beside each.",)
    return Table("rates", "People and models", columns, rows, notes, brief=True)


def time_table(found: Successes, budgets: Budgets) -> Table:
    """Success within each budget of time, a row a budget."""
    columns = (
        Column("task", "task"),
        Column("level", "level"),
        Column("who", "who"),
        Column("budget", "less than, s", Unit.NUMBER),
        Column("n", "n", Unit.COUNT),
        Column("success", "success", Unit.PERCENT, Better.UP, over="n"),
    )
    rows: list[tuple[Cell, ...]] = []
    for setting, some in found.items():
        for solver, done in some.items():
            for budget, one in zip(budgets[setting], done.within or (), strict=False):
                rows.append((setting.task, setting.level, solver.name, f"{budget:g}", one.n, one))
    notes = (
        "People: the share of trials that are answered right in less than that time. Models: the share of puzzles of "
        "which one passes of the first candidates, as many as the time has room for.",
    )
    return Table("success_by_time", "Success within a budget of time", columns, tuple(rows), notes)


def speed_table(found: Successes) -> Table:
    """How long right answers took."""
    columns = (
        Column("task", "task"),
        Column("level", "level"),
        Column("who", "who"),
        Column("right", "right answers", Unit.COUNT),
        Column("median", "median, s", Unit.NUMBER),
        Column("mean", "mean, s", Unit.NUMBER),
    )
    rows = tuple(
        (setting.task, setting.level, solver.name, n := len(done.times), _of(median(done.times), n),
         _of(math.fsum(done.times) / n if n else None, n))
        for setting, some in found.items()
        for solver, done in some.items()
        if solver.is_person
    )  # fmt: skip
    return Table("times", "How long right answers took", columns, rows, brief=True)


def _of(value: float | None, n: int) -> Estimate:
    return Estimate(value, n, why="" if n else "nobody answered right")


def correlation_tables(found: Successes) -> list[Table]:
    """Between models and groups, between all of them on each task, and between tasks."""
    tasks = list(dict.fromkeys(setting.task for setting in found))
    solvers = solvers_of(found)
    tables = _nearest(found, tasks, solvers)
    for task in tasks:
        for key, over, places in (
            ("curves", "levels and budgets of time", _curve),
            ("rates", "levels", _rates),
        ):
            series = {one.name: places(found, one, task) for one in solvers}
            series = {name: values for name, values in series.items() if _has(values)}
            if len(series) > 1:
                title = f"{task}: how far success goes together over {over}"
                tables += correlation_matrices(f"{task}_{key}", title, series, over)
    across = {title_of(one): [_value(found, one, solver) for solver in solvers] for one in found}
    across = {name: values for name, values in across.items() if _has(values)}
    if len(across) > 1:
        tables += correlation_matrices("tasks", "How far tasks go together", across, "people and models")
    return tables


def _has(values: Sequence[float | None]) -> bool:
    return sum(one is not None for one in values) >= _LEAST


def _curve(found: Successes, solver: Solver, task: str, level: str | None = None) -> list[float | None]:
    """Success within each budget, level by level; nothing where its time is not known."""
    values: list[float | None] = []
    for setting, some in found.items():
        if setting.task == task and level in (None, setting.level):
            within = some[solver].within if solver in some else None
            known = max((len(one.within or ()) for one in some.values()), default=0)
            values += [None] * known if within is None else [one.value for one in within]
    return values


def _rates(found: Successes, solver: Solver, task: str) -> list[float | None]:
    return [_value(found, setting, solver) for setting in found if setting.task == task]


def _value(found: Successes, setting: Setting, solver: Solver) -> float | None:
    return found[setting][solver].rate.value if solver in found[setting] else None


def _nearest(found: Successes, tasks: Sequence[str], solvers: Sequence[Solver]) -> list[Table]:
    """Each model against each group of people."""
    groups = [one for one in solvers if one.is_person]
    models = [one for one in solvers if not one.is_person]
    if not models or not groups:
        return []
    tables = []
    for name, called, coefficient in COEFFICIENTS:
        rows: list[tuple[Cell, ...]] = []
        for model in models:
            for task in tasks:
                levels = [setting.level for setting in found if setting.task == task]
                for level in (*levels, None) if len(levels) > 1 else levels:
                    own = _curve(found, model, task, level)
                    over, theirs = "budgets of time", [_curve(found, one, task, level) for one in groups]
                    if level is None and not _has(own):
                        own, over = _rates(found, model, task), "levels"
                        theirs = [_rates(found, one, task) for one in groups]
                    cells = [together(own, one, coefficient, over) for one in theirs]
                    best = max((one.value for one in cells if one.value is not None), default=None)
                    star = ", ".join(
                        group.name
                        for group, one in zip(groups, cells, strict=True)
                        if best is not None and one.value == best
                    )
                    rows.append((model.name, task, _ALL if level is None else level, *cells, star))
        columns = (
            Column("model", "model"),
            Column("task", "task"),
            Column("level", "level"),
            *(Column(f"g{at}", one.name, Unit.NUMBER) for at, one in enumerate(groups)),
            Column("highest", "highest"),
        )
        notes = (
            f"{called}'s coefficient of success within budgets of time; over all levels of a task together, or over "
            "its levels at any time where a model's time is not known. A series that does not vary, such as one of "
            "zeros, goes together with nothing.",
        )
        title = f"Models and groups of people ({called})"
        tables.append(Table(f"models_people_{name}", title, columns, tuple(rows), notes, brief=name == "pearson"))
    return tables


def time_figures(found: Successes, budgets: Budgets) -> list[Figure]:
    """Success against the budget of time, a plot a task and level."""
    figures = []
    for setting, some in found.items():
        lines = [Series(solver.name, done.within) for solver, done in some.items() if done.within is not None]
        if lines:
            names = [f"{one:g}" for one in budgets[setting]]
            drawing = rate_lines(names, lines, name="success", across="budget of time, s")
            figures.append(Figure(title_of(setting), drawing))
    return figures


def level_figures(found: Successes, trials: Sequence[Trial], budgets: Sequence[float], how: Resampling) -> list[Figure]:
    """Success of people by level as if they had been given less time, beside models, a plot a task."""
    figures = []
    for task in dict.fromkeys(setting.task for setting in found):
        levels = [setting for setting in found if setting.task == task]
        of_level = [[one for one in trials if (one.task, one.level) == (task, level.level)] for level in levels]
        if len(levels) < 2 or not any(of_level):
            continue
        own = budgets or budgets_of(one for some in of_level for one in some)
        kept = [own[at] for at in cutoffs_of(own)]
        cells = [people_rates(some, kept, how) if some else [None] * len(kept) for some in of_level]
        lines = [Series(f"people, {one:g} s", tuple(cell[at] for cell in cells)) for at, one in enumerate(kept)]
        for solver in solvers_of(found):
            if not solver.is_person and any(solver in found[level] for level in levels):
                points = tuple(found[level][solver].rate if solver in found[level] else None for level in levels)
                lines.append(Series(solver.name, points))
        drawing = rate_lines([one.level for one in levels], lines, name="success", across="level")
        figures.append(
            Figure(f"{task}: by level, with less time", drawing, "All people together, right in less than that.")
        )
    return figures
