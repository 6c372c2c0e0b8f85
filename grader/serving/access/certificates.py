"""The server's certificate: read, checked for validity and fit, and read anew when its files change."""

from __future__ import annotations

import logging
import re
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import grpc

from grader.model.errors import GraderError

logger = logging.getLogger(__name__)

_PEM = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
_SEQUENCE = 0x30
_TIME_FORMATS = {0x17: "%y%m%d%H%M%SZ", 0x18: "%Y%m%d%H%M%SZ"}


class CertificateError(GraderError):
    """TLS files that can't be used; the message says which and why."""


@dataclass(frozen=True)
class Validity:
    """From when to when a certificate is valid."""

    begins: datetime
    ends: datetime


def _values(der: bytes) -> Iterator[tuple[int, bytes]]:
    """Tag and content of each value in the content of a DER sequence."""
    at = 0
    while at + 2 <= len(der):
        tag, size, body = der[at], der[at + 1], at + 2
        if size & 0x80:
            body += size & 0x7F
            size = int.from_bytes(der[at + 2 : body], "big")
        yield tag, der[body : body + size]
        at = body + size


def validity_of(der: bytes) -> Validity:
    """Reads when a certificate is valid; raises ValueError where it is none. Source: RFC 5280, 4.1."""
    (_, certificate), *_ = _values(der)
    (_, signed), *_ = _values(certificate)
    parts = [content for tag, content in _values(signed) if tag == _SEQUENCE]
    # Of the sequences the first names the algorithm, the second the issuer, the third is the validity.
    begins, ends = (
        datetime.strptime(content.decode("ascii"), _TIME_FORMATS[tag]).replace(tzinfo=UTC)
        for tag, content in _values(parts[2])
    )
    return Validity(begins, ends)


def _validities(path: Path) -> list[Validity]:
    try:
        blocks = _PEM.findall(path.read_text(encoding="ascii", errors="replace"))
        found = [validity_of(ssl.PEM_cert_to_DER_cert(block)) for block in blocks]
    except (ValueError, IndexError, KeyError) as error:
        raise CertificateError(f"{path} holds what is no certificate") from error
    if not found:
        raise CertificateError(f"{path} holds no certificate")
    return found


def _why_not_valid(validity: Validity, now: datetime) -> str | None:
    if now >= validity.ends:
        return f"ended on {validity.ends:%Y-%m-%d %H:%M} UTC"
    if now < validity.begins:
        return f"begins on {validity.begins:%Y-%m-%d %H:%M} UTC only"
    return None


class CertificateFiles:
    """The server's certificate, read anew when its files change; a bad new one keeps the old one.

    Parameters
    ----------
    cert, key : Path
        PEM files with the chain and the private key.
    client_ca : Path, optional
        PEM file with the CAs of clients.
    """

    def __init__(self, cert: Path, key: Path, client_ca: Path | None) -> None:
        self._cert, self._key, self._client_ca = cert, key, client_ca
        self._lock = threading.Lock()
        self._stamp = self._look()
        self._ends: datetime | None = None

    @property
    def ends(self) -> datetime | None:
        """When the first of the chain in use ends; ``None`` before one was read."""
        return self._ends

    def _look(self) -> tuple[int, ...]:
        files = [path for path in (self._cert, self._key, self._client_ca) if path is not None]
        return tuple(path.stat().st_mtime_ns for path in files)

    def read(self) -> grpc.ServerCertificateConfiguration:
        """Reads and checks the files; raises `CertificateError` where they are no good."""
        try:
            return self._read()
        except OSError as error:  # of which ssl.SSLError is one
            raise CertificateError(f"{self._cert}, {self._key}: {error}") from error

    def _read(self) -> grpc.ServerCertificateConfiguration:
        check = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        check.load_cert_chain(self._cert, self._key)
        chain, now = _validities(self._cert), datetime.now(UTC)
        for validity in chain:
            if why := _why_not_valid(validity, now):
                raise CertificateError(f"the certificate in {self._cert} is not valid: it {why}")
        if self._client_ca is not None:
            check.load_verify_locations(self._client_ca)
            wrong = [_why_not_valid(validity, now) for validity in _validities(self._client_ca)]
            if all(wrong):
                raise CertificateError(f"no CA in {self._client_ca} is valid: it {wrong[0]}")
        made = grpc.ssl_server_certificate_configuration(
            [(self._key.read_bytes(), self._cert.read_bytes())],
            None if self._client_ca is None else self._client_ca.read_bytes(),
        )
        self._ends = min(validity.ends for validity in chain)
        return made

    def changed(self) -> grpc.ServerCertificateConfiguration | None:
        """The new certificate, or ``None`` for staying with the old one. gRPC asks before each handshake."""
        with self._lock:
            try:
                stamp = self._look()
                if stamp == self._stamp:
                    return None
                self._stamp = stamp
                read = self.read()
            except (OSError, CertificateError) as error:
                logger.error("the changed TLS files can't be used, the old ones stay: %s", error)
                return None
            logger.info("new TLS files are in use")
            return read
