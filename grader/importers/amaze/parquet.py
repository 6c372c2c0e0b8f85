"""AMAZE's parquet files: one row an instance, its pictures inside as base64 text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from grader.importers.amaze.files import AmazeInstance, AmazeOutput, DataSet, natural, pictures_in
from grader.importers.amaze.records import Pictures, check_pictures, read_base64, read_record
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.missing import MissingAnswers, missing_attempts, missing_names
from grader.importers.common.walking import strange_pictures
from grader.output.files import replacing
from grader.v1 import maze_pb2

_BATCH_ROWS = 8


def open_parquet(files: list[Path], base: Path, outputs: Path, media: Path, missing: MissingAnswers) -> DataSet:
    """Match the rows of parquet files with a model's outputs.

    A file is a set: a model that made something for a row of it is expected to have done so for all.

    Parameters
    ----------
    files : list of Path
        Parquet files of mazes or boards.
    base : Path
        The folder that they lie below; a file's name in it, without suffix, tells equal ids of two files apart.
    outputs : Path
        The folder of outputs.
    media : Path
        Where pictures are written; only those of rows that are lines, when the row is reached.
    missing : Missing
        Whether rows without output are lines where the model was asked them.

    Returns
    -------
    DataSet

    Raises
    ------
    ImportFormatError
        If a file can't be read or lacks columns, or outputs can't be told apart. Rows raise it as they are read.
    """
    labels = [file.relative_to(base).with_suffix("").as_posix() for file in files]
    ids = [_ids(file) for file in files]
    homes = [outputs / label if (outputs / label).is_dir() else outputs for label in labels]
    owners: dict[tuple[Path, str], tuple[Path, int]] = {}
    times_seen: dict[str, int] = {}
    for file, label, names, home in zip(files, labels, ids, homes, strict=True):
        for row, name in enumerate(names, 1):
            other, other_row = owners.setdefault((home, name), (file, row))
            if (other, other_row) != (file, row):
                raise ImportFormatError(
                    f"{file}, row {row}: the id {name!r} is also in {other}, row {other_row}, so their outputs can't "
                    f"be told apart; put each file's outputs in a folder of its name, such as {outputs / label}"
                )
            times_seen[name] = times_seen.get(name, 0) + 1
    matched: dict[tuple[Path, str], list[AmazeOutput]] = {}
    for home in sorted(set(homes)):
        for path in pictures_in(home):
            owner, attempt = _id_and_attempt(path.stem, home, owners)
            if owner is not None:
                matched.setdefault((home, owner), []).append(AmazeOutput(path, attempt))
    known = {output.path for found in matched.values() for output in found}
    lacking = [
        missing_attempts({name: [output.attempt for output in matched.get((home, name), ())] for name in names})
        for names, home in zip(ids, homes, strict=True)
    ]
    keep = missing is MissingAnswers.WRONG

    def puzzle_id(name: str, label: str) -> str:
        return name if times_seen[name] == 1 else f"{label}/{name}"

    def read() -> Iterator[AmazeInstance | None]:
        for file, label, home, gaps in zip(files, labels, homes, lacking, strict=True):
            for row, values in _rows(file):
                name = values["id"]
                found = sorted(matched.get((home, name), ()), key=lambda output: output.attempt)
                gap = gaps.get(name, ()) if keep else ()
                if not found and not gap:
                    yield None
                    continue
                folder = media / label / _folder_name(name)
                yield _extract(values, f"{file}, row {row}", puzzle_id(name, label), folder, tuple(found), gap)

    return DataSet(
        total=sum(len(names) for names in ids),
        instances=read(),
        unmatched=tuple(sorted(strange_pictures(outputs, known, [media]), key=natural)),
        naming=f"name them {outputs}/<id>_<attempt>.png, with ids such as {next((i[0] for i in ids if i), '?')!r}",
        left_out=()
        if keep
        else tuple(
            f"{puzzle_id(name, label)}/{called}"
            for gaps, label in zip(lacking, labels, strict=True)
            for name, attempts in gaps.items()
            for called, _ in missing_names(attempts)
        ),
    )


def _id_and_attempt(stem: str, home: Path, owners: Collection[tuple[Path, str]]) -> tuple[str | None, int]:
    if (home, stem) in owners:
        return stem, 0
    name, _, attempt = stem.rpartition("_")
    if (home, name) in owners and re.fullmatch("[0-9]{1,9}", attempt):
        return name, int(attempt)
    return None, 0


def _folder_name(name: str) -> str:
    """Make a folder's name of an id; ids that would need other characters get a digest, so that none meet."""
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", name)[:100]
    if safe == name and not name.startswith("."):
        return name
    return f"_{safe}-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def _read_parquet(file: Path) -> Any:
    try:
        return pyarrow.parquet.ParquetFile(file)
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise ImportFormatError(f"{file} is no readable parquet file ({error}); fetch it again") from error


def _ids(file: Path) -> list[str]:
    with _read_parquet(file) as parquet:
        _columns(file, parquet)
        ids: list[str] = parquet.read(columns=["id"]).column("id").to_pylist()
    for row, name in enumerate(ids, 1):
        if not isinstance(name, str) or not name:
            raise ImportFormatError(f"{file}, row {row}: the id is {name!r}; it has to be a text")
    return ids


def _columns(file: Path, parquet: Any) -> list[str]:
    present = set(parquet.schema_arrow.names)
    mazes = ["id", "m_original_img", "sol_img", "mask_img", "cell_map", "metadata"]
    boards = ["id", "m_original_img", "sol_img", "sample_json"]
    wanted = boards if "sample_json" in present else mazes
    missing = [name for name in wanted if name not in present]
    if missing:
        raise ImportFormatError(
            f"{file} lacks the columns {missing} and has {sorted(present)}; name a parquet file of AMAZE's "
            "mazes or boards"
        )
    return wanted


def _rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    row = 0
    with _read_parquet(file) as parquet:
        try:
            for batch in parquet.iter_batches(batch_size=_BATCH_ROWS, columns=_columns(file, parquet)):
                for values in batch.to_pylist():
                    row += 1
                    yield row, values
        except (pyarrow.ArrowInvalid, OSError) as error:
            raise ImportFormatError(f"{file}, after row {row}: can't be read ({error}); fetch it again") from error


def _extract(
    values: dict[str, Any],
    where: str,
    puzzle_id: str,
    folder: Path,
    outputs: tuple[AmazeOutput, ...],
    missing: tuple[int, ...],
) -> AmazeInstance:
    column = "sample_json" if "sample_json" in values else "metadata"
    if not isinstance(values[column], str):
        raise ImportFormatError(f"{where}, column {column!r} is empty; fetch or export the file again")
    record = read_record(values[column], f"{where}, column {column!r}")
    maze = isinstance(record.task, maze_pb2.MazeTask)
    if maze == (column == "sample_json"):
        raise ImportFormatError(f"{where}, column {column!r} is not of the kind of its file; fetch or export it again")

    def picture(name: str) -> bytes:
        return read_base64(values[name], f"{where}, column {name!r}")

    pictures = Pictures(
        picture("m_original_img"),
        picture("sol_img"),
        picture("cell_map") if maze else None,
        picture("mask_img") if maze else None,
    )
    check_pictures(record, pictures, where)
    folder.mkdir(parents=True, exist_ok=True)

    def write(name: str, data: bytes) -> Path:
        # Written aside first: a manifest of an earlier import may be in use.
        with replacing(folder / name, "wb") as file:
            file.write(data)
        return folder / name

    return AmazeInstance(
        puzzle_id=puzzle_id,
        record=record,
        image=write("input.png", pictures.image),
        solution=write("solution.png", pictures.solution),
        cell_map=None if pictures.cell_map is None else write("cell_map.png", pictures.cell_map),
        mask=None if pictures.mask is None else write("mask.png", pictures.mask),
        outputs=outputs,
        missing=missing,
    )
