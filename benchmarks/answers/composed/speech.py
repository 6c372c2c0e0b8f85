"""What an answer does with plans: commits, hedges, denies, takes back. Each way says which plan is left at the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.answers.composed.forms import FORMS, OBJECTS, Teller
from benchmarks.answers.composed.riddles import Plan


@dataclass(frozen=True)
class Talk:
    """What is to be said.

    Attributes
    ----------
    teller : who says it
    form : of the plan that the answer ends with
    plan : that plan
    other : another one, which solves where the plan does not
    doubt : what announces a plan: with or without doubt
    """

    teller: Teller
    form: str
    plan: Plan
    other: Plan
    doubt: str

    def state(self, plan: Plan, lead: str, form: str = "") -> str:
        """A plan in a form, the answer's own if none is said."""
        return FORMS[form or self.form](self.teller, plan, lead)

    def commit(self) -> str:
        """The plan, announced; sometimes an object alone."""
        bare = not self.doubt and self.form in (*OBJECTS, "box", "tags", "key value") and self.teller.dice.likely(0.5)
        return self.state(self.plan, "" if bare else self.doubt or self.teller.dice.pick(self.teller.tongue.leads))

    def loose(self, plan: Plan, lead: str) -> str:
        """A plan that is not the last, in the answer's form or in a simple one."""
        form = self.teller.dice.pick((self.form, "line", "json"))
        return self.state(plan, lead, form)

    def inline(self, plan: Plan) -> str:
        """A plan within a sentence."""
        row = self.teller.row(plan).replace("\n", ", ")
        if self.form in OBJECTS:
            return json.dumps({"answer": row}, ensure_ascii=False)
        return f"**{row}**" if self.teller.dice.likely(0.2) else row


@dataclass(frozen=True)
class Said:
    """What was said: paragraphs, and whether the plan is left, or none is."""

    parts: tuple[str, ...]
    kept: bool


Way = Callable[[Talk], Said]


def _plainly(talk: Talk) -> Said:
    return Said((talk.commit(),), True)


def _either(talk: Talk) -> Said:
    first, second = talk.teller.dice.shuffled((talk.inline(talk.plan), talk.inline(talk.other)))
    text = talk.teller.dice.pick(talk.teller.tongue.either)
    lead = talk.teller.dice.pick(("", talk.teller.dice.pick(talk.teller.tongue.leads)))
    return Said((talk.teller.led(lead, text.replace("{1}", first).replace("{2}", second)),), False)


def _either_in_value(talk: Talk) -> Said:
    dice = talk.teller.dice
    rows = [talk.teller.row(plan).replace("\n", ", ") for plan in dice.shuffled((talk.plan, talk.other))]
    words = {"en": " or ", "de": " oder ", "fr": " ou ", "es": " o ", "it": " oppure ", "pt": " ou ", "ru": " или "}
    words |= {"zh": " 或 ", "ja": " または ", "ko": " 또는 "}
    joint = dice.pick((words[talk.teller.tongue.name], " OR ", " / ", " || "))
    value = dice.pick((joint.join(rows), [f"{rows[0]}{joint.rstrip()}", rows[1]]))
    return Said((json.dumps({"answer": value}, ensure_ascii=False),), False)


def _options(talk: Talk, plans: list[Plan]) -> tuple[str, list[str]]:
    """Options one under the other, and their names."""
    dice, tongue = talk.teller.dice, talk.teller.tongue
    names = [f"{dice.pick(tongue.option)} {number}" for number in (1, 2)]
    if names[0][:-2] != names[1][:-2]:
        names[1] = f"{names[0][:-2]} 2"
    return "\n".join(f"{name}{tongue.colon}{talk.inline(plan)}" for name, plan in zip(names, plans, strict=True)), names


def _open_options(talk: Talk) -> Said:
    dice = talk.teller.dice
    text, _ = _options(talk, dice.shuffled((talk.plan, talk.other)))
    return Said((text, dice.pick(talk.teller.tongue.both)), False)


def _listed_options(talk: Talk) -> Said:
    dice = talk.teller.dice
    names = dice.pick((("option1", "option2"), ("plan_a", "plan_b"), ("possibility 1", "possibility 2")))
    rows = [talk.teller.row(plan) for plan in dice.shuffled((talk.plan, talk.other))]
    key = dice.pick(("answer", "answers", "possible_answers", "candidates"))
    # A list of two single moves could be meant as one plan.
    named = key == "answer" or min(len(talk.plan), len(talk.other)) == 1 or dice.likely(0.5)
    value = dict(zip(names, rows, strict=True)) if named else rows
    return Said((json.dumps({key: value}, ensure_ascii=False),), False)


def _chosen_option(talk: Talk) -> Said:
    dice, tongue = talk.teller.dice, talk.teller.tongue
    plans = dice.shuffled((talk.plan, talk.other))
    text, names = _options(talk, plans)
    name = names[plans.index(talk.plan)]
    return Said((text, dice.pick(tongue.choose).replace("{o}", name)), True)


def _stated_option(talk: Talk) -> Said:
    text, _ = _options(talk, talk.teller.dice.shuffled((talk.plan, talk.other)))
    return Said((text, talk.state(talk.plan, talk.teller.dice.pick(talk.teller.tongue.leads))), True)


def _gives_up(talk: Talk) -> Said:
    dice = talk.teller.dice
    said = dice.pick(talk.teller.tongue.giveup)
    if dice.likely(0.4):
        said = json.dumps({"answer": dice.pick((said, "", "unknown", "none", "N/A"))}, ensure_ascii=False)
    return Said((said,), False)


def _gives_up_but_guesses(talk: Talk) -> Said:
    dice = talk.teller.dice
    guess = dice.pick(talk.teller.tongue.hedges)
    return Said((dice.pick(talk.teller.tongue.giveup), talk.state(talk.plan, guess)), True)


def _differing(talk: Talk) -> Said:
    """Two answers and no word on which is meant: none, wherever a right one stands first."""
    lead = talk.teller.dice.pick(talk.teller.tongue.leads)
    return Said((talk.state(talk.plan, lead), talk.state(talk.other, lead)), False)


HEDGES: dict[str, Way] = {
    "none": _plainly,
    "doubt": _plainly,
    "either": _either,
    "either in the value": _either_in_value,
    "options open": _open_options,
    "options in the value": _listed_options,
    "option chosen": _chosen_option,
    "option stated": _stated_option,
    "gives up": _gives_up,
    "gives up but guesses": _gives_up_but_guesses,
    "two answers": _differing,
}
HEDGE_WEIGHTS = {"none": 9.0, "doubt": 2.0, "either": 0.8, "either in the value": 0.6, "options open": 0.8,
                 "options in the value": 0.6, "option chosen": 0.8, "option stated": 0.6, "gives up": 0.4,
                 "gives up but guesses": 0.5, "two answers": 0.4}  # fmt: skip


def _corrected(talk: Talk) -> Said:
    dice, tongue = talk.teller.dice, talk.teller.tongue
    before = talk.loose(talk.other, dice.pick(tongue.leads))
    after = talk.state(talk.plan, talk.doubt or dice.pick(tongue.correct))
    retract = dice.pick(tongue.retract)
    if dice.likely(0.3) and after.count("\n") == 0:
        return Said((before, f"{retract} {after}"), True)
    return Said((before, retract, after), True)


def _corrected_twice(talk: Talk) -> Said:
    dice, tongue = talk.teller.dice, talk.teller.tongue
    first = talk.loose(tuple(reversed(talk.other)), dice.pick(tongue.leads))
    second = talk.loose(talk.other, dice.pick(tongue.correct))
    last = talk.state(talk.plan, dice.pick(tongue.correct))
    return Said((first, dice.pick(tongue.retract), second, dice.pick(tongue.retract), last), True)


def _taken_back(talk: Talk) -> Said:
    dice, tongue = talk.teller.dice, talk.teller.tongue
    return Said((talk.commit(), dice.pick((*tongue.retract, *tongue.deny_after))), False)


def _denied_before(talk: Talk) -> Said:
    dice, tongue = talk.teller.dice, talk.teller.tongue
    return Said((talk.loose(talk.plan, dice.pick(tongue.deny_before)),), False)


def _denied_then_answered(talk: Talk) -> Said:
    dice, tongue = talk.teller.dice, talk.teller.tongue
    denied = talk.loose(talk.other, dice.pick(tongue.deny_before))
    return Said((denied, talk.state(talk.plan, dice.pick(tongue.leads))), True)


def _answered_then_denied_other(talk: Talk) -> Said:
    dice, tongue = talk.teller.dice, talk.teller.tongue
    return Said((talk.commit(), talk.loose(talk.other, dice.pick(tongue.deny_before))), True)


_NO_KEYS = ("rejected", "not", "wrong", "do_not", "discarded", "failed", "incorrect", "impossible", "not_the_answer")
_YES_KEYS = ("correct", "final", "chosen", "do", "answer", "solution")


def _key_denied(talk: Talk) -> Said:
    row = talk.teller.row(talk.plan)
    no = talk.teller.dice.pick(_NO_KEYS)
    value = {no: row} if talk.teller.dice.likely(0.3) else {"answer": {no: row}}
    return Said((json.dumps(value, ensure_ascii=False),), False)


def _key_denied_beside(talk: Talk) -> Said:
    dice = talk.teller.dice
    pairs = [(dice.pick(_NO_KEYS), talk.teller.row(talk.other)), (dice.pick(_YES_KEYS), talk.teller.row(talk.plan))]
    inner = dict(dice.shuffled(pairs))
    if "answer" in inner and dice.likely(0.7):
        return Said((json.dumps(inner, ensure_ascii=False),), True)
    return Said((json.dumps({"answer": inner}, ensure_ascii=False),), True)


def _struck(talk: Talk, plan: Plan) -> str:
    lead = talk.teller.dice.pick(talk.teller.tongue.leads)
    row = talk.teller.row(plan).replace("\n", ", ")
    left, right = talk.teller.dice.pick((("~~", "~~"), ("~~", "~~"), ("<del>", "</del>"), ("<s>", "</s>")))
    return talk.teller.led(lead, f"{left}{row}{right}")


def _struck_only(talk: Talk) -> Said:
    return Said((_struck(talk, talk.plan),), False)


def _struck_then_answered(talk: Talk) -> Said:
    return Said(
        (_struck(talk, talk.other), talk.state(talk.plan, talk.teller.dice.pick(talk.teller.tongue.leads))), True
    )


def _tries(talk: Talk, plans: tuple[Plan, ...]) -> str:
    dice, tongue = talk.teller.dice, talk.teller.tongue
    mark = dice.pick(("• ", "* ", "{}) ", ""))
    rows = [talk.teller.row(plan).replace("\n", ", ") for plan in plans]
    lines = [f"{mark.format(place)}{row}" for place, row in enumerate(rows, start=1)]
    return f"{dice.pick(tongue.tries)}{tongue.colon.rstrip()}\n" + "\n".join(lines)


def _tries_after(talk: Talk) -> Said:
    return Said((talk.commit(), _tries(talk, (talk.other,))), True)


def _tries_before(talk: Talk) -> Said:
    lead = talk.doubt or talk.teller.dice.pick(talk.teller.tongue.leads)
    return Said((_tries(talk, (talk.other,)), talk.state(talk.plan, lead)), True)


def _tries_only(talk: Talk) -> Said:
    plans = (talk.plan,) if talk.teller.dice.likely(0.5) else (talk.other, talk.plan)
    return Said((_tries(talk, plans),), False)


_THOUGHTS = ("think", "thinking", "reasoning", "scratchpad", "thought", "reflection", "internal_monologue", "analysis")


def _musing(talk: Talk, plan: Plan) -> str:
    dice, tongue = talk.teller.dice, talk.teller.tongue
    tried = talk.loose(plan, dice.pick((*tongue.leads, *tongue.hedges)))
    return "\n".join((dice.pick(tongue.think), tried, dice.pick(tongue.retract)))


def _thought(talk: Talk, plan: Plan) -> str:
    dice = talk.teller.dice
    text = _musing(talk, plan)
    special = (
        f"◁think▷{text}◁/think▷",
        f"[THINK]{text}[/THINK]",
        f"{text}\n</think>",
        f"<|channel|>analysis<|message|>{text}<|end|><|start|>assistant<|channel|>final<|message|>",
    )
    name = dice.pick(_THOUGHTS)
    if dice.likely(0.3):
        name = name.capitalize() if dice.likely(0.3) else name
        return dice.pick(special)
    return f"<{name}>\n{text}\n</{name}>"


def _thought_then_answered(talk: Talk) -> Said:
    return Said((_thought(talk, talk.other), talk.commit()), True)


def _thought_only(talk: Talk) -> Said:
    return Said((_thought(talk, talk.plan),), False)


def _thought_open(talk: Talk) -> Said:
    dice = talk.teller.dice
    start = dice.pick((*(f"<{name}>\n" for name in _THOUGHTS), "◁think▷", "[THINK]", "<|channel|>analysis<|message|>"))
    cut = dice.pick(talk.teller.tongue.think)
    return Said((f"{start}{_musing(talk, talk.plan)}\n{cut[: 3 + dice.below(len(cut) - 3)]}",), False)


def _comment(talk: Talk) -> Said:
    text = talk.loose(talk.other, talk.teller.dice.pick(("", talk.teller.dice.pick(talk.teller.tongue.tries))))
    return Said((f"<!-- {text} -->", talk.commit()), True)


def _confirmed(talk: Talk) -> Said:
    return Said((talk.commit(), talk.teller.dice.pick(talk.teller.tongue.confirm)), True)


RETRACTIONS: dict[str, Way] = {
    "none": _plainly,
    "corrected": _corrected,
    "corrected twice": _corrected_twice,
    "taken back": _taken_back,
    "denied before": _denied_before,
    "denied, then answered": _denied_then_answered,
    "answered, other denied": _answered_then_denied_other,
    "denied under a key": _key_denied,
    "other denied under a key": _key_denied_beside,
    "struck through": _struck_only,
    "struck, then answered": _struck_then_answered,
    "tries at the end": _tries_after,
    "tries before": _tries_before,
    "tries only": _tries_only,
    "thought, then answered": _thought_then_answered,
    "thought only": _thought_only,
    "thought not closed": _thought_open,
    "comment": _comment,
    "doubted and confirmed": _confirmed,
}
RETRACTION_WEIGHTS = {name: 9.0 if name == "none" else 0.5 for name in RETRACTIONS}
