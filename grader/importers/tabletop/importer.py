"""Edits that ``grader make tabletop`` made, with what a model made of them, or with their own results, to a manifest.

``instances/<name>/`` holds ``before.png``, ``after.png`` and ``metadata.json``; ``outputs/<name>/`` any pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.importers.amaze.files import natural, outputs_by_instance, outputs_folder
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.kinds import what_else_is_there
from grader.importers.common.manifest_file import ImportSummary, ManifestWriter, manifest_place, whole_manifest
from grader.importers.common.missing import MissingAnswers, mark_missing, missing_attempts, missing_names
from grader.importers.common.walking import strange_pictures
from grader.importers.tabletop.messages import load_record, tabletop_message
from grader.model.json_fields import JsonObject
from grader.model.wording import count_of, first_few
from grader.output.progress import tracked
from grader.profiles.reading import profiles_of_environment
from grader.tasks.spatial_edit.model import EditOperation
from grader.v1 import service_pb2
from puzzles.tabletop.edit_files import AFTER_NAME, BEFORE_NAME, RECORD_NAME

PROFILE = "gsi_syn"
"""The profile that edits are graded by, if no other is asked for."""
RIGHT = "right"
"""The tag ``result`` of a right one; that of a wrong one says what is wrong."""


def import_tabletop(
    source: Path,
    outputs: Path | None,
    manifest: Path,
    *,
    model: str = "",
    profile: str = PROFILE,
    missing: MissingAnswers = MissingAnswers.WRONG,
    progress: bool,
) -> ImportSummary:
    """Write a manifest for edits and a model's outputs.

    Lines stand in the natural order of the instances, then of the outputs. Media are paths relative to the manifest's
    folder. The manifest appears whole or not at all.

    Parameters
    ----------
    source : Path
        The folder of the instances, or the one that holds ``instances``.
    outputs : Path or None
        The folder of outputs; None means ``outputs`` beside the instances.
    manifest : Path
        The file to write; replaced if it is there.
    model : str
        Name of the model that made the outputs, for the tables of a report; empty for none.
    profile : str
        Of the grader.
    missing : Missing
        Whether instances that the model made nothing for, while it did for others, are lines with an empty picture,
        which count as not passed.
    progress : bool
        Whether to show on stderr how far it is.

    Raises
    ------
    ImportFormatError
        If files are missing or records are broken, no output belongs to an instance, or there is no such profile.
    OSError
        If a file can't be read or written.
    """
    _check_profile(profile)
    folders = _instances(source)
    drawn = outputs_folder(outputs, folders[0].parent.parent)
    made = outputs_by_instance(drawn, [folder.name for folder in folders])
    known = {output.path for of_one in made.values() for output in of_one}
    strange = tuple(sorted(strange_pictures(drawn, known, [folders[0].parent]), key=natural))
    lacking = missing_attempts({name: [output.attempt for output in of_one] for name, of_one in made.items()})
    absent = tuple(f"{name}/{called}" for name, gap in lacking.items() for called, _ in missing_names(gap))
    keep = missing is MissingAnswers.WRONG
    idle = 0
    manifest = manifest_place(manifest)
    with whole_manifest(manifest) as writer:
        for folder in tracked(folders, "import", len(folders), "puzzle", show=progress):
            gap = lacking.get(folder.name, ()) if keep else ()
            if not made[folder.name] and not gap:
                idle += 1
                continue
            record = _record(folder)
            for output in made[folder.name]:
                request = _request(folder, record, output.path.name, output.attempt, profile, writer)
                request.image.uri = writer.uri(output.path)
                request.model = model
                writer.write(request, output.path)
            for name, attempt in missing_names(gap):
                request = _request(folder, record, name, attempt, profile, writer)
                request.image.data = b""
                request.model = model
                mark_missing(request)
                writer.write(request, folder)
        if writer.requests == 0:
            named = f": {first_few(strange)}" if strange else ""
            raise ImportFormatError(
                f"none of the {count_of(len(folders), 'instance')} in {source} has an output, and "
                f"{count_of(len(strange), 'picture')} in {drawn} belong to no instance{named}; put them at "
                f"{drawn}/INSTANCE/NAME.png"
            )
    return ImportSummary(manifest, writer.requests, len(folders), idle, strange, absent, missing)


def write_results(source: Path, manifest: Path, *, profile: str = PROFILE) -> int:
    """Write a manifest of the instances' own results, right and wrong, as if a model had made them.

    The tag ``result`` says ``right``, or what is wrong.

    Parameters
    ----------
    source, manifest, profile : as of `import_tabletop`

    Returns
    -------
    int
        Its lines.

    Raises
    ------
    ImportFormatError
        If files are missing or records are broken.
    OSError
        If a file can't be read or written.
    """
    manifest = manifest_place(manifest)
    with whole_manifest(manifest) as writer:
        for folder in _instances(source):
            record = _record(folder)
            for name, result in _results(record):
                request = _request(folder, record, name, 0, profile, writer)
                request.image.uri = writer.uri(_there(folder / name))
                request.tags["result"] = result
                writer.write(request, folder / name)
        return writer.requests


def _check_profile(name: str) -> None:
    profiles = profiles_of_environment()
    if profiles.find(name) is None:
        known = ", ".join(profiles.names)
        raise ImportFormatError(f"there is no profile {name!r}; there are: {known}")


def _instances(source: Path) -> list[Path]:
    """The folders of the instances, in natural order; other puzzles may lie beside them."""
    home = source / "instances" if (source / "instances").is_dir() else source
    found = sorted((path.parent for path in home.resolve().glob(f"*/{BEFORE_NAME}")), key=natural)
    if not found:
        raise ImportFormatError(
            f"{home} holds no folder with a {BEFORE_NAME}; name the folder that `grader make tabletop` wrote to"
            + what_else_is_there(source)
        )
    return found


def _record(folder: Path) -> JsonObject:
    return load_record(_there(folder / RECORD_NAME).read_bytes(), str(folder / RECORD_NAME))


def _there(path: Path) -> Path:
    if not path.is_file():
        raise ImportFormatError(f"{path} is missing; remove its folder, and make the instance again")
    return path


def _results(record: JsonObject) -> Iterator[tuple[str, str]]:
    """The pictures of an instance's own results, and what is wrong with each."""
    try:
        wrong = [(one.text("image"), one.text("wrong")) for one in record.children("wrong_results")]
    except ValueError as error:
        raise ImportFormatError(str(error)) from error
    yield from [(AFTER_NAME, RIGHT), *wrong]


def _request(
    folder: Path, record: JsonObject, name: str, attempt: int, profile: str, writer: ManifestWriter
) -> service_pb2.GradeRequest:
    """A request for one result of an edit with all that it is judged by, but without the result."""
    request = service_pb2.GradeRequest(
        request_id=f"{folder.name}/{name}",
        puzzle_id=folder.name,
        attempt=attempt,
        tags={"dataset": "tabletop", "operation": _edit_of(record)},
        spatial_edit=tabletop_message(record),
    )
    request.options.profile = profile
    request.spatial_edit.puzzle.image.uri = writer.uri(_there(folder / BEFORE_NAME))
    if _edit_of(record) == EditOperation.VIEW.value:
        request.spatial_edit.truth.image.uri = writer.uri(_there(folder / AFTER_NAME))
    return request


def _edit_of(record: JsonObject) -> str:
    try:
        return record.text("edit")
    except ValueError as error:
        raise ImportFormatError(str(error)) from error
