"""Makes a line of a manifest of an edit with what a model made, or notes why there is none."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.manifest_file import ManifestWriter
from grader.importers.common.missing import MissingAnswers, mark_missing
from grader.importers.gsi.edits import GsiEdit
from grader.importers.gsi.messages import detection_messages, edit_message, misfit, shows_target
from grader.importers.gsi.outputs import CachedBoxes, EditKey, Made, Maker, key_of
from grader.importers.gsi.ratings import RatingKey, Ratings, model_key
from grader.media.pictures import MediaError, decode_image
from grader.model.json_fields import JsonObject
from grader.tasks.spatial_edit.model import EditOperation
from grader.v1 import service_pb2

_COMPARED_WITH_BEFORE = (EditOperation.MOVE, EditOperation.REMOVE)


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


def rating_key(maker: Maker, edit: GsiEdit) -> RatingKey:
    """What a rating of a model's edit is found by."""
    return RatingKey(edit.dataset.short, edit.name, model_key(maker.name))


class EditLines:
    """Writes lines, and counts what they lack.

    Parameters
    ----------
    writer : ManifestWriter
    ratings : Ratings
    made : sequence of Made
        Of all models: what was found before an edit is the same for all.
    missing : Missing

    Attributes
    ----------
    idle, without_pictures, without_ratings : as ``without_outputs`` and so on in `GsiSummary`
    absent : what a model did not make, as its requests are called
    """

    def __init__(self, writer: ManifestWriter, ratings: Ratings, made: Sequence[Made], missing: MissingAnswers) -> None:
        self.idle = self.without_pictures = self.without_ratings = 0
        self.absent: list[str] = []
        self._writer, self._ratings, self._missing = writer, ratings, missing
        self._before: dict[EditKey, JsonObject] = {}
        for one in made:
            for key, found in one.found.items():
                if found.before is not None:
                    self._before.setdefault(key, found.before)
        self._left_out: dict[Why, list[str]] = {why: [] for why in Why}
        self._sizes: dict[Path, tuple[int, int]] = {}

    def left_out(self) -> Iterator[LeftOut]:
        """What is in no line, by its reason."""
        return (LeftOut(why, tuple(names)) for why, names in self._left_out.items() if names)

    def edit(self, maker: Maker, edit: GsiEdit, made: Made) -> None:
        """Writes the line of one edit, or notes why there is none.

        Raises
        ------
        ImportFormatError
            Naming the file and the field, where a record is broken; then nothing is written.
        """
        if key_of(edit) in made.broken:  # named already
            return
        picture, found = made.pictures.get(key_of(edit)), made.found.get(key_of(edit), CachedBoxes(None, None))
        name = "/".join(part for part in (maker.name, edit.puzzle_id) if part)
        if picture is None and found.after is None:
            if edit.dataset.folder in made.asked:
                self._absent(maker, edit, name)
            else:
                self.idle += 1
            return
        why = self._why_not(edit, picture, found)
        if why is not None:
            self._left_out[why].append(name)
            return
        request = self._request(maker, edit, name)
        puzzle, scene = request.spatial_edit.puzzle, request.scene
        # A scene in which nothing was found is a scene all the same.
        scene.SetInParent()
        if picture is not None:
            scene.image.uri = self._writer.uri(picture)
        if found.before is not None and edit.operation is not EditOperation.VIEW:
            puzzle.detections.extend(detection_messages(found.before, _longest_px(edit.image)))
        if found.after is not None:
            scene.detections.extend(detection_messages(found.after, _longest_px(picture)))
        rating = self._ratings.ratings.get(rating_key(maker, edit))
        if rating is not None:
            scene.appearance_rating = rating
        self._writer.write(request, edit.file)
        self.without_ratings += rating is None
        if edit.operation is not EditOperation.VIEW:
            self.without_pictures += picture is None or edit.image is None

    def _absent(self, maker: Maker, edit: GsiEdit, name: str) -> None:
        """What stands for an edit that a model made nothing for; an edit that nobody can be judged by has no line."""
        before = self._before.get(key_of(edit))
        why = self._why_never(edit, before)
        # With its picture an edit needs no detections here, for nothing is looked for in what is not there.
        if why is None and edit.image is None and before is None:
            why = Why.NO_DETECTIONS
        if why is not None:
            self._left_out[why].append(name)
            return
        request = self._request(maker, edit, name)
        if edit.image is not None:
            request.image.data = b""
        else:
            request.scene.image.data = b""
            if before is not None:
                request.spatial_edit.puzzle.detections.extend(detection_messages(before, None))
        mark_missing(request)
        self.absent.append(name)
        if self._missing is MissingAnswers.WRONG:
            self._writer.write(request, edit.file)

    def _request(self, maker: Maker, edit: GsiEdit, name: str) -> service_pb2.GradeRequest:
        """A request without candidate and detections."""
        request = service_pb2.GradeRequest(
            request_id=name,
            puzzle_id=edit.puzzle_id,
            model=maker.name,
            tags={"dataset": edit.dataset.label, "operation": edit.operation.value},
            spatial_edit=edit_message(edit),
        )
        request.options.profile = edit.dataset.profile
        if edit.image is not None:
            request.spatial_edit.puzzle.image.uri = self._writer.uri(edit.image)
        if edit.result is not None:
            request.spatial_edit.truth.image.uri = self._writer.uri(edit.result)
        return request

    def _why_not(self, edit: GsiEdit, picture: Path | None, found: CachedBoxes) -> Why | None:
        """Why an edit can't be a line."""
        if edit.operation is EditOperation.VIEW:
            return Why.NO_VIEW if picture is None else self._why_never(edit, None)
        if found.after is None or (edit.operation in _COMPARED_WITH_BEFORE and found.before is None):
            return Why.NO_DETECTIONS
        return self._why_never(edit, found.before)

    def _why_never(self, edit: GsiEdit, before: JsonObject | None) -> Why | None:
        """Why an edit can't be a line whatever a model made; ``before`` is what was found before it, where known."""
        if edit.operation is EditOperation.VIEW:
            return Why.NO_RESULT if edit.result is None else None
        if before is not None and not before.content["detections"] and edit.operation in _COMPARED_WITH_BEFORE:
            return Why.NOT_FOUND_BEFORE
        # A turn or a change of size is judged by its object alone where nothing at all was found before.
        if before is not None and before.content["detections"] and not shows_target(edit, before):
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
