"""Reads what a judge of looks said of edits: ``predictions_infer_<n>_<judge>_<dataset>_<model>.json``.

A file is a list of ``{"prediction": text, "meta": {"index": "<img_id>_edit_<qid>", "dataset": ..., "model": ...}}``.
The text holds JSON with a ``score`` from 0 to 10. A judge that failed said nothing, and that is no 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.importers.amaze.files import natural
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.walking import files_below
from grader.importers.gsi.edits import EditName, name_of_file
from grader.model.json_fields import JsonObject, parse_json

_PREFIX = "predictions_infer_"
_MARK = "||V^=^V||"
_BEST = 10.0


@dataclass(frozen=True)
class RatingKey:
    """What is rated: a dataset by its short name, an edit, and a model without the underscores of its name."""

    dataset: str
    name: EditName
    model: str


@dataclass(frozen=True)
class Ratings:
    """Ratings from 0 to 10, and what could not be read.

    Attributes
    ----------
    ratings : by what is rated
    unreadable : names of what is rated without a rating in the text
    faults : what is wrong with entries that do not say what they rate, a sentence with file and field each
    """

    ratings: Mapping[RatingKey, float]
    unreadable: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def model_key(name: str) -> str:
    """A model's name as files of ratings have it: without underscores, which part the words of a file's name."""
    return name.replace("_", "")


def read_ratings(source: Path) -> Ratings:
    """Reads a file of ratings, or all those below a folder that are named as above.

    Raises
    ------
    ImportFormatError
        If there is none, a file holds no list, or two ratings are of the same edit and model.
    """
    files = [source] if source.is_file() else _files(source) if source.is_dir() else []
    if not files:
        raise ImportFormatError(f"there are no ratings at {source}; name a file, or a folder with {_PREFIX}*.json")
    ratings: dict[RatingKey, float] = {}
    origins: dict[RatingKey, Path] = {}
    unreadable: list[str] = []
    faults: list[str] = []
    for file in files:
        for place, said in enumerate(_entries(file)):
            try:
                key, rating = _read(JsonObject({"entry": said}, f"{file}: [{place}]").child("entry"), file)
            except ValueError as error:
                faults.append(str(error))
                continue
            if rating is None:
                unreadable.append("/".join(part for part in (key.model, key.dataset, key.name.stem) if part))
                continue
            if key in ratings:
                raise ImportFormatError(
                    f"{file}: {key.name.stem} of {key.model} is rated in {origins[key]} too; name one judge's file "
                    "with --ratings"
                )
            ratings[key], origins[key] = rating, file
    return Ratings(ratings, tuple(unreadable), tuple(faults))


def _files(folder: Path) -> list[Path]:
    found = (path for path in files_below(folder) if path.suffix == ".json" and path.name.startswith(_PREFIX))
    return sorted(found, key=natural)


def _entries(file: Path) -> list[object]:
    try:
        content = parse_json(file.read_bytes(), lone_surrogates=True)
    except ValueError as error:
        raise ImportFormatError(f"{file}: is not JSON in UTF-8: {error}; name a file of ratings") from error
    try:
        return JsonObject({"ratings": content}, str(file)).items("ratings")
    except ValueError as error:
        raise ImportFormatError(f"{error}; name a file of ratings") from error


def _read(entry: JsonObject, file: Path) -> tuple[RatingKey, float | None]:
    """What an entry rates and how; None where its text holds no rating. Raises ValueError where it does not say it."""
    # The file's name says dataset and model where an entry does not.
    named = ("", "", *file.stem.split("_"))[-2:] if file.stem.startswith(_PREFIX) else ("", "")
    meta = entry.child("meta")
    index = meta.text("index")
    name = name_of_file(Path(index if index.lower().endswith((".png", ".jpg", ".jpeg")) else f"{index}.png"))
    if name is None:
        raise meta.fault("index", f"must be <img_id>_edit_<qid>, not {index[-60:]!r}")
    dataset = meta.text("dataset") if meta.has("dataset") else named[0]
    model = meta.text("model") if meta.has("model") else named[1]
    if not dataset or not model:
        raise meta.fault("", f"must say dataset and model, or the file be called {_PREFIX}..._DATASET_MODEL.json")
    text = entry.text("prediction") if entry.content.get("prediction") is not None else ""
    return RatingKey(dataset.removesuffix("_dataset"), name, model_key(model)), rating_in(text)


def rating_in(text: str) -> float | None:
    """The score in a judge's text, 0 to 10; None where there is none, as after an error.

    Examples
    --------
    >>> rating_in('||V^=^V|| {"score": 9, "reasoning": "alike"} ||V^=^V||')
    9.0
    >>> rating_in("_ERROR_") is None
    True
    """
    parts = text.split(_MARK)
    inner = parts[1] if len(parts) > 1 else text
    begin, end = inner.find("{"), inner.rfind("}")
    if begin < 0 or end < begin:
        return None
    try:
        # Reasons may run over several lines, which strict JSON does not allow in a text.
        content = parse_json(inner[begin : end + 1], strict=False, lone_surrogates=True)
    except ValueError:
        return None
    score = content.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float):
        return None
    # Compared before it is converted: a whole number may be beyond all floats. What is not a number is not within.
    return float(score) if 0 <= score <= _BEST else None
