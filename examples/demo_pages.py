"""What the demo writes to look at: an HTML index, a contact sheet, and one candidate beside its overlay."""

from __future__ import annotations

import html
import io
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, UnidentifiedImageError

from grader.v1 import service_pb2

_INK = (30, 30, 35)
_GREY = (120, 120, 125)
_COLORS = {"PASS": (0, 120, 85), "FAIL": (190, 70, 0)}
_TILE, _GAP, _CAPTION = 210, 12, 42
_COLUMNS = 5


@dataclass(frozen=True)
class Row:
    """One answer: what the table shows of it, its overlay as PNG (empty where there is none), and all of it.

    Of an edit also what was asked for, and where the picture before is, below the demo's folder.
    """

    request_id: str
    outcome: str
    score: float | None
    reward: float | None
    code: str
    message: str
    overlay: bytes
    answer: service_pb2.GradeBatchResponse
    asked: str = ""
    before_path: str = ""

    @property
    def candidate_path(self) -> str:
        """Where the candidate is, below the demo's folder."""
        return f"outputs/{self.request_id}"

    @property
    def overlay_path(self) -> str:
        """Where its overlay goes; two candidates of a puzzle never differ in the suffix alone."""
        return f"overlays/{Path(self.request_id).with_suffix('.png').as_posix()}"

    @property
    def score_text(self) -> str:
        """The score, or a dash."""
        return "-" if self.score is None else f"{self.score:.3f}"

    @property
    def reward_text(self) -> str:
        """The reward, or a dash."""
        return "-" if self.reward is None else f"{self.reward:.3f}"


_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #1e1e23; background: #fff }
section { display: flex; gap: 1rem; align-items: flex-start; border-top: 1px solid #ddd; padding: 1rem 0 }
img, video { min-width: 0; max-width: 100%; max-height: 24rem; border: 1px solid #ddd }
pre { white-space: pre-wrap; flex: 0 1 30rem }
section > div { flex: 0 0 16rem } .PASS { color: #007855 } .FAIL { color: #be4600 } code { overflow-wrap: anywhere }
"""


def write_index(folder: Path, rows: list[Row]) -> None:
    """Writes ``index.html``: each candidate with its verdict and its overlay. No script, no address outside."""
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>visual-grader demo</title>",
        f"<style>{_STYLE}</style><h1>visual-grader demo</h1>",
        "<p>Each candidate, its verdict, and its overlay; of edits the picture before them comes first.</p>",
    ]
    for row in rows:
        facts = f"score {row.score_text}, reward {row.reward_text}"
        why = f"<br><code>{html.escape(row.code)}</code><br>{html.escape(row.message)}" if row.code else ""
        asked = f"<br>{html.escape(row.asked)}" if row.asked else ""
        before = _picture("before", row.before_path) if row.before_path else ""
        overlay = _picture("overlay", row.overlay_path) if row.overlay else ""
        parts.append(
            f"<section><div><b>{html.escape(row.request_id)}</b>{asked}<br><b class='{row.outcome}'>{row.outcome}</b>"
            f"<br>{facts}{why}</div>{before}{_shown(folder, row)}{overlay}</section>"
        )
    (folder / "index.html").write_text("\n".join(parts) + "</html>\n", encoding="utf-8")


def _shown(folder: Path, row: Row) -> str:
    """The candidate: a picture, a clip with controls, or words."""
    path = html.escape(row.candidate_path)
    if row.candidate_path.endswith(".mp4"):
        return f"<video controls muted loop preload='metadata' src='{path}'></video>"
    if row.candidate_path.endswith(".txt"):
        words = (folder / row.candidate_path).read_text(encoding="utf-8")
        return f"<pre>{html.escape(words)}</pre>"
    return _picture("candidate", row.candidate_path)


def _picture(what: str, path: str) -> str:
    return f"<img loading='lazy' alt='{what}' src='{html.escape(path)}'>"


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
