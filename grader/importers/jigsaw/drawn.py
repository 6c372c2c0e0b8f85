"""Orders that models drew: pictures at ``OUTPUTS/PUZZLE/NAME.png``, with the pieces that they are put together of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.importers.amaze.files import natural, outputs_by_instance
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.missing import missing_attempts, missing_names
from grader.importers.common.walking import strange_pictures
from grader.model.json_fields import JsonObject, load_object
from puzzles.jigsaw.kinds import QuestionKind

QUESTIONS_NAME = "questions.jsonl"
DRAWN_KINDS = (QuestionKind.ORDER_RESTORATION.value, QuestionKind.ORDER_GENERATION.value)


@dataclass(frozen=True)
class DrawnOrder:
    """A picture that a model made of a question's pieces.

    Attributes
    ----------
    puzzle : the question's name
    name : what the picture is called, for the request
    attempt : which it is; 0 where that is not said
    picture : None for one that is missing
    """

    puzzle: str
    name: str
    attempt: int
    picture: Path | None


def find_drawn(outputs: Path, truths: Mapping[str, JsonObject]) -> tuple[list[DrawnOrder], list[Path]]:
    """All pictures of a folder that belong to a question about orders, with those that are missing, and those that
    belong to none.

    Raises
    ------
    ImportFormatError
        If there is no such folder.
    """
    if not outputs.is_dir():
        raise ImportFormatError(f"{outputs} is no folder; put pictures at {outputs}/PUZZLE/NAME.png")
    asked = [puzzle for puzzle, record in truths.items() if record.text("kind") in DRAWN_KINDS]
    made = outputs_by_instance(outputs, asked)
    known = {output.path for of_one in made.values() for output in of_one}
    found: list[DrawnOrder] = []
    for kind in DRAWN_KINDS:
        of_kind = [puzzle for puzzle in asked if truths[puzzle].text("kind") == kind]
        lacking = missing_attempts({puzzle: [output.attempt for output in made[puzzle]] for puzzle in of_kind})
        for puzzle in of_kind:
            found += [DrawnOrder(puzzle, output.path.name, output.attempt, output.path) for output in made[puzzle]]
            found += [DrawnOrder(puzzle, *gap, None) for gap in missing_names(lacking.get(puzzle, ()))]
    return found, sorted(strange_pictures(outputs, known, []), key=natural)


def pieces_of(source: Path) -> dict[str, list[Path]]:
    """The pictures of each question, in their order.

    Raises
    ------
    ImportFormatError
        If the questions are missing or broken.
    """
    place = source / QUESTIONS_NAME
    if not place.is_file():
        raise ImportFormatError(f"{place} is missing; name the folder that `grader make jigsaw` wrote to")
    try:
        return {record.text("puzzle"): list(_pictures(record, source)) for record in _records(place)}
    except ValueError as error:
        raise ImportFormatError(f"{error}; make the questions again") from error


def _records(place: Path) -> Iterator[JsonObject]:
    with place.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            yield load_object(line, f"{place}:{number}")


def _pictures(record: JsonObject, source: Path) -> Iterator[Path]:
    for name in record.items("pictures"):
        if not isinstance(name, str):
            raise record.fault("pictures", "must be paths")
        yield source.resolve() / name
