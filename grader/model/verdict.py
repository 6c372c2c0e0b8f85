"""What is said of a candidate: plain, immutable data without pixels and without protobuf."""

from __future__ import annotations

import base64
import enum
import html
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from grader.model.observations import Observation
from grader.model.places import Place


class Outcome(enum.Enum):
    """The end that a graded candidate came to."""

    PASS = "PASS"
    FAIL = "FAIL"
    UNGRADABLE = "UNGRADABLE"
    MEASURED = "MEASURED"


@dataclass(frozen=True)
class Reason:
    """One cause of a FAIL or of an UNGRADABLE: a stable UPPER_SNAKE code, a sentence, and the places."""

    code: str
    message: str
    places: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Note:
    """A harmless finding worth knowing: a stable UPPER_SNAKE code and a sentence."""

    code: str
    message: str


@dataclass(frozen=True)
class Metric:
    """One measure: a finite value, or ``None`` and the reason why there is none.

    Raises
    ------
    ValueError
        If the value is not finite, or if both or neither of value and reason are given.
    """

    name: str
    value: float | None
    unavailable_reason: str = ""

    def __post_init__(self) -> None:
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"metric {self.name} is {self.value}; a metric is finite or not available")
        if (self.value is None) != bool(self.unavailable_reason):
            raise ValueError(f"metric {self.name} needs either a value or a reason why it is not available")


@dataclass(frozen=True)
class Bend:
    """Smooth local displacements of a candidate beyond its affine map.

    Attributes
    ----------
    rows, columns : the puzzle's picture is divided into so many equal tiles
    offsets_px : x and y in puzzle pixels for each tile, row by row: what belongs at the tile's middle p is drawn at
        p + offset; between the middles it is interpolated by cubics
    """

    rows: int
    columns: int
    offsets_px: tuple[float, ...]

    @property
    def largest_px(self) -> float:
        """The length of the largest offset."""
        return max(math.hypot(x, y) for x, y in zip(self.offsets_px[::2], self.offsets_px[1::2], strict=True))


@dataclass(frozen=True)
class Alignment:
    """How a candidate was brought into its puzzle's frame.

    Attributes
    ----------
    candidate_size : (width, height) of the upright candidate in pixels
    scale : puzzle pixels per candidate pixel, (across, down)
    shift_px : displacement (x, y) of the drawing against where a plain resize would put it, in puzzle pixels
    rotation_rad : counter-clockwise turn that was undone
    matrix : 6 numbers, two rows of three, mapping candidate (x, y, 1) to puzzle (x, y); pixel (0, 0) covers 0 to 1
    method : NONE, RESIZED, LETTERBOXED, SHIFTED, WARPED or FAILED
    quality : agreement with the puzzle's structure, -1 to 1
    covered : share of the puzzle's picture that the candidate covers, 0 to 1
    bend : what is displaced locally, or None
    """

    candidate_size: tuple[int, int]
    scale: tuple[float, float]
    shift_px: tuple[float, float]
    rotation_rad: float
    matrix: tuple[float, float, float, float, float, float]
    method: str
    quality: float
    covered: float
    bend: Bend | None = None

    @property
    def mean_scale(self) -> float:
        """Puzzle pixels per candidate pixel, along a side of a square."""
        return math.sqrt(self.scale[0] * self.scale[1])


@dataclass(frozen=True)
class MeasuredWith:
    """What a measure of a verdict was computed with; versions are among those of libraries.

    Attributes
    ----------
    measure : such as ``lpips_alex``
    device : ``cpu``, ``cuda`` or ``cuda:1``
    weights_sha256 : of the network's weights, hex
    """

    measure: str
    device: str
    weights_sha256: str


@dataclass(frozen=True)
class Provenance:
    """What made a verdict.

    Attributes
    ----------
    grader_version : of this program
    profile, profile_digest : name and SHA-256, hex
    input_sha256 : of each input, hex, by the path of its field in the request
    library_versions : of the libraries that decoded and measured
    measured_with : what LPIPS was computed with, one for each network that was used
    box_detector : what found boxes in pictures, as it names itself; empty where nothing did
    """

    grader_version: str
    profile: str
    profile_digest: str
    input_sha256: Mapping[str, str] = field(default_factory=dict)
    library_versions: Mapping[str, str] = field(default_factory=dict)
    measured_with: tuple[MeasuredWith, ...] = ()
    box_detector: str = ""


@dataclass(frozen=True)
class Overlay:
    """What shows a verdict: an encoded PNG; of words, in its place, the words as HTML with what was read marked."""

    png: bytes = field(default=b"", repr=False)
    width_px: int = 0
    height_px: int = 0
    html: str = field(default="", repr=False)

    def _repr_png_(self) -> bytes | None:
        """Shows itself in a notebook."""
        return self.png or None


@dataclass(frozen=True)
class MarkedWords(Overlay):
    """The overlay of words: ``html``, and no PNG."""

    def _repr_html_(self) -> str:
        """Shows itself in a notebook."""
        return self.html


@dataclass(frozen=True)
class AnnotatedVideo:
    """An encoded MP4 that shows on every frame what was seen."""

    mp4: bytes = field(repr=False)
    width_px: int
    height_px: int
    frames_per_s: float

    def _repr_html_(self) -> str:
        """Plays itself in a notebook."""
        data = base64.b64encode(self.mp4).decode("ascii")
        return f'<video controls loop width="{self.width_px}" src="data:video/mp4;base64,{data}"></video>'


@dataclass(frozen=True)
class ClipFacts:
    """A clip as it decoded.

    Attributes
    ----------
    size : (width, height) of a frame in pixels, turned upright
    decoded_frames : frames that decoded
    declared_frames : frames that the container claims; None where it claims none
    duration_s : from the first to the end of the last frame that decoded
    codec : such as h264
    truncated : whether frames are missing that the file should have
    damaged_frames : frames that decoded with faults
    """

    size: tuple[int, int]
    decoded_frames: int
    declared_frames: int | None
    duration_s: float
    codec: str
    truncated: bool
    damaged_frames: int


@dataclass(frozen=True)
class Verdict:
    """A judgement with everything that it rests on. See docs/contract.md for the meaning of each part.

    Raises
    ------
    ValueError
        If the parts contradict each other: a FAIL or UNGRADABLE without a reason, a PASS with one, an UNGRADABLE with
        a score, or a score or reward outside [0, 1].
    """

    outcome: Outcome
    score: float | None
    reward: float | None
    metrics: tuple[Metric, ...]
    reasons: tuple[Reason, ...]
    observation: Observation | None
    alignment: Alignment | None
    provenance: Provenance
    notes: tuple[Note, ...] = ()
    overlay: Overlay | None = None
    clip: ClipFacts | None = None
    annotated_video: AnnotatedVideo | None = None

    def __post_init__(self) -> None:
        needs_reason = self.outcome in (Outcome.FAIL, Outcome.UNGRADABLE)
        if needs_reason != bool(self.reasons):
            raise ValueError(f"a verdict of {self.outcome.value} came with {len(self.reasons)} reasons")
        if self.outcome is Outcome.UNGRADABLE and self.score is not None:
            raise ValueError("an UNGRADABLE verdict has no score")
        for name, number in (("score", self.score), ("reward", self.reward)):
            if number is not None and not 0.0 <= number <= 1.0:
                raise ValueError(f"{name} is {number}, outside [0, 1]")

    def __str__(self) -> str:
        numbers = "".join(
            f", {name} {number:.4g}"
            for name, number in (("score", self.score), ("reward", self.reward))
            if number is not None
        )
        return f"{self.outcome.value}{numbers}" + "".join(f"\n  {one.code}: {one.message}" for one in self.reasons)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the reasons, gravest first; empty on PASS."""
        return tuple(reason.code for reason in self.reasons)

    def metric(self, name: str) -> float | None:
        """Returns the value of a metric, or None where it is not available, as all are of an UNGRADABLE candidate.

        Raises
        ------
        KeyError
            If the task has no metric of this name, or it was not asked for; the message lists those that there are.
        """
        if self.outcome is Outcome.UNGRADABLE:
            return None
        for metric in self.metrics:
            if metric.name == name:
                return metric.value
        known = ", ".join(metric.name for metric in self.metrics)
        raise KeyError(f"this verdict has no metric {name!r}; it has: {known or 'none'}")

    def to_dict(self) -> dict[str, Any]:
        """Returns the verdict as what JSON knows, under the names of its attributes.

        Pictures and clips are left out. What is not known is absent.
        """
        made: dict[str, Any] = _plain(self)
        return made

    def _repr_html_(self) -> str:
        """Shows itself in a notebook: outcome, reasons, metrics, and the overlay where it was asked for."""
        lines = [f"<b>{html.escape(line)}</b><br>" for line in str(self).splitlines()[:1]]
        lines += [f"<code>{html.escape(one.code)}</code> {html.escape(one.message)}<br>" for one in self.reasons]
        cells = "".join(
            f"<tr><td>{html.escape(one.name)}</td>"
            f"<td>{html.escape(one.unavailable_reason) if one.value is None else format(one.value, '.4g')}</td></tr>"
            for one in self.metrics
        )
        lines.append(f"<table>{cells}</table>")
        if self.overlay is not None:
            data = base64.b64encode(self.overlay.png).decode("ascii")
            lines.append(f'<img alt="overlay" style="max-width: 100%" src="data:image/png;base64,{data}">')
        return "\n".join(lines)


def _plain(value: Any) -> Any:
    """A value as objects, lists, texts and numbers; bytes and what is None are left out."""
    if isinstance(value, enum.Enum):
        return value.value
    if is_dataclass(value):
        return _plain({one.name: getattr(value, one.name) for one in fields(value)})
    if isinstance(value, Mapping):
        kept = {
            name: one
            for name, one in value.items()
            if one is not None and not isinstance(one, Overlay | AnnotatedVideo)
        }
        return {str(name): _plain(one) for name, one in kept.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value
