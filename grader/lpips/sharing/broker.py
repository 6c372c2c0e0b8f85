"""Hands pairs of pictures from all workers to the one process that measures LPIPS, and says whether it works.

Pairs wait in one queue. Each lane of the process has a thread here, which takes the oldest pair, and where the network
takes batches, with it those that wait for the same network and have the same size. If the process dies, the pairs that
it was measuring end FAILED, which is worth another try, and it is started anew; a worker that dies takes nothing of it
along, for the pipes to workers are not the pipes to the process.
"""

from __future__ import annotations

import atexit
import contextlib
import enum
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping

from grader.lpips.messages import AnswerKind, MessageError, PairHeader, read_header
from grader.lpips.nets import LpipsNet
from grader.lpips.sharing.process import LpipsProcess, LpipsSpec
from grader.lpips.sharing.states import NetState, NetStates, NetStatus, refusal
from grader.lpips.sharing.waiting import GivenUp, PairJob, PairQueue
from grader.processes.child import START_TIMEOUT_S

logger = logging.getLogger(__name__)

_POLL_S = 0.1
ABANDON_GRACE_S = 5.0
"""Loading torch and a network takes a few seconds, so pairs that nobody waits for any more have as long to end."""
_DIED = "the process that measures LPIPS died before it answered; there is no verdict; try again"
_NO_START = "the process that measures LPIPS can't be started; the server's log says why; try again"
_DIED_LOADING = "the process that measures LPIPS died while it loaded a network; the server's log says why; try again"
_SHUTTING_DOWN = "the server is shutting down; try again"

WhyNot = Callable[[LpipsNet], "str | None"]
"""Why LPIPS can't be measured with a network, as far as that can be said without loading it; None where it can."""


class _Wait(enum.Enum):
    """How a lane stands."""

    NONE = "NONE"
    """It does not wait for the process."""
    WANTED = "WANTED"
    UNWANTED = "UNWANTED"
    """Nobody has waited for the pairs for a while."""
    OVERDUE = "OVERDUE"


class _Lane:
    """A thread that takes pairs and waits on its pipe of the process."""

    def __init__(self, broker: LpipsBroker, number: int) -> None:
        self.thread = threading.Thread(target=self._run, name="grader-lpips", daemon=True)
        self._broker, self._number = broker, number
        self._lock = threading.Lock()  # over what the monitor reads
        self._waits = False
        self._group: list[PairJob] = []
        self._limit_s = 0.0
        self._started = 0.0
        self._abandoned_since: float | None = None

    def _run(self) -> None:
        while group := self._broker.queue.take():
            try:
                answers = self._answers(group)
                for job, answer in zip(group, answers, strict=True):
                    job.end(answer)
            finally:
                self._broker.queue.ended(group)

    def _answers(self, group: list[PairJob]) -> list[bytes]:
        net = group[0].net
        process, answer = self._ready(net)
        if process is None or group[0].header is None:
            return [answer] * len(group)
        with self._waiting(group, self._broker.timeout_s):
            answers = process.measure(self._number, net, [job.message for job in group])
        if answers is None:
            self._broker.died(process)
            return [refusal(AnswerKind.FAILED, _DIED)] * len(group)
        return answers

    def _ready(self, net: LpipsNet) -> tuple[LpipsProcess | None, bytes]:
        """A process with a loaded network; or None, and what is answered then."""
        why = self._broker.still_missing(net)
        if why is not None:
            return None, refusal(AnswerKind.UNAVAILABLE, why)
        process = self._broker.living_process()
        if process is None:
            return None, self._broker.failing(net, _NO_START)
        if self._broker.is_loaded(process, net):
            return process, b""
        with self._waiting([], START_TIMEOUT_S):
            report = process.load(self._number, net)
        if report is None:
            self._broker.died(process)
            return None, self._broker.failing(net, _DIED_LOADING)
        if not report.available:
            self._broker.set_state(net, NetStatus.UNAVAILABLE, report.text)
            return None, refusal(AnswerKind.UNAVAILABLE, report.text)
        self._broker.loaded(process, net, report.text, known=report.known)
        return process, b""

    @contextlib.contextmanager
    def _waiting(self, group: list[PairJob], limit_s: float) -> Iterator[None]:
        """While it waits for the process, which is to answer within a time."""
        with self._lock:
            self._waits, self._group, self._limit_s = True, group, limit_s
            self._started, self._abandoned_since = time.monotonic(), None
        try:
            yield
        finally:
            with self._lock:
                self._waits = False

    def look(self, now: float) -> _Wait:
        """How it stands; any thread may ask."""
        with self._lock:
            if not self._waits:
                return _Wait.NONE
            if now - self._started > self._limit_s:
                return _Wait.OVERDUE
            if self._abandoned_since is None and self._group and all(job.given_up() for job in self._group):
                self._abandoned_since = now
            over_grace = self._abandoned_since is not None and now - self._abandoned_since > ABANDON_GRACE_S
            return _Wait.UNWANTED if over_grace else _Wait.WANTED


class LpipsBroker:
    """The server's end of all that measures LPIPS. No process runs before it is needed.

    Parameters
    ----------
    spec : LpipsSpec
        How it is measured.
    timeout_s : float
        The longest that the process may take for one pair or batch; then it is killed.
    missing : mapping
        Why a network can't be used, such as missing weights; None where nothing is known to be missing.
    why_not : callable
        Finds that out anew, for a network that something was missing of.
    """

    def __init__(
        self, spec: LpipsSpec, timeout_s: float, missing: Mapping[LpipsNet, str | None], why_not: WhyNot
    ) -> None:
        self.timeout_s = timeout_s
        self.queue = PairQueue(spec.max_batch, spec.memory_bytes)
        self._spec, self._why_not = spec, why_not
        self._states = NetStates(missing)
        self._stopping = threading.Event()
        self._rechecks = False
        self._lock = threading.Lock()  # over what processes have loaded
        self._start_lock = threading.Lock()
        self._process: LpipsProcess | None = None
        self._lanes = [_Lane(self, number) for number in range(spec.lanes)]
        self._monitor = threading.Thread(target=self._watch, name="grader-lpips-monitor", daemon=True)
        # The process ignores SIGTERM, by which multiprocessing would end it at exit, so it must be killed before that.
        atexit.register(self._kill)
        for thread in (*(lane.thread for lane in self._lanes), self._monitor):
            thread.start()

    @property
    def device(self) -> str:
        """What it is measured on."""
        return self._spec.device

    def check(self) -> None:
        """Loads and checks, in the background, every network that nothing is known to be missing of.

        From now on it is checked anew, too, when the process has died.
        """
        self._rechecks = True
        text = "it is being loaded and checked; a request waits for that"
        for net in self._states.turn(NetStatus.UNTRIED, NetStatus.CHECKING, text):
            self.queue.put(PairJob(net))

    def states(self) -> dict[LpipsNet, NetState]:
        """Whether LPIPS can be measured, by network."""
        return self._states.all()

    def process_pid(self) -> int | None:
        """The id of the process; ``None`` while none runs."""
        process = self._process
        return process.pid if process is not None and process.alive() else None

    def measure(self, message: bytes, given_up: GivenUp) -> bytes | None:
        """Measures a pair, which takes as long as it takes.

        Parameters
        ----------
        message : bytes
            As `grader.lpips.messages.write_pair` makes it.
        given_up : callable
            Whether nobody waits for the answer any more. It may be called by other threads.

        Returns
        -------
        bytes or None
            A `grader.lpips.messages.PairAnswer`; ``None`` where it was given up.
        """
        try:
            header = read_header(message)
        except MessageError as error:
            logger.error("a worker asked for what can't be measured: %s", error)
            return refusal(AnswerKind.FAILED, "what was to be measured is damaged; try again")
        if header.working_bytes > self._spec.memory_bytes:
            return refusal(AnswerKind.UNAVAILABLE, self._too_large(header))
        at_once = self._states.of(header.net).answer()
        if at_once is not None:
            return at_once
        job = PairJob(header.net, header, message, given_up)
        if not self.queue.put(job):
            return refusal(AnswerKind.FAILED, _SHUTTING_DOWN)
        while not job.done.wait(_POLL_S):
            if given_up():
                self.queue.withdraw(job)
                return None
        return job.answer

    def _too_large(self, header: PairHeader) -> str:
        return (
            f"{header.width_px} x {header.height_px} pixels need about {header.working_bytes / 1e9:.1f} GB in LPIPS's "
            f"network {header.net}, and the operator gives it {self._spec.memory_bytes / 1e9:.1f} GB; "
            "set GRADER_LPIPS_MAX_BYTES higher, or send smaller pictures"
        )

    def still_missing(self, net: LpipsNet) -> str | None:
        """Looks anew where something was missing, or the process failed; why it can't be used, if so."""
        if self._states.of(net).status not in (NetStatus.UNAVAILABLE, NetStatus.FAILING):
            return None
        why = self._why_not(net)
        if why is not None:
            self.set_state(net, NetStatus.UNAVAILABLE, why)
        return why

    def living_process(self) -> LpipsProcess | None:
        """The process, a new one where it died; ``None`` where none can be had."""
        with self._start_lock:
            if self._process is not None and not self._process.alive():
                self._process.reap()
                self._process = None
            if self._process is None and not self._stopping.is_set():
                try:
                    self._process = LpipsProcess(self._spec)
                except OSError as error:
                    logger.error("the process that measures LPIPS can't be started: %s", error)
            return self._process

    def died(self, process: LpipsProcess) -> None:
        """Notes that a process has died; its networks are to be loaded by the next."""
        process.reap()
        with self._lock:
            noted = not process.loaded
            process.loaded.clear()
        if noted or self._stopping.is_set():
            return
        logger.error("the process that measures LPIPS (%s) died", process.pid)
        self._states.turn(NetStatus.AVAILABLE, NetStatus.UNTRIED)
        if self._rechecks:
            self.check()

    def is_loaded(self, process: LpipsProcess, net: LpipsNet) -> bool:
        """Whether a process has loaded a network."""
        with self._lock:
            return net in process.loaded

    def loaded(self, process: LpipsProcess, net: LpipsNet, text: str, *, known: bool) -> None:
        """Notes that a process has loaded a network."""
        with self._lock:
            if net in process.loaded:
                return  # another lane had it loaded meanwhile
            process.loaded.add(net)
        self.set_state(net, NetStatus.AVAILABLE, text)
        level = logging.INFO if known else logging.WARNING
        logger.log(level, "LPIPS is measured with the network %s on %s: %s", net, self._spec.device, text)

    def set_state(self, net: LpipsNet, status: NetStatus, text: str) -> None:
        """Notes whether LPIPS can be measured with a network."""
        before = self._states.set(net, status, text)
        if status in (NetStatus.UNAVAILABLE, NetStatus.FAILING) and before.text != text:
            logger.error("LPIPS can't be measured with the network %s: %s", net, text)

    def failing(self, net: LpipsNet, text: str) -> bytes:
        """Notes that the process did not come up with a network, and gives the answer to its pairs."""
        self.set_state(net, NetStatus.FAILING, text)
        return self._states.of(net).refusal() or refusal(AnswerKind.FAILED, text)

    def _watch(self) -> None:
        while not self._stopping.wait(_POLL_S):
            now = time.monotonic()
            found = {lane.look(now) for lane in self._lanes}
            # What nobody waits for goes on as long as somebody waits for another lane: a kill would cost them a try.
            if _Wait.OVERDUE in found or (_Wait.UNWANTED in found and _Wait.WANTED not in found):
                self._kill_slow()

    def _kill_slow(self) -> None:
        with self._start_lock:
            if self._process is not None and self._process.alive():
                logger.warning("the process that measures LPIPS (%s) is killed: it takes too long", self._process.pid)
                self._process.kill()

    def _kill(self) -> None:
        self._stopping.set()
        with self._start_lock:  # none is started after this
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """Ends the process; pairs that wait end FAILED."""
        self._kill()
        for job in self.queue.close():
            job.end(refusal(AnswerKind.FAILED, _SHUTTING_DOWN))
        for lane in self._lanes:
            lane.thread.join(START_TIMEOUT_S)
        self._monitor.join()
        if self._process is not None:
            self._process.reap()
        atexit.unregister(self._kill)
