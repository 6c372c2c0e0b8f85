"""The server's settings: one object, read from ``GRADER_*`` environment variables and the command line."""

from __future__ import annotations

import difflib
import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from grader.model.errors import GraderError

if TYPE_CHECKING:
    from grader.media.types import MediaLimits

ENV_PREFIX = "GRADER_"
DEFAULT_MAX_MESSAGE_BYTES = 32 * 1024 * 1024
_MIB = 1024 * 1024


class SettingsError(GraderError):
    """Settings that can't be used; the message names each with what is wrong."""


OTHER_VARIABLES = ("GRADER_CACHE", "GRADER_LPIPS_WEIGHTS")
"""What else of this program is set in the environment, beside a server's settings."""
_NEAR = 0.6
# What is wrong with several settings together is said in the names by which people give them.
_CERT, _KEY = "--tls-cert (GRADER_TLS_CERT)", "--tls-key (GRADER_TLS_KEY)"
_INSECURE = "GRADER_ALLOW_INSECURE_REMOTE=true"


def _cpus() -> int:
    return os.cpu_count() or 1


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach ``host``.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class ServerSettings(BaseSettings):
    """What the server listens on, takes, and works with. Each can be set as ``GRADER_<NAME>`` in the environment."""

    model_config = SettingsConfigDict(env_prefix=ENV_PREFIX, frozen=True, extra="forbid")

    host: str = Field("127.0.0.1", min_length=1, description="Address to listen on.")
    port: int = Field(50051, ge=0, le=65535, description="Port to listen on; 0 takes any free one and prints it.")
    workers: int = Field(
        default_factory=_cpus, ge=1, le=1024, description="Processes that grade; by default one for each CPU."
    )
    queue_size: int = Field(
        64,
        ge=0,
        le=4096,
        description="Requests that may wait beside those being graded; more are refused (OVERLOADED).",
    )
    max_message_bytes: int = Field(
        DEFAULT_MAX_MESSAGE_BYTES,
        ge=1024,
        le=1024 * _MIB - 1,
        description="Largest request; a larger one is refused (MESSAGE_TOO_LARGE).",
    )
    media_max_bytes: int | None = Field(
        None, ge=1, description="Largest encoded picture. Not set: the grader's own limit."
    )
    media_max_pixels: int | None = Field(
        None, ge=1, description="Most pixels in a picture. Not set: the grader's own limit."
    )
    media_max_side_px: int | None = Field(
        None, ge=1, description="Longest side of a picture. Not set: the grader's own limit."
    )
    media_max_frames: int | None = Field(
        None, ge=1, description="Most frames in a clip. Not set: the grader's own limit."
    )
    media_max_duration_s: float | None = Field(
        None, gt=0, description="Longest clip in seconds. Not set: the grader's own limit."
    )
    media_max_frame_pixels: int | None = Field(
        None, ge=1, description="Most pixels in a frame of a clip. Not set: the grader's own limit."
    )
    media_roots: Annotated[tuple[Path, ...], NoDecode] = Field(
        (),
        description=f"Folders in which a request may name pictures by URI, joined by {os.pathsep!r}; none by default.",
    )
    profiles: Path | None = Field(
        None, description="Folder with profiles of your own, a JSON file each, beside those of the package."
    )
    request_timeout_s: float = Field(
        60.0,
        gt=0,
        le=3600,
        description="The longest that grading one request may take; where its caller names no deadline, with waiting.",
    )
    drain_s: float = Field(
        30.0, ge=0, le=3600, description="After SIGTERM, how long requests that were taken may still run."
    )
    max_batch_streams: int = Field(
        16, ge=1, le=256, description="GradeBatch calls at a time, of which one client gets a part; more are refused."
    )
    max_calibrations: int = Field(
        2, ge=0, le=64, description="Calibrate calls at a time, each with a process of its own; 0 serves none."
    )
    calibration_max_candidates: int = Field(
        10_000, ge=1, le=1_000_000, description="Most candidates of a Calibrate call (STREAM_TOO_LONG)."
    )
    calibration_timeout_s: float = Field(
        300.0, gt=0, le=3600, description="The longest that a Calibrate call may take once all of it has come."
    )
    stream_idle_s: float = Field(
        60.0, gt=0, le=86_400, description="A stream over which nothing goes for so long is ended."
    )
    spare_workers: int = Field(
        1, ge=0, le=64, description="Processes that stand ready, so that a worker that dies is replaced at once."
    )
    kept_media_bytes: int = Field(
        256 * _MIB,
        ge=0,
        description="Media of puzzles that are kept for clients that ask for it, in bytes; 0 keeps none.",
    )
    token_file: Path | None = Field(
        None, description="File with the names and SHA-256 of tokens, a line each; callers then need one of them."
    )
    metrics_port: int | None = Field(
        None, ge=0, le=65535, description="Port for /metrics, /livez and /readyz over HTTP; not set, there is none."
    )
    metrics_host: str = Field("127.0.0.1", min_length=1, description="Address that metrics are served on.")
    traces_endpoint: str = Field(
        "",
        pattern=r"^(https?://\S+)?$",
        description="URL of an OpenTelemetry collector that takes OTLP over gRPC, such as http://localhost:4317; none "
        "by default. Needs the extra traces.",
    )
    traces_share: float = Field(
        1.0, ge=0, le=1, description="Share of requests with a trace, of those whose caller has begun none."
    )
    access_log: float = Field(
        1.0,
        ge=0,
        le=1,
        description="Share of requests that get a line in the log; of those that fail by no fault of the caller, all.",
    )
    tls_cert: Path | None = Field(None, description="PEM file with the server's certificate chain; needs tls_key.")
    tls_key: Path | None = Field(None, description="PEM file with the server's private key; needs tls_cert.")
    tls_client_ca: Path | None = Field(
        None, description="PEM file with the CA that must have signed a client's certificate (mutual TLS)."
    )
    allow_insecure_remote: bool = Field(
        False,
        description="Allow a plain-text port that other machines can reach. Anyone there can use it and read along.",
    )
    box_detector: str = Field(
        "",
        description="HOST:PORT of a BoxDetectorService that finds boxes in pictures of scenes; none by default.",
    )
    lpips_device: str = Field(
        "cpu", pattern=r"^(cpu|cuda(:\d{1,2})?)$", description="What LPIPS is measured on: cpu, cuda, cuda:1."
    )
    lpips_max_batch: int = Field(
        16,
        ge=1,
        le=255,
        description="On CUDA, most pairs of pictures that LPIPS measures at once; on the CPU one.",
    )
    lpips_max_bytes: int = Field(
        4 * 1024 * _MIB,
        ge=64 * _MIB,
        description="Most memory that LPIPS may need for what it measures at a time, about; pairs over it wait, and a "
        "pair that needs more by itself is refused.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="Least level that is logged.")
    log_format: Literal["auto", "json", "text"] = Field(
        "auto",
        description="How log lines look: text for people, json for machines; auto is text on a terminal, else json. "
        "Read from the environment only.",
    )

    @field_validator("port", "metrics_port", mode="before")
    @classmethod
    def _port_of_kubernetes_is_none(cls, value: object, info: ValidationInfo) -> object:
        # For a service called grader Kubernetes sets GRADER_PORT=tcp://10.0.0.1:50051, which is not meant for this.
        if isinstance(value, str) and value.startswith(("tcp://", "udp://")) and info.field_name is not None:
            return cls.model_fields[info.field_name].default
        return value

    @field_validator("media_roots", mode="before")
    @classmethod
    def _split_roots(cls, value: object) -> object:
        return tuple(part for part in value.split(os.pathsep) if part) if isinstance(value, str) else value

    @field_validator("media_roots")
    @classmethod
    def _roots_are_folders(cls, roots: tuple[Path, ...]) -> tuple[Path, ...]:
        for root in roots:
            if not root.is_dir():
                raise ValueError(f"{root} is no folder")
        return tuple(root.resolve() for root in roots)

    @field_validator("profiles")
    @classmethod
    def _profiles_are_in_a_folder(cls, folder: Path | None) -> Path | None:
        if folder is not None and not folder.is_dir():
            raise ValueError(f"{folder} is no folder")
        return folder

    @field_validator("tls_cert", "tls_key", "tls_client_ca", "token_file")
    @classmethod
    def _tls_is_file(cls, path: Path | None) -> Path | None:
        if path is not None and not path.is_file():
            raise ValueError(f"{path} is no file")
        return path

    @model_validator(mode="after")
    def _transport_is_safe(self) -> ServerSettings:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError(f"{_CERT} and {_KEY} need each other; set both or neither")
        if self.tls_client_ca is not None and self.tls_cert is None:
            raise ValueError(f"--tls-client-ca (GRADER_TLS_CLIENT_CA) needs {_CERT} and {_KEY}")
        if self.tls_cert is None and not is_loopback(self.host) and not self.allow_insecure_remote:
            raise ValueError(
                f"host {self.host} can be reached from other machines and there is no TLS; set {_CERT} and {_KEY}, "
                f"or {_INSECURE} if the network is trusted"
            )
        detector = self.box_detector.rpartition(":")[0]
        if self.box_detector and not detector:
            raise ValueError(f"--box-detector {self.box_detector!r} is no HOST:PORT")
        if detector and not is_loopback(detector) and not self.allow_insecure_remote:
            raise ValueError(
                f"box_detector {self.box_detector} is on another machine, and pictures would go there in plain text; "
                f"set {_INSECURE} if the network is trusted"
            )
        return self

    @property
    def address(self) -> str:
        """Host and port as gRPC wants them."""
        host = f"[{self.host}]" if ":" in self.host and not self.host.startswith("[") else self.host
        return f"{host}:{self.port}"

    @property
    def media_limits(self) -> MediaLimits:
        """The limits on pictures: the grader's own, and what is set here instead."""
        from dataclasses import replace

        from grader.media.types import MediaLimits

        limits = MediaLimits()
        return replace(
            limits,
            max_bytes=self.media_max_bytes or limits.max_bytes,
            max_pixels=self.media_max_pixels or limits.max_pixels,
            max_side_px=self.media_max_side_px or limits.max_side_px,
            max_frames=self.media_max_frames or limits.max_frames,
            max_duration_s=self.media_max_duration_s or limits.max_duration_s,
            max_frame_pixels=self.media_max_frame_pixels or limits.max_frame_pixels,
        )


_BY_KUBERNETES = re.compile(r"GRADER(_\w+)?_(SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)")
"""Where a service is called grader, or grader-something, Kubernetes sets such variables in every container."""


@dataclass(frozen=True)
class UnknownVariable:
    """A variable ``GRADER_...`` of the environment that nothing reads, and the nearest of those that are read."""

    name: str
    nearest: str | None

    @property
    def text(self) -> str:
        """What is said of it."""
        return f"{self.name} is set, and there is no such setting" + (
            f"; did you mean {self.nearest}?" if self.nearest else "; `grader serve --settings` lists what there is"
        )


def unknown_variables(environment: Mapping[str, str] = os.environ) -> tuple[UnknownVariable, ...]:
    """Variables of the environment that begin as settings do, and are none; those that Kubernetes sets are let be."""
    known = {name.upper(): ENV_PREFIX + name.upper() for name in ServerSettings.model_fields}
    known |= {name.removeprefix(ENV_PREFIX): name for name in OTHER_VARIABLES}
    found = []
    for name in sorted(environment):
        # Case does not count, as in the names of settings.
        bare = name.upper().removeprefix(ENV_PREFIX)
        if not name.upper().startswith(ENV_PREFIX) or bare in known or _BY_KUBERNETES.fullmatch(name):
            continue
        near = difflib.get_close_matches(bare, known, n=1, cutoff=_NEAR)
        found.append(UnknownVariable(name, known[near[0]] if near else None))
    return tuple(found)


def load_settings(**overrides: object) -> ServerSettings:
    """Reads the environment; ``overrides`` that are not ``None`` win.

    Raises
    ------
    SettingsError
        With one line for each setting that can't be used, and for each variable that is no setting.
    """
    # A mistyped name would leave its setting as it is, such as one that asks clients for certificates.
    unknown = [variable.text for variable in unknown_variables()]
    if unknown:
        raise SettingsError("; ".join(unknown))
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return ServerSettings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        lines = []
        for wrong in error.errors():
            name = ".".join(str(part) for part in wrong["loc"])
            text = wrong["msg"].removeprefix("Value error, ")
            lines.append(f"{name} ({ENV_PREFIX}{name.upper()}): {text}" if name else text)
        raise SettingsError("; ".join(lines)) from None


def describe_settings() -> tuple[tuple[str, str, str], ...]:
    """Name in the environment, default, and meaning of each setting, for help texts and docs."""
    return tuple(
        (
            ENV_PREFIX + name.upper(),
            "" if field.is_required() else str(field.get_default(call_default_factory=True)),
            field.description or "",
        )
        for name, field in ServerSettings.model_fields.items()
    )
