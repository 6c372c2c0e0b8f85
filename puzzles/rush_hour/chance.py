"""How often random moves bring the red car to an exit.

A walk counts once the red car has been at an exit, whatever comes after. A table must say which walk it uses. The
published numbers are close to those of 6 moves drawn among the ones that move something, not of 6 drawn among all.
"""

from __future__ import annotations

import enum
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from puzzles.rush_hour.contact import Floats
from puzzles.rush_hour.lot import Lot
from puzzles.rush_hour.slides import STATE_QUANTUM, Ints, SlideTable

MAX_STATES = 20_000
SAMPLES = 10_000


class Draw(enum.Enum):
    """What each move of a walk is drawn from, uniformly.

    ALL is both directions of each movable vehicle, also where it touches something and stays. MOVING is those of them
    by which it moves; where there are none the walk is at its end.
    """

    ALL = "all"
    MOVING = "moving"


@dataclass(frozen=True)
class Chance:
    """The probability that random moves succeed.

    Attributes
    ----------
    probability
        0 to 1.
    standard_error
        Of the probability; 0 if it is exact. Where no or each sample succeeds it is 0 too, but says nothing.
    exact
        Whether all states were followed; otherwise walks were sampled.
    states
        How many states were followed; 0 if walks were sampled.
    samples
        How many walks were sampled; 0 if the probability is exact.
    """

    probability: float
    standard_error: float
    exact: bool
    states: int
    samples: int


def chance(
    lot: Lot,
    moves: int,
    draw: Draw = Draw.ALL,
    seed: int = 0,
    max_states: int = MAX_STATES,
    samples: int = SAMPLES,
) -> Chance:
    """Return the probability that a number of random moves brings the red car to an exit at any point.

    Parameters
    ----------
    lot
        The lot.
    moves
        The length of the walk, not negative.
    draw
        What moves are drawn from.
    seed
        Of the samples; not negative.
    max_states
        Up to how many states all of them are followed; with more, walks are sampled. 0 always samples.
    samples
        How many walks to sample, at least 1.

    Raises
    ------
    ValueError
        If a number is out of range.
    """
    (found,) = chances(lot, moves, (draw,), seed, max_states, samples)
    return found


def chances(
    lot: Lot,
    moves: int,
    draws: Sequence[Draw],
    seed: int = 0,
    max_states: int = MAX_STATES,
    samples: int = SAMPLES,
) -> tuple[Chance, ...]:
    """Return the chance of walks of one length that draw their moves in several ways, in less time than one by one.

    Parameters and errors are as of `chance`.
    """
    if moves < 0 or seed < 0:
        raise ValueError(f"the number of moves and the seed must not be negative, not {moves} and {seed}")
    if samples < 1:
        raise ValueError(f"there must be at least one sample, not {samples}")
    table = SlideTable(lot)
    if table.solved(table.start[None, :])[0]:
        return (Chance(1.0, 0.0, True, 1, 0),) * len(draws)
    if moves == 0 or not table.moves:
        return (Chance(0.0, 0.0, True, 1, 0),) * len(draws)
    graphs = _explore(table, moves, draws, max_states)
    if graphs is None:
        return tuple(_sampled(table, moves, draw, seed, samples) for draw in draws)
    return tuple(Chance(_followed(graph, moves), 0.0, True, len(graph.after), 0) for graph in graphs)


@dataclass(frozen=True, eq=False)
class _Graph:
    """The number of the state after each move, -1 for success, and each move's probability; both (states, moves)."""

    after: Ints
    shares: Floats


def _shares(states: Floats, following: Floats, draw: Draw) -> Floats:
    """Return the probability of each move, (S, moves), from states (S, V) and what follows, (S, moves, V)."""
    drawn = np.ones(following.shape[:2])
    if draw is Draw.MOVING:
        drawn = (np.abs(following - states[:, None, :]).max(axis=2) > STATE_QUANTUM).astype(np.float64)
    shares: Floats = drawn / np.maximum(drawn.sum(axis=1, keepdims=True), 1.0)
    return shares


def _explore(table: SlideTable, moves: int, draws: Sequence[Draw], max_states: int) -> tuple[_Graph, ...] | None:
    """Follow all states from which a walk may still go on, for each way to draw; ``None`` if there are too many."""
    layer: Floats = table.start[None, :]
    numbers = {table.keys(layer)[0]: 0}
    rows: list[Ints] = []
    shares: tuple[list[Floats], ...] = tuple([] for _ in draws)
    for step in range(moves):
        fresh: list[Floats] = []
        for part in table.chunks(layer):
            if len(numbers) > max_states:
                return None
            following = table.successors(part)
            flat = following.reshape(-1, following.shape[2])
            solved = table.solved(flat)
            # Of states that the last move leads to only the success matters; the others all count as state 0.
            row = np.where(solved, -1, 0)
            for place, key in enumerate(table.keys(flat) if step < moves - 1 else ()):
                if not solved[place]:
                    number = len(numbers)
                    row[place] = numbers.setdefault(key, number)
                    if row[place] == number:
                        fresh.append(flat[place])
            rows.append(row.reshape(len(part), table.moves))
            for draw, kept in zip(draws, shares, strict=True):
                kept.append(_shares(part, following, draw))
        if not fresh:
            break
        layer = np.array(fresh)
    after = np.concatenate(rows)
    return tuple(_Graph(after, np.concatenate(kept)) for kept in shares)


def _followed(graph: _Graph, moves: int) -> float:
    """Return the probability of success by carrying that of each state along the moves."""
    there: Floats = np.zeros(len(graph.after))
    there[0] = 1.0
    succeeds = graph.after < 0
    to = np.where(succeeds, 0, graph.after).ravel()
    reached = 0.0
    for _ in range(moves):
        parts = there[:, None] * graph.shares
        reached += math.fsum(parts[succeeds])
        there = np.bincount(to, np.where(succeeds, 0.0, parts).ravel(), len(there)).astype(np.float64)
    return min(reached, 1.0)


def _sampled(table: SlideTable, moves: int, draw: Draw, seed: int, samples: int) -> Chance:
    dice = random.Random(seed)
    states = np.repeat(table.start[None, :], samples, axis=0)
    successes = 0
    for _ in range(moves):
        # Only random() is promised to give the same numbers in every Python version.
        drawn = np.array([dice.random() for _ in range(len(states))])
        states = _all_step(table, states, drawn) if draw is Draw.ALL else _moving_step(table, states, drawn)
        solved = table.solved(states)
        successes += int(solved.sum())
        states = states[~solved]
        if not len(states):
            break
    share = successes / samples
    return Chance(share, math.sqrt(share * (1 - share) / samples), False, 0, samples)


def _all_step(table: SlideTable, states: Floats, drawn: Floats) -> Floats:
    going = (drawn * table.moves).astype(np.int64)
    return table.after(states, going, table.slide(states, going)[0])


def _moving_step(table: SlideTable, states: Floats, drawn: Floats) -> Floats:
    after: list[Floats] = []
    for part in table.chunks(states):
        following = table.successors(part)
        bounds = _shares(part, following, Draw.MOVING).cumsum(axis=1)
        # Where no move may be drawn, the last one is taken, by which nothing moves.
        passed = (bounds <= drawn[len(after) : len(after) + len(part), None]).sum(axis=1)
        after += list(following[np.arange(len(part)), np.minimum(passed, table.moves - 1)])
    return np.array(after)
