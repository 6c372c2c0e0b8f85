"""Serves the page of a study to this machine only, until it is told to end."""

from __future__ import annotations

import socket

import uvicorn

from calibration.labelling.app import make_app
from calibration.labelling.items import SeenItems
from calibration.labelling.store import StudyStore

HOST = "127.0.0.1"


def listen(port: int) -> socket.socket:
    """Takes a port of the loopback; 0 takes any free one.

    Raises
    ------
    OSError
        If it is taken; the error names it.
    """
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # A page that was served until just now leaves connections behind that are no reason to wait.
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((HOST, port))
        taken.listen(64)
    except OSError as error:
        taken.close()
        error.filename = f"{HOST}:{port}"
        raise
    return taken


def address_of(taken: socket.socket, token: str) -> str:
    """The address of a person's page."""
    return f"http://{HOST}:{taken.getsockname()[1]}/{token}/"


def serve_study(store: StudyStore, items: SeenItems, taken: socket.socket) -> None:
    """Serves until it is told to end; KeyboardInterrupt tells of Ctrl-C."""
    config = uvicorn.Config(
        make_app(store, items),
        lifespan="off",
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[taken])
