"""Starts the gRPC server with settings from the environment. ``grader serve`` does the same with options."""

from __future__ import annotations

import sys

from grader.serving.pool.warm import warm_workers

if __name__ == "__main__":
    warm_workers()  # it imports while this process does

from calibration.service.servicer import calibration_services
from grader.model.errors import GraderError
from grader.serving.server import serve
from grader.serving.settings import load_settings


def main() -> int:
    """Serves until it is told to end; gives the exit code."""
    try:
        settings = load_settings()
        serve(settings, beside=calibration_services(settings))
    except GraderError as error:
        print(f"server: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
