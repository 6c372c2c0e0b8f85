"""Where the media of a manifest may be, and how they are read from there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.media.types import MediaError, MediaLimits, MediaReason
from grader.media.uri import find_uri, read_uri

_MAX_FILE_BYTES = 1024 * 1024 * 1024


@dataclass(frozen=True)
class MediaFolders:
    """Where a manifest's media may be: its own folder, and others that were allowed."""

    own: Path
    others: tuple[Path, ...]

    def find(self, field: str, uri: str) -> Path:
        """Raises ``ValueError`` where the path is not one to a regular file in one of them."""
        try:
            return find_uri(self._checked(field, uri), (self.own, *self.others))
        except MediaError as error:
            raise self._wrong(field, uri, error) from error

    def read(self, field: str, uri: str, max_bytes: int | None) -> bytes:
        """Reads a file of at most so many bytes, or 1 GiB; raises ``ValueError`` as `find` does, and for more."""
        try:
            limits = MediaLimits(max_bytes=max_bytes or _MAX_FILE_BYTES)
            return read_uri(self._checked(field, uri), (self.own, *self.others), limits)
        except MediaError as error:
            raise self._wrong(field, uri, error) from error

    @staticmethod
    def _checked(field: str, uri: str) -> str:
        if "://" in uri or PurePosixPath(uri).is_absolute() or not uri:
            raise ValueError(f"{field}: {uri!r} is not a path relative to the manifest's folder")
        return f"./{uri}"  # a colon in it is part of a name

    def _wrong(self, field: str, uri: str, error: MediaError) -> ValueError:
        if error.reason is MediaReason.URI_NOT_FOUND:
            return ValueError(f"{field}: there is no file {uri!r} below {self.own.resolve()}")
        if error.reason is MediaReason.URI_OUTSIDE_ROOT:
            return ValueError(
                f"{field}: {uri!r} leads out of the manifest's folder {self.own.resolve()}; where that is meant, allow "
                "the folder that it leads to with --media-root"
            )
        return ValueError(f"{field}: {error}")
