"""Who is asked in a study, what, and in which order."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from calibration.labels import CalibrationError


@dataclass(frozen=True)
class DrawnItem:
    """A candidate, and how it was drawn."""

    request_id: str
    stratum: str


class StaleError(CalibrationError):
    """What was done is about something else than what is asked now, as in a second window."""


@dataclass(frozen=True)
class Rater:
    """A person.

    Attributes
    ----------
    key, name : the place in the file, and the name
    token : what the address has that only this person knows; empty for people of files
    decides : whether they are asked about what others differ in
    """

    key: int
    name: str
    token: str
    decides: bool


@dataclass(frozen=True)
class ShownCandidate:
    """A candidate that a person is asked about.

    Attributes
    ----------
    showing : its number
    request_id : of the candidate
    place : in that person's order; another one once it was put off
    said : labels by question, so far
    comment : what was written
    others : for who decides: what people said, by question
    """

    showing: int
    request_id: str
    place: int
    said: Mapping[str, str]
    comment: str
    others: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class RaterProgress:
    """Where a person is.

    Attributes
    ----------
    asked : what is asked now, and the next ones after it
    done, total : how many are done, and of how many
    last : number of the last thing done that can be taken back; 0 where there is none
    """

    asked: tuple[ShownCandidate, ...]
    done: int
    total: int
    last: int


def order_of(items: Iterable[int], twice: float, seed: int, rater: str) -> list[int]:
    """The order in which one person is asked, with what is asked again.

    Everybody has an order of their own, so that who is tired at the end is so at other candidates. What is asked again
    was in the first half and comes again in the last third, at places that are drawn.
    """
    dice = random.Random(f"{seed} {rater}")
    order = sorted(items)
    dice.shuffle(order)
    first_half = order[: (len(order) + 1) // 2]
    again = dice.sample(first_half, min(len(first_half), round(twice * len(order))))
    for item in again:
        order.insert(dice.randint(2 * len(order) // 3, len(order)), item)
    return order
