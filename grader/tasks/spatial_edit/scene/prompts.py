"""What kind of edit a prompt asks for."""

from __future__ import annotations

import itertools
import re

from grader.metrics.space.edit_types import normal_label
from grader.tasks.spatial_edit.model import EditOperation

_WORDS = {
    EditOperation.MOVE: (
        *("move", "shift", "relocate", "place", "put", "push", "pull"),
        *("slide", "lift", "bring", "drag", "raise", "lower", "carry", "set", "reposition", "transfer"),
    ),
    EditOperation.ROTATE: ("rotate", "turn", "spin", "pivot", "swivel"),
    EditOperation.RESIZE: (
        *("scale", "resize", "make", "shrink", "reduce", "enlarge", "expand", "increase"),
        *("grow", "magnify", "double", "halve"),
    ),
    EditOperation.REMOVE: ("remove", "delete", "erase", "eliminate"),
    EditOperation.VIEW: (
        *("view", "changeview", "look"),
        # What an agent does that carries the camera.
        *("moveahead", "moveforward", "moveback", "movebackward", "moveleft", "moveright"),
        *("rotateleft", "rotateright", "turnleft", "turnright", "lookup", "lookdown"),
    ),
}
"""First words of prompts, by what they ask for: those of GSI-Bench's code first, then others that prompts have."""
_OPERATIONS = {word: operation for operation, words in _WORDS.items() for word in words}
_CAMERA = "camera"
_ITS_WORDS = frozenset(
    {
        *("the", "a", "an", "this", "that", "your", "my", "our", "its", "same", "current", "original"),
        *("virtual", "own", "fixed", "static"),
    }
)
"""Words that stand between a verb or preposition and the camera."""
_NOT_ASKED = frozenset(
    {
        *("to", "toward", "towards", "from", "at", "of", "near", "nearer", "by", "beside", "behind", "before"),
        *("past", "along", "with", "in", "on", "into", "onto", "than", "facing", "face", "faces", "against"),
        *("around", "round", "about", "under", "above", "below", "over", "between", "and", "or", "as", "where"),
        *("which", "for", "relative", "via", "keep", "keeps", "keeping", "leave", "leaves", "leaving", "hold", "holds"),
        *("holding", "opposite", "like", "unlike", "but", "not", "if", "when", "while"),
    }
)
"""A camera that follows one of these is where something goes, or what stays as it is, and not what should move."""
_DENIED = frozenset({"without", "not", "never", "dont"})
"""With one of these before its verb, it should not move."""


def operation_of_word(text: str) -> EditOperation | None:
    """What a text's first word after "please" asks for; None where that is no word that says so."""
    words = _words(text)
    return _OPERATIONS.get(words[0]) if words else None


def _words(text: str) -> list[str]:
    """The words of a text, without the "please" before them; ``Rotate_Left`` is one, as ``RotateLeft`` is."""
    words = [re.sub(r"[\W_]", "", word.casefold()) for word in text.split()]
    return list(itertools.dropwhile(lambda word: word == "please", filter(None, words)))


def operation_of_prompt(prompt: str, target: str) -> EditOperation | None:
    """What a prompt asks for: a change of view where the camera is to move, else what its first word says.

    Parameters
    ----------
    prompt : str
    target : str
        What is to be edited. If that is a camera, a prompt that names it is about an object.

    Returns
    -------
    EditOperation or None
        None where the prompt does not say it.
    """
    asked = operation_of_word(prompt)
    words = _words(prompt)
    if not normal_label(target) and _OPERATIONS.get("".join(words[:2])) is EditOperation.VIEW:
        # "Rotate left 90 degrees": of nothing, so it is the camera that turns.
        return EditOperation.VIEW
    # What is removed or resized is an object, even if it is a camera.
    may_be_view = asked not in (EditOperation.REMOVE, EditOperation.RESIZE) and _CAMERA not in normal_label(target)
    return EditOperation.VIEW if may_be_view and _moves_camera(prompt) else asked


def _moves_camera(prompt: str) -> bool:
    """Tells whether a prompt has a camera that is not said to be a direction, or to stay."""
    words = [
        re.sub(r"[^\w]|_", "", word) for word in prompt.casefold().replace("'s", "").replace("\u2019s", "").split()
    ]
    for at, word in enumerate(words):
        if word not in (_CAMERA, f"{_CAMERA}s"):
            continue
        before = at - 1
        while before >= 0 and words[before] in _ITS_WORDS:
            before -= 1
        lead = words[before] if before >= 0 else ""
        denied = before >= 1 and words[before - 1] in _DENIED
        if lead not in _NOT_ASKED and not denied:
            return True
    return False
