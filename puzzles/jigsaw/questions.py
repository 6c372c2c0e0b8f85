"""Questions about a view of a photograph, each with its pictures and its answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations
from typing import Final

from puzzles.jigsaw.cuts import HALVES, THIRDS, Grid, blank, covered, joined, telling, turns
from puzzles.jigsaw.draw import SeededDraw
from puzzles.jigsaw.kinds import LABELS, POSITIONS, Order, QuestionKind
from puzzles.jigsaw.options import Pool, find_options
from puzzles.jigsaw.photographs import PhotographSource
from puzzles.jigsaw.rules import JigsawRules, Pixels, all_differ, difference
from puzzles.jigsaw.similarity import COLOR_GRADIENT, PieceSimilarity

ORDERS: Final[tuple[Order, ...]] = tuple(permutations((1, 2, 3, 4)))
_PAIRS: Final = {"A": ((0, 1), (2, 3)), "B": ((0, 2), (1, 3)), "C": ((0, 3), (1, 2))}
"""Of quarters, by the letter of a connection: beside, above, at opposite corners."""
TOO_FEW_TELL, ALIKE, NO_OPTIONS = "near_flat", "alike", "no_options"
"""Why no question is made of a view."""


@dataclass(frozen=True)
class CutRules:
    """How questions are made.

    Attributes
    ----------
    side_px : the shorter side of pictures
    seed : of all that is drawn
    qualify : what photographs and pieces qualify
    similarity : what finds hard distractors
    """

    side_px: int = 384
    seed: int = 0
    qualify: JigsawRules = field(default_factory=JigsawRules)
    similarity: PieceSimilarity = COLOR_GRADIENT


@dataclass(frozen=True, eq=False)
class JigsawQuestion:
    """A question.

    Attributes
    ----------
    kind : what is asked
    pictures : in the order in which the question speaks of them
    answer : as the question asks for it, such as ``B``, ``[2, 3, 1, 4]`` or three lines
    options : the orders that an order restoration offers
    details : what was done, for records
    """

    kind: QuestionKind
    pictures: tuple[Pixels, ...]
    answer: str
    options: tuple[Order, ...] = ()
    details: Mapping[str, object] = field(default_factory=dict)


class CutView:
    """A view of a photograph with what questions of several kinds need of it, each made once.

    Attributes
    ----------
    pixels : the view
    rules : what qualifies
    """

    def __init__(self, pixels: Pixels, rules: JigsawRules) -> None:
        self.pixels, self.rules = pixels, rules

    @cached_property
    def quarters(self) -> list[Pixels]:
        """Its four pieces."""
        return HALVES.cut(self.pixels)

    @cached_property
    def quarters_told(self) -> list[int]:
        """Those of four that can be told."""
        return telling(self.pixels, HALVES, self.rules)

    @cached_property
    def ninths_told(self) -> list[int]:
        """Those of nine that can be told."""
        return telling(self.pixels, THIRDS, self.rules)

    @cached_property
    def quarters_fault(self) -> str:
        """Why its quarters make no question: one is near-flat, or two are alike; empty where they do."""
        if len(self.quarters_told) < len(self.quarters):
            return TOO_FEW_TELL
        return "" if all_differ(self.quarters, self.rules.least_difference) else ALIKE


def ask(
    kind: QuestionKind, source: PhotographSource, view: CutView, number: int, turn: int, pool: Pool, rules: CutRules
) -> JigsawQuestion | str:
    """Makes the question of a kind about a view, or says why there is none.

    Parameters
    ----------
    kind : QuestionKind
    source, view, number : PhotographSource, CutView, int
        The photograph, a view of it, and the view's number.
    turn : int
        Which question of its kind this is: answers of few kinds take turns, so that none is more frequent.
    pool : Pool
        Where other pieces come from.
    rules : CutRules
    """
    draw = SeededDraw("question", rules.seed, kind.value, source.key, number)
    match kind:
        case QuestionKind.MISSING_PIECE_EASY | QuestionKind.MISSING_PIECE_HARD:
            return _missing(kind, source, view, draw, pool, rules)
        case QuestionKind.LOCALIZATION_EASY:
            return _localization(kind, HALVES, view.pixels, view.quarters_told, draw, rules.qualify)
        case QuestionKind.LOCALIZATION_HARD:
            return _localization(kind, THIRDS, view.pixels, view.ninths_told, draw, rules.qualify)
    if view.quarters_fault:
        return view.quarters_fault
    pieces = view.quarters
    match kind:
        case QuestionKind.CONNECTION:
            return _connection(pieces, draw, _turned("ABC", turn, kind, rules))
        case QuestionKind.ANOMALY:
            return _anomaly(pieces, draw, _turned("AB", turn, kind, rules), rules.qualify)
    return _order(kind, pieces, draw)


def _turned(letters: str, turn: int, kind: QuestionKind, rules: CutRules) -> str:
    """The answer whose turn it is: in each round of questions all letters come, in a drawn order."""
    return SeededDraw("turn", rules.seed, kind.value, turn // len(letters)).shuffled(letters)[turn % len(letters)]


def _missing(
    kind: QuestionKind, source: PhotographSource, view: CutView, draw: SeededDraw, pool: Pool, rules: CutRules
) -> JigsawQuestion | str:
    if not view.ninths_told:
        return TOO_FEW_TELL
    piece = draw.one(view.ninths_told)
    hard = kind is QuestionKind.MISSING_PIECE_HARD
    others = find_options(view.pixels, piece, source.key, pool, draw, rules.qualify, rules.similarity if hard else None)
    if others is None:
        return NO_OPTIONS
    right = THIRDS.cut(view.pixels)[piece]
    shown = draw.shuffled([(right, "itself"), *others])
    place = next(place for place, (_, origin) in enumerate(shown) if origin == "itself")
    details = {"grid": THIRDS.n, "piece": piece, "distractors": [origin for _, origin in others]}
    return JigsawQuestion(
        kind,
        (blank(view.pixels, THIRDS, piece), *(one for one, _ in shown)),
        LABELS[kind][place],
        details=details,
    )


def _localization(
    kind: QuestionKind, grid: Grid, view: Pixels, told: list[int], draw: SeededDraw, rules: JigsawRules
) -> JigsawQuestion | str:
    labels = LABELS[kind]
    if len(told) < len(labels):
        return TOO_FEW_TELL
    pieces = grid.cut(view)
    for hidden in draw.shuffled(list(combinations(told, len(labels)))):
        if all_differ([pieces[one] for one in hidden], rules.least_difference):
            break
    else:
        return ALIKE
    # Letters are drawn too, for in reading order A would always be the first.
    lettered = draw.shuffled(hidden)
    chosen = draw.below(len(labels))
    picture = covered(view, grid, lettered, labels)
    details = {"grid": grid.n, "covered": lettered, "piece": lettered[chosen]}
    return JigsawQuestion(kind, (picture, pieces[lettered[chosen]]), labels[chosen], details=details)


def _connection(pieces: list[Pixels], draw: SeededDraw, letter: str) -> JigsawQuestion:
    first, second = draw.shuffled(draw.one(_PAIRS[letter]))
    details = {"pieces": [POSITIONS[first], POSITIONS[second]]}
    return JigsawQuestion(QuestionKind.CONNECTION, (pieces[first], pieces[second]), letter, details=details)


def _anomaly(pieces: list[Pixels], draw: SeededDraw, judgement: str, rules: JigsawRules) -> JigsawQuestion | str:
    kind = QuestionKind.ANOMALY
    if judgement == "A":
        return JigsawQuestion(kind, (joined(pieces),), anomaly_answer(), details={"changed": None})
    place = draw.below(len(pieces))
    changes = turns(pieces[place])
    change = draw.one(sorted({change for change, _, _ in changes}, key=lambda one: one.letter))
    _, how, made = draw.one([one for one in changes if one[0] is change])
    # Nothing may look as if another thing had been done, or nothing.
    if any(
        difference(made, other) < rules.least_difference
        for other in (pieces[place], *(one for kind_of, _, one in changes if kind_of is not change))
    ):
        return ALIKE
    shown = [made if at == place else one for at, one in enumerate(pieces)]
    letter = "ABCD"[place]
    details = {"changed": POSITIONS[place], "how": how}
    return JigsawQuestion(kind, (joined(shown),), anomaly_answer(letter, change.letter), details=details)


def anomaly_answer(position: str = "", change: str = "") -> str:
    """The three lines that are right."""
    return "\n".join(
        f"{key}: {value}".rstrip()
        for key, value in (
            ("Judgment", "B" if position else "A"),
            ("Error Position", position),
            ("Error Type", change),
        )
    )


def _order(kind: QuestionKind, pieces: list[Pixels], draw: SeededDraw) -> JigsawQuestion:
    given = draw.shuffled(range(len(pieces)))
    order = tuple(given.index(place) + 1 for place in range(len(pieces)))
    pictures = tuple(pieces[one] for one in given)
    details = {"given": [POSITIONS[one] for one in given], "order": list(order)}
    if kind is QuestionKind.ORDER_GENERATION:
        return JigsawQuestion(kind, pictures, str(list(order)), details=details)
    others = draw.shuffled([one for one in ORDERS if one != order])[: len(LABELS[kind]) - 1]
    options = draw.shuffled([order, *others])
    return JigsawQuestion(kind, pictures, LABELS[kind][options.index(order)], tuple(options), details)


@dataclass(frozen=True, eq=False)
class Asked:
    """A question with the photograph that it is about, the number of its view, and its own number among its kind."""

    question: JigsawQuestion
    source: PhotographSource
    view: int
    number: int


def ask_all(
    sources: Sequence[PhotographSource],
    kinds: Sequence[QuestionKind],
    count: int,
    rules: CutRules,
    left_out: Counter[str],
) -> Iterator[Asked]:
    """Makes so many questions of each kind, as evenly from all photographs as they qualify.

    Parameters
    ----------
    sources : sequence of PhotographSource
        In any order.
    kinds : sequence of QuestionKind
    count : int
        Of each kind.
    rules : CutRules
    left_out : Counter
        Takes, as ``kind:why``, how many views made no question.

    Yields
    ------
    Asked
        All kinds of a view, then the next photograph; once all photographs had one, their next view. It ends early
        where a round through all photographs made no question of a kind that is still wanted.
    """
    sources = sorted(sources, key=lambda one: one.key)
    pool = Pool.of(sources, rules.side_px, rules.seed)
    order = SeededDraw("order", rules.seed).shuffled(sources)
    made: Counter[QuestionKind] = Counter()
    wanted = list(kinds) if sources else []
    number = 0
    while wanted:
        before = Counter(made)
        for source in order:
            view = CutView(source.view(number, rules.side_px, rules.seed), rules.qualify)
            for kind in wanted:
                if made[kind] >= count:
                    continue
                asked = ask(kind, source, view, number, made[kind], pool, rules)
                if isinstance(asked, str):
                    left_out[f"{kind.value}:{asked}"] += 1
                    continue
                made[kind] += 1
                yield Asked(asked, source, number, made[kind])
        wanted = [kind for kind in wanted if made[kind] < count and made[kind] > before[kind]]
        number += 1
