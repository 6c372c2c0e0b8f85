"""Files below allowed roots, and nothing else."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from grader.media.pictures import (
    MediaError,
    MediaLimits,
    MediaReason,
    read_uri,
)


def test_uris_below_a_root_are_read(tmp_path: Path) -> None:
    root, other = tmp_path / "root", tmp_path / "other"
    (root / "a b").mkdir(parents=True)
    other.mkdir()
    (root / "a b" / "x.png").write_bytes(b"one")
    (other / "y.png").write_bytes(b"two")
    (root / "link.png").symlink_to(root / "a b" / "x.png")
    (root / "across.png").symlink_to(other / "y.png")
    roots = (root, other)
    for uri in ("a b/x.png", "./a b/../a b/x.png", str(root / "a b" / "x.png"), "link.png"):
        assert read_uri(uri, roots) == b"one"
    assert read_uri(f"file://{root}/a%20b/x.png", roots) == b"one"
    assert read_uri("y.png", roots) == read_uri("../other/y.png", roots) == read_uri("across.png", roots) == b"two"


def test_uris_that_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "folder").mkdir(parents=True)
    (tmp_path / "secret.png").write_bytes(b"secret")
    (root / "big.png").write_bytes(bytes(100))
    (root / "out.png").symlink_to(tmp_path / "secret.png")
    (root / "out").symlink_to(tmp_path)
    (root / "loop").symlink_to(root / "loop")
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "socket"))
    expected = {
        MediaReason.URI_NOT_ALLOWED: ["http://host/a.png", "data:image/png;base64,AA", "FTP://host/a.png"],
        MediaReason.URI_MALFORMED: ["", "a\0b.png", "file://host/a.png", "file:a.png", "a\ud800.png", "file:///a%00b"],
        MediaReason.URI_OUTSIDE_ROOT: ["../secret.png", "../missing", "/etc/passwd", "out.png", "out/secret.png"],
        MediaReason.URI_NOT_FOUND: ["none.png", "big.png/x", "folder/none"],
        MediaReason.URI_NOT_A_FILE: ["folder", ".", "fifo", "loop", "socket"],
        MediaReason.TOO_MANY_BYTES: ["big.png"],
        MediaReason.URI_UNREADABLE: ["x" * 300],
    }
    expected[MediaReason.URI_OUTSIDE_ROOT] += [f"file://{tmp_path}/secret.png", "file:///etc/%2e%2e/etc/passwd"]
    for reason, uris in expected.items():
        for uri in uris:
            with pytest.raises(MediaError) as caught:
                read_uri(uri, (root,), MediaLimits(max_bytes=99))
            assert caught.value.reason is reason, uri
            assert str(tmp_path) not in str(caught.value).replace(repr(uri), "")
    with pytest.raises(MediaError) as caught:
        read_uri("big.png", ())
    assert caught.value.reason is MediaReason.URI_NOT_ALLOWED
    with pytest.raises(MediaError) as caught:
        read_uri("/dev/null", (Path("/dev"),))
    assert caught.value.reason is MediaReason.URI_NOT_A_FILE
