"""Bearer tokens: a file with a name, the SHA-256 of a token and its roles a line, read anew when it changes.

Tokens are long and drawn at random, so that a plain digest tells nothing of them; the file holds no secret.
"""

from __future__ import annotations

import enum
import hashlib
import hmac
import logging
import re
import threading
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import GraderError

logger = logging.getLogger(__name__)

_LINE = re.compile(r"(?P<name>[A-Za-z0-9._@-]{1,64})\s+(?P<digest>[0-9a-fA-F]{64})(?P<roles>(\s+[a-z]+)*)")
_MAX_TOKEN_CHARS = 512


class TokenRole(enum.Enum):
    """What a caller may do. All may ask what can be graded."""

    GRADE = "grade"
    """Have candidates graded."""
    CALIBRATE = "calibrate"
    """Fit to people, and see how thresholds were fitted: who rated, how many, where the threshold lies."""


ALL_ROLES = frozenset(TokenRole)


@dataclass(frozen=True)
class TokenOwner:
    """Whose a token is, and what it may do."""

    name: str
    roles: frozenset[TokenRole] = ALL_ROLES


class TokenFileError(GraderError):
    """A file of tokens that can't be used; the message names file and line, and no token."""


def read_tokens(path: Path) -> dict[bytes, TokenOwner]:
    """Owners of tokens by their SHA-256. Empty lines and those that start with # are passed over.

    Raises
    ------
    TokenFileError
        If it can't be read, a line is none, or there is no token in it.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise TokenFileError(f"the file of tokens {path} can't be read: {error}") from error
    found: dict[bytes, TokenOwner] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        said = _LINE.fullmatch(line.strip())
        if said is None:
            raise TokenFileError(
                f"{path}:{number}: a line has a name and the SHA-256 of a token in hex, and perhaps roles; see "
                "docs/operations.md"
            )
        try:
            roles = frozenset(map(TokenRole, said["roles"].split()))
        except ValueError:
            known = " and ".join(role.value for role in TokenRole)
            raise TokenFileError(f"{path}:{number}: there is no such role; roles are {known}") from None
        found[bytes.fromhex(said["digest"])] = TokenOwner(said["name"], roles or ALL_ROLES)
    if not found:
        raise TokenFileError(f"{path} holds no token, so that nobody could call")
    return found


class TokenFile:
    """Knows the tokens of a file. A changed file is read when the next caller comes; a bad one keeps the old tokens.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    TokenFileError
        If it is no good.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._stamp = self._look()
        self._owners = read_tokens(path)

    def owner_of(self, token: str) -> TokenOwner | None:
        """Whose token this is; ``None`` for one that is not known. All are compared, each in constant time."""
        self._reload()
        digest = hashlib.sha256(token[:_MAX_TOKEN_CHARS].encode()).digest()
        found = None
        for known, owner in self._owners.items():
            if hmac.compare_digest(known, digest):
                found = owner
        return found

    def _look(self) -> tuple[int, int]:
        try:
            seen = self._path.stat()
        except OSError:
            return (0, 0)
        return (seen.st_mtime_ns, seen.st_ino)

    def _reload(self) -> None:
        with self._lock:
            stamp = self._look()
            if stamp == self._stamp:
                return
            self._stamp = stamp
            try:
                self._owners = read_tokens(self._path)
            except TokenFileError as error:
                logger.error("the changed tokens can't be used, the old ones stay: %s", error)
            else:
                logger.info("new tokens are in use")
