"""The boxes of an MP4 or QuickTime file, read before any decoder sees it.

A small file can claim billions of samples, and FFmpeg believes it when it builds its index. So the claims are checked
here, and everything that a silent clip of one video track does not need (sound, other tracks, references to other
files, pictures in metadata, compressed headers) is made invisible: its type is overwritten by ``free``, which keeps all
offsets.

Source: ISO/IEC 14496-12.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.media.costs import too_costly
from grader.media.types import MediaError, MediaLimits, MediaReason

# A clip of 1500 fragments has 4 boxes of interest in each; what has many more is no clip.
_MAX_BOXES = 50_000
# An edit list may show one piece again and again, and FFmpeg's index grows with it.
_MAX_EDITS = 256

_CODECS = {
    b"avc1": "h264",
    b"avc3": "h264",
    b"hvc1": "hevc",
    b"hev1": "hevc",
    b"vp08": "vp8",
    b"vp09": "vp9",
    b"av01": "av1",
    b"mp4v": "mpeg4",
}
# What is left visible in each kind of box. Nested kinds are walked, all others are taken as they are.
_KEPT: dict[bytes, frozenset[bytes]] = {
    b"moov": frozenset({b"mvhd", b"trak", b"mvex"}),
    b"mvex": frozenset({b"trex", b"mehd"}),
    b"trak": frozenset({b"tkhd", b"edts", b"mdia"}),
    b"edts": frozenset({b"elst"}),
    b"mdia": frozenset({b"mdhd", b"hdlr", b"minf"}),
    b"minf": frozenset({b"vmhd", b"stbl"}),
    b"stbl": frozenset(
        {b"stsd", b"stts", b"ctts", b"stsz", b"stz2", b"stsc", b"stco", b"co64", b"stss", b"sgpd", b"sbgp"}
    ),
    b"moof": frozenset({b"mfhd", b"traf"}),
    b"traf": frozenset({b"tfhd", b"tfdt", b"trun"}),
}
_TOP = frozenset({b"ftyp", b"styp", b"moov", b"moof", b"mdat"})
_MANY = frozenset({b"trak", b"trex", b"traf", b"trun", b"moof", b"mdat", b"styp", b"sgpd", b"sbgp"})


@dataclass(frozen=True)
class Mp4Outline:
    """What an MP4 says of itself.

    Attributes
    ----------
    data : the file with everything but its first decodable video track made invisible; same length
    samples : frames stored, by the sample table and all fragments
    fragmented : whether frames are listed in fragments too
    ends_early : whether a box reaches past the end of the file
    video_tracks : video tracks in the file, of which the first decodable one is kept
    """

    data: bytes
    samples: int
    fragmented: bool
    ends_early: bool
    video_tracks: int


@dataclass(frozen=True)
class _Box:
    kind: bytes
    at: int
    body: int
    end: int
    whole: bool


@dataclass
class _Walk:
    """Goes through boxes and remembers which to hide; ``seen`` bounds the work."""

    data: bytes
    seen: int = 0
    hidden: list[int] = field(default_factory=list)

    def boxes(self, start: int, end: int) -> Iterator[_Box]:
        while end - start >= 8:
            self.seen += 1
            if self.seen > _MAX_BOXES:
                raise too_costly(f"the MP4 has more than {_MAX_BOXES} boxes")
            size, kind = self.number(start, 4), self.data[start + 4 : start + 8]
            body = start + 8
            if size == 1:
                size, body = self.number(start + 8, 8), start + 16
            elif size == 0:
                size = end - start
            if size < body - start:
                return
            yield _Box(kind, start, body, min(start + size, end), start + size <= end)
            start += size

    def children(self, box: _Box) -> list[_Box]:
        """Children of a box that are left visible; the others, and second ones of a kind, are hidden."""
        return self.visible(self.boxes(box.body, box.end), _KEPT[box.kind])

    def visible(self, boxes: Iterator[_Box], kept: frozenset[bytes]) -> list[_Box]:
        found: list[_Box] = []
        kinds: set[bytes] = set()
        for box in boxes:
            if box.kind in kept and (box.kind in _MANY or box.kind not in kinds):
                kinds.add(box.kind)
                found.append(box)
            else:
                self.hide(box)
        return found

    def hide(self, box: _Box) -> None:
        self.hidden.append(box.at + 4)

    def number(self, at: int, size: int) -> int:
        """A big-endian number; 0 where the file ends before it."""
        return int.from_bytes(self.data[at : at + size].ljust(size, b"\0"), "big")

    def only(self, boxes: list[_Box], kind: bytes) -> _Box | None:
        return next((box for box in boxes if box.kind == kind), None)


@dataclass(frozen=True)
class _Track:
    track_id: int
    is_video: bool
    codec: bytes
    width_px: int
    height_px: int
    samples: int
    edits: int


def _broken(what: str) -> MediaError:
    return MediaError(MediaReason.UNDECODABLE, f"the MP4 is broken or cut off ({what}); send it whole")


def outline_mp4(data: bytes, limits: MediaLimits) -> Mp4Outline:
    """Read the boxes of an MP4; no frame is decoded.

    Parameters
    ----------
    data : bytes
        The file.
    limits : MediaLimits
        Frames and their size are checked as the boxes state them.

    Returns
    -------
    Mp4Outline

    Raises
    ------
    MediaError
        UNDECODABLE without an index, NO_FRAMES without a video track or frames, FORMAT_NOT_ALLOWED for a video in
        another codec, TOO_MANY_FRAMES, SIDE_TOO_LONG, TOO_MANY_PIXELS, TOO_COSTLY.
    """
    walk = _Walk(data)
    top = walk.visible(walk.boxes(0, len(data)), _TOP)
    moov = walk.only(top, b"moov")
    if moov is None:
        raise _broken("it has no index, which often stands at its end")
    if not moov.whole:
        raise _broken("its index is cut off")
    parts = walk.children(moov)
    tracks = [(box, _track(walk, box)) for box in parts if box.kind == b"trak"]
    videos = [track for _, track in tracks if track.is_video]
    if not videos:
        raise MediaError(MediaReason.NO_FRAMES, "the MP4 has no video track; send a clip with pictures")
    kept = next((track for track in videos if track.codec in _CODECS), None)
    if kept is None:
        name = videos[0].codec.decode("ascii", "replace").strip()
        raise MediaError(
            MediaReason.FORMAT_NOT_ALLOWED,
            f"the MP4's video is coded as {name!r}; send H.264, HEVC, VP8, VP9, AV1 or MPEG-4",
        )
    for box, track in tracks:
        if track is not kept:
            walk.hide(box)
    mvex = walk.only(parts, b"mvex")
    if mvex is not None:
        walk.children(mvex)
    limits.check_frame_size(kept.width_px, kept.height_px)
    fragments = [box for box in top if box.kind == b"moof"]
    samples = kept.samples + sum(_fragment_samples(walk, box, kept.track_id) for box in fragments)
    limits.check_frames(samples)
    if samples == 0:
        raise MediaError(MediaReason.NO_FRAMES, "the MP4 lists no frames; send a clip with pictures")
    if kept.edits > _MAX_EDITS:
        raise too_costly(f"the MP4's edit list has {kept.edits} entries, at most {_MAX_EDITS} are read")
    early = any(not box.whole for box in top)
    return Mp4Outline(_without(data, walk.hidden), samples, bool(fragments), early, len(videos))


def _track(walk: _Walk, box: _Box) -> _Track:
    parts = walk.children(box)
    head, media, edits = (walk.only(parts, kind) for kind in (b"tkhd", b"mdia", b"edts"))
    track_id = 0
    if head is not None:
        track_id = walk.number(head.body + (20 if walk.data[head.body : head.body + 1] == b"\1" else 12), 4)
    inner = [] if media is None else walk.children(media)
    handler, information = walk.only(inner, b"hdlr"), walk.only(inner, b"minf")
    is_video = handler is not None and walk.data[handler.body + 8 : handler.body + 12] == b"vide"
    table = None if information is None else walk.only(walk.children(information), b"stbl")
    tables = [] if table is None else walk.children(table)
    description = walk.only(tables, b"stsd")
    codec, width, height = b"", 0, 0
    if description is not None:
        entry = description.body + 8
        codec = walk.data[entry + 4 : entry + 8]
        width, height = walk.number(entry + 32, 2), walk.number(entry + 34, 2)
    samples = max(
        (walk.number(sizes.body + 8, 4) for sizes in tables if sizes.kind in (b"stsz", b"stz2")),
        default=0,
    )
    edit_list = None if edits is None else walk.only(walk.children(edits), b"elst")
    count = 0 if edit_list is None else walk.number(edit_list.body + 4, 4)
    return _Track(track_id, is_video, codec, width, height, samples, count)


def _fragment_samples(walk: _Walk, fragment: _Box, track_id: int) -> int:
    """Frames that a fragment lists for one track; the parts of other tracks are hidden."""
    samples = 0
    for part in walk.children(fragment):
        if part.kind != b"traf":
            continue
        inner = walk.children(part)
        head = walk.only(inner, b"tfhd")
        if head is None or walk.number(head.body + 4, 4) != track_id:
            walk.hide(part)
            continue
        samples += sum(walk.number(run.body + 4, 4) for run in inner if run.kind == b"trun")
    return samples


def _without(data: bytes, hidden: list[int]) -> bytes:
    if not hidden:
        return data
    changed = bytearray(data)
    for at in hidden:
        changed[at : at + 4] = b"free"
    return bytes(changed)
