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
_NOT_THE_VIEW = ("from the camera", "to the camera")
"""Prompts that name the camera so say a direction, such as "closer to the camera", and not that it should move."""


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
    words = " ".join(prompt.casefold().split())
    return _CAMERA in words and not any(phrase in words for phrase in _NOT_THE_VIEW)
