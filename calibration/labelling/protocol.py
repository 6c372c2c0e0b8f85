"""What people are asked: questions, and a key for each label. The published protocols are files of the same kind."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from calibration.labels import CalibrationError
from grader.model.json_fields import parse_json

BUILT_IN = ("right_or_wrong", "three_levels")
DEFAULT_PROTOCOL = BUILT_IN[0]

PAGE_KEYS = frozenset("usc?+-0,.[] ")
"""Keys that the page needs itself: undo, skip, comment, help, zoom, steps, play."""

_PACKAGE = "calibration.labelling.protocols"
_NAME = r"^[a-z][a-z0-9_]{0,31}$"
_MOST_TEXT = 2000


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class LabelKey(_Said):
    """One thing that can be said.

    Attributes
    ----------
    key : what is pressed for it, one character
    label : how files call it
    text : what the page calls it
    """

    key: str = Field(min_length=1, max_length=1)
    label: str = Field(pattern=_NAME)
    text: str = Field(min_length=1, max_length=80)


class AskedQuestion(_Said):
    """One question.

    Attributes
    ----------
    name : how files call it
    text : what is asked
    labels : what can be said
    """

    name: str = Field(pattern=_NAME)
    text: str = Field(min_length=1, max_length=_MOST_TEXT)
    labels: list[LabelKey] = Field(min_length=2, max_length=12)

    @model_validator(mode="after")
    def _keys_differ(self) -> AskedQuestion:
        for what, values in (
            ("key", [one.key.lower() for one in self.labels]),
            ("label", [one.label for one in self.labels]),
        ):
            if len(set(values)) < len(values):
                raise ValueError(f"two labels have one {what}")
        taken = sorted(PAGE_KEYS & {one.key.lower() for one in self.labels})
        if taken:
            raise ValueError(f"the page needs the key {taken[0]!r} itself; take another one")
        return self


class LabelProtocol(_Said):
    """All that people are asked of a candidate.

    Attributes
    ----------
    name, description : what it is called, and what it is for
    hints : by task, what counts as right; shown below the question
    questions : in the order in which they are asked
    """

    name: str = Field(pattern=_NAME)
    description: str = Field(min_length=1, max_length=_MOST_TEXT)
    hints: dict[str, str] = Field(default_factory=dict)
    questions: list[AskedQuestion] = Field(min_length=1, max_length=9)

    @model_validator(mode="after")
    def _names_differ(self) -> LabelProtocol:
        names = [one.name for one in self.questions]
        if len(set(names)) < len(names):
            raise ValueError("two questions have one name")
        return self

    def find(self, question: str) -> AskedQuestion | None:
        """A question by its name."""
        return next((one for one in self.questions if one.name == question), None)


def load_protocol(name: str) -> LabelProtocol:
    """A protocol of the package by its name, or one of a file.

    Raises
    ------
    CalibrationError
        If there is none, or it is no protocol, naming each wrong field.
    OSError
        If the file can't be read.
    """
    if name in BUILT_IN:
        return parse_protocol((resources.files(_PACKAGE) / f"{name}.json").read_bytes(), name)
    path = Path(name)
    if not path.is_file():
        raise CalibrationError(
            f"there is no protocol {name!r}; take {' or '.join(BUILT_IN)}, or a JSON file of your own"
        )
    return parse_protocol(path.read_bytes(), name)


def parse_protocol(text: bytes, file: str) -> LabelProtocol:
    """Reads a protocol's JSON.

    Raises
    ------
    CalibrationError
        With each wrong field.
    """
    try:
        said = parse_json(text)
    except ValueError as error:
        raise CalibrationError(f"{file} is no JSON: {error}") from error
    try:
        return LabelProtocol.model_validate(said)
    except ValidationError as error:
        faults = [f"{_place(one['loc'])}: {_plain(one['msg'])}" for one in error.errors()]
        raise CalibrationError(f"{file} is no protocol:\n  " + "\n  ".join(faults)) from error


def _place(path: tuple[Any, ...]) -> str:
    """Where a field is, as in questions[0].labels[1].key."""
    return re.sub(r"\.\[", "[", ".".join(f"[{one}]" if isinstance(one, int) else str(one) for one in path)) or "it"


def _plain(message: str) -> str:
    return message.removeprefix("Value error, ").lower()
