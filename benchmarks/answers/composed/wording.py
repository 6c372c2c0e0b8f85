"""How moves are worded, one by one and in a row."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from benchmarks.answers.composed.dice import Dice
from benchmarks.answers.composed.riddles import Plan, Riddle, Step
from benchmarks.answers.composed.tongues import Tongue, tongues
from puzzles.common.color_names import color_name
from puzzles.rush_hour.lot import RED_LABEL, Lot

BEGIN, END = "\ue000", "\ue001"
"""Stand around every move until an answer is finished, so that later steps find moves; no answer has them."""
LOT_WORDINGS = {
    "bare": 5.0, "case": 1.0, "other word": 1.5, "colon": 1.0, "equals": 0.7, "verb": 1.5, "goes": 1.0, "letters": 1.0,
    "signs": 1.0, "colour beside": 1.0, "red named": 1.0, "until": 1.0, "counted": 0.8, "own words": 0.7,
}  # fmt: skip
TILE_WORDINGS = {
    "bare": 5.0, "case": 1.0, "other word": 1.5, "letters": 1.0, "arrows": 1.0, "latex arrows": 0.6, "emoji": 0.5,
    "blank named": 1.2, "blank goes": 1.2, "verb": 1.0, "counted": 0.8, "repeated": 1.0, "own words": 0.7,
}  # fmt: skip
TIGHT = ("letters", "signs", "arrows", "latex arrows", "emoji")
"""Wordings that are not words."""
_VERBS = ("move", "slide", "push", "shift", "drive", "Move", "Slide")
_GOES = ("goes", "moves", "slides", "drives")
_SIGNS = {"forward": ("+", "+1", "+"), "backward": ("-", "-1", "\u2212")}
_ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
_LATEX = {"up": r"\uparrow", "down": r"\downarrow", "left": r"\leftarrow", "right": r"\rightarrow"}
_EMOJI = {"up": "⬆️", "down": "⬇️", "left": "⬅️", "right": "➡️"}
_COUNTED = ("{} x1", "{} once", "{} by one move", "{} (1x)")
_STEPS = ("{} one step", "{} once", "one {}", "{} by one cell", "{} x1")
_TIMES = ("{} x{n}", "{} {n} times", "{n}x {}", "{} ×{n}", "{} {word}", "{} (x{n})")
_NUMBERS = {2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times"}


@dataclass(frozen=True)
class Wording:
    """The wording of an answer's moves.

    Attributes
    ----------
    name : one of `LOT_WORDINGS` or `TILE_WORDINGS`
    variant : a whole number by which one of several words is taken, the same for all moves
    separator : between moves in a row
    """

    name: str
    variant: int
    separator: str


def draw_wording(riddle: Riddle, dice: Dice, *, plain: bool, own: bool) -> Wording:
    """A wording for a puzzle: of words alone if it is to be plain, in its own language only if there is one."""
    weights = dict(LOT_WORDINGS if riddle.is_lot else TILE_WORDINGS)
    for name in TIGHT if plain else ():
        weights.pop(name, None)
    if not own:
        del weights["own words"]
    name = dice.weighted(weights)
    separators = [", ", ", ", ", ", "; ", " -> ", " → ", " > ", ", then ", "\n"]
    if name in ("bare", "letters", "arrows", "emoji", "latex arrows"):
        separators.append(" ")
    if name in TIGHT:
        separators.remove(", then ")
    if name in ("arrows", "latex arrows", "emoji"):  # an arrow between arrows would be a move
        separators = [", ", " ", " "]
    if name == "signs":  # "-> A -1" is hard to read for people too
        separators = [", ", ", ", "; ", "\n"]
    return Wording(name, dice.below(12), dice.pick(separators))


def worded(plan: Plan, wording: Wording, tongue: Tongue, riddle: Riddle) -> list[str]:
    """The moves as texts, between marks; several equal ones may be one text."""
    if wording.name == "repeated":
        return [_marked(_repeated(step, len(list(group)), wording.variant)) for step, group in groupby(plan)]
    last = len(plan) - 1
    return [_marked(_one(step, wording, tongue, riddle, place == last)) for place, step in enumerate(plan)]


def row(plan: Plan, wording: Wording, tongue: Tongue, riddle: Riddle) -> str:
    """The moves in one text."""
    return wording.separator.join(worded(plan, wording, tongue, riddle))


def _marked(text: str) -> str:
    return f"{BEGIN}{text}{END}"


def _turn(options: tuple[str, ...], variant: int) -> str:
    return options[variant % len(options)]


def _repeated(step: Step, count: int, variant: int) -> str:
    if count == 1:
        return step.way
    return _turn(_TIMES, variant).format(step.way, n=count, word=_NUMBERS.get(count, f"{count} times"))


def _one(step: Step, wording: Wording, tongue: Tongue, riddle: Riddle, last: bool) -> str:
    if isinstance(riddle.puzzle, Lot):
        return _of_lot(step, wording, tongue, riddle.puzzle, last)
    return _of_tiles(step, wording, tongue)


def _word(step: Step, variant: int, tongue: Tongue) -> str:
    known = step.way in ("forward", "backward", "up", "down", "left", "right")
    return _turn(tongue.ways(step.way), variant) if known else step.way


def _of_lot(step: Step, wording: Wording, tongue: Tongue, lot: Lot, last: bool) -> str:
    name, variant, bare = wording.name, wording.variant, str(step)
    english = tongues()["en"]
    odd = step.way not in _SIGNS
    match name:
        case "case":
            return _turn((bare.upper(), f"{step.thing} {step.way.capitalize()}", bare.lower()), variant)
        case "other word":
            return f"{step.thing} {_word(step, variant, english)}"
        case "colon":
            return f"{step.thing}: {step.way}"
        case "equals":
            return f"{step.thing}={step.way}"
        case "verb":
            vehicle = _turn(("", "car ", "vehicle ", "the car "), variant // 2)
            return f"{_turn(_VERBS, variant)} {vehicle}{step.thing} {step.way}"
        case "goes":
            vehicle = _turn(("", "car ", "vehicle "), variant // 2)
            return f"{vehicle}{step.thing} {_turn(_GOES, variant)} {_word(step, variant // 3, english)}"
        case "letters" if not odd:
            letter = step.way[0]
            return f"{step.thing}{letter.upper()}" if variant % 2 else f"{step.thing} {letter}"
        case "signs" if not odd:
            sign = _turn(_SIGNS[step.way], variant)
            return f"{step.thing}{sign}" if variant % 2 else f"{step.thing} {sign}"
        case "colour beside":
            color = _color(lot, step.thing)
            beside = (f"the {color} car ({step.thing})", f"{step.thing} ({color})", f"{color} car {step.thing}")
            return f"{_turn(beside, variant)} {step.way}" if color else bare
        case "red named" if step.thing == RED_LABEL:
            return f"{_turn(('red car', 'the red car', 'red car (R)', 'Red', 'the red car R'), variant)} {step.way}"
        case "until":
            until = _turn(tongue.to_exit if last and step.thing == RED_LABEL else tongue.until, variant)
            return f"{bare} {until}"
        case "counted":
            return _turn(_COUNTED, variant).format(bare)
        case "own words":
            vehicle = f"{_turn(tongue.vehicle, variant)} " if variant % 2 else ""
            return f"{vehicle}{step.thing} {_word(step, variant // 2, tongue)}"
    return bare


def _of_tiles(step: Step, wording: Wording, tongue: Tongue) -> str:
    name, variant, way = wording.name, wording.variant, step.way
    english = tongues()["en"]
    blank = _turn(english.blank, variant // 2)
    tables = {"arrows": _ARROWS, "latex arrows": _LATEX, "emoji": _EMOJI}
    match name:
        case "case":
            return way.upper() if variant % 2 else way.capitalize()
        case "other word":
            return _word(step, variant, english)
        case "letters":
            return way[0].upper() if variant % 3 else way[0]
        case "arrows" | "latex arrows" | "emoji":
            return tables[name][way]
        case "blank named":
            return f"{blank} {way}"
        case "blank goes":
            return f"{blank} {_turn(_GOES[:3], variant)} {_word(step, variant // 3, english)}"
        case "verb":
            return _turn(("move {}", "move the blank {}", "slide the blank {}", "shift the gap {}"), variant).format(
                way
            )
        case "counted":
            return _turn(_STEPS, variant).format(way)
        case "own words":
            return _word(step, variant, tongue)
    return way


def _color(lot: Lot, label: str) -> str:
    for vehicle in lot.vehicles:
        if vehicle.label == label:
            code = vehicle.color
            return color_name((int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)))
    return ""
