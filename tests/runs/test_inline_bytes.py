"""Bytes in a manifest that are no base64 are the caller's fault, not the model's."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from grader.runs.manifest import ManifestError, load_manifest

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n\xff\xfe\xfd").decode()


def written(folder: Path, **request: object) -> Path:
    path = folder / "manifest.jsonl"
    path.write_text(json.dumps({"requestId": "a", "compare": {}, **request}) + "\n")
    return path


@pytest.mark.parametrize("text", ["%%%", "data:image/png;base64,iVBORw0K", "iVBO=Rw0K", "é"])
def test_it_is_refused_by_line_and_field(tmp_path: Path, text: str) -> None:
    with pytest.raises(ManifestError, match=r"manifest\.jsonl:1: image\.data: no base64") as raised:
        load_manifest(written(tmp_path, image={"data": text}))
    assert len(str(raised.value)) < 300


def test_it_is_found_wherever_it_stands(tmp_path: Path) -> None:
    frames = {"images": [{"data": PNG}, {"data": "?"}]}
    path = written(tmp_path, compare={"reference": {"sha256": "?"}}, frames=frames)
    with pytest.raises(ManifestError, match=r"compare\.reference\.sha256, frames\.images\[1\]\.data: no base64"):
        load_manifest(path)


@pytest.mark.parametrize(
    "text", ["", PNG, PNG.rstrip("="), PNG.replace("+", "-").replace("/", "_"), f"{PNG[:8]}\n{PNG[8:]}\n"]
)
def test_either_alphabet_is_taken_with_and_without_padding_and_in_lines(tmp_path: Path, text: str) -> None:
    """Texts that are no bytes, such as tags, are not looked at."""
    manifest = load_manifest(written(tmp_path, image={"data": text}, tags={"data": "%%%"}))
    wanted = base64.b64decode(PNG) if text else b""
    assert next(manifest.requests()).image.data == wanted
