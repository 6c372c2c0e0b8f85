"""Who calls: the name under which a caller gets its share, and stands in logs and metrics."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

import grpc

from grader.serving.access.tokens import ALL_ROLES, TokenFile, TokenOwner, TokenRole

_MAX_NAME_CHARS = 80
_BEARER = "bearer "


@dataclass(frozen=True)
class Caller:
    """Who calls, and what the call brings along.

    Attributes
    ----------
    client : the name under which it gets its share
    roles : what it may do
    trace_id : what it sent as x-request-id; empty where nothing
    parents : the headers of its trace; see `grader.serving.seen.calls.TRACE_HEADERS`
    """

    client: str
    roles: frozenset[TokenRole] = ALL_ROLES
    trace_id: str = ""
    parents: Mapping[str, str] = field(default_factory=dict)


class TokenRefusedError(Exception):
    """The caller has no token, or none that is known."""


class Callers:
    """Tells callers apart, and refuses those that may not call.

    Parameters
    ----------
    tokens : TokenFile, optional
        The tokens that are taken; without it nobody is asked for one.
    """

    def __init__(self, tokens: TokenFile | None = None) -> None:
        self._tokens = tokens

    def caller(self, context: grpc.ServicerContext) -> Caller:
        """Who calls: the name is of its token, its certificate, or where it calls from.

        Raises
        ------
        TokenRefusedError
            If it needs a token.
        """
        if self._tokens is not None:
            owner = self._by_token(self._tokens, context)
            return Caller(f"token:{owner.name}", owner.roles)
        found = context.auth_context().get("x509_common_name") or context.peer_identities()
        if found:
            return Caller(f"cert:{_plain(bytes(next(iter(found))).decode('utf-8', 'replace'))}")
        return Caller(f"peer:{peer_name(context.peer())}")

    def _by_token(self, tokens: TokenFile, context: grpc.ServicerContext) -> TokenOwner:
        given = metadata_of(context, "authorization")
        owner = tokens.owner_of(given[len(_BEARER) :].strip()) if given[: len(_BEARER)].lower() == _BEARER else None
        if owner is None:
            raise TokenRefusedError
        return owner


def metadata_of(context: grpc.ServicerContext, key: str) -> str:
    """What a call's metadata says under a key in lower case; empty where it does not."""
    entries: Iterable[tuple[str, str | bytes]] = context.invocation_metadata() or ()
    found = next((value for name, value in entries if name == key), "")
    return found if isinstance(found, str) else ""


def _plain(name: str) -> str:
    return "".join(mark if mark.isprintable() else "_" for mark in name[:_MAX_NAME_CHARS])


def peer_name(peer: str) -> str:
    """A caller by where it calls from: a machine, or on this machine a connection.

    Examples
    --------
    >>> peer_name("ipv4:10.0.0.7:50123"), peer_name("ipv6:%5B::1%5D:50123"), peer_name("unix:")
    ('10.0.0.7', '[::1]:50123', 'unix:')
    """
    kind, _, rest = unquote(peer).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return _plain(peer)
    host, _, _ = rest.rpartition(":")
    try:
        here = ipaddress.ip_address(host.strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        here = False
    return _plain(rest if here else host)
