"""Questions about photographs as files: pictures, what is asked, the answers, and what became of each photograph.

A picture is called after its pixels, so that a name tells nothing and what several questions show is there once.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from PIL import Image

from grader.make.errors import MakeError
from grader.output.files import naming, replacing
from grader.output.progress import progress_of
from puzzles.jigsaw.kinds import QuestionKind, question_text
from puzzles.jigsaw.photographs import Collection, collect
from puzzles.jigsaw.png import encoded
from puzzles.jigsaw.questions import Asked, CutRules, ask_all
from puzzles.jigsaw.rendered import render_landscape
from puzzles.jigsaw.rules import Pixels

QUESTIONS_NAME, ANSWERS_NAME = "questions.jsonl", "answers.jsonl"
PHOTOGRAPHS_NAME, RECIPE_NAME = "photographs.json", "recipe.json"
PICTURES_NAME = "pictures"
MOST_SIDE_PX, LEAST_SIDE_PX = 1024, 192
_LONGEST_NAME = 24  # characters of a picture's name
_SHORT_KEY = 16


@dataclass(frozen=True)
class JigsawReport:
    """What was done.

    Attributes
    ----------
    questions : the file of what a model is asked
    made : how many questions of each kind
    wanted : how many of each kind were asked for
    photographs : how many there are, how many qualify, and how many fell by each rule
    left_out : why views of photographs made no question, by kind, each with its count
    licensed : photographs with a note about their licence
    pictures : how many pictures the questions show
    """

    questions: Path
    made: dict[str, int]
    wanted: int
    photographs: dict[str, int]
    left_out: dict[str, int]
    licensed: int
    pictures: int


def make_jigsaw(
    photographs: Path, out: Path, kinds: Sequence[QuestionKind], count: int, rules: CutRules, *, progress: bool = True
) -> JigsawReport:
    """Makes questions about the photographs of a folder; these are only read.

    The same photographs, whatever they are called, and the same options give the same bytes.

    Parameters
    ----------
    photographs : Path
        A folder; those in folders below it count, too.
    out : Path
        Is made where it is not there. It must not hold what other options made.
    kinds : sequence of QuestionKind
    count : int
        Questions of each kind.
    rules : CutRules
    progress : bool
        Whether to show on stderr how far it is.

    Raises
    ------
    MakeError
        If no photograph qualifies, or the folder holds something else.
    OSError
        If a file can't be read or written.
    """
    if not photographs.is_dir():
        raise MakeError(f"{photographs} is no folder; name one that holds photographs")
    found = collect(photographs, rules.side_px, rules.qualify)
    if not found.sources:
        raise MakeError(f"no photograph in {photographs} qualifies: {_told(found.counts())}")
    recipe = _recipe(found, kinds, count, rules)
    _check_folder(out, recipe)
    pictures = out / PICTURES_NAME
    pictures.mkdir(parents=True, exist_ok=True)
    writer = _Pictures(pictures)
    left_out: Counter[str] = Counter()
    made: Counter[str] = Counter()
    with (
        replacing(out / QUESTIONS_NAME) as questions,
        replacing(out / ANSWERS_NAME) as answers,
        progress_of("make", count * len(kinds), "question", show=progress) as bar,
    ):
        for asked in ask_all(found.sources, kinds, count, rules, left_out):
            _write(asked, writer, questions, answers)
            made[asked.question.kind.value] += 1
            bar.update()
    counts = {kind.value: made[kind.value] for kind in kinds}
    listing = {
        "counts": found.counts(),
        "left_out": dict(sorted(left_out.items())),
        "made": counts,
        "photographs": [asdict(one) for one in found.photographs],
    }
    _write_text(out / PHOTOGRAPHS_NAME, json.dumps(listing, indent=1, ensure_ascii=False) + "\n")
    _write_text(out / RECIPE_NAME, recipe)
    return JigsawReport(
        questions=out / QUESTIONS_NAME,
        made=counts,
        wanted=count,
        photographs=found.counts(),
        left_out=dict(sorted(left_out.items())),
        licensed=sum(bool(one.licence) for one in found.photographs),
        pictures=writer.count,
    )


def write_rendered(folder: Path, count: int, *, progress: bool = True) -> None:
    """Draws pictures of our own to cut questions from; what is there already stays."""
    folder.mkdir(parents=True, exist_ok=True)
    with progress_of("draw", count, "picture", show=progress) as bar:
        for seed in range(count):
            place = folder / f"landscape-{seed:05}.png"
            if not place.is_file():
                with replacing(place, "wb") as file:
                    Image.fromarray(render_landscape(seed)).save(file, "PNG")
            bar.update()


class _Pictures:
    """Writes pictures by their content, each once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: set[str] = set()

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._known)

    def name(self, picture: Pixels) -> str:
        """The path of a picture below the folder of all, which is written if it is not there."""
        content = f"{picture.shape[1]}x{picture.shape[0]}:".encode() + picture.tobytes()
        name = f"{hashlib.sha256(content).hexdigest()[:_LONGEST_NAME]}.png"
        if name not in self._known:
            place = self._folder / name
            if not place.is_file():
                with replacing(place, "wb", only_writer=True) as file:
                    file.write(encoded(picture))
            self._known.add(name)
        return f"{PICTURES_NAME}/{name}"


def _write(asked: Asked, pictures: _Pictures, questions: IO[str], answers: IO[str]) -> None:
    question = asked.question
    kind = question.kind
    name = f"jigsaw-{kind.value}-{asked.number:05}"
    shown = [pictures.name(picture) for picture in question.pictures]
    line: dict[str, Any] = {"puzzle": name, "kind": kind.value, "pictures": shown}
    line["question"] = question_text(kind, question.options)
    questions.write(json.dumps(line, ensure_ascii=False) + "\n")
    truth: dict[str, Any] = {"puzzle": name, "kind": kind.value, "answer": question.answer}
    if question.options:
        truth["options"] = [list(order) for order in question.options]
    truth |= {"photograph": asked.source.key[:_SHORT_KEY], "view": asked.view, **question.details}
    answers.write(json.dumps(truth, ensure_ascii=False) + "\n")


def _recipe(found: Collection, kinds: Sequence[QuestionKind], count: int, rules: CutRules) -> str:
    """All that decides on what is made."""
    keys = hashlib.sha256("\n".join(source.key for source in found.sources).encode()).hexdigest()
    content = {
        "task": "jigsaw",
        "kinds": [kind.value for kind in kinds],
        "count": count,
        "seed": rules.seed,
        "side_px": rules.side_px,
        "similarity": rules.similarity.name,
        "qualify": asdict(rules.qualify),
        "photographs_sha256": keys,
    }
    return json.dumps(content, indent=1) + "\n"


def _check_folder(out: Path, recipe: str) -> None:
    place = out / RECIPE_NAME
    if place.is_file() and place.read_text(encoding="utf-8", errors="replace") != recipe:
        raise MakeError(f"{out} holds what other options or other photographs made; give another --out")
    if not place.is_file() and (out / "instances").is_dir():
        raise MakeError(f"{out} holds other puzzles; give another --out")


def _write_text(place: Path, text: str) -> None:
    with naming(place), replacing(place) as file:
        file.write(text)


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items() if number)
