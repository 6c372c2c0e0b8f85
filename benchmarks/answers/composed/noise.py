"""Layout and noise around what an answer says: neither changes its meaning, unless the answer is cut off."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchmarks.answers.composed.dice import Dice
from benchmarks.answers.composed.speech import Said, Talk
from benchmarks.answers.composed.wording import BEGIN, END

LAYOUTS = {"plain": 6.0, "reasoning before": 3.0, "reasoning after": 1.5, "reasoning around": 1.5, "restated": 1.5,
           "format quoted before": 0.8, "format quoted after": 0.8, "heading": 1.0, "bold": 0.8, "block quote": 0.4,
           "full width": 0.8, "zero width": 0.8, "CRLF": 0.8, "byte-order mark": 0.4, "indented": 0.5}  # fmt: skip
NOISES = {"none": 9.0, "typo in the lead": 0.7, "typo in a move": 0.5, "trailing": 1.2, "explanation": 1.0,
          "cut after the plan": 0.7, "cut in the plan": 0.5, "cut in the reasoning": 0.3, "control token": 0.6,
          "emoji": 0.5, "courtesy": 0.6}  # fmt: skip
_TYPOS = {
    "forward": ("foward", "forwrad", "forwad", "forwardd"),
    "backward": ("backwrad", "bakward", "backwardd", "bacward"),
    "left": ("leftt", "lefft"),
    "right": ("rigth", "rihgt"),
    "down": ("donw", "dwon"),
    "up": ("upp",),
}
_WIDE = {code: chr(code + 0xFEE0) for code in (*range(ord("a"), ord("z") + 1), *range(ord("A"), ord("Z") + 1))}
_INVISIBLE = ("\u200b", "\u200b", "\u200c", "\u2060", "\ufeff", "\u200e", "\u00ad")
_TOKENS = ("<|im_end|>", "<|endoftext|>", "</s>", "<|eot_id|>", "<end_of_turn>", "<|return|>")
_EMOJI = ("✅ ", "🎯 ", "👉 ", "🚗 ")
_COURTESY = ("Sure!", "Certainly! Here you go.", "Great question!", "Okay.", "Of course.")


@dataclass(frozen=True)
class Draft:
    """An answer in the making: what is said, and the layout and noise that it gets."""

    talk: Talk
    said: Said
    layout: str
    noise: str

    @property
    def dice(self) -> Dice:
        """The answer's own."""
        return self.talk.teller.dice


def _reasoning(draft: Draft) -> str:
    dice, tongue = draft.dice, draft.talk.teller.tongue
    said = dice.shuffled(tongue.think)[: 1 + dice.below(3)]
    if dice.likely(0.4):
        said += _remark(draft, tongue.think_move)
    return dice.pick((" ", " ", "\n")).join(said)


def _remark(draft: Draft, ways: tuple[str, ...]) -> list[str]:
    """What is said of a move that is not in the plan; nothing where all are."""
    steps = [step for step in draft.talk.teller.riddle.steps if step not in draft.talk.plan]
    return [draft.dice.pick(ways).replace("{m}", str(draft.dice.pick(steps)))] if steps else []


def _afterthought(draft: Draft) -> str:
    dice, tongue = draft.dice, draft.talk.teller.tongue
    said = dice.pick(tongue.explain)
    if dice.likely(0.4):
        said = " ".join((said, *_remark(draft, tongue.note_move)))
    return said


def _quoted_format(draft: Draft) -> str:
    dice, tongue = draft.dice, draft.talk.teller.tongue
    shape = dice.pick(
        ('{"answer": "<moves>"}', '{"answer": "..."}', '{"answer": "[your moves]"}', '{"answer": "move1, move2, ..."}')
    )
    quoted = dice.pick((shape, f"`{shape}`", f"```json\n{shape}\n```"))
    return f"{dice.pick(tongue.echo)}{tongue.colon}{quoted}"


def noisy(draft: Draft) -> list[str]:
    """The paragraphs of an answer."""
    dice, tongue, parts = draft.dice, draft.talk.teller.tongue, list(draft.said.parts)
    if draft.layout == "restated":
        form = dice.pick((draft.talk.form, "json", "line", "numbered", "box"))
        parts.append(draft.talk.state(draft.talk.plan, dice.pick(tongue.leads), form))
    match draft.noise:
        case "typo in the lead":
            parts = [_lead_typo(part, dice) for part in parts]
        case "typo in a move":
            parts = [_move_typo(part) for part in parts]
        case "trailing":
            parts.append(dice.pick(tongue.trailing))
        case "explanation":
            parts.append(_afterthought(draft))
        case "cut after the plan":
            text = _afterthought(draft)
            parts.append(text[: len(text) // 2])
        case "control token":
            parts[-1] += dice.pick(_TOKENS)
        case "emoji":
            at = _first_outside(parts)
            parts[at] = dice.pick(_EMOJI) + parts[at]
        case "courtesy":
            parts.insert(_first_outside(parts), dice.pick(_COURTESY))
    match draft.layout:
        case "reasoning before":
            parts.insert(_first_outside(parts), _reasoning(draft))
        case "reasoning after":
            parts.append(_afterthought(draft))
        case "reasoning around":
            parts = [*parts[: (at := _first_outside(parts))], _reasoning(draft), *parts[at:], _afterthought(draft)]
        case "format quoted before":
            parts.insert(_first_outside(parts), _quoted_format(draft))
        case "format quoted after":
            parts.append(_quoted_format(draft))
        case "heading":
            at = _first_outside(parts)
            parts.insert(at, f"{dice.pick(('#', '##', '###'))} {dice.pick(tongue.headings)}")
    return parts


_THOUGHT = re.compile(r"^\s*(<(?!!|answer|final_answer|solution|s>|del>)[\w|]+>|\[THINK\]|◁)|</think>\s*$")


def _first_outside(parts: list[str]) -> int:
    """Where an answer begins that is preceded by a thought."""
    return 1 if len(parts) > 1 and _THOUGHT.search(parts[0]) else 0


def finished(parts: list[str], draft: Draft) -> str:
    """The text of an answer, with what its layout does to all of it."""
    dice = draft.dice
    if draft.layout == "bold":
        parts = [_bold(part) for part in parts]
    text = dice.pick(("\n\n", "\n\n", "\n\n", "\n")).join(parts)
    match draft.layout:
        case "block quote":
            text = "\n".join(f"> {line}" for line in text.split("\n"))
        case "full width":
            text = re.sub(f"{BEGIN}(.*?){END}", lambda found: _widened(found[1]), text, flags=re.S)
        case "zero width":
            text = "".join(
                sign + (dice.pick(_INVISIBLE) if _may_hide(sign) and dice.likely(0.06) else "") for sign in text
            )
        case "CRLF":
            text = text.replace("\n", "\r\n") + "\r\n"
        case "byte-order mark":
            text = "\ufeff" + text
        case "indented":
            text = "\n".join(f"    {line}" for line in text.split("\n"))
    return unmarked(text)


def unmarked(text: str) -> str:
    """A text without marks."""
    return text.replace(BEGIN, "").replace(END, "")


def _may_hide(sign: str) -> bool:
    return sign.isalpha() or sign in " ,:"


def _widened(text: str) -> str:
    return text if "\\" in text else text.translate(_WIDE)


def _bold(part: str) -> str:
    one_line = "\n" not in part and "*" not in part and "`" not in part and len(part) < 300
    return f"**{part}**" if one_line else part


def _lead_typo(part: str, dice: Dice) -> str:
    """Two letters of the words before the first move change places."""
    at = part.find(BEGIN)
    words = list(re.finditer(r"[^\W\d_]{6,}", part[:at])) if at > 0 else []
    if not words or any(sign in part[:at] for sign in '{<[`"\\'):
        return part
    word = dice.pick(words)
    place = word.start() + 2 + dice.below(len(word[0]) - 4)
    return part[:place] + part[place + 1] + part[place] + part[place + 2 :]


def _move_typo(part: str) -> str:
    """The first known word within a move is misspelt, each time alike."""
    for word, wrong in _TYPOS.items():
        found = re.search(rf"(?<=[{BEGIN}\s])({word})(?=[{END}\s])", part)
        if found is not None:
            return part[: found.start()] + wrong[len(part) % len(wrong)] + part[found.end() :]
    return part


def cut_short(draft: Draft) -> str:
    """An answer that breaks off before its plan is whole."""
    parts = list(draft.said.parts)
    if draft.layout == "reasoning before" or draft.noise == "cut in the reasoning":
        parts.insert(0, _reasoning(draft))
    if draft.noise == "cut in the reasoning":
        keep = len(parts[0])
        return unmarked(parts[0][: keep - 1 - draft.dice.below(keep // 2)])
    text = "\n\n".join(parts)
    last = text.rfind(BEGIN)
    return unmarked(text[: last + draft.dice.below(2)]).rstrip(" ")
