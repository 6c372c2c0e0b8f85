"""What the demo writes to look at: a run for the report, a contact sheet, and one candidate beside its overlay."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from google.protobuf import json_format
from PIL import Image, ImageDraw, ImageFont, UnidentifiedImageError

from grader.runs.folder import RunFolder, RunIdentity
from grader.runs.manifest import load_manifest
from grader.v1 import service_pb2
from grader.wire.media import media_of

_INK = (30, 30, 35)
_GREY = (120, 120, 125)
_COLORS = {"PASS": (0, 120, 85), "FAIL": (190, 70, 0)}
_TILE, _GAP, _CAPTION = 210, 12, 42
_COLUMNS = 5


@dataclass(frozen=True)
class Row:
    """One answer: what the table shows of it, its overlay as PNG (empty where there is none), and all of it.

    ``candidate_path`` is where the candidate is, below the demo's folder.
    """

    request_id: str
    candidate_path: str
    outcome: str
    score: float | None
    reward: float | None
    code: str
    message: str
    overlay: bytes
    answer: service_pb2.GradeBatchResponse

    @property
    def score_text(self) -> str:
        """The score, or a dash."""
        return "-" if self.score is None else f"{self.score:.3f}"

    @property
    def reward_text(self) -> str:
        """The reward, or a dash."""
        return "-" if self.reward is None else f"{self.reward:.3f}"


def write_run(folder: Path, requests: Sequence[service_pb2.GradeRequest], rows: Sequence[Row]) -> Path:
    """Writes what was graded as a run folder, as ``grader grade`` does, so that reports read it; gives its path.

    Media of the requests are named by the files that hold the same bytes; those that no file holds get one.
    """
    files = {_digest(path.read_bytes()): path for path in sorted(folder.rglob("*")) if path.is_file()}
    made = folder / "media"
    made.mkdir()
    lines = []
    for request in requests:
        named = service_pb2.GradeRequest()
        named.CopyFrom(request)
        for _, media in media_of(named):
            digest = _digest(media.data)
            if digest not in files:
                files[digest] = made / f"{digest[:16]}.png"
                files[digest].write_bytes(media.data)
            media.uri = files[digest].relative_to(folder).as_posix()
        lines.append(json_format.MessageToJson(named, indent=None))
    path = folder / "requests.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    manifest = load_manifest(path)
    with RunFolder(folder / "run", manifest, RunIdentity(manifest.digest, "", "", "")) as run:
        for index, row in enumerate(rows):
            run.add(index, row.answer)
        run.finish()
    return folder / "run"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_contact_sheet(folder: Path, rows: list[Row]) -> None:
    """Writes ``contact_sheet.png``: small pictures of all candidates and overlays, with outcome and reason."""
    width, height = 2 * _TILE + _GAP, _TILE + _CAPTION + _GAP
    lines = -(-len(rows) // _COLUMNS)
    sheet = Image.new("RGB", (_COLUMNS * (width + _GAP) + _GAP, lines * height + _GAP), "white")
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(14)
    for place, row in enumerate(rows):
        left = _GAP + (place % _COLUMNS) * (width + _GAP)
        top = _GAP + (place // _COLUMNS) * height
        draw.text((left, top), row.request_id, fill=_INK, font=font)
        color = _COLORS.get(row.outcome, _GREY)
        draw.text((left, top + 18), f"{row.outcome}  {row.code}", fill=color, font=font)
        for offset, picture in ((0, _open(folder / row.candidate_path)), (_TILE + _GAP, _decoded(row.overlay))):
            if picture is not None:
                picture.thumbnail((_TILE, _TILE), Image.Resampling.LANCZOS)
                sheet.paste(picture, (left + offset, top + _CAPTION))
    sheet.save(folder / "contact_sheet.png")


def write_side_by_side(folder: Path, row: Row, target: Path, width_px: int = 560) -> None:
    """Writes one candidate beside its overlay, both of one width, as a PNG of 128 colours."""
    pictures = [picture for picture in (_open(folder / row.candidate_path), _decoded(row.overlay)) if picture]
    scaled = [
        picture.resize((width_px, round(picture.height * width_px / picture.width)), Image.Resampling.LANCZOS)
        for picture in pictures
    ]
    size = (len(scaled) * (width_px + _GAP) - _GAP, max(picture.height for picture in scaled))
    sheet = Image.new("RGB", size, "white")
    for place, picture in enumerate(scaled):
        sheet.paste(picture, (place * (width_px + _GAP), 0))
    sheet.quantize(128, dither=Image.Dither.NONE).save(target, optimize=True)


def _open(path: Path) -> Image.Image | None:
    return _decoded(path.read_bytes())


def _decoded(data: bytes) -> Image.Image | None:
    """The picture, or None where there is none or it is broken, as one candidate is on purpose."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            return picture.convert("RGB")
    except (UnidentifiedImageError, OSError):
        return None
