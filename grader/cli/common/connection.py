"""Options of commands that talk to a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.model.errors import GraderError

if TYPE_CHECKING:
    import grpc

    from grader.client import GraderClient

TlsCa = Annotated[Path | None, typer.Option(help="PEM file with the CA of the server; turns TLS on.")]
TlsCert = Annotated[Path | None, typer.Option(help="PEM file with this client's certificate (mTLS).")]
TlsKey = Annotated[Path | None, typer.Option(help="PEM file with this client's private key (mTLS).")]

_ASK_TIMEOUT_S = 10.0


def credentials(ca: Path | None, cert: Path | None, key: Path | None) -> grpc.ChannelCredentials | None:
    """What TLS needs, from the options; None for plain text. GraderError where they don't fit together."""
    if (cert is None) != (key is None):
        raise GraderError("--tls-cert and --tls-key need each other")
    if ca is None:
        if cert is not None:
            raise GraderError("--tls-cert needs --tls-ca")
        return None
    import grpc

    return grpc.ssl_channel_credentials(
        ca.read_bytes(), None if key is None else key.read_bytes(), None if cert is None else cert.read_bytes()
    )


def check_address(server: str | None) -> None:
    """Refuses an address without a port, for which gRPC would take that of the web."""
    if server is not None and not server.startswith("unix:") and not server.rpartition(":")[2].isdecimal():
        raise GraderError(f"--server {server!r} is no HOST:PORT, such as localhost:50051")


def connect(server: str, ca: Path | None, cert: Path | None, key: Path | None) -> GraderClient:
    """A client for a short question."""
    from grader.client import GraderClient

    check_address(server)
    return GraderClient(server, timeout_s=_ASK_TIMEOUT_S, credentials=credentials(ca, cert, key))
