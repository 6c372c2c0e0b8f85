"""AMAZE's mazes and Queens boards, with a model's outputs, to a manifest.

Two layouts are read. Parquet, as the public data set has it: one row an instance, pictures inside, and outputs named
``<id>_<attempt>.png`` in a folder (in ``<outputs>/<parquet's name>/`` where that exists). And folders:
``instances/<name>/`` with ``input.png``, ``solution.png``, ``metadata.json`` and, for mazes, ``cell_map.png`` and
``mask.png``; ``outputs/<name>/`` with any pictures.
"""

from __future__ import annotations

from pathlib import Path

from grader.importers.amaze.files import (
    AmazeInstance,
    AmazeOutput,
    DataSet,
    natural,
    outputs_by_instance,
    outputs_folder,
)
from grader.importers.amaze.parquet import open_parquet
from grader.importers.amaze.records import Pictures, check_pictures, read_record, tasks_of
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.kinds import what_else_is_there
from grader.importers.common.manifest_file import (
    ImportSummary,
    ManifestWriter,
    check_name,
    manifest_place,
    whole_manifest,
)
from grader.importers.common.missing import MissingAnswers, mark_missing, missing_attempts, missing_names
from grader.importers.common.walking import strange_pictures
from grader.model.wording import count_of, first_few
from grader.output.progress import tracked
from grader.v1 import maze_pb2, service_pb2

__all__ = ["ImportFormatError", "ImportSummary", "import_amaze"]


def import_amaze(
    source: Path,
    outputs: Path | None,
    manifest: Path,
    *,
    model: str = "",
    missing: MissingAnswers = MissingAnswers.WRONG,
    progress: bool,
) -> ImportSummary:
    """Write a manifest for AMAZE instances and a model's outputs.

    Lines stand in the order of the instances (rows of parquet; folders in natural order), then of the outputs. Media
    are paths relative to the manifest's folder. Pictures inside parquet are written to ``<manifest's stem>_media/``
    beside the manifest. The manifest appears whole or not at all.

    Parameters
    ----------
    source : Path
        A parquet file, a folder of them, or a folder of instances (or the folder that holds ``instances``).
    outputs : Path or None
        The folder of outputs; None means ``outputs`` beside the source.
    manifest : Path
        The file to write; replaced if it is there.
    model : str
        Name of the model that made the outputs, for the tables of a report; empty for none.
    missing : Missing
        Whether instances that the model made nothing for are lines with an empty picture, which count as not passed.
        The mazes of a folder of instances are a set, all of which the model was asked if there is an output of any; so
        are its boards, and each file of parquet.
    progress : bool
        Whether to show on stderr how far it is.

    Returns
    -------
    ImportSummary

    Raises
    ------
    ImportFormatError
        If files are missing, records are broken or contradict their pictures, or no output belongs to an instance.
    OSError
        If a file can't be read or written.
    """
    manifest = manifest_place(manifest)
    data = _open_source(source, outputs, manifest.with_name(f"{manifest.stem}_media"), missing)
    idle = 0
    absent: list[str] = []
    with whole_manifest(manifest) as writer:
        for instance in tracked(data.instances, "import", data.total, "puzzle", show=progress):
            if instance is None:
                idle += 1
                continue
            for output in instance.outputs:
                writer.write(_request(instance, output, model, writer), output.path)
            for name, attempt in missing_names(instance.missing):
                request = _missing_request(instance, name, attempt, model, writer)
                absent.append(request.request_id)
                writer.write(request, instance.image)
        if writer.requests == 0:
            verb = "belongs" if len(data.unmatched) == 1 else "belong"
            named = f" ({first_few(data.unmatched)})" if data.unmatched else ""
            raise ImportFormatError(
                f"none of the {data.total} instances in {source} has an output, and "
                f"{count_of(len(data.unmatched), 'picture')} {verb} to no instance{named}; {data.naming}"
            )
    return ImportSummary(
        manifest, writer.requests, data.total, idle, data.unmatched, (*absent, *data.left_out), missing
    )


def _open_source(source: Path, outputs: Path | None, media: Path, missing: MissingAnswers) -> DataSet:
    if not source.exists():
        raise ImportFormatError(f"there is no {source}; name a parquet file or a folder")
    if source.is_file():
        return open_parquet([source], source.parent, outputs_folder(outputs, source.parent), media, missing)
    instances = source / "instances" if (source / "instances").is_dir() else source
    if any(instances.glob("*/metadata.json")):
        _check_task(source, instances)
        return _open_folders(instances, outputs_folder(outputs, instances.parent), missing)
    files = sorted(source.rglob("*.parquet"), key=natural)
    if files:
        beside = source if (source / "outputs").is_dir() else source.parent
        return open_parquet(files, source, outputs_folder(outputs, beside), media, missing)
    raise ImportFormatError(
        f"{source} holds neither parquet files nor folders with a metadata.json; name the folder that does"
    )


def _check_task(source: Path, instances: Path) -> None:
    """Raises ImportFormatError where all puzzles of a folder are of other tasks, with what imports those."""
    if any(tasks_of(_text_of(path)) for path in instances.glob("*/metadata.json")):
        return
    if there := what_else_is_there(source):
        raise ImportFormatError(f"{source} holds no mazes or boards of AMAZE{there}")


def _open_folders(instances: Path, outputs: Path, missing: MissingAnswers) -> DataSet:
    # Only the roots are resolved: data sets are often links into a store, and paths through it would not move along.
    instances = instances.resolve()
    folders = sorted((path for path in instances.iterdir() if path.is_dir()), key=natural)
    drawn = outputs_by_instance(outputs, [folder.name for folder in folders])
    sets: dict[str, dict[str, list[int]]] = {}
    for name, made in drawn.items():
        for task in _tasks_of(instances / name):
            sets.setdefault(task, {})[name] = [output.attempt for output in made]
    lacking = {name: gap for of_task in sets.values() for name, gap in missing_attempts(of_task).items()}
    known = {output.path for made in drawn.values() for output in made}
    keep = missing is MissingAnswers.WRONG

    def read(folder: Path) -> AmazeInstance | None:
        made, gap = drawn[folder.name], lacking.get(folder.name, ()) if keep else ()
        if not made and not gap:
            return None
        where = str(folder / "metadata.json")
        record = read_record(_text_of(folder / "metadata.json"), where)
        maze = isinstance(record.task, maze_pb2.MazeTask)
        instance = AmazeInstance(
            puzzle_id=folder.name,
            record=record,
            image=folder / "input.png",
            solution=folder / "solution.png",
            cell_map=folder / "cell_map.png" if maze else None,
            mask=folder / "mask.png" if maze else None,
            outputs=made,
            missing=gap,
        )
        pictures = Pictures(
            _bytes_of(instance.image),
            _bytes_of(instance.solution),
            None if instance.cell_map is None else _bytes_of(instance.cell_map),
            None if instance.mask is None else _bytes_of(instance.mask),
        )
        check_pictures(record, pictures, str(folder))
        return instance

    return DataSet(
        total=len(folders),
        instances=(read(folder) for folder in folders),
        unmatched=tuple(sorted(strange_pictures(outputs, known, [instances]), key=natural)),
        naming=f"put them at {outputs}/<instance>/<any name>.png",
        left_out=()
        if keep
        else tuple(f"{name}/{called}" for name, gap in lacking.items() for called, _ in missing_names(gap)),
    )


def _tasks_of(folder: Path) -> frozenset[str]:
    """Whether a folder holds a maze or a board; instances of other tasks may lie beside them."""
    path = folder / "metadata.json"
    return tasks_of(_text_of(path)) if path.is_file() else frozenset()


def _text_of(path: Path) -> str:
    try:
        return _bytes_of(path).decode()
    except UnicodeDecodeError as error:
        raise ImportFormatError(f"{path} is not UTF-8 ({error}); fetch or export it again") from error


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise ImportFormatError(
            f"{path} is missing; an instance has input.png, solution.png and metadata.json, and a maze has "
            "cell_map.png and mask.png too"
        ) from error


def _request(
    instance: AmazeInstance, output: AmazeOutput, model: str, writer: ManifestWriter
) -> service_pb2.GradeRequest:
    """One output with its instance."""
    check_name(output.path)
    request = _empty_request(instance, output.path.name, output.attempt, model, writer)
    request.image.uri = writer.uri(output.path)
    return request


def _missing_request(
    instance: AmazeInstance, name: str, attempt: int, model: str, writer: ManifestWriter
) -> service_pb2.GradeRequest:
    """What stands for an output that is not there."""
    request = _empty_request(instance, name, attempt, model, writer)
    request.image.data = b""
    mark_missing(request)
    return request


def _empty_request(
    instance: AmazeInstance, name: str, attempt: int, model: str, writer: ManifestWriter
) -> service_pb2.GradeRequest:
    """A request without candidate."""
    request = service_pb2.GradeRequest(
        request_id=f"{instance.puzzle_id}/{name}",
        puzzle_id=instance.puzzle_id,
        model=model,
        attempt=attempt,
        tags=dict(instance.record.tags),
    )
    task = instance.record.task
    if isinstance(task, maze_pb2.MazeTask):
        request.maze.CopyFrom(task)
        request.maze.puzzle.image.uri = writer.uri(instance.image)
        request.maze.truth.solution_image.uri = writer.uri(instance.solution)
        if instance.cell_map is not None and instance.mask is not None:
            request.maze.puzzle.cell_map.uri = writer.uri(instance.cell_map)
            request.maze.truth.mask.uri = writer.uri(instance.mask)
    else:
        request.queens.CopyFrom(task)
        request.queens.puzzle.image.uri = writer.uri(instance.image)
        request.queens.truth.solution_image.uri = writer.uri(instance.solution)
    return request
