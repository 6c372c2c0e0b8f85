"""What this program can grade and takes, as ListTasks says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from grader.v1 import service_pb2

if TYPE_CHECKING:
    from grader.lpips.nets import LpipsNet
    from grader.lpips.sharing.states import NetState
    from grader.profiles.calibrated import FittedCalibration
    from grader.profiles.profile import ProfileSet
    from grader.serving.settings import ServerSettings


def engine_info(profiles: ProfileSet | None = None) -> service_pb2.ListTasksResponse:
    """Says what the engine of this process can do: its tasks and profiles, by default the package's own.

    It imports all that grades. So in a server a worker says it, and the process that answers calls stays small.
    """
    from grader import __version__
    from grader.contract.verdicts import task_to_proto
    from grader.profiles.reading import package_profiles
    from grader.tasks.registry import list_tasks

    return service_pb2.ListTasksResponse(
        tasks=[task_to_proto(task) for task in list_tasks()],
        profiles=[
            service_pb2.ProfileInfo(
                name=profile.name,
                description=profile.description,
                digest=profile.digest,
                task_digests={task.name: profile.digest_of(task) for task in list_tasks()},
                calibration=None if profile.calibration is None else _calibration(profile.calibration),
            )
            for profile in profiles or package_profiles()
        ],
        grader_version=__version__,
    )


def engine_bytes(profiles: ProfileSet | None = None) -> bytes:
    """The same, serialized; what a worker says of itself when it is ready."""
    return bytes(engine_info(profiles).SerializeToString())


def make_catalogue(
    settings: ServerSettings, engine: service_pb2.ListTasksResponse | None = None
) -> service_pb2.ListTasksResponse:
    """Says what this server can do, for ListTasks; of measures, what can be said before one is tried.

    ``engine`` is what a worker says of its engine; without it, that of this process is asked.
    """
    if engine is None:
        from grader.profiles.reading import load_profiles

        engine = engine_info(load_profiles(settings.profiles))
    limits = settings.media_limits
    made = service_pb2.ListTasksResponse()
    made.CopyFrom(engine)
    made.limits.CopyFrom(
        service_pb2.Limits(
            max_message_bytes=settings.max_message_bytes,
            max_media_bytes=limits.max_bytes,
            max_pixels=limits.max_pixels,
            max_side_px=limits.max_side_px,
            formats=limits.formats,
            video_formats=limits.video_formats,
            max_frames=limits.max_frames,
            max_duration_s=limits.max_duration_s,
            max_frame_pixels=limits.max_frame_pixels,
            kept_media_bytes=settings.kept_media_bytes,
            max_calibration_candidates=settings.calibration_max_candidates if settings.max_calibrations else 0,
        )
    )
    made.measures.extend(
        service_pb2.MeasureInfo(
            name=name, available=why is None, unavailable_reason=why or "", device=settings.lpips_device
        )
        for name, why in measures_missing().items()
    )
    return made


def _calibration(fitted: FittedCalibration) -> service_pb2.Calibration:
    done = fitted.agreement
    return service_pb2.Calibration(
        number=fitted.number,
        threshold=fitted.threshold * fitted.scale,
        rule=fitted.rule,
        tasks=sorted(fitted.tasks),
        grader_version=fitted.fitted_to.grader_version,
        fitted_profile=fitted.fitted_to.profile,
        labels_digest=fitted.labels.digest,
        question=fitted.labels.question,
        raters=fitted.labels.raters,
        labels=fitted.labels.labels,
        candidates=fitted.labels.candidates,
        split_share=fitted.split.share,
        split_seed=fitted.split.seed,
        wrong=done.wrong,
        false_passes=done.false_passes,
        right=done.right,
        false_fails=done.false_fails,
        bound=done.bound,
        bound_level=done.level,
        accuracy=done.accuracy,
        people_percent=done.people_percent,
        people_ac1=done.people_ac1,
    )


def measures_missing() -> dict[str, str | None]:
    """Measures that need something installed: for each, why it can't be taken and what to do; None where it can."""
    from grader.lpips.availability import NETS, why_unavailable
    from grader.lpips.places import WeightPlaces

    places = WeightPlaces.from_environment()
    return {similarity.value: why_unavailable(net, places) for similarity, net in NETS.items()}


def say_missing(measures: Iterable[service_pb2.MeasureInfo]) -> str:
    """One sentence on all measures that can't be taken; empty where all can.

    Examples
    --------
    >>> names = ("lpips_alex", "lpips_vgg")
    >>> say_missing([service_pb2.MeasureInfo(name=name, unavailable_reason="install it") for name in names])
    "lpips_alex and lpips_vgg can't be measured here: install it"
    """
    by_reason: dict[str, list[str]] = {}
    for measure in measures:
        if not measure.available:
            by_reason.setdefault(measure.unavailable_reason, []).append(measure.name)
    return "; ".join(
        f"{' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))} can't be measured here: {reason}"
        for reason, names in by_reason.items()
    )


def measure_infos(states: Mapping[LpipsNet, NetState], device: str) -> list[service_pb2.MeasureInfo]:
    """How the measures stand that need something installed, for ListTasks."""
    from grader.lpips.availability import NETS
    from grader.lpips.sharing.states import NetStatus

    infos = []
    for similarity, net in NETS.items():
        state = states[net]
        fails = state.status in (NetStatus.UNAVAILABLE, NetStatus.FAILING)
        infos.append(
            service_pb2.MeasureInfo(
                name=similarity.value,
                available=not fails,
                unavailable_reason=state.text if fails else "",
                device=device,
                self_check="" if fails else state.text,
            )
        )
    return infos
