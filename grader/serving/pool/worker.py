"""What a worker does: it answers payloads, one after another, in a process of its own."""

from __future__ import annotations

import contextlib
import functools
from multiprocessing.connection import Connection

import cv2

from grader.lpips.nets import LpipsNet
from grader.lpips.pairs import PicturePair, write_pair
from grader.lpips.scores import RemoteScores
from grader.processes.memory import keep_freed_memory
from grader.processes.stages import noted_stages, write_stages
from grader.serving.pool.stopping import Stops
from grader.serving.pool.worker_process import ANSWER, HEAD, PAIR, READY, STOPPED
from grader.serving.work import Grading, WorkSpec


def answer_payloads(pipe: Connection, control: Connection, spec: WorkSpec, shares_lpips: bool) -> None:
    """Says that it is ready, then answers payloads until the pipe closes.

    Parameters
    ----------
    pipe, control : Connection
        By the one payloads come and answers go; by the other comes which request is to be given up.
    spec : WorkSpec
        What to start with.
    shares_lpips : bool
        Whether LPIPS is asked for by the pipe, rather than measured here.
    """
    keep_freed_memory()
    stops = Stops(control)
    cv2.setNumThreads(1)  # the pool is the parallelism

    def ask(net: LpipsNet, pair: PicturePair) -> bytes:
        with stops.held():
            pipe.send_bytes(write_pair(net, pair, before=PAIR))
            return pipe.recv_bytes()

    grading = Grading(spec, RemoteScores(ask) if shares_lpips else None)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent closed the pipe
        pipe.send_bytes(READY + spec.about())
        while True:
            message = pipe.recv_bytes()
            number, end_at = HEAD.unpack_from(message)
            with noted_stages() as stages:
                answer = stops.run(number, functools.partial(grading.answer, message[HEAD.size :], end_at))
            pipe.send_bytes(STOPPED if answer is None else b"".join((ANSWER, write_stages(stages), answer)))
