"""``grader profile``: shows, compares and checks profiles. Imported late where it is heavy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grader.cli.common.completion import complete_profile, complete_task
from grader.cli.common.output import Json, Output, Quiet, epilog
from grader.model.errors import GraderError

if TYPE_CHECKING:
    from grader.profiles.profile import Profile, ProfileSet

Profiles = Annotated[
    Path | None,
    typer.Option(
        "--profiles",
        metavar="FOLDER",
        help="Folder with profiles of your own, a JSON file each [default: that of GRADER_PROFILES].",
    ),
]
_Task = Annotated[
    str | None, typer.Option(help="Only the settings of this task [default: all].", autocompletion=complete_task)
]

profile_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Show, compare and check profiles: named settings that verdicts are made by. docs/profiles.md tells more.",
)


def load(folder: Path | None) -> ProfileSet:
    """The package's profiles, and those of a folder or of the environment's."""
    from grader.profiles.reading import load_profiles, profiles_of_environment

    check_folder(folder)
    return load_profiles(folder) if folder is not None else profiles_of_environment()


def check_folder(folder: Path | None) -> None:
    """Refuses a folder that is not there by the name of its option; settings would name the environment's variable."""
    if folder is not None and not folder.is_dir():
        raise GraderError(f"--profiles: {folder} is no folder")


def _settings(profile: Profile, task: str | None) -> dict[str, Any]:
    """Settings by task and path."""
    from grader.profiles.profile import flat

    if task is not None and task not in profile.settings:
        raise GraderError(f"there is no task {task!r}; there are {', '.join(profile.settings)}")
    return {
        name: flat(settings) for name, settings in profile.settings.items() if (task is None or name == task)
    }  # fmt: skip


def _find(profiles: ProfileSet, name: str) -> Profile:
    found = profiles.find(name)
    if found is None:
        raise GraderError(f"there is no profile {name!r}; there are: {', '.join(profiles.names)}")
    return found


@profile_app.command(
    epilog=epilog("grader profile show default --task maze", "grader profile show mine --profiles my_profiles --json")
)
def show(
    name: Annotated[str, typer.Argument(help="A profile.", autocompletion=complete_profile)],
    task: _Task = None,
    profiles: Profiles = None,
    as_json: Json = False,
) -> None:
    """Print every setting of a profile, and its digests."""
    out = Output(as_json=as_json)
    with out.errors():
        from grader.tasks.registry import find_task

        profile = _find(load(profiles), name)
        settings = _settings(profile, task)
        known = {one: find_task(one) for one in settings}
        digests = {one: profile.digest_of(found) for one, found in known.items() if found is not None}
        out.line(f"{profile.name}: {profile.description}")
        fitted = None if profile.calibration is None else profile.calibration.content
        if fitted is not None:
            out.line(f"fitted to people's labels: {json.dumps(fitted)}")
        for one, values in settings.items():
            out.line(f"{one} (digest {digests[one][:12]})")
            for path, value in values.items():
                out.line(f"  {one}.{path} = {json.dumps(value)}")
        out.answer(
            {
                "name": profile.name,
                "description": profile.description,
                "settings": settings,
                "digests": digests,
                "calibration": fitted,
            }
        )


@profile_app.command(epilog=epilog("grader profile diff default gsi_real", "grader profile diff default mine"))
def diff(
    one: Annotated[str, typer.Argument(help="A profile.", autocompletion=complete_profile)],
    other: Annotated[str, typer.Argument(help="Another one.", autocompletion=complete_profile)],
    task: _Task = None,
    profiles: Profiles = None,
    as_json: Json = False,
) -> None:
    """Print the settings in which two profiles differ."""
    out = Output(as_json=as_json)
    with out.errors():
        known = load(profiles)
        first, second = (_settings(_find(known, name), task) for name in (one, other))
        differing = {
            f"{name}.{path}": (value, second[name][path])
            for name, values in first.items()
            for path, value in values.items()
            if value != second[name][path]
        }
        for path, (before, after) in differing.items():
            out.line(f"{path}: {json.dumps(before)} -> {json.dumps(after)}")
        if not differing:
            out.line(f"{one} and {other} have the same settings")
        out.answer({"one": one, "other": other, "differences": {path: list(two) for path, two in differing.items()}})


@profile_app.command(
    epilog=epilog(
        "grader profile check my_profiles/*.json",
        codes="Exit codes: 0 all are profiles; 2 one is none, and every wrong field of each is named.",
    )
)
def check(
    files: Annotated[list[Path], typer.Argument(help="JSON files.")],
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Say whether files are profiles; name every wrong field of those that are none.

    A profile that extends another one of its folder needs that beside it.
    """
    out = Output(quiet, as_json)
    with out.errors():
        from grader.profiles.reading import check_files

        checked = check_files(files)
        profiles = [one.profile for one in checked if one.profile is not None]
        for profile in profiles:
            out.line(f"{profile.name}: {profile.description}")
        wrong = [one.fault for one in checked if one.profile is None]
        if wrong:
            raise GraderError("\n".join(wrong))
        out.answer({"profiles": [{"name": one.name, "description": one.description} for one in profiles]})
