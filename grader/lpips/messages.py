"""What workers, the server and the process that measures LPIPS say to each other: bytes, and never pickles.

A worker decodes what strangers send. So what comes from it is read as numbers of known places and sizes.
"""

from __future__ import annotations

import enum
import json
import struct
from dataclasses import asdict, dataclass

from grader.lpips.availability import LpipsSource
from grader.lpips.nets import LpipsNet, working_bytes

_HEADER = struct.Struct("<BBII")  # net, whether there is a mask, height, width
_NETS = tuple(LpipsNet)
_CHANNELS = 3
HEADER_BYTES = _HEADER.size


class MessageError(Exception):
    """Bytes that are no message."""


@dataclass(frozen=True)
class PairHeader:
    """What is asked for, without the pictures.

    Attributes
    ----------
    net : the network
    height_px, width_px : of both pictures
    masked : whether a mask follows them
    """

    net: LpipsNet
    height_px: int
    width_px: int
    masked: bool

    @property
    def working_bytes(self) -> int:
        """About what it takes to measure it."""
        return working_bytes(self.net, self.height_px * self.width_px)

    @property
    def message_bytes(self) -> int:
        """How long the whole message is."""
        return _HEADER.size + self.height_px * self.width_px * (2 * _CHANNELS + self.masked)


def write_header(net: LpipsNet, height_px: int, width_px: int, *, masked: bool) -> bytes:
    """What the message of a pair starts with; the pictures come after it, and the mask."""
    return _HEADER.pack(_NETS.index(net), masked, height_px, width_px)


def read_header(message: bytes | memoryview) -> PairHeader:
    """What a message asks for; raises `MessageError` where it is none, or its length is not what it says."""
    try:
        net, masked, height, width = _HEADER.unpack_from(message)
        header = PairHeader(_NETS[net], height, width, bool(masked))
    except (struct.error, IndexError) as error:
        raise MessageError(f"no pair of pictures: {error}") from error
    if len(message) != header.message_bytes or masked > 1:
        raise MessageError(f"{len(message)} bytes are no pair of {width} x {height} pixels")
    return header


class AnswerKind(enum.Enum):
    """How measuring a pair ended."""

    MEASURED = "MEASURED"
    """There is a value, or, where no pixel counts, none."""
    UNMEASURABLE = "UNMEASURABLE"
    """These pictures have no value; the text says why."""
    UNAVAILABLE = "UNAVAILABLE"
    """LPIPS can't be measured here; the text says why and what to do."""
    FAILED = "FAILED"
    """Something went wrong that may not go wrong again."""


@dataclass(frozen=True)
class PairAnswer:
    """What came of a pair.

    Attributes
    ----------
    kind : how it ended
    value : LPIPS, if there is one
    text : why there is none
    source : what the value was computed with; None where nothing was computed
    again_s : after FAILED, how long to wait before another try, in seconds
    """

    kind: AnswerKind
    value: float | None = None
    text: str = ""
    source: LpipsSource | None = None
    again_s: float = 0.0

    def to_bytes(self) -> bytes:
        """As JSON; a number comes back to the bit."""
        return json.dumps({**asdict(self), "kind": self.kind.value}).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> PairAnswer:
        """Reads what `to_bytes` wrote."""
        read = json.loads(data)
        source = read["source"]
        made = None if source is None else LpipsSource(**source)
        return cls(AnswerKind(read["kind"]), read["value"], read["text"], made, read["again_s"])
