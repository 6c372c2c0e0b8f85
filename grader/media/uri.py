"""Files below allowed roots. Import ``read_uri`` and ``find_uri`` from ``grader.media.pictures``."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from urllib.parse import unquote

from grader.media.types import DEFAULT_LIMITS, MediaError, MediaLimits, MediaReason

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FILE_URI = re.compile(r"file://(?:localhost)?(/.*)", re.IGNORECASE | re.DOTALL)
_OPEN_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: a fifo that takes the file's place between the check and the opening must not hold the worker.
_OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def read_uri(uri: str, roots: tuple[Path, ...], limits: MediaLimits = DEFAULT_LIMITS) -> bytes:
    """Read a regular file below one of the allowed roots.

    Links and ``..`` are followed first and only the place where they end is judged: it must lie below one of the roots.
    The file is then opened from that root downwards, one folder at a time and through no link, so that nothing that is
    swapped in between leads outside.

    Parameters
    ----------
    uri : str
        A relative path, looked for below each root in turn; an absolute path; or ``file:///path``, percent-encoded.
    roots : tuple of Path
        The folders that the operator allowed; none by default.
    limits : MediaLimits
        ``max_bytes`` is checked before and while the file is read.

    Returns
    -------
    bytes
        The file, of at most ``limits.max_bytes`` bytes.

    Raises
    ------
    MediaError
        URI_NOT_ALLOWED (no roots, or a scheme other than file), URI_MALFORMED, URI_OUTSIDE_ROOT, URI_NOT_FOUND,
        URI_NOT_A_FILE, URI_UNREADABLE or TOO_MANY_BYTES.
    """
    if not roots:
        raise MediaError(
            MediaReason.URI_NOT_ALLOWED,
            "this server reads no files; send the picture's bytes, or ask the operator to allow a root",
        )
    for base, parts in _places(uri, roots):
        try:
            return _read_below(base, parts, uri, limits)
        except FileNotFoundError:
            continue
        except NotADirectoryError:
            continue
        except OSError as error:
            # ELOOP, ENXIO: a link or a fifo took the file's place after the check.
            reason = (
                MediaReason.URI_NOT_A_FILE if error.errno in (errno.ELOOP, errno.ENXIO) else MediaReason.URI_UNREADABLE
            )
            raise MediaError(reason, f"{uri!r} can't be read: {error.strerror}") from error
    raise _not_found(uri)


def find_uri(uri: str, roots: tuple[Path, ...]) -> Path:
    """Where the file of a URI is, judged as `read_uri` does, though it is not opened.

    Raises
    ------
    MediaError
        URI_NOT_ALLOWED, URI_MALFORMED, URI_OUTSIDE_ROOT, URI_NOT_FOUND or URI_NOT_A_FILE.
    """
    for base, parts in _places(uri, roots):
        place = base.joinpath(*parts)
        try:
            mode = place.lstat().st_mode
        except OSError:
            continue
        if not stat.S_ISREG(mode):
            raise _not_a_file(uri, mode)
        return place
    raise _not_found(uri)


def _places(uri: str, roots: tuple[Path, ...]) -> list[tuple[Path, tuple[str, ...]]]:
    """Where a URI's file may be: roots, each with the way down from there; links were followed."""
    path = _path_of(uri)
    real_roots = [Path(os.path.realpath(root)) for root in roots]
    inside: list[tuple[Path, tuple[str, ...]]] = []
    for root in real_roots:
        place = Path(os.path.realpath(root / path))
        inside += [(base, place.relative_to(base).parts) for base in real_roots if place.is_relative_to(base)][:1]
    if not inside:
        raise MediaError(
            MediaReason.URI_OUTSIDE_ROOT, f"{uri!r} leads outside the allowed roots; name a file below one of them"
        )
    return inside


def _not_found(uri: str) -> MediaError:
    return MediaError(MediaReason.URI_NOT_FOUND, f"there is no file {uri!r} below the allowed roots; check the path")


def _path_of(uri: str) -> str:
    """Take a path from a URI, as the operating system will see it."""
    if scheme := _SCHEME.match(uri):
        if scheme[0].lower() != "file:":
            raise MediaError(
                MediaReason.URI_NOT_ALLOWED,
                f"{uri!r} has the scheme {scheme[0]!r}; only paths and file:/// URIs are read (write ./ before a "
                "relative path with a colon), or send the picture's bytes",
            )
        file_uri = _FILE_URI.fullmatch(uri)
        if file_uri is None:
            raise MediaError(MediaReason.URI_MALFORMED, f"{uri!r} names a host or no path; write file:///absolute/path")
        path = unquote(file_uri[1], errors="surrogateescape")
    else:
        path = uri
    try:
        encodable = bool(os.fsencode(path))
    except UnicodeEncodeError:
        encodable = False
    if not encodable or "\0" in path:
        raise MediaError(
            MediaReason.URI_MALFORMED, f"{uri!r} is empty or has characters that no path has; check the path"
        )
    return path


def _read_below(base: Path, parts: tuple[str, ...], uri: str, limits: MediaLimits) -> bytes:
    if not parts:
        raise _not_a_file(uri, stat.S_IFDIR)
    # The operator's own root may be reached through links; everything below it may not.
    folder = os.open(base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            below = os.open(part, _OPEN_DIRECTORY, dir_fd=folder)
            os.close(folder)
            folder = below
        # Opening a device can have effects, so its kind is looked at first, and again once it is open.
        seen = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False)
        if not stat.S_ISREG(seen.st_mode):
            raise _not_a_file(uri, seen.st_mode)
        file = os.open(parts[-1], _OPEN_FILE, dir_fd=folder)
    finally:
        os.close(folder)
    with os.fdopen(file, "rb") as stream:
        opened = os.fstat(stream.fileno())
        if not stat.S_ISREG(opened.st_mode):
            raise _not_a_file(uri, opened.st_mode)
        limits.check_bytes(opened.st_size)
        data = stream.read(limits.max_bytes + 1)
    limits.check_bytes(len(data))
    return data


def _not_a_file(uri: str, mode: int) -> MediaError:
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a fifo",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
        stat.S_IFSOCK: "a socket",
        stat.S_IFLNK: "a link",
    }
    kind = kinds.get(stat.S_IFMT(mode), "something else")
    return MediaError(MediaReason.URI_NOT_A_FILE, f"{uri!r} is {kind}; name a regular file")
