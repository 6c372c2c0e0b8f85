"""Reads dataset folders of GSI-Bench: edits in JSON, with the pictures that their names say.

A folder holds ``<img_id>.jpg`` or ``.png``, ``<img_id>_edit_<qid>.json``, and for changes of view the picture that
should result, ``<img_id>_*gtedit_<qid>*.*``. What the public evaluation writes beside them is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from grader.importers.amaze.files import natural
from grader.importers.common.errors import ImportFormatError
from grader.model.json_fields import JsonObject, load_object
from grader.profiles.reading import profiles_of_environment
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.prompts import operation_of_prompt, operation_of_word

Key = TypeVar("Key")

_SOURCES = (".jpg", ".jpeg", ".png")
_PICTURES = frozenset((*_SOURCES, ".webp", ".avif", ".gif"))
_RGB = "_rgb"
_EDIT = "_edit_"
_RESULT = "gtedit_"


@dataclass(frozen=True)
class DatasetName:
    """What a dataset folder is called in tables, and by which profile its edits are graded.

    Attributes
    ----------
    folder : such as ``fine_dataset``; outputs are named after it without ``_dataset``
    label : the value of the tag ``dataset``
    profile : of the grader
    """

    folder: str
    label: str
    profile: str

    @property
    def short(self) -> str:
        """The name in those of outputs, caches and ratings, such as ``fine``."""
        return self.folder.removesuffix("_dataset")


PUBLIC = (
    DatasetName("fine_dataset", "GSI-Real", "gsi_real"),
    DatasetName("mesatask_dataset", "GSI-Syn-table", "gsi_syn"),
    DatasetName("bathroom_dataset", "GSI-Syn-bath", "gsi_syn"),
    DatasetName("robothor_dataset", "GSI-Syn-room", "gsi_syn"),
)
"""The datasets of the public benchmark. The gate of the first is that of photographs."""


@dataclass(frozen=True)
class EditName:
    """Which edit: the picture that is edited, and the number of the question about it."""

    image: str
    query: str

    @property
    def stem(self) -> str:
        """As files are called."""
        return f"{self.image}{_EDIT}{self.query}"

    @property
    def cache_key(self) -> str:
        """As the detector's cache calls it."""
        return f"{self.image}_{self.query}"


@dataclass(frozen=True)
class GsiEdit:
    """An edit of a dataset.

    Attributes
    ----------
    dataset : where it belongs
    name : which it is
    file : its record
    record : what that holds
    operation : what is asked for
    image : the picture before the edit, or None where there is none
    result : the picture that a change of view should give, or None
    """

    dataset: DatasetName
    name: EditName
    file: Path
    record: JsonObject
    operation: EditOperation
    image: Path | None
    result: Path | None

    @property
    def puzzle_id(self) -> str:
        """Its name in tables."""
        return f"{self.dataset.short}/{self.name.stem}"


@dataclass(frozen=True)
class Edits:
    """What dataset folders hold.

    Attributes
    ----------
    edits : those that could be read
    faulty : (folder of the dataset, name) of the others
    faults : what is wrong with these, a sentence with file and field each
    """

    edits: tuple[GsiEdit, ...]
    faulty: tuple[tuple[str, EditName], ...]
    faults: tuple[str, ...]


def parse_dataset(text: str) -> DatasetName:
    """Reads ``FOLDER=LABEL=PROFILE``.

    Raises
    ------
    ImportFormatError
        If it is something else, or there is no such profile.

    Examples
    --------
    >>> parse_dataset("kitchen_dataset=Kitchen=gsi_syn").short
    'kitchen'
    """
    parts = [part.strip() for part in text.split("=")]
    if len(parts) != 3 or not all(parts) or Path(parts[0]).name != parts[0]:
        raise ImportFormatError(
            f"--dataset {text!r}: write FOLDER=LABEL=PROFILE, such as fine_dataset=GSI-Real=gsi_real"
        )
    profiles = profiles_of_environment()
    if profiles.find(parts[2]) is None:
        known = ", ".join(profiles.names)
        raise ImportFormatError(f"--dataset {text!r}: there is no profile {parts[2]!r}; there are: {known}")
    return DatasetName(*parts)


def name_of_file(path: Path) -> EditName | None:
    """Which edit a file is about, by its name: ``<img_id>_edit_<qid>``, from which ``_rgb`` is taken; or None."""
    image, found, query = path.stem.replace(_RGB, "").rpartition(_EDIT)
    return EditName(image, query) if found and image and query else None


def is_picture(path: Path) -> bool:
    """Whether a file is a picture, by its suffix; it is not opened."""
    return path.suffix.lower() in _PICTURES and path.is_file()


def read_edits(source: Path, datasets: Sequence[DatasetName]) -> Edits:
    """Reads the dataset folders that are there, in the order given, edits in natural order.

    A record that is no JSON, or lacks the prompt or a word in it that says what is asked for, is left out.

    Parameters
    ----------
    source : Path
        The folder that holds them.
    datasets : sequence of DatasetName
        Folders that may be there.

    Raises
    ------
    ImportFormatError
        If none is there or holds an edit, or two files are the same picture.
    """
    if not source.is_dir():
        raise ImportFormatError(f"there is no folder {source}; name the one that holds the dataset folders")
    wanted = ", ".join(one.folder for one in datasets)
    there = [one for one in datasets if (source / one.folder).is_dir()]
    if not there:
        raise ImportFormatError(f"{source} holds none of {wanted}; name the folder that does, or say --dataset")
    faults: dict[tuple[str, EditName], str] = {}
    edits = [edit for one in there for edit in _read_folder(source.resolve() / one.folder, one, faults)]
    if not edits and not faults:
        raise ImportFormatError(f"there is no <img_id>_edit_<qid>.json in {wanted} of {source}; fetch the data again")
    return Edits(tuple(edits), tuple(faults), tuple(faults.values()))


def _read_folder(folder: Path, dataset: DatasetName, faults: dict[tuple[str, EditName], str]) -> list[GsiEdit]:
    paths = sorted(folder.iterdir(), key=natural)
    records = [(name, path) for path in paths if path.suffix == ".json" and (name := name_of_file(path)) is not None]
    pictures = [path for path in paths if is_picture(path)]
    images = {name.image for name, _ in records}
    before = _by_key((path.stem.replace(_RGB, ""), path) for path in pictures if path.suffix.lower() in _SOURCES)
    results = _by_key((key, path) for path in pictures if (key := _result_key(path, images)) is not None)
    made = []
    for name, path in records:
        try:
            record = load_object(path.read_bytes(), str(path))
            operation = _operation(record)
        except ValueError as error:
            faults[(dataset.folder, name)] = str(error)
            continue
        result = results.get((name.image, name.query)) if operation is EditOperation.VIEW else None
        made.append(GsiEdit(dataset, name, path, record, operation, before.get(name.image), result))
    return made


def _by_key(pairs: Iterable[tuple[Key, Path]]) -> dict[Key, Path]:
    """Files by what they are; two that are the same are refused."""
    found: dict[Key, Path] = {}
    for key, path in pairs:
        other = found.setdefault(key, path)
        if other is not path:
            raise ImportFormatError(f"{path} is the same picture as {other.name}, by their names; keep one of them")
    return found


def _result_key(path: Path, images: Iterable[str]) -> tuple[str, str] | None:
    """The edit whose result a picture is: the longest picture's name that it begins with, and its number."""
    head, found, rest = path.stem.partition(_RESULT)
    query = re.match(r"[A-Za-z0-9]+", rest)
    if not found or query is None:
        return None
    fitting = [image for image in images if head.startswith(f"{image}_")]
    return (max(fitting, key=len), query[0]) if fitting else None


def _operation(record: JsonObject) -> EditOperation:
    """What is asked for: the field ``operation``, else whether the camera should move, else the prompt's first word."""
    if record.has("operation"):
        said = record.text("operation")
        named = operation_of_word(said)
        if named is None:
            raise record.fault("operation", f"is {said!r}; say move, rotate, resize, remove or view")
        return named
    asked = operation_of_prompt(record.text("prompt"), record.text("target") if record.has("target") else "")
    if asked is None:
        raise record.fault("prompt", "begins with no word that says what to do; add the field operation")
    return asked
