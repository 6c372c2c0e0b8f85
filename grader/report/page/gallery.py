"""The pictures of a page's front: a few candidates of each way to end, and the verdicts most worth disputing."""

from __future__ import annotations

import base64
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from grader.media.pictures import MediaError, decode_image
from grader.metrics.runs.aggregates import ItemEnd
from grader.model.failure import FailureMode
from grader.report.data.disputes import Disputable, grounds, most_disputable
from grader.report.data.grouping import natural
from grader.report.data.records import Record, Results
from grader.report.page.entries import Source, address_of, message_of, outcome_of
from grader.report.page.media import candidate_of
from grader.runs.folder import OVERLAYS_NAME, overlay_name

SIDE_PX = 320
MOST_BYTES = 8 * 1024 * 1024
"""Pictures in a page, in all; what comes after has none."""

_QUALITY = 78
_MOST_WORDS = 280


@dataclass(frozen=True)
class Card:
    """A verdict in short.

    Attributes
    ----------
    address : where the page shows all of it
    title, model, outcome : what it is called, whose it is, how it ended
    numbers : score and reward, for people
    why : grounds for doubt
    code, message : its gravest reason
    picture : a data URI; empty where there is none
    clip : address of a clip, where there is no picture of it
    words : what there is instead: the end of the model's words, or why there is nothing
    """

    address: str
    title: str
    model: str
    outcome: str
    numbers: str
    why: tuple[str, ...]
    code: str
    message: str
    picture: str
    clip: str
    words: str


@dataclass(frozen=True)
class Mode:
    """A way to end: its name, whether it is a failure, a class for its colour, its meaning, counts, codes, cards."""

    name: str
    failed: bool
    kind: str
    meaning: str
    count: int
    of: int
    codes: tuple[tuple[str, int], ...]
    cards: tuple[Card, ...]


_NOT_FAILED = {
    ItemEnd.PASS: "Right answers.",
    ItemEnd.MEASURED: "Measured only: they have neither passed nor failed.",
}


class Album:
    """Makes small pictures for a page until it is full."""

    def __init__(self, results: Results, source: Source, page: Path, most_bytes: int = MOST_BYTES) -> None:
        self._results, self._source, self._page, self._room = results, source, page, most_bytes

    def card(self, record: Record) -> Card:
        """A verdict in short, with the overlay if there is one, else what the model made."""
        run = self._results.runs[record.run]
        said = (self._source.ended(record).get("verdict") or {}).get("reasons") or [{}]
        picture, clip, words = "", "", ""
        drawn = run.folder / OVERLAYS_NAME / overlay_name(record.item.request_id)
        media = candidate_of(self._source.asked(record), run.manifest.parent)
        if drawn.is_file():
            picture, words = self._picture(drawn)
        else:
            pictures = [one for one in media if one.kind == "picture"]
            clips = [one for one in media if one.kind == "clip" and one.path is not None]
            if pictures and pictures[-1].path is not None:
                picture, words = self._picture(pictures[-1].path)
            elif clips:
                clip = clips[0].address(self._page)
        if not picture and not clip:
            words = words or next((one.text for one in media if one.text), "no picture")
        return Card(
            address=address_of(record),
            title=record.item.request_id,
            model=record.model,
            outcome=outcome_of(record),
            numbers=f"score {_number(record.score)}, reward {_number(record.reward)}",
            why=tuple(ground.value for ground, _ in grounds(record)),
            code=record.codes[0] if record.codes else "",
            message=message_of(record, said[0]),
            picture=picture,
            clip=clip,
            words=words if len(words) <= _MOST_WORDS else f"... {words[-_MOST_WORDS:]}",
        )

    def _picture(self, path: Path) -> tuple[str, str]:
        """A data URI, or why there is none."""
        if self._room <= 0:
            return "", "the page has no room for more pictures; its own page has this one"
        try:
            pixels = decode_image(path.read_bytes()).pixels
        except MediaError as error:
            return "", str(error)
        image = Image.fromarray(pixels)
        image.thumbnail((2 * SIDE_PX, SIDE_PX), Image.Resampling.LANCZOS)
        stream = io.BytesIO()
        image.save(stream, "WEBP", quality=_QUALITY, method=2)
        data = stream.getvalue()
        self._room -= len(data)
        return "data:image/webp;base64," + base64.b64encode(data).decode("ascii"), ""


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def modes(records: Iterable[Record], album: Album, limit: int) -> list[Mode]:
    """The ways in which a task's candidates ended, failures first and the most frequent of them, each with examples.

    Examples are typical, not doubtful: those that nobody has a ground to dispute come first, models taking turns.

    Parameters
    ----------
    records : iterable of Record
        Those of one task.
    album : Album
    limit : int
        How many of each are shown; 0 for none.
    """
    found: defaultdict[FailureMode | ItemEnd, list[Record]] = defaultdict(list)
    for record in records:
        if record.end is not None and record.end in _NOT_FAILED:
            found[record.end].append(record)
        elif record.is_candidate:
            found[record.mode or FailureMode.UNKNOWN].append(record)
    total = sum(map(len, found.values()))
    made = []
    for end, members in sorted(found.items(), key=lambda item: (isinstance(item[0], ItemEnd), -len(item[1]))):
        codes = Counter(record.codes[0] for record in members if record.codes)
        made.append(
            Mode(
                name=end.value,
                failed=isinstance(end, FailureMode),
                kind=f"m-{end.name.lower()}" if isinstance(end, FailureMode) else end.value.lower(),
                meaning=end.meaning if isinstance(end, FailureMode) else _NOT_FAILED[end],
                count=len(members),
                of=total,
                codes=tuple(codes.most_common(4)),
                cards=tuple(album.card(record) for record in _typical(members, limit)),
            )
        )
    return made


def _typical(members: Sequence[Record], limit: int) -> list[Record]:
    """Some of those that are alike, the least doubtful first; models and codes take turns."""

    def order(record: Record) -> tuple[float, object, int]:
        return max((weight for _, weight in grounds(record)), default=0.0), natural(record.item.request_id), record.run

    turns: Counter[tuple[str, tuple[str, ...]]] = Counter()
    placed: list[tuple[int, int, Record]] = []
    for record in sorted(members, key=order):
        kind = (record.model, record.codes[:1])
        placed.append((turns[kind], len(placed), record))
        turns[kind] += 1
    return [record for _, _, record in sorted(placed, key=lambda one: one[:2])[:limit]]


def disputes(records: Iterable[Record], album: Album, limit: int) -> list[Card]:
    """Cards of the verdicts most worth disputing; see `grader.report.data.disputes.RULE`."""
    found: list[Disputable] = most_disputable(records, limit)
    return [album.card(one.record) for one in found]


def worth_disputing(results: Results) -> int:
    """How many verdicts have any ground for doubt."""
    return sum(record.end in (ItemEnd.PASS, ItemEnd.FAIL) and bool(grounds(record)) for record in results.records)
