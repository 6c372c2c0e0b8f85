"""The forms in which a plan is stated: objects, lists, tables, sentences, and so on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.answers.composed.dice import Dice
from benchmarks.answers.composed.riddles import Plan, Riddle, Step
from benchmarks.answers.composed.tongues import Tongue
from benchmarks.answers.composed.wording import BEGIN, END, Wording, row, worded


@dataclass(frozen=True)
class Teller:
    """Whoever states plans: in a language, with a wording, about a puzzle."""

    tongue: Tongue
    wording: Wording
    riddle: Riddle
    dice: Dice

    def row(self, plan: Plan) -> str:
        """A plan in one text."""
        return row(plan, self.wording, self.tongue, self.riddle)

    def texts(self, plan: Plan) -> list[str]:
        """Its moves, one text each."""
        return worded(plan, self.wording, self.tongue, self.riddle)

    def reason(self) -> str:
        """What a move is for."""
        reasons = self.tongue.reason
        return self.dice.pick(reasons if self.riddle.is_lot else [one for one in reasons if "red car" not in one])

    def led(self, lead: str, text: str, *, below: bool = False) -> str:
        """A text after what announces it, on the same line or below it."""
        if not lead:
            return text
        colon = self.tongue.colon
        return f"{lead}{colon.rstrip()}\n{text}" if below else f"{lead}{colon}{text}"


Form = Callable[[Teller, Plan, str], str]
"""Makes a text of a plan and of what announces it, which may be empty."""


def _dumped(value: Any, dice: Dice) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2 if dice.likely(0.25) else None)


def _object(teller: Teller, value: Any, lead: str, key: str = "answer") -> str:
    text = _dumped({key: value}, teller.dice)
    return teller.led(lead, text, below=teller.dice.likely(0.6))


def _json(teller: Teller, plan: Plan, lead: str) -> str:
    return _object(teller, teller.row(plan), lead)


def _json_list(teller: Teller, plan: Plan, lead: str) -> str:
    return _object(teller, teller.texts(plan), lead)


def _json_objects(teller: Teller, plan: Plan, lead: str) -> str:
    dice = teller.dice
    thing, way = dice.pick((("vehicle", "direction"), ("car", "direction"), ("id", "dir"), ("label", "direction")))
    numbered, reasoned, turned = dice.likely(0.4), dice.likely(0.25), dice.likely(0.2)
    if not teller.riddle.is_lot:
        way = dice.pick(("move", "direction", "blank"))
    found = []
    for place, step in enumerate(plan, start=1):
        item: dict[str, Any] = {"step": place} if numbered else {}
        pairs = [(thing, step.thing)] if step.thing else []
        pairs.append((way, _marked(step.way)))
        item |= dict(reversed(pairs) if turned else pairs)
        if reasoned:
            item["reason"] = teller.reason()
        found.append(item)
    return _object(teller, found, lead)


def _marked(text: str) -> str:
    return f"{BEGIN}{text}{END}"


def _json_pairs(teller: Teller, plan: Plan, lead: str) -> str:
    if not teller.riddle.is_lot:
        return _json_list(teller, plan, lead)
    return _object(teller, [[step.thing, _marked(step.way)] for step in plan], lead)


def _json_steps(teller: Teller, plan: Plan, lead: str) -> str:
    name = teller.dice.pick(("step{}", "{}", "step_{}", "Step {}", "move{}"))
    texts = teller.texts(plan)
    return _object(teller, {name.format(place): text for place, text in enumerate(texts, start=1)}, lead)


def _json_key(teller: Teller, plan: Plan, lead: str) -> str:
    key = teller.dice.pick((*teller.tongue.keys, "ANSWER", "Answer", "solution", "moves", "final_answer"))
    value: Any = teller.texts(plan) if teller.dice.likely(0.3) else teller.row(plan)
    return _object(teller, value, lead, key)


def _json_reasoned(teller: Teller, plan: Plan, lead: str) -> str:
    why = " ".join(teller.dice.shuffled(teller.tongue.think)[:2])
    first = teller.dice.pick(("reasoning", "thought", "explanation", "analysis"))
    pairs = {first: why, "answer": teller.row(plan)}
    if teller.dice.likely(0.3):
        pairs = dict(reversed(list(pairs.items())))
    return teller.led(lead, _dumped(pairs, teller.dice), below=True)


def _json_nested(teller: Teller, plan: Plan, lead: str) -> str:
    outer, inner = teller.dice.pick(
        (("answer", "answer"), ("result", "answer"), ("answer", "moves"), ("answer", "plan"))
    )
    return _object(teller, {inner: teller.row(plan)}, lead, outer)


def _json_loose(teller: Teller, plan: Plan, lead: str) -> str:
    row = teller.row(plan).replace("\n", ", ")
    text = teller.dice.pick(
        (
            '{{answer: "{}"}}',
            "{{'answer': '{}'}}",
            "{{“answer”: “{}”}}",
            '{{{{"answer": "{}"}}}}',
            '{{"answer": "{}",}}',
        )
    ).format(row)
    return teller.led(lead, text, below=True)


def _fence(teller: Teller, plan: Plan, lead: str) -> str:
    return teller.led(lead, f"```json\n{_dumped({'answer': teller.row(plan)}, teller.dice)}\n```", below=True)


def _fence_text(teller: Teller, plan: Plan, lead: str) -> str:
    name = teller.dice.pick(("", "text", "plaintext"))
    return teller.led(lead or teller.dice.pick(teller.tongue.leads), f"```{name}\n{teller.row(plan)}\n```", below=True)


def _box(teller: Teller, plan: Plan, lead: str) -> str:
    row = teller.row(plan).replace("\n", ", ")
    text = teller.dice.pick(
        (r"\boxed{%s}", r"\boxed{\text{%s}}", r"$\boxed{\text{%s}}$", r"$$\boxed{%s}$$", r"\[\boxed{%s}\]")
    )
    return teller.led(lead, text % row)


def _tags(teller: Teller, plan: Plan, lead: str) -> str:
    name = teller.dice.pick(("answer", "answer", "final_answer", "solution"))
    dice, row = teller.dice, teller.row(plan)
    inner = dice.pick((row, f"\n{row}\n", json.dumps(teller.texts(plan), ensure_ascii=False)))
    if dice.likely(0.15):
        return teller.led(lead, f"<|begin_of_box|>{row}<|end_of_box|>")
    return teller.led(lead, f"<{name}>{inner}</{name}>", below=True)


def _numbered(teller: Teller, plan: Plan, lead: str) -> str:
    mark = teller.dice.pick(("{}. ", "{}) ", "({}) ", f"{teller.dice.pick(teller.tongue.step)} {{}}: "))
    return teller.led(lead, _lines(teller, plan, mark), below=True)


def _bullets(teller: Teller, plan: Plan, lead: str) -> str:
    mark = teller.dice.pick(("- ", "* ", "• "))
    if teller.wording.name == "signs":
        mark = "• "
    return teller.led(lead, _lines(teller, plan, mark), below=True)


def _lines(teller: Teller, plan: Plan, mark: str) -> str:
    dice = teller.dice
    bold, reasoned = dice.likely(0.3), dice.likely(0.4)
    # A dash behind a sign would be hard to read for people too.
    after = (
        " ({})" if teller.wording.name == "signs" else dice.pick((" – {}", " ({})", ", {}", ": {}", " — {}", " - {}"))
    )
    found = []
    for place, text in enumerate(teller.texts(plan), start=1):
        line = f"{mark.format(place)}{f'**{text}**' if bold else text}"
        found.append(line + (after.format(teller.reason()) if reasoned else ""))
    return "\n".join(found)


def _table(teller: Teller, plan: Plan, lead: str) -> str:
    step_name, thing_name, way_name, move_name, reason_name = teller.tongue.columns
    split, reasoned = teller.riddle.is_lot and teller.dice.likely(0.6), teller.dice.likely(0.5)
    heads = [step_name, *([thing_name, way_name] if split else [move_name]), *([reason_name] if reasoned else [])]
    rows = [heads, ["---"] * len(heads)]
    texts = [(step.thing, _marked(step.way)) for step in plan] if split else [(text,) for text in teller.texts(plan)]
    for place, cells in enumerate(texts, start=1):
        rows.append([str(place), *cells, *([teller.reason()] if reasoned else [])])
    return teller.led(lead, "\n".join(f"| {' | '.join(cells)} |" for cells in rows), below=True)


def _sentence(teller: Teller, plan: Plan, lead: str) -> str:
    texts = teller.texts(plan)
    first, then = teller.dice.pick(teller.tongue.first), teller.dice.pick(teller.tongue.then)
    parts = [f"{first} {texts[0]}", *(f"{then} {text}" for text in texts[1:])] if len(texts) > 1 else texts
    return teller.led(lead or teller.dice.pick(teller.tongue.leads), f"{', '.join(parts)}.")


def _line(teller: Teller, plan: Plan, lead: str) -> str:
    stop = teller.dice.pick(("", ".", ""))
    below = "\n" in teller.row(plan)
    return teller.led(lead or teller.dice.pick(teller.tongue.leads), f"{teller.row(plan)}{stop}", below=below)


def _quoted(teller: Teller, plan: Plan, lead: str) -> str:
    left, right = teller.dice.pick((("`", "`"), ('"', '"'), ("«", "»"), ("**", "**"), ("“", "”")))
    row = teller.row(plan).replace("\n", ", ")
    return teller.led(lead or teller.dice.pick(teller.tongue.leads), f"{left}{row}{right}")


def _latex(teller: Teller, plan: Plan, lead: str) -> str:
    text = ", ".join(
        BEGIN + (rf"{step.thing} \text{{ {step.way}}}" if step.thing else rf"\text{{{step.way}}}") + END
        for step in plan
    )
    return teller.led(lead or teller.dice.pick(teller.tongue.leads), f"${text}$")


def _key_value(teller: Teller, plan: Plan, lead: str) -> str:
    row = teller.row(plan).replace("\n", ", ")
    text = teller.dice.pick(("answer: {}", 'answer = "{}"', 'answer: "{}"', "Answer = {}"))
    return teller.led(lead, text.format(row), below=True)


def _python(teller: Teller, plan: Plan, lead: str) -> str:
    value = json.dumps({"answer": teller.row(plan)}, ensure_ascii=False)
    return teller.led(lead, f"```python\nimport json\n\nprint(json.dumps({value}))\n```", below=True)


FORMS: dict[str, Form] = {
    "json": _json,
    "json list": _json_list,
    "json objects": _json_objects,
    "json pairs": _json_pairs,
    "json steps": _json_steps,
    "json other key": _json_key,
    "json reasoned": _json_reasoned,
    "json nested": _json_nested,
    "json loose": _json_loose,
    "fence": _fence,
    "fence text": _fence_text,
    "box": _box,
    "tags": _tags,
    "numbered": _numbered,
    "bullets": _bullets,
    "table": _table,
    "sentence": _sentence,
    "line": _line,
    "quoted": _quoted,
    "latex": _latex,
    "key value": _key_value,
    "python": _python,
}
"""All forms by their names."""
WEIGHTS = {name: 3.0 if name in ("json", "line", "numbered") else 1.0 for name in FORMS}
"""How often each is drawn."""
OBJECTS = tuple(name for name in FORMS if name.startswith(("json", "fence", "python")))
"""Forms that a line break in a row of moves does not hurt."""
PLAIN = ("sentence", "json objects", "json pairs", "latex", "table")
"""Forms in which moves are words."""


def step_text(step: Step) -> str:
    """A move as the prompt writes it, between marks."""
    return _marked(str(step))
