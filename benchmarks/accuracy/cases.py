"""The cases of the benchmark: which plan is drawn on which instance under which nuisances.

A case is named ``<instance>/<plan>/<nuisances>``, such as ``maze-hexagon-08-dfs-red/branch/shift-black-1+jpeg-3``,
or with ``clean`` for no nuisance. Everything about it follows from its name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product

from benchmarks.accuracy.board_plans import BOARD_PLANS
from benchmarks.accuracy.instances import InstanceName, instance_names, parse_instance
from benchmarks.accuracy.maze_plans import MAZE_PLANS
from benchmarks.accuracy.nuisances import NUISANCES, STRENGTHS, Nuisance, Stage
from benchmarks.accuracy.seeds import number_of

RIGHT = "right"
CLEAN = "clean"

# How many candidates an instance gets: (single nuisances, pairs) for its right answer and for each wrong one, beside a
# clean one each. Right answers get more, so that about half of all candidates have to pass.
_RIGHT_COUNTS = (22, 14)
_WRONG_COUNTS = (2, 1)
_SAMPLE_PER_INSTANCE = 12
"""Cases that a sample takes from one instance, since making an instance costs as much as grading several."""


@dataclass(frozen=True)
class Strength:
    """A nuisance by name at strength 1, 2 or 3."""

    name: str
    strength: int

    def __str__(self) -> str:
        return f"{self.name}-{self.strength}"

    @property
    def nuisance(self) -> Nuisance:
        """What the name stands for."""
        return NUISANCES[self.name]

    @property
    def level(self) -> float:
        """The nuisance's parameter at this strength."""
        return self.nuisance.levels[self.strength - 1]


@dataclass(frozen=True)
class Case:
    """A plan on an instance under nuisances, in the order in which they are applied."""

    instance: InstanceName
    plan: str
    nuisances: tuple[Strength, ...]

    @cached_property
    def id(self) -> str:
        """Its name."""
        return f"{self.instance}/{self.plan}/{'+'.join(map(str, self.nuisances)) or CLEAN}"


def parse_case(case_id: str) -> Case:
    """Reads a case's name; ValueError saying what of it is wrong."""
    parts = case_id.split("/")
    if len(parts) != 3:
        raise ValueError(f"{case_id!r} names no case; they look like maze-square-05-dfs-red/branch/jpeg-3")
    instance = parse_instance(parts[0])
    plans = plan_names(instance.task)
    if parts[1] not in plans:
        raise ValueError(f"there is no plan {parts[1]!r}; there are: {', '.join(plans)}")
    known = {str(one): one for one in _strengths(instance.task)}
    names = [] if parts[2] == CLEAN else parts[2].split("+")
    for name in names:
        if name not in known:
            raise ValueError(f"there is no nuisance {name!r}; there are: {', '.join(known)}")
    return Case(instance, parts[1], ordered(tuple(known[name] for name in names)))


def plan_names(task: str) -> tuple[str, ...]:
    """The plans of a task."""
    return tuple(MAZE_PLANS if task == "maze" else BOARD_PLANS)


def ordered(nuisances: tuple[Strength, ...]) -> tuple[Strength, ...]:
    """Nuisances in the order in which they are applied."""
    return tuple(sorted(nuisances, key=lambda one: (one.nuisance.stage, one.name)))


@cache
def _strengths(task: str) -> tuple[Strength, ...]:
    names = (name for name, one in NUISANCES.items() if task in one.tasks)
    return tuple(Strength(name, strength) for name, strength in product(names, STRENGTHS))


@cache
def _pairs(task: str) -> tuple[tuple[Strength, Strength], ...]:
    """Pairs of different stages. Together they are no harder than one alone: strengths add up to 4 at most.

    What takes from the stroke and what takes from fine detail add up to 3 at most, for a thin line may be lost.
    """
    found = []
    for one, other in product(_strengths(task), repeat=2):
        if one.nuisance.stage >= other.nuisance.stage:
            continue
        frail = one.nuisance.stage is Stage.STROKE and (
            other.nuisance.stage in (Stage.DETAIL, Stage.FILE, Stage.TONE) or other.name == "resize"
        )
        if one.strength + other.strength <= (3 if frail else 4):
            found.append((one, other))
    return tuple(found)


def all_cases(tasks: tuple[str, ...] = ("maze", "queens")) -> Iterator[Case]:
    """Every case in a fixed order. Each instance and plan takes the next nuisances of a shuffled row."""
    names = [name for name in instance_names() if name.task in tasks]
    for task in tasks:
        for plan in plan_names(task):
            singles = sorted(_strengths(task), key=lambda one: number_of(f"{task}/{plan}/{one}"))
            pairs = sorted(_pairs(task), key=lambda two: number_of(f"{task}/{plan}/{two[0]}+{two[1]}"))
            single_count, pair_count = _RIGHT_COUNTS if plan == RIGHT else _WRONG_COUNTS
            for place, name in enumerate(one for one in names if one.task == task):
                yield Case(name, plan, ())
                for step in range(single_count):
                    yield Case(name, plan, (singles[(place * single_count + step) % len(singles)],))
                for step in range(pair_count):
                    yield Case(name, plan, ordered(pairs[(place * pair_count + step) % len(pairs)]))


def sample(cases: list[Case], count: int) -> list[Case]:
    """About ``count`` cases: instances of every task, geometry, scale and algorithm, and some cases of each.

    The choice depends on names alone. All cases are given back where ``count`` is not less than their number.
    """
    if count >= len(cases):
        return cases
    by_instance: dict[InstanceName, list[Case]] = defaultdict(list)
    for case in cases:
        by_instance[case.instance].append(case)
    kinds: dict[tuple[str, str, int, str], list[InstanceName]] = defaultdict(list)
    for name in by_instance:
        kinds[name.task, name.kind, name.scale, name.variant].append(name)
    for names in kinds.values():
        names.sort(key=lambda name: number_of(f"sample/{name}"))
    rows = [kinds[kind] for kind in sorted(kinds, key=lambda kind: number_of(f"sample/{kind}"))]
    rounds = [names[place] for place in range(max(map(len, rows))) for names in rows if place < len(names)]
    chosen = rounds[: max(1, -(-count // _SAMPLE_PER_INSTANCE))]
    taken: list[Case] = []
    for place, name in enumerate(chosen):
        share = (place + 1) * count // len(chosen) - place * count // len(chosen)
        taken += sorted(by_instance[name], key=lambda case: number_of(f"sample/{case.id}"))[:share]
    return taken
