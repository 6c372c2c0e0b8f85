"""Finds what models made for GSI-Bench, and what its detector found in it.

``<model>/generated_images_<dataset>/<img_id>_edit_<qid>.png`` are edited pictures, and ``infer_cache.json`` beside
them, in ``<model>/<dataset>_eval/`` or in ``<model>/`` is ``{"<img_id>_<qid>": {"origin_result": {"detections": [...]},
"new_result": {"detections": [...]}}}``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.importers.amaze.files import natural
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.walking import strange_pictures
from grader.importers.gsi.edits import DatasetName, EditName, GsiEdit, is_picture, name_of_file
from grader.model.json_fields import JsonObject, load_object

CACHE = "infer_cache.json"
_IMAGES = "generated_images_"

EditKey = tuple[str, EditName]
"""A dataset's folder, and an edit of it."""


@dataclass(frozen=True)
class Maker:
    """A model whose outputs are imported.

    Attributes
    ----------
    name : for tables; empty where nobody said it
    folder : of its outputs; None where there are only detections
    caches : of its detections, if they were named
    """

    name: str
    folder: Path | None
    caches: tuple[Path, ...] = ()


@dataclass(frozen=True)
class CachedBoxes:
    """What a detector found before and after an edit; None where its cache does not say, which is not nothing."""

    before: JsonObject | None
    after: JsonObject | None


@dataclass(frozen=True)
class Made:
    """What there is of a model.

    Attributes
    ----------
    pictures : its edited pictures
    found : what was found in them
    broken : edits whose entry in a cache can't be read
    faults : what is wrong with these, a sentence with file and field each
    strange_pictures, strange_keys : names of pictures and of cache entries that belong to no edit
    """

    pictures: Mapping[EditKey, Path]
    found: Mapping[EditKey, CachedBoxes]
    broken: frozenset[EditKey]
    faults: tuple[str, ...]
    strange_pictures: tuple[str, ...]
    strange_keys: tuple[str, ...]

    @property
    def asked(self) -> frozenset[str]:
        """The folders of the datasets of which the model made something: it was asked all their edits."""
        made = {*self.pictures, *self.broken, *(key for key, found in self.found.items() if found.after is not None)}
        return frozenset(dataset for dataset, _ in made)


def key_of(edit: GsiEdit) -> EditKey:
    """What outputs of an edit are found by."""
    return edit.dataset.folder, edit.name


def find_makers(
    source: Path, outputs: Path | None, caches: Sequence[Path], model: str, datasets: Sequence[DatasetName]
) -> tuple[Maker, ...]:
    """Says whose outputs there are.

    Parameters
    ----------
    source : Path
        The folder of the dataset folders.
    outputs : Path or None
        A folder of models' folders, or one model's; None means ``eval`` in the source, if that is there.
    caches : sequence of Path
        Caches of one model, wherever they are.
    model : str
        Which of the models, or how the one model is called; empty for all of them.
    datasets : sequence of DatasetName
        Whose outputs to look for.

    Raises
    ------
    ImportFormatError
        If a folder or file is not there, there is nothing of any model, or caches are named with several models.
    """
    folder = outputs if outputs is not None else source / "eval"
    if outputs is not None and not outputs.is_dir():
        raise ImportFormatError(f"there is no folder {outputs} of what models made; check the path")
    for cache in caches:
        if not cache.is_file():
            raise ImportFormatError(f"there is no cache {cache}; check the path")
    makers: list[Maker] = []
    if folder.is_dir():
        folder = folder.resolve()
        if _is_model(folder, datasets):
            makers = [Maker(model or folder.name, folder)]
        else:
            there = [path for path in sorted(folder.iterdir(), key=natural) if path.is_dir()]
            makers = [Maker(path.name, path) for path in there if _is_model(path, datasets)]
            if model and makers:
                names = ", ".join(one.name for one in makers)
                makers = [one for one in makers if one.name == model]
                if not makers:
                    raise ImportFormatError(f"{folder} has no model {model!r}; there are: {names}")
    if not makers:
        beside = source / CACHE
        named = tuple(caches) or ((beside,) if beside.is_file() else ())
        if not named:
            shorts = ", ".join(f"generated_images_{one.short}" for one in datasets)
            raise ImportFormatError(
                f"{folder} holds no model's folder with {shorts}, and there is no {beside}; name what models made with "
                "--outputs, or what was found in it with --cache"
            )
        return (Maker(model, None, named),)
    if caches and len(makers) > 1:
        raise ImportFormatError(
            f"--cache is of one model, and {folder} has {len(makers)}; say which with --model, or put each cache into "
            f"its model's <dataset>_eval folder"
        )
    return tuple(Maker(one.name, one.folder, tuple(caches)) for one in makers)


def _is_model(folder: Path, datasets: Sequence[DatasetName]) -> bool:
    return any(path.is_dir() for one in datasets for path in _homes(folder, one))


def _homes(folder: Path, dataset: DatasetName) -> tuple[Path, Path]:
    return folder / f"{_IMAGES}{dataset.short}", folder / f"{dataset.short}_eval"


def read_made(maker: Maker, edits: Sequence[GsiEdit], faulty: Collection[EditKey] = ()) -> Made:
    """Finds a model's pictures, which are not opened, and reads what was found in them.

    Parameters
    ----------
    maker : Maker
    edits : sequence of Edit
    faulty : collection of EditKey
        Edits whose records can't be read: what is there of them belongs to something, and is passed over.

    Raises
    ------
    ImportFormatError
        If two files are the same picture, two caches have the same edit, an entry may be of several datasets, or a
        cache holds no object.
    """
    datasets = {edit.dataset.folder: edit.dataset for edit in edits}
    known = {key_of(edit) for edit in edits}
    pictures: dict[EditKey, Path] = {}
    passed_over: set[Path] = set()
    for dataset in datasets.values() if maker.folder is not None else ():
        home = _homes(maker.folder, dataset)[0]  # type: ignore[arg-type]
        for path in sorted(home.iterdir(), key=natural) if home.is_dir() else ():
            name = name_of_file(path) if is_picture(path) else None
            if name is not None and (dataset.folder, name) in faulty:
                passed_over.add(path)
            if name is None or (dataset.folder, name) not in known:
                continue
            if (other := pictures.setdefault((dataset.folder, name), path)) is not path:
                raise ImportFormatError(f"{path} is of the same edit as {other.name}; keep one of them")
    strange = _strange_pictures(maker, passed_over.union(pictures.values()))
    caches = _read_caches(maker, edits, {name.cache_key for _, name in faulty})
    return Made(pictures, caches.found, frozenset(caches.broken), tuple(caches.faults), strange, tuple(caches.strange))


def _strange_pictures(maker: Maker, known: Collection[Path]) -> tuple[str, ...]:
    """Pictures of no edit, beside a model's folders or anywhere in those of its pictures.

    Others below it are of its evaluation.
    """
    if maker.folder is None:
        return ()
    strange = strange_pictures(maker.folder, known)
    near = (path for path in strange if len(path.parts) == 1 or path.parts[0].startswith(_IMAGES))
    return tuple("/".join(part for part in (maker.name, path.as_posix()) if part) for path in sorted(near, key=natural))


def pictures_beside(folder: Path, makers: Sequence[Maker]) -> tuple[str, ...]:
    """Names of pictures that lie beside models' folders, and so are of none."""
    if not folder.is_dir() or any(one.folder == folder.resolve() for one in makers):
        return ()
    return tuple(path.name for path in sorted(folder.iterdir(), key=natural) if is_picture(path))


@dataclass(frozen=True)
class _Caches:
    """What a model's caches say; as in `Made`."""

    found: dict[EditKey, CachedBoxes]
    broken: set[EditKey]
    faults: list[str]
    strange: list[str]


def _read_caches(maker: Maker, edits: Sequence[GsiEdit], passed_over: Collection[str]) -> _Caches:
    datasets = {edit.dataset.folder: edit.dataset for edit in edits}
    by_key: dict[str, list[GsiEdit]] = {}
    for edit in edits:
        by_key.setdefault(edit.name.cache_key, []).append(edit)
    read = _Caches({}, set(), [], [])
    origins: dict[EditKey, Path] = {}
    for path in maker.caches or _caches_in(maker.folder, tuple(datasets.values())):
        # A cache in a dataset's folder is of that dataset; another may be of all.
        only = next((one.folder for one in datasets.values() if path.resolve().parent in _parents(path, one)), None)
        record = _load(path)
        for key in record.content:
            fitting = [edit for edit in by_key.get(key, ()) if only in (None, edit.dataset.folder)]
            if not fitting:
                read.strange.extend(() if key in passed_over else (key,))
                continue
            if len(fitting) > 1:
                folders = " or ".join(edit.dataset.folder for edit in fitting)
                raise ImportFormatError(
                    f"{path}: {key} may be of {folders}; put a cache for each dataset into its <dataset>_eval folder"
                )
            place = key_of(fitting[0])
            if place in origins:
                raise ImportFormatError(f"{path}: {key} is in {origins[place]} too; keep one of them")
            origins[place] = path
            try:
                read.found[place] = _entry(record, key)
            except ValueError as error:
                read.broken.add(place)
                read.faults.append(str(error))
    return read


def _parents(path: Path, dataset: DatasetName) -> tuple[Path, Path]:
    """The folders of one dataset beside or above a cache."""
    return _homes(path.resolve().parent.parent, dataset)


def _caches_in(folder: Path | None, datasets: Sequence[DatasetName]) -> list[Path]:
    if folder is None:
        return []
    homes = [home for dataset in datasets for home in _homes(folder, dataset)]
    return [path for home in (*homes, folder) if (path := home / CACHE).is_file()]


def _load(path: Path) -> JsonObject:
    try:
        return load_object(path.read_bytes(), str(path))
    except ValueError as error:
        raise ImportFormatError(f"{error}; name a detector's cache") from error


def _entry(record: JsonObject, key: str) -> CachedBoxes:
    # A null is what a detector leaves that failed: it says as little as a field that is not there.
    entry = _child(record, key)
    sides = [None if entry is None else _child(entry, side) for side in ("origin_result", "new_result")]
    before, after = (None if one is None or one.content.get("detections") is None else one for one in sides)
    return CachedBoxes(before, after)


def _child(record: JsonObject, field: str) -> JsonObject | None:
    return None if record.content.get(field) is None else record.child(field)
