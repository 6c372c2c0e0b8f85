"""GSI-Bench's edits, with what models made and what a detector found in it, to a manifest of spatial edits.

Nothing is detected here: boxes are those of the benchmark's cache. See docs/import.md for the layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.manifest_file import manifest_place, whole_manifest
from grader.importers.common.missing import MissingAnswers
from grader.importers.gsi.edits import PUBLIC, DatasetName, Edits, read_edits
from grader.importers.gsi.lines import EditLines, LeftOut, Why, rating_key
from grader.importers.gsi.outputs import Maker, find_makers, pictures_beside, read_made
from grader.importers.gsi.ratings import Ratings, model_key, read_ratings
from grader.model.wording import FEW, count_of, first_few
from grader.output.progress import progress_of

__all__ = ["GsiSources", "GsiSummary", "LeftOut", "Why", "import_gsi"]

_RATINGS = "infer_results"


@dataclass(frozen=True)
class GsiSources:
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
    missing : whether an edit that a model made nothing for, while it did for others of the dataset, is a line with an
        empty picture, which counts as not passed
    """

    datasets_folder: Path
    outputs: Path | None = None
    caches: tuple[Path, ...] = ()
    ratings: Path | None = None
    model: str = ""
    datasets: tuple[DatasetName, ...] = PUBLIC
    missing: MissingAnswers = MissingAnswers.WRONG


@dataclass(frozen=True)
class GsiSummary:
    """What an import made.

    Attributes
    ----------
    manifest : the file that was written
    requests : its lines
    edits : edits of the datasets
    models : whose outputs were looked at; an empty name where nobody said it
    without_outputs : edits of datasets that a model made nothing for, over all models
    missing_answers : what a model did not make of other datasets, each as its request is called
    missing : whether these are lines
    faults : what is wrong with records that are left out, a sentence with file and field each
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
    missing_answers: tuple[str, ...]
    missing: MissingAnswers
    faults: tuple[str, ...]
    without_pictures: int
    without_ratings: int
    left_out: tuple[LeftOut, ...]
    unreadable_ratings: tuple[str, ...]
    unmatched_ratings: tuple[str, ...]
    unmatched_outputs: tuple[str, ...]


def import_gsi(sources: GsiSources, manifest: Path, *, progress: bool) -> GsiSummary:
    """Write a manifest for edits and what models made of them.

    Lines are in the natural order of models, then of datasets as they are given, then of edits. Media are paths
    relative to the manifest's folder. A record that is broken is left out and named, and the import goes on. The
    manifest appears whole or not at all.

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
    read = read_edits(folder, sources.datasets)
    edits = read.edits
    makers = find_makers(folder, sources.outputs, sources.caches, sources.model, sources.datasets)
    ratings = _ratings(sources)
    _check_names(makers, ratings)
    made = [read_made(maker, edits, read.faulty) for maker in makers]
    beside = pictures_beside(sources.outputs or folder / "eval", makers)
    strange = [*beside, *(name for one in made for name in one.strange_pictures)]
    keys = [key for one in made for key in one.strange_keys]
    faults = [*read.faults, *(fault for one in made for fault in one.faults), *ratings.faults]
    with whole_manifest(manifest) as writer:
        lines = EditLines(writer, ratings, made, sources.missing)
        total = len(edits) * len(makers)
        with progress_of("import", total, "edit", show=progress) as bar:
            for maker, of_maker in zip(makers, made, strict=True):
                for edit in edits:
                    try:
                        lines.edit(maker, edit, of_maker)
                    except ImportFormatError as error:
                        faults.append(str(error))
                    bar.update()
        # A record that several models share is at fault once.
        faults = list(dict.fromkeys(faults))
        if writer.requests == 0:
            why = [f"{count_of(len(one.names), 'edit')}: each {one.why.value}" for one in lines.left_out()]
            raise ImportFormatError(
                f"nothing belongs to the {count_of(len(edits), 'edit')} in {folder}; "
                + "; ".join([*why, *faults[:FEW], *_of_no_edit(strange, keys)])
            )
    return GsiSummary(
        manifest=manifest,
        requests=writer.requests,
        edits=len(edits),
        models=tuple(one.name for one in makers),
        without_outputs=lines.idle,
        missing_answers=tuple(lines.absent),
        missing=sources.missing,
        faults=tuple(faults),
        without_pictures=lines.without_pictures,
        without_ratings=lines.without_ratings,
        left_out=tuple(lines.left_out()),
        unreadable_ratings=ratings.unreadable,
        unmatched_ratings=tuple(_unmatched(ratings, makers, read)),
        unmatched_outputs=(*strange, *keys),
    )


def _ratings(sources: GsiSources) -> Ratings:
    beside = sources.datasets_folder / _RATINGS
    if sources.ratings is not None:
        return read_ratings(sources.ratings)
    return read_ratings(beside) if beside.is_dir() else Ratings({})


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


def _unmatched(ratings: Ratings, makers: Sequence[Maker], read: Edits) -> Iterator[str]:
    known = {rating_key(maker, edit) for maker in makers for edit in read.edits}
    faulty = {name for _, name in read.faulty}
    for key in ratings.ratings:
        if key not in known and key.name not in faulty:
            yield f"{key.model}/{key.dataset}/{key.name.stem}"


def _of_no_edit(pictures: Sequence[str], keys: Sequence[str]) -> Iterator[str]:
    """Says what belongs to no edit, and what it would have to be called."""
    if pictures:
        yield f"{count_of(len(pictures), 'picture')} of no edit ({first_few(pictures)}); names are IMAGE_edit_QUERY.png"
    if keys:
        count = count_of(len(keys), "cache entry", "cache entries")
        yield f"{count} of no edit ({first_few(keys)}); keys are IMAGE_QUERY"
