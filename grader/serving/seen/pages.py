"""The port for operators: metrics, and whether the server lives and is ready, over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Page = Callable[[], tuple[int, str, bytes]]
"""Gives the HTTP status, the type and the content of a page."""

_TIMEOUT_S = 10.0


def page_of(good: bool, text: str) -> tuple[int, str, bytes]:
    """A page that is one word, for probes."""
    status = HTTPStatus.OK if good else HTTPStatus.SERVICE_UNAVAILABLE
    return status, "text/plain; charset=utf-8", f"{text}\n".encode()


class Pages:
    """Serves a few pages by a thread of its own.

    Parameters
    ----------
    host : str
        Address to listen on.
    port : int
        Port; 0 for any free one.
    pages : dict
        Pages by their path.

    Attributes
    ----------
    port : int
        The port that it listens on.

    Raises
    ------
    OSError
        If it can't listen there.
    """

    def __init__(self, host: str, port: int, pages: dict[str, Page]) -> None:
        class Handler(BaseHTTPRequestHandler):
            timeout = _TIMEOUT_S

            def do_GET(self) -> None:
                page = pages.get(self.path.partition("?")[0])
                status, kind, content = page_of(False, "no such page") if page is None else page()
                self.send_response(HTTPStatus.NOT_FOUND if page is None else status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                """Logs nothing."""

        self._server = ThreadingHTTPServer((host, port), Handler)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, name="grader-pages", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
