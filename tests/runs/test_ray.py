"""A run on a Ray cluster, against as much of Ray as is used; what an actor does is done by real workers."""

import functools
import sys
from types import ModuleType, SimpleNamespace

import pytest
from google.protobuf import json_format

from grader import __version__
from grader.model.errors import GraderError
from grader.runs.backends import LocalBackend
from grader.runs.batch import grade_manifest
from grader.runs.manifest import MediaUnreadableError
from grader.runs.ray_backend import GradingActor, RayBackend, RayMissingError, by_puzzle, folders_of
from grader.serving.settings import load_settings
from grader.v1 import service_pb2
from tests.fakes.engine import CATALOGUE, SPEC, make_request


class FakeRay(ModuleType):
    """Ray with machines of some CPUs; work is done when it is waited for. It notes what each actor was given."""

    class exceptions:  # noqa: N801
        class RayActorError(Exception):
            pass

        class RayTaskError(Exception):
            pass

    def __init__(self, *cpus):
        super().__init__("ray")
        self._nodes = [{"Alive": True, "Resources": {"CPU": float(one)}} for one in cpus]
        self.given, self.dies, self.alive, self.most_ahead = [], 0, False, 0
        self._open = []

    def is_initialized(self):
        return self.alive

    def init(self, **named):
        self.alive = True
        self.options = named

    def shutdown(self):
        self.alive = False

    def nodes(self):
        return self._nodes

    def kill(self, actor):
        actor.backend().close()

    def remote(self, kind):
        return SimpleNamespace(options=lambda **named: SimpleNamespace(remote=functools.partial(self._actor, kind)))

    def _actor(self, kind, make_backend, *args):
        made = []

        def backend():
            made.append(make_backend())
            return made[0]

        actor = kind(backend, *args)
        number = len(self.given)
        self.given.append([])

        def grade(lines):
            self.given[number].append([service_pb2.GradeRequest.FromString(line) for line in lines])
            self._open.append(lambda: actor.grade(lines))
            self.most_ahead = max(self.most_ahead, len(self._open))
            return self._open[-1]

        return SimpleNamespace(grade=SimpleNamespace(remote=grade), backend=lambda: made[0])

    def wait(self, running, num_returns):
        return running[:num_returns], running[num_returns:]

    def get(self, one):
        self._open.remove(one)
        if self.dies:
            self.dies -= 1
            raise self.exceptions.RayActorError
        return one()


@pytest.fixture
def ray(monkeypatch):
    made = FakeRay(3, 1, 0.5)
    monkeypatch.setitem(sys.modules, "ray", made)
    return made


def local():
    return LocalBackend(load_settings(workers=1), SPEC, CATALOGUE)


class Stub:
    """Answers at once."""

    def catalogue(self):
        return CATALOGUE

    def grade_many(self, requests):
        for request in requests:
            yield service_pb2.GradeBatchResponse(request_id=request.request_id)

    def close(self):
        pass


@pytest.fixture
def manifest(tmp_path):
    """Twelve lines of three puzzles in turn, with files of candidates; one line is wrong."""
    lines = []
    for at in range(12):
        (tmp_path / f"{at}.png").write_bytes(b"BAD" if at == 5 else b"PASS" if at % 2 else b"FAIL")
        request = make_request(f"r{at}")
        request.maze.puzzle.width_cells = at % 3
        request.image.uri = f"{at}.png"
        lines.append(json_format.MessageToJson(request, indent=None))
    path = tmp_path / "manifest.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def ends(report):
    return sorted(report.results.read_text().splitlines())


def test_a_run_on_ray_is_that_of_this_machine_and_media_are_read_by_actors(ray, manifest, tmp_path):
    here = local()
    try:
        alone = ends(grade_manifest(manifest, tmp_path / "here", here, progress=False))
    finally:
        here.close()
    ray.dies = 1
    backend = RayBackend(local, CATALOGUE, folders_of(manifest, ()), workers=2)
    try:
        report = grade_manifest(manifest, tmp_path / "ray", backend, progress=False)
    finally:
        backend.close()
    assert ends(report) == alone
    assert len(ray.given) == 1  # one machine has two CPUs
    groups = ray.given[0]
    assert {len({one.maze.puzzle.width_cells for one in group}) for group in groups} == {1}
    assert len(groups) == 4  # one puzzle's group went to an actor that died, and went again
    assert {one.image.WhichOneof("source") for group in groups for one in group} == {"uri"}
    assert not ray.alive


def test_a_puzzle_goes_where_it_was_and_actors_get_a_few_groups_ahead(ray):
    backend = RayBackend(Stub, CATALOGUE, folders_of_nothing(), workers=1)
    try:
        assert len(ray.given) == 4
        requests = (made(puzzle, at) for at in range(2) for puzzle in range(3) for _ in range(32))
        answers = list(backend.grade_many(requests))
    finally:
        backend.close()
    assert len(answers) == 2 * 3 * 32
    assert [len({one.maze.puzzle.width_cells for group in given for one in group}) for given in ray.given] == [
        1,
        1,
        1,
        0,
    ]
    assert ray.most_ahead <= 8


def made(puzzle, at):
    request = make_request(f"{puzzle} {at}")
    request.maze.puzzle.width_cells = puzzle
    return request


def folders_of_nothing():
    from pathlib import Path

    return folders_of(Path("nowhere/manifest.jsonl"), ())


def test_requests_of_a_puzzle_are_found_among_others():
    groups = list(by_puzzle(made(at % 3, at) for at in range(9)))
    assert [[one.request_id for one in group] for _, group in groups] == [
        ["0 0", "0 3", "0 6"],
        ["1 1", "1 4", "1 7"],
        ["2 2", "2 5", "2 8"],
    ]
    assert [len(group) for _, group in by_puzzle(made(0, at) for at in range(40))] == [32, 8]
    many = list(by_puzzle(made(at, at) for at in range(3000)))
    assert [one.request_id for _, group in many for one in group] == [f"{at} {at}" for at in range(3000)]


def test_what_an_actor_refuses(tmp_path):
    with pytest.raises(GraderError, match="the run is of 9"):
        GradingActor(Stub, folders_of_nothing(), "9")
    actor = GradingActor(Stub, folders_of(tmp_path / "m", ()), __version__)
    (tmp_path / "large.png").write_bytes(bytes(33 * 1024 * 1024))
    large, gone = make_request("large"), make_request("gone")
    large.image.uri, gone.image.uri = "large.png", "gone.png"
    (answer,) = map(service_pb2.GradeBatchResponse.FromString, actor.grade([large.SerializeToString()]))
    assert answer.status.reason == "MESSAGE_TOO_LARGE"
    with pytest.raises(MediaUnreadableError, match=r"no file 'gone\.png'"):
        actor.grade([gone.SerializeToString()])


def test_what_an_actor_raises_ends_the_run_in_its_words(ray):
    backend = RayBackend(Stub, CATALOGUE, folders_of_nothing(), workers=3)

    def fail(one):
        error = ray.exceptions.RayTaskError()
        error.cause = MediaUnreadableError("there is no file 'x.png'")
        raise error

    ray.get = fail
    try:
        with pytest.raises(GraderError, match=r"there is no file 'x\.png'"):
            list(backend.grade_many([made(0, 0)]))
    finally:
        backend.close()


def test_without_ray_or_room_on_it_it_is_said(monkeypatch, ray):
    with pytest.raises(RayMissingError, match="no machine of the Ray cluster has 4 CPUs"):
        RayBackend(Stub, CATALOGUE, folders_of_nothing(), workers=4)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(RayMissingError, match=r"pip install '\.\[ray\]'"):
        RayBackend(Stub, CATALOGUE, folders_of_nothing(), workers=1)
