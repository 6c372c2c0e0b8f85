"""What this program can grade and takes, as ListTasks says it."""

from __future__ import annotations

from grader import convert
from grader.settings import ServerSettings
from grader.v1 import service_pb2


def make_catalogue(settings: ServerSettings) -> service_pb2.ListTasksResponse:
    """Says what this server can do, for ListTasks."""
    from grader import __version__
    from grader.profiles import list_profiles
    from grader.tasks import list_tasks

    limits = settings.media_limits
    return service_pb2.ListTasksResponse(
        tasks=[convert.task_to_proto(task) for task in list_tasks()],
        limits=service_pb2.Limits(
            max_message_bytes=settings.max_message_bytes,
            max_media_bytes=limits.max_bytes,
            max_pixels=limits.max_pixels,
            max_side_px=limits.max_side_px,
            formats=limits.formats,
            video_formats=limits.video_formats,
            max_frames=limits.max_frames,
            max_duration_s=limits.max_duration_s,
            max_frame_pixels=limits.max_frame_pixels,
        ),
        profiles=[
            service_pb2.ProfileInfo(name=profile.name, description=profile.description, digest=profile.digest)
            for profile in list_profiles()
        ],
        grader_version=__version__,
    )
