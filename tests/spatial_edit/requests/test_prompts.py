"""What a prompt asks for, word by word."""

from __future__ import annotations

import pytest

from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.prompts import operation_of_prompt, operation_of_word

WORDS = {
    EditOperation.MOVE: "move shift relocate place put push pull slide lift bring drag raise lower carry set "
    "reposition transfer",
    EditOperation.ROTATE: "rotate turn spin pivot swivel",
    EditOperation.RESIZE: "scale resize make shrink reduce enlarge expand increase grow magnify double halve",
    EditOperation.REMOVE: "remove delete erase eliminate",
    EditOperation.VIEW: "view changeview look moveahead moveforward moveback movebackward moveleft moveright "
    "rotateleft rotateright turnleft turnright lookup lookdown",
}


@pytest.mark.parametrize(("operation", "word"), [(one, word) for one, words in WORDS.items() for word in words.split()])
def test_a_first_word_says_it(operation, word):
    assert operation_of_word(f"{word} the mug") is operation
    assert operation_of_word(f"Please please {word.upper()}: the mug") is operation


@pytest.mark.parametrize("text", ["", "please", "the mug moves", "...", "mover"])
def test_another_word_says_nothing(text):
    assert operation_of_word(text) is None


def test_signs_within_a_word_are_none():
    assert operation_of_word("Rotate_Left 90") is EditOperation.VIEW
    assert operation_of_word("- Move it") is EditOperation.MOVE


@pytest.mark.parametrize(
    ("prompt", "target", "operation"),
    [
        ("Move the camera to the left.", "mug", EditOperation.VIEW),
        ("Rotate the CAMERA  by 20 degrees.", "mug", EditOperation.VIEW),
        ("The camera, to the left.", "mug", EditOperation.VIEW),
        ("Move the mug closer to the camera.", "mug", EditOperation.MOVE),
        ("Move the mug away from the camera.", "mug", EditOperation.MOVE),
        ("Move the mug 10 cm towards the camera.", "mug", EditOperation.MOVE),
        ("Move the mug 10 cm to the left relative to the camera.", "mug", EditOperation.MOVE),
        ("Slide the mug toward your camera", "mug", EditOperation.MOVE),
        ("Bring the mug in front of the camera", "mug", EditOperation.MOVE),
        ("Move the mug to the camera's left", "mug", EditOperation.MOVE),
        ("Turn the mug so that it faces the camera", "mug", EditOperation.ROTATE),
        ("Rotate the mug 30 degrees as the camera sees it", "mug", EditOperation.ROTATE),
        ("Move the mug 20 cm away, keeping the camera fixed.", "mug", EditOperation.MOVE),
        ("Move the mug without moving the camera", "mug", EditOperation.MOVE),
        ("Do not turn the camera; rotate the mug", "mug", None),
        ("Move the same camera up", "mug", EditOperation.VIEW),
        ("Tilt your camera down", "", EditOperation.VIEW),
        ("Move the camera 20 cm towards the mug.", "", EditOperation.VIEW),
        ("Move the camera towards the camera.", "", EditOperation.VIEW),
        ("Move the camera to the left.", "camera", EditOperation.MOVE),
        ("Move it beside the old camera.", "the camera", EditOperation.MOVE),
        ("Remove the camera.", "mug", EditOperation.REMOVE),
        ("Make the camera smaller.", "mug", EditOperation.RESIZE),
        ("Rotate left 90 degrees", "", EditOperation.VIEW),
        ("Rotate left 90 degrees", "mug", EditOperation.ROTATE),
        ("Move ahead", "", EditOperation.VIEW),
        ("Move mugs", "", EditOperation.MOVE),
        ("Shiny mug", "mug", None),
    ],
)
def test_a_prompt_says_it_by_its_first_word_or_by_the_camera(prompt, target, operation):
    assert operation_of_prompt(prompt, target) is operation
