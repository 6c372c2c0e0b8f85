"""GSI-Bench's edits, with what models made and what a detector found in it, to a manifest of spatial edits.

Nothing is detected here: boxes are those of the benchmark's cache. See docs/import.md for the layout.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.manifest_file import ManifestWriter, manifest_place, whole_manifest
from grader.importers.gsi.edits import PUBLIC, DatasetName, Edit, read_edits
from grader.importers.gsi.messages import detection_messages, edit_message, misfit, shows_target
from grader.importers.gsi.outputs import Found, Made, Maker, find_makers, key_of, read_made
from grader.importers.gsi.ratings import RatingKey, Ratings, model_key, read_ratings
from grader.media.pictures import MediaError, decode_image
from grader.model.wording import count_of, first_few
from grader.output.progress import progress_of
from grader.tasks.spatial_edit.model import EditOperation
from grader.v1 import service_pb2

_COMPARED_WITH_BEFORE = (EditOperation.MOVE, EditOperation.REMOVE)
_RATINGS = "infer_results"


@dataclass(frozen=True)
class Sources:
    """What a manifest is made of.

    Attributes
    ----------
    datasets_folder : the folder that holds the dataset folders
    outputs : a folder of models' folders, or one model's; None means ``eval`` in the datasets' folder
    caches : a detector's caches of one model; empty for those in the models' folders, or, without any, the one in the
        datasets' folder
    ratings : file or folder of ratings of looks; None means ``infer_results`` in the datasets' folder, if it is there
    model : which of the models, or how the one model is called; empty for all
    datasets : what the dataset folders are called in tables, and the profiles of their edits
    """

    datasets_folder: Path
    outputs: Path | None = None
    caches: tuple[Path, ...] = ()
    ratings: Path | None = None
    model: str = ""
    datasets: tuple[DatasetName, ...] = PUBLIC


class Why(enum.Enum):
    """Why an edit that a model made something for is left out; the value says it after a count."""

    NO_DETECTIONS = "has no entry in a detector's cache, which is not the same as nothing found"
    NOT_FOUND_BEFORE = (
        "is of a picture before the edit in which nothing found has its object's label, so it can't be judged"
    )
    NO_VIEW = "is a change of view without an edited picture"
    NO_RESULT = "is a change of view without the picture that should result"
    OTHER_CAMERA = "has a camera that is not in pixels of its picture"


@dataclass(frozen=True)
class LeftOut:
    """Edits that are in no line, for one reason; each as its request would be called."""

    why: Why
    names: tuple[str, ...]


@dataclass(frozen=True)
class GsiSummary:
    """What an import made.

    Attributes
    ----------
    manifest : the file that was written
    requests : its lines
    edits : edits of the datasets
    models : whose outputs were looked at; an empty name where nobody said it
    without_outputs : edits that a model made nothing for, over all models
    without_pictures : lines without the picture before or after the edit: they are measured, not judged
    without_ratings : lines without a rating of looks
    left_out : why other edits are in no line, in the order of `Why`
    unreadable_ratings : what was rated by a text without a rating
    unmatched_ratings : what was rated of edits or models that are not there
    unmatched_outputs : pictures and entries of caches that belong to no edit
    """

    manifest: Path
    requests: int
    edits: int
    models: tuple[str, ...]
    without_outputs: int
    without_pictures: int
    without_ratings: int
    left_out: tuple[LeftOut, ...]
    unreadable_ratings: tuple[str, ...]
    unmatched_ratings: tuple[str, ...]
    unmatched_outputs: tuple[str, ...]


def import_gsi(sources: Sources, manifest: Path, *, progress: bool) -> GsiSummary:
    """Write a manifest for edits and what models made of them.

    Lines are in the natural order of models, then of datasets as they are given, then of edits. Media are paths
    relative to the manifest's folder. The manifest appears whole or not at all.

    Parameters
    ----------
    sources : Sources
    manifest : Path
        The file to write; replaced if it is there.
    progress : bool
        Whether to show on stderr how far it is.

    Raises
    ------
    ImportFormatError
        If files are missing or broken, contradict each other, or no line comes of them.
    OSError
        If a file can't be read or written.
    """
    manifest = manifest_place(manifest)
    folder = sources.datasets_folder
    edits = read_edits(folder, sources.datasets)
    makers = find_makers(folder, sources.outputs, sources.caches, sources.model, sources.datasets)
    ratings = _ratings(sources)
    _check_names(makers, ratings)
    strange: list[str] = []
    keys: list[str] = []
    with whole_manifest(manifest) as writer:
        lines = _Lines(writer, ratings)
        total = len(edits) * len(makers)
        with progress_of("import", total, "edit", show=progress) as bar:
            for maker in makers:
                made = read_made(maker, edits)
                strange += made.strange_pictures
                keys += made.strange_keys
                for edit in edits:
                    lines.edit(maker, edit, made)
                    bar.update()
        if writer.requests == 0:
            why = [f"{count_of(len(one.names), 'edit')}: each {one.why.value}" for one in lines.left_out()]
            raise ImportFormatError(
                f"nothing belongs to the {count_of(len(edits), 'edit')} in {folder}; "
                + "; ".join([*why, *_of_no_edit(strange, keys)])
            )
    return GsiSummary(
        manifest=manifest,
        requests=writer.requests,
        edits=len(edits),
        models=tuple(one.name for one in makers),
        without_outputs=lines.idle,
        without_pictures=lines.without_pictures,
        without_ratings=lines.without_ratings,
        left_out=tuple(lines.left_out()),
        unreadable_ratings=ratings.unreadable,
        unmatched_ratings=tuple(_unmatched(ratings, makers, edits)),
        unmatched_outputs=(*strange, *keys),
    )


def _ratings(sources: Sources) -> Ratings:
    beside = sources.datasets_folder / _RATINGS
    if sources.ratings is not None:
        return read_ratings(sources.ratings)
    return read_ratings(beside) if beside.is_dir() else Ratings({}, ())


def _check_names(makers: Sequence[Maker], ratings: Ratings) -> None:
    """Refuses ratings that may be of either of two models, whose names differ in underscores alone."""
    first: dict[str, str] = {}
    for maker in makers:
        key = model_key(maker.name)
        other = first.setdefault(key, maker.name)
        if other != maker.name and any(rated.model == key for rated in ratings.ratings):
            raise ImportFormatError(
                f"ratings of {key} may be of {other} or {maker.name}; import them one by one, with --model and "
                "--ratings"
            )


def _unmatched(ratings: Ratings, makers: Sequence[Maker], edits: Sequence[Edit]) -> Iterator[str]:
    known = {_rating_key(maker, edit) for maker in makers for edit in edits}
    for key in ratings.ratings:
        if key not in known:
            yield f"{key.model}/{key.dataset}/{key.name.stem}"


def _rating_key(maker: Maker, edit: Edit) -> RatingKey:
    return RatingKey(edit.dataset.short, edit.name, model_key(maker.name))


class _Lines:
    """Writes lines, and counts what they lack.

    Attributes
    ----------
    idle, without_pictures, without_ratings : as in `GsiSummary`
    """

    def __init__(self, writer: ManifestWriter, ratings: Ratings) -> None:
        self.idle = self.without_pictures = self.without_ratings = 0
        self._writer, self._ratings = writer, ratings
        self._left_out: dict[Why, list[str]] = {why: [] for why in Why}
        self._sizes: dict[Path, tuple[int, int]] = {}

    def left_out(self) -> Iterator[LeftOut]:
        """What is in no line, by its reason."""
        return (LeftOut(why, tuple(names)) for why, names in self._left_out.items() if names)

    def edit(self, maker: Maker, edit: Edit, made: Made) -> None:
        """Writes the line of one edit, or notes why there is none."""
        picture, found = made.pictures.get(key_of(edit)), made.found.get(key_of(edit), Found(None, None))
        if picture is None and found.after is None:
            self.idle += 1
            return
        name = "/".join(part for part in (maker.name, edit.puzzle_id) if part)
        why = self._why_not(edit, picture, found)
        if why is not None:
            self._left_out[why].append(name)
            return
        request = service_pb2.GradeRequest(
            request_id=name,
            puzzle_id=edit.puzzle_id,
            model=maker.name,
            tags={"dataset": edit.dataset.label, "operation": edit.operation.value},
            spatial_edit=edit_message(edit),
        )
        request.options.profile = edit.dataset.profile
        puzzle, scene = request.spatial_edit.puzzle, request.scene
        # A scene in which nothing was found is a scene all the same.
        scene.SetInParent()
        if edit.image is not None:
            puzzle.image.uri = self._writer.uri(edit.image)
        if edit.result is not None:
            request.spatial_edit.truth.image.uri = self._writer.uri(edit.result)
        if picture is not None:
            scene.image.uri = self._writer.uri(picture)
        if found.before is not None and edit.operation is not EditOperation.VIEW:
            puzzle.detections.extend(detection_messages(found.before, _longest_px(edit.image)))
        if found.after is not None:
            scene.detections.extend(detection_messages(found.after, _longest_px(picture)))
        rating = self._ratings.ratings.get(_rating_key(maker, edit))
        if rating is None:
            self.without_ratings += 1
        else:
            scene.appearance_rating = rating
        if edit.operation is not EditOperation.VIEW:
            self.without_pictures += picture is None or edit.image is None
        self._writer.write(request, edit.file)

    def _why_not(self, edit: Edit, picture: Path | None, found: Found) -> Why | None:
        """Why an edit can't be a line."""
        if edit.operation is EditOperation.VIEW:
            if picture is None:
                return Why.NO_VIEW
            return Why.NO_RESULT if edit.result is None else None
        if found.after is None:
            return Why.NO_DETECTIONS
        if edit.operation in _COMPARED_WITH_BEFORE:
            if found.before is None:
                return Why.NO_DETECTIONS
            if not found.before.content["detections"]:
                return Why.NOT_FOUND_BEFORE
        # A turn or a change of size is judged by its object alone where nothing at all was found before.
        if found.before is not None and found.before.content["detections"] and not shows_target(edit, found.before):
            return Why.NOT_FOUND_BEFORE
        if edit.image is not None and misfit(edit, self._size(edit.image)):
            return Why.OTHER_CAMERA
        return None

    def _size(self, picture: Path) -> tuple[int, int]:
        """Width and height of a picture, in pixels."""
        if picture not in self._sizes:
            try:
                height, width = decode_image(picture.read_bytes()).pixels.shape[:2]
            except MediaError as error:
                raise ImportFormatError(f"{picture} is unusable: {error}") from error
            self._sizes[picture] = (width, height)
        return self._sizes[picture]


def _longest_px(picture: Path | None) -> int | None:
    """The longer side of a picture, by its header; None where it can't be read, which is said when it is graded."""
    if picture is None:
        return None
    try:
        with Image.open(picture) as opened:
            return max(opened.size)
    except (OSError, Image.DecompressionBombError):
        return None


def _of_no_edit(pictures: Sequence[str], keys: Sequence[str]) -> Iterator[str]:
    """Says what belongs to no edit, and what it would have to be called."""
    if pictures:
        yield f"{count_of(len(pictures), 'picture')} of no edit ({first_few(pictures)}); names are IMAGE_edit_QUERY.png"
    if keys:
        count = count_of(len(keys), "cache entry", "cache entries")
        yield f"{count} of no edit ({first_few(keys)}); keys are IMAGE_QUERY"
