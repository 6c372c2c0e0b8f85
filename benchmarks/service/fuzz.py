"""Damaged media, requests and manifests, for a time: ``python -m benchmarks.service.fuzz --seconds 60``.

Each input is a whole one that was changed by a seed: bits, numbers, pieces cut out, doubled, exchanged. What comes of
it has to be a result or an error that is documented; a crash, a hang, or any other exception is a finding, whose input
is kept in ``build/fuzz``. Inputs are tried in a process of its own, so that a crash of a library is one too.
Requests of all tasks are changed field by field as well (``messages``): what is well-formed and yet makes no sense.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import json
import multiprocessing
import multiprocessing.connection
import random
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from google.protobuf import json_format
from google.rpc import code_pb2
from PIL import Image

from benchmarks.service.all_tasks import all_tasks
from benchmarks.service.messages import changed
from benchmarks.service.running import ROOT, cpu_s
from benchmarks.service.samples import bad_requests, good_requests
from grader.media.clips.video import open_video
from grader.media.encoding import encode_mp4
from grader.media.pictures import MediaError, MediaLimits, decode_image, decode_labels, decode_mask
from grader.model.errors import GraderError
from grader.output.progress import progress_of
from grader.runs.manifest import load_manifest
from grader.serving.work import Grading, default_spec
from grader.v1 import service_pb2

KEPT = ROOT / "build" / "fuzz"
_SIDE = 320
"""Of pictures in requests, in pixels: mazes of ten cells can be read."""
HANG_S = 30.0
"""An input that takes more of the processor's time is a finding..."""
_LONGEST_S = 300.0
"""...or of any, on a machine that does other things too, or does not tell."""
_LIMITS = MediaLimits(max_pixels=4_000_000, max_side_px=4096, max_frame_pixels=1_000_000, max_frames=200)
_TASK_ENDS = frozenset(
    {code_pb2.OK, code_pb2.INVALID_ARGUMENT, code_pb2.FAILED_PRECONDITION, code_pb2.RESOURCE_EXHAUSTED}
)

Target = Callable[[bytes], str]
"""Takes an input and says how it ended; raises where that is none of the documented ends."""


@dataclass
class Findings:
    """What came of a target: how inputs ended, by number, and what must not be."""

    ends: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def mutated(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    """A copy with some changes."""
    made = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at = draw.randrange(len(made) + 1)
        size = min(draw.choice((1, 2, 4, 8, 64, 1024)), len(made))
        match draw.randrange(8):
            case 0 if made:
                made[draw.randrange(len(made))] ^= 1 << draw.randrange(8)
            case 1:
                made[at : at + size] = draw.randbytes(size)
            case 2:
                del made[at : at + size]
            case 3:
                made[at:at] = made[at : at + size] * draw.choice((1, 3, 50))
            case 4:
                number = draw.choice((0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF))
                made[at : at + 4] = number.to_bytes(4, draw.choice(("big", "little")))
            case 5:
                del made[at:]
            case 6:
                other = draw.choice(others)
                begin = draw.randrange(len(other) + 1)
                made[at : at + size] = other[begin : begin + size]
            case _:
                to = draw.randrange(len(made) + 1)
                made[to:to] = made[at : at + size]
        if not made:
            break
    return bytes(made)


def _pictures() -> Iterator[bytes]:
    rows, columns = np.mgrid[0:48, 0:64]
    picture = np.stack([rows * 5, columns * 4, (rows + columns) * 2], axis=-1).astype(np.uint8)
    image = Image.fromarray(picture)
    for form, options in (
        ("PNG", {}),
        ("PNG", {"interlace": 1}),
        ("JPEG", {"quality": 80}),
        ("JPEG", {"progressive": True}),
        ("WEBP", {"lossless": True}),
        ("WEBP", {"quality": 60}),
        ("AVIF", {}),
        ("GIF", {}),
    ):
        for mode in ("RGB", "L", "RGBA", "P"):
            stream = io.BytesIO()
            with contextlib.suppress(OSError):
                image.convert(mode).save(stream, form, **options)
                yield stream.getvalue()
    for form in ("GIF", "WEBP", "PNG"):
        stream = io.BytesIO()
        image.save(stream, form, save_all=True, append_images=[Image.fromarray(255 - picture)] * 3)
        yield stream.getvalue()


def _clips() -> Iterator[bytes]:
    frames = [np.full((48, 64, 3), 20 * number, np.uint8) for number in range(6)]
    yield encode_mp4(frames, 6.0)
    import av

    stream = io.BytesIO()
    with av.open(stream, "w", format="webm") as container:
        video = container.add_stream("libvpx-vp9", rate=6)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        for frame in frames:
            container.mux(video.encode(av.VideoFrame.from_ndarray(frame, format="rgb24")))
        container.mux(video.encode(None))
    yield stream.getvalue()


def decode_media(data: bytes) -> str:
    """Decodes as everything that it may be meant as."""
    ends = []
    for decode in (decode_image, decode_mask, decode_labels):
        try:
            decode(data, _LIMITS)
            ends.append("OK")
        except MediaError as error:
            ends.append(error.reason.value)
    try:
        with open_video(data, _LIMITS) as clip:
            for _ in clip.frames():
                pass
        ends.append("OK")
    except MediaError as error:
        ends.append(error.reason.value)
    return "OK" if "OK" in ends else ends[0]


class GradeRequests:
    """Grades a serialized request, with the real engine."""

    def __init__(self) -> None:
        self._grading = Grading(default_spec(_LIMITS, log_level="CRITICAL"))

    def __call__(self, data: bytes) -> str:
        """Says the outcome or the reason of the status."""
        answer = service_pb2.GradeBatchResponse.FromString(self._grading.answer(data))
        if answer.status.code not in _TASK_ENDS:
            raise RuntimeError(f"ended {answer.status.reason}: {answer.status.message}")
        if answer.ByteSize() > 4 * 1024 * 1024:
            raise RuntimeError(f"the answer has {answer.ByteSize()} bytes")
        return "verdict" if not answer.status.code else str(answer.status.reason)


def read_manifest(data: bytes) -> str:
    """Checks a manifest, and reads every item of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "manifest.jsonl"
        path.write_bytes(data)
        (path.parent / "a.png").write_bytes(b"picture")
        try:
            manifest = load_manifest(path)
            for index in range(len(manifest)):
                manifest.read(index, 1_000_000)
        except GraderError as error:
            return type(error).__name__
        return "OK"


def _manifests() -> Iterator[bytes]:
    requests: list[str] = []
    for request in good_requests(64).values():
        request.request_id = f"r{len(requests)}"
        request.image.uri = "a.png"
        requests.append(json_format.MessageToJson(request, indent=None))
    yield "\n".join(requests[:3]).encode()
    yield "\n".join(requests[4:6]).encode() + b"\n"
    yield json.dumps({"requestId": "x", "image": {"uri": "../a.png"}, "tags": {"a": "b"}}).encode()


def seeds_of(name: str) -> list[bytes]:
    """Whole inputs of a target."""
    match name:
        case "media":
            return [*_pictures(), *_clips()]
        case "requests":
            made = [*good_requests(_SIDE).values(), *bad_requests(_SIDE).values()]
            for request in made:
                request.request_id = "fuzzed"
            return [request.SerializeToString() for request in made]
        case "tasks":
            with tempfile.TemporaryDirectory() as folder:
                made = list(all_tasks(Path(folder)).values())
            for number, request in enumerate(made):
                request.request_id, request.options.overlay = "fuzzed", number % 2 == 0
            return [request.SerializeToString() for request in made]
        case _:
            return list(_manifests())


TARGETS: dict[str, Callable[[], Target]] = {
    "media": lambda: decode_media,
    "requests": GradeRequests,
    "tasks": GradeRequests,
    "manifests": lambda: read_manifest,
}


def changed_request(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    """A serialized request with some fields changed; now and then with pictures of another one."""
    request = service_pb2.GradeRequest.FromString(data)
    pictures = functools.partial(_other_picture, others=others, draw=draw)
    changed(request, draw, pictures, draw.choice((1, 1, 1, 2, 4)))
    return bytes(request.SerializeToString())


def _other_picture(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    """Bytes of a media changed, of none, of a picture of a pixel, or of another request's candidate."""
    match draw.randrange(4):
        case 0:
            return mutated(data, [data], draw)
        case 1:
            return draw.choice((b"", b"x", _pixel()))
        case _:
            other = service_pb2.GradeRequest.FromString(draw.choice(others))
            return bytes(other.image.data or other.video.data or data)


@functools.cache
def _pixel() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (1, 1)).save(stream, "PNG")
    return stream.getvalue()


def _try_inputs(pipe: multiprocessing.connection.Connection, name: str) -> None:
    """Runs in the process of its own: tries what comes, and says how it ended."""
    target = TARGETS[name]()
    # Numbers that leave their range are a finding, even where nothing comes of them yet.
    warnings.simplefilter("error", RuntimeWarning)
    pipe.send(("", ""))
    with contextlib.suppress(EOFError):
        while True:
            data = pipe.recv_bytes()
            try:
                pipe.send((target(data), ""))
            except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
                pipe.send(("", traceback.format_exc(limit=-4)))


class Tried:
    """A process that tries inputs of a target, and another one where it dies."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._start()

    def _start(self) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self._process = context.Process(target=_try_inputs, args=(theirs, self._name), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe.recv()

    def ends(self, data: bytes) -> tuple[str, str]:
        """How an input ends, and what is wrong with that."""
        begun, used = time.monotonic(), cpu_s(self._process.pid)
        self._pipe.send_bytes(data)
        try:
            while not self._pipe.poll(1.0):
                if cpu_s(self._process.pid) - used > HANG_S or time.monotonic() - begun > _LONGEST_S:
                    break
            else:
                end: tuple[str, str] = self._pipe.recv()
                return end
            wrong = f"it hangs for more than {HANG_S:g} s"
        except (EOFError, ConnectionResetError):
            self._process.join(5)
            wrong = f"the process died: {self._process.exitcode}"
        self.close()
        self._start()
        return "", wrong

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def fuzz(name: str, seed: int, seconds: float, inputs: int | None = None, kept: Path = KEPT) -> Findings:
    """Tries changed inputs of a target, for a time or until so many were tried."""
    draw, seeds, findings = random.Random(f"{seed} {name}"), seeds_of(name), Findings()
    change = changed_request if name == "tasks" else mutated
    tried = Tried(name)
    end = time.monotonic() + seconds
    try:
        with progress_of(f"fuzz {name}", None, "input") as progress:
            while time.monotonic() < end and (inputs is None or findings.ends.total() < inputs):
                data = change(draw.choice(seeds), seeds, draw)
                ended, wrong = tried.ends(data)
                findings.ends[ended or "WRONG"] += 1
                if wrong:
                    kept.mkdir(parents=True, exist_ok=True)
                    file = kept / f"{name}-{seed}-{findings.ends.total()}"
                    file.write_bytes(data)
                    findings.wrong.append(f"{file}: {wrong}")
                progress.update()
    finally:
        tried.close()
    return findings


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300, help="for all targets together (default: 300)")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn (default: 1)")
    parser.add_argument("--only", choices=TARGETS, action="append", help="this target; may be given again")
    options = parser.parse_args()
    names = options.only or list(TARGETS)
    run = functools.partial(fuzz, seed=options.seed, seconds=options.seconds / len(names))
    bad = 0
    for name in names:
        findings = run(name)
        bad += len(findings.wrong)
        ends = ", ".join(f"{end} {count}" for end, count in findings.ends.most_common())
        print(f"{name}: {findings.ends.total()} inputs: {ends}")
        for text in findings.wrong[:20]:
            print(f"  WRONG {text}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
