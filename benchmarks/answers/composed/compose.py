"""Composes an answer from its seed and number: form, language, layout, hedging, retraction, noise; and what it says."""

from __future__ import annotations

from dataclasses import dataclass, replace

from benchmarks.answers.composed import speech
from benchmarks.answers.composed.dice import Dice
from benchmarks.answers.composed.forms import OBJECTS, PLAIN, WEIGHTS, Teller
from benchmarks.answers.composed.noise import LAYOUTS, NOISES, Draft, cut_short, finished, noisy
from benchmarks.answers.composed.riddles import Plan, Riddle, riddles, right_plan, sound_wrong_plan, wrong_plan
from benchmarks.answers.composed.tongues import tongues
from benchmarks.answers.composed.wording import draw_wording

_ENGLISH = 0.45
_RIGHT = 0.62
AXES = ("form", "wording", "language", "layout", "hedging", "retraction", "noise", "task", "plan")
"""What an answer is composed of."""
_ALONE = ("either", "either in the value", "options open", "options in the value", "gives up", "two answers",
          "option chosen", "option stated", "gives up but guesses")  # fmt: skip
"""Hedges that say all there is to say."""


@dataclass(frozen=True, eq=False)
class Composed:
    """An answer.

    Attributes
    ----------
    seed, number : from which it is made
    riddle : what it is about
    text : all that is written
    axes : of each of `AXES`, its value
    said : the plan that a fair reader takes from it; None where there is none, or more than one
    """

    seed: int
    number: int
    riddle: Riddle
    text: str
    axes: dict[str, str]
    said: Plan | None

    @property
    def fair(self) -> bool:
        """Whether it is right."""
        return self.said is not None and self.riddle.solves(self.said)


def compose(seed: int, number: int) -> Composed:
    """The answer of a seed and a number."""
    dice = Dice(f"answer/{seed}/{number}")
    riddle = dice.pick(riddles())
    right = right_plan(riddle, dice)
    kind, wrong = wrong_plan(riddle, right, dice)
    plan, other = right, sound_wrong_plan(riddle, right, dice)
    hedge, retraction, layout, noise = _drawn(dice)
    silent = _silent(hedge, retraction, noise)
    if not silent and not dice.likely(_RIGHT):
        plan, other = wrong, right
    kind = "none" if silent else "right" if plan is right else kind
    if noise in _CUTS:
        plan = dice.pick(riddle.shortest)  # of which no part solves
    tongue = tongues()["en" if dice.likely(_ENGLISH) else dice.pick(sorted(set(tongues()) - {"en"}))]
    form = dice.weighted(WEIGHTS)
    wording = draw_wording(riddle, dice, plain=form in PLAIN, own=tongue.name != "en")
    if wording.separator == "\n" and form not in (*OBJECTS, "line"):
        wording = replace(wording, separator=", ")
    teller = Teller(tongue, wording, riddle, dice)
    doubt = dice.pick(tongue.hedges) if hedge == "doubt" else ""
    talk = speech.Talk(teller, form, plan, other, doubt)
    way = speech.HEDGES[hedge] if hedge in _ALONE else speech.RETRACTIONS[retraction]
    said = way(talk)
    draft = Draft(talk, said, layout, noise)
    text = cut_short(draft) if noise in _CUTS else finished(noisy(draft), draft)
    kept = said.kept and noise not in _CUTS
    values = (
        form,
        wording.name,
        tongue.name,
        layout,
        hedge,
        retraction,
        noise,
        "rush_hour" if riddle.is_lot else "sliding",
        kind,
    )
    return Composed(seed, number, riddle, text, dict(zip(AXES, values, strict=True)), plan if kept else None)


_SILENT_HEDGES = ("either", "either in the value", "options open", "options in the value", "gives up", "two answers")
_SILENT_RETRACTIONS = ("taken back", "denied before", "denied under a key", "struck through", "tries only",
                       "thought only", "thought not closed")  # fmt: skip
_CUTS = ("cut in the plan", "cut in the reasoning")
_STATED_AGAIN = ("restated",)
_AFTERWARDS = ("reasoning after", "reasoning around")


def _silent(hedge: str, retraction: str, noise: str) -> bool:
    """Whether no plan is left at the end."""
    return hedge in _SILENT_HEDGES or retraction in _SILENT_RETRACTIONS or noise in _CUTS


def _drawn(dice: Dice) -> tuple[str, str, str, str]:
    """Hedge, retraction, layout and noise that do not contradict each other."""
    while True:
        hedge, retraction = dice.weighted(speech.HEDGE_WEIGHTS), dice.weighted(speech.RETRACTION_WEIGHTS)
        layout, noise = dice.weighted(LAYOUTS), dice.weighted(NOISES)
        if _coherent(hedge, retraction, layout, noise):
            return hedge, retraction, layout, noise


def _coherent(hedge: str, retraction: str, layout: str, noise: str) -> bool:
    if retraction != "none" and hedge != "none" and hedge != "doubt":
        return False
    if hedge == "doubt" and retraction in ("doubted and confirmed", *_SILENT_RETRACTIONS):
        return False
    silent = _silent(hedge, retraction, noise)
    explains = layout in _AFTERWARDS or noise in ("explanation", "cut after the plan")
    if silent and (explains or layout in _STATED_AGAIN):
        return False  # nothing is explained or said again that was not said, or was taken back
    if explains and retraction in ("tries at the end", "answered, other denied"):
        return False  # "this works" would be said of the tries
    if noise == "typo in the lead" and (retraction != "none" or hedge not in ("none", "doubt")):
        return False  # a word that denies would be misspelt
    if noise in _CUTS:
        return hedge in ("none", "doubt") and retraction == "none" and layout in ("plain", "reasoning before")
    if retraction == "thought not closed":
        return noise not in ("trailing", "control token") and layout not in ("format quoted after", "heading")
    return True
