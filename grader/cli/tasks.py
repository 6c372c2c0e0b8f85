"""``grader tasks``: what can be graded, here or by a server. Imported late where it is heavy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.common.completion import complete_task
from grader.cli.common.connection import TlsCa, TlsCert, TlsKey, connect
from grader.cli.common.output import Json, Output, epilog
from grader.cli.profiles import Profiles, check_folder
from grader.model.errors import GraderError

if TYPE_CHECKING:
    from grader.v1 import service_pb2

EPILOG = epilog(
    "grader tasks",
    "grader tasks maze",
    "grader tasks --server localhost:50051 --json",
    codes="Exit codes: 0 all is well; 1 no server answers; 2 there is no such task, or options are wrong.",
)


def tasks(
    task: Annotated[
        list[str] | None, typer.Argument(help="Only these [default: all].", autocompletion=complete_task)
    ] = None,
    server: Annotated[str | None, typer.Option(help="HOST:PORT of a server; without it, of this machine.")] = None,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    profiles: Profiles = None,
    as_json: Json = False,
) -> None:
    """List what can be graded, with metrics, reasons, profiles, and what is missing for it."""
    out = Output(as_json=as_json)
    with out.errors():
        if server is None:
            from grader.serving.catalogue import make_catalogue
            from grader.serving.settings import load_settings

            check_folder(profiles)
            offered = make_catalogue(load_settings(profiles=profiles))
        else:
            with connect(server, tls_ca, tls_cert, tls_key) as client:
                offered = client.list_tasks()
        _keep(offered, task or [])
        if as_json:
            from google.protobuf import json_format

            out.answer(json_format.MessageToDict(offered, always_print_fields_with_no_presence=True))
        else:
            _print(offered)


def _fitted(one: service_pb2.Calibration) -> str:
    """What was fitted, in a line."""
    bound = f", of all wrong at most {100 * one.bound:.1f} %" if one.HasField("bound") else ""
    return (
        f"{one.number} at least {one.threshold:g} ({one.rule}) on {', '.join(one.tasks)}; "
        f"labels {one.labels_digest[:12]} of {one.candidates} candidates; of the part that judges "
        f"{one.false_passes} of {one.wrong} wrong ones pass{bound}, {one.false_fails} of {one.right} right ones fail"
    )


def _keep(offered: service_pb2.ListTasksResponse, names: list[str]) -> None:
    known = [one.name for one in offered.tasks]
    strange = [name for name in names if name not in known]
    if strange:
        raise GraderError(f"there is no task {strange[0]!r}; there are {', '.join(known)}")
    if names:
        kept = [one for one in offered.tasks if one.name in names]
        del offered.tasks[:]
        offered.tasks.extend(kept)


def _print(offered: service_pb2.ListTasksResponse) -> None:
    from grader.serving.catalogue import say_missing

    for task in offered.tasks:
        print(f"{task.name}: {task.description}")
        for metric in task.metrics:
            better = "higher" if metric.higher_is_better else "lower"
            bounds = f"{metric.lower_bound:g} to {metric.upper_bound:g}"
            asked = ", on request" if metric.on_request else ""
            print(f"  metric {metric.name} [{metric.unit}, {bounds}, {better} is better{asked}]: {metric.description}")
        for reason in task.reasons:
            print(f"  reason {reason.code}: {reason.description}")
    for profile in offered.profiles:
        print(f"profile {profile.name} ({profile.digest[:12]}): {profile.description}")
        if profile.HasField("calibration"):
            print(f"  fitted: {_fitted(profile.calibration)}")
    missing = say_missing(offered.measures)
    if missing:
        print(missing)
