"""Manifests that an editor on Windows saved, with a byte order mark, are those that they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.runs.items import read_items
from grader.runs.manifest import ManifestError, load_manifest
from tests.runs.test_batch import write_manifest

MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize("before", [MARK, MARK + b"\r\n"])
def test_a_manifest_with_a_mark_is_read(before: bytes, tmp_path: Path) -> None:
    path = write_manifest(tmp_path, {"a": b"one", "b": b"two"})
    lines = path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(before + lines)
    manifest = load_manifest(path)
    assert [request.request_id for request in manifest.requests()] == ["a", "b"]
    assert manifest.read(0).image.data == b"one"
    assert [item.request_id for item in read_items(path)] == ["a", "b"]


def test_manifests_with_marks_may_be_put_together(tmp_path: Path) -> None:
    path = write_manifest(tmp_path, {"a": b"one", "b": b"two"})
    path.write_bytes(b"".join(MARK + line for line in path.read_bytes().splitlines(keepends=True)))
    assert len(load_manifest(path)) == 2


def test_what_is_wrong_behind_a_mark_is_told_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(MARK + b"[1]\n")
    with pytest.raises(ManifestError, match=r"is no manifest \(line 1 is no JSON object\)"):
        load_manifest(path)
    path.write_bytes(MARK + b'{"requestId": "a", "odd": 1}\n')
    with pytest.raises(ManifestError, match="there is no field 'odd'"):
        load_manifest(path)
