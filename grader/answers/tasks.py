"""Answers to each task that is answered in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from grader.answers.grammar.blank import BlankStep, BlankSteps
from grader.answers.grammar.hinges import Hinges, HingeTurn
from grader.answers.grammar.labels import FIVE_LABELS, LabelSet
from grader.answers.grammar.vehicles import VehicleMove, Vehicles
from grader.answers.reading import read
from grader.answers.records import read_record
from grader.answers.result import Parsed, Reading, Readings, Unread
from grader.answers.strict import strict_labels, strict_moves, strict_steps, strict_turns
from grader.answers.structures.grid_mazes import MazeAnswer, MazeAnswers, strict_maze


def read_rush_hour(text: str, colors: Mapping[str, str] | None = None) -> Readings[tuple[VehicleMove, ...]]:
    """Read the moves of a rush-hour answer, strictly and leniently; as ``parse_rush_hour``."""
    return read(text, strict_moves, Vehicles(dict(colors or {})))


def read_sliding(text: str) -> Readings[tuple[BlankStep, ...]]:
    """Read the steps of the blank from an answer to a sliding puzzle, strictly and leniently."""
    return read(text, strict_steps, BlankSteps())


def parse_rush_hour(
    text: str, reading: Reading, colors: Mapping[str, str] | None = None
) -> Parsed[tuple[VehicleMove, ...]] | Unread:
    """Read the moves of a rush-hour answer.

    Parameters
    ----------
    text : str
        What a model wrote.
    reading : Reading
        Strict or lenient.
    colors : mapping of str to str, optional
        The label of each colour that one vehicle alone has, by the colour's name: then "the blue car" names it.

    Returns
    -------
    Parsed or Unread
        The moves in their order, at least one, labels in capitals; or why there are none.

    Examples
    --------
    >>> moves = parse_rush_hour('{"answer": "AF, red car back"}', Reading.STRICT).value
    >>> [(move.label, move.direction.value) for move in moves]
    [('A', 'forward'), ('R', 'backward')]
    """
    return read_rush_hour(text, colors).of(reading)


def parse_sliding(text: str, reading: Reading) -> Parsed[tuple[BlankStep, ...]] | Unread:
    """Read the steps of the blank from an answer to a sliding puzzle; at least one, in their order."""
    return read_sliding(text).of(reading)


def parse_form_board(text: str, reading: Reading, labels: str = FIVE_LABELS) -> Parsed[tuple[str, ...]] | Unread:
    """Read the set of pieces that an answer names.

    Parameters
    ----------
    text : str
        What a model wrote.
    reading : Reading
        Strict or lenient.
    labels : str
        The labels that there are, capital letters.

    Returns
    -------
    Parsed or Unread
        The labels, ascending, each once and at least one; or why there are none.

    Raises
    ------
    ValueError
        If ``labels`` is not made of different capital letters.

    Examples
    --------
    >>> parse_form_board('{"answer": "e, c, a"}', Reading.STRICT).value
    ('A', 'C', 'E')
    """
    found = read_form_board(text, labels).of(reading)
    return found if isinstance(found, Unread) else replace(found, value=tuple(sorted(set(found.value))))


def parse_paper_fold(text: str, reading: Reading, labels: str = FIVE_LABELS) -> Parsed[str] | Unread:
    """Read the one pattern that an answer names. Parameters and errors are those of ``parse_form_board``."""
    found = read_paper_fold(text, labels).of(reading)
    return found if isinstance(found, Unread) else Parsed(found.value[0], found.extraction, found.spans)


def parse_hinge_folding(text: str, reading: Reading) -> Parsed[tuple[HingeTurn, ...]] | Unread:
    """Read the turns of an answer, in the order in which they are written; a hinge may come more than once.

    Examples
    --------
    >>> turns = parse_hinge_folding('{"answer": "B 270°, A -90"}', Reading.STRICT).value
    >>> [(turn.hinge, turn.angle_deg) for turn in turns]
    [('B', 270), ('A', 270)]
    """
    return read_hinge_folding(text).of(reading)


def read_form_board(text: str, labels: str = FIVE_LABELS) -> Readings[tuple[str, ...]]:
    """Reads the pieces that an answer names, in both readings; parameters and errors as of ``parse_form_board``."""
    _check(labels)
    return read(text, lambda value: strict_labels(value, labels, one=False), LabelSet(labels))


def read_paper_fold(text: str, labels: str = FIVE_LABELS) -> Readings[tuple[str, ...]]:
    """Reads the one pattern that an answer names, in both readings."""
    _check(labels)
    return read(text, lambda value: strict_labels(value, labels, one=True), LabelSet(labels, one=True))


def read_hinge_folding(text: str) -> Readings[tuple[HingeTurn, ...]]:
    """Reads the turns of an answer, in both readings."""
    return read(text, strict_turns, Hinges())


def read_grid_maze(text: str) -> Readings[tuple[MazeAnswer, ...]]:
    """Reads the object that answers a grid maze, in both readings; its value is one answer."""
    return read_record(text, strict_maze, MazeAnswers())


def _check(labels: str) -> None:
    if not labels or len(set(labels)) != len(labels) or not all("A" <= label <= "Z" for label in labels):
        raise ValueError(f"the labels are {labels!r}; they have to be different capital letters")
