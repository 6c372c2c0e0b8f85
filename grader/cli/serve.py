"""``grader serve``: the service, until it is told to end. Imported late where it is heavy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.common.completion import complete_device
from grader.cli.common.errors import one_line_errors
from grader.cli.common.output import epilog
from grader.cli.profiles import Profiles, check_folder

EPILOG = epilog(
    "grader serve --port 50051",
    "GRADER_WORKERS=8 grader serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem",
    "grader serve --settings",
    more="Logs are text on a terminal and JSON elsewhere; GRADER_LOG_FORMAT=text or json says which.",
    codes="Exit codes: 0 it was told to end; 1 it can't start, as where the port is taken or TLS files are no good; "
    "2 a setting is wrong.",
)


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on [default: 127.0.0.1].")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0 takes any free one and prints it [default: 50051].")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes that grade [default: one for each CPU].")] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="PEM file with the certificate chain.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="PEM file with the private key.")] = None,
    tls_client_ca: Annotated[Path | None, typer.Option(help="PEM file with the CA of the clients (mTLS).")] = None,
    box_detector: Annotated[
        str | None, typer.Option(help="HOST:PORT of a BoxDetectorService, for pictures of scenes [default: none].")
    ] = None,
    lpips_device: Annotated[
        str | None,
        typer.Option(
            help="What LPIPS is measured on: cpu, cuda, cuda:1 [default: cpu].", autocompletion=complete_device
        ),
    ] = None,
    profiles: Profiles = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Log errors only. The address is printed all the same.")
    ] = False,
    settings: Annotated[bool, typer.Option("--settings", help="List every setting, and exit.")] = False,
) -> None:
    """Serve grader.v1 over gRPC until SIGTERM or Ctrl-C.

    Every setting is also an environment variable; options win. The first line on stdout is the address.
    """
    with one_line_errors():
        if settings:
            _print_settings()
            return
        from grader.serving.pool.warm import warm_workers

        warm_workers()
        from grader.serving.settings import load_settings

        check_folder(profiles)
        loaded = load_settings(
            host=host,
            port=port,
            workers=workers,
            tls_cert=tls_cert,
            tls_key=tls_key,
            tls_client_ca=tls_client_ca,
            box_detector=box_detector,
            lpips_device=lpips_device,
            profiles=profiles,
            log_level="ERROR" if quiet else None,
        )
        from calibration.service.servicer import calibration_services
        from grader.serving import server as server_app

        server_app.serve(loaded, beside=calibration_services(loaded))


def _print_settings() -> None:
    from grader.serving.settings import describe_settings

    for name, default, meaning in describe_settings():
        print(f"{name} [{default}]\n    {meaning}")
