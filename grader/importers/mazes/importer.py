"""Mazes of public layouts, with the pictures and clips that a model made of them, to a manifest. See docs/import.md."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.manifest_file import ImportSummary, ManifestWriter, manifest_place, whole_manifest
from grader.importers.common.missing import MissingAnswers, mark_missing
from grader.importers.common.walking import PICTURE_SUFFIXES, files_below
from grader.importers.mazes.layouts import FolderMaze, read_folder
from grader.model.wording import count_of, first_few
from grader.output.progress import tracked
from grader.v1 import service_pb2

_CLIPS = frozenset((".mp4", ".webm", ".gif"))


def import_mazes(
    source: Path,
    outputs: Path,
    manifest: Path,
    *,
    model: str = "",
    missing: MissingAnswers = MissingAnswers.WRONG,
    progress: bool,
) -> ImportSummary:
    """Write a manifest of the mazes of a folder and of what a model made, in the order of the mazes.

    An output belongs to the maze whose name, with its folders, is the output's path without its ending; or, where but
    one maze has it, whose name alone is the output's. The manifest appears whole or not at all.

    Parameters
    ----------
    source : Path
        The folder of mazes, in one of the layouts of `grader.importers.mazes.layouts`.
    outputs : Path
        The folder of outputs.
    manifest : Path
        The file to write; replaced if it is there.
    model : str
        Name of the model that made them; empty for none.
    missing : MissingAnswers
        Whether mazes that it made nothing of are lines with an empty picture, which count as not passed.
    progress : bool
        Whether to show on stderr how far it is.

    Raises
    ------
    ImportFormatError
        If files are missing or broken, or no output belongs to a maze.
    OSError
        If a file can't be read or written.
    """
    manifest = manifest_place(manifest)
    found = read_folder(source)
    if not outputs.is_dir():
        raise ImportFormatError(f"there is no folder {outputs} with the model's outputs; check the path")
    made, strangers = _matched(found.mazes, outputs.resolve(), source.resolve())
    if not made:
        named = f" ({first_few(strangers)})" if strangers else ""
        raise ImportFormatError(
            f"none of the {count_of(len(found.mazes), 'maze')} in {source} has an output, and "
            f"{count_of(len(strangers), 'file')} belong to none{named}; outputs are named like"
            f" {found.mazes[0].name}.mp4"
        )
    absent = [maze for maze in found.mazes if maze.name not in made]
    keep = missing is MissingAnswers.WRONG
    with whole_manifest(manifest) as writer:
        for maze in tracked(found.mazes, "import", len(found.mazes), "maze", show=progress):
            for path in made.get(maze.name, ()):
                writer.write(_request(maze, path, model, writer), path)
            if maze.name not in made and keep:
                writer.write(_request(maze, None, model, writer), maze.image)
        requests = writer.requests
    return ImportSummary(
        manifest,
        requests,
        len(found.mazes),
        0 if keep else len(absent),
        tuple(strangers),
        tuple(f"{maze.name}/missing" for maze in absent),
        missing,
    )


def _matched(mazes: tuple[FolderMaze, ...], outputs: Path, source: Path) -> tuple[dict[str, list[Path]], list[Path]]:
    """The outputs of each maze by its name, and those of none."""
    names = {maze.name for maze in mazes}
    short: dict[str, list[str]] = defaultdict(list)
    for maze in mazes:
        short[maze.name.rpartition("/")[2]].append(maze.name)
    made: dict[str, list[Path]] = defaultdict(list)
    strangers: list[Path] = []
    own = source.is_relative_to(outputs)
    for path in files_below(outputs):
        if path.suffix.lower() not in PICTURE_SUFFIXES | _CLIPS or (own and path.is_relative_to(source)):
            continue
        relative = path.relative_to(outputs)
        whole = relative.with_suffix("").as_posix()
        alike = short.get(path.stem, [])
        if whole in names:
            made[whole].append(path)
        elif len(alike) == 1:
            made[alike[0]].append(path)
        else:
            strangers.append(relative)
    return dict(made), strangers


def _request(maze: FolderMaze, output: Path | None, model: str, writer: ManifestWriter) -> service_pb2.GradeRequest:
    """One output with its maze; without one an empty picture."""
    name = "missing" if output is None else output.name
    request = service_pb2.GradeRequest(
        request_id="/".join(part for part in (model, maze.name, name) if part),
        puzzle_id=maze.name,
        model=model,
        tags=maze.tags,
        maze=maze.message,
    )
    request.maze.puzzle.image.uri = writer.uri(maze.image)
    if output is None:
        request.image.data = b""
        mark_missing(request)
    elif output.suffix.lower() in _CLIPS:
        request.video.uri = writer.uri(output)
    else:
        request.image.uri = writer.uri(output)
    return request
