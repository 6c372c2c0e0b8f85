"""The fuzzing itself, in small: changed inputs end as is documented; what does not is a finding."""

import math
import random

import pytest

from benchmarks.service import fuzz
from grader.v1 import service_pb2


@pytest.mark.parametrize(("name", "inputs"), [("media", 150), ("requests", 15), ("manifests", 40)])
def test_changed_inputs_end_as_is_documented(name, inputs):
    draw, seeds, target = random.Random(20), fuzz.seeds_of(name), fuzz.TARGETS[name]()
    assert target(seeds[0]) in ("OK", "verdict")
    assert all(target(fuzz.mutated(draw.choice(seeds), seeds, draw)) for _ in range(inputs))


def test_messages_are_changed_field_by_field_and_stay_messages():
    draw, seeds = random.Random(21), fuzz.seeds_of("requests")
    made = [fuzz.changed_request(seeds[0], seeds, draw) for _ in range(200)]
    requests = [service_pb2.GradeRequest.FromString(data) for data in made]
    assert sum(data != seeds[0] for data in made) > 150
    assert any(math.isnan(one.maze.puzzle.cell_size_px) for one in requests)
    assert any(not one.maze.truth.path_cell_ids for one in requests)
    assert len({len(one.maze.truth.path_cell_ids) for one in requests}) >= 4
    assert len({bytes(one.image.data) for one in requests}) > 3


class Answers:
    """In place of the process that tries inputs: says of each what is wrong with it."""

    def __init__(self, name):
        self.closed = False

    def ends(self, data):
        return ("", "it crashes") if len(data) % 2 else ("OK", "")

    def close(self):
        self.closed = True


def test_what_is_wrong_is_kept_and_the_same_seed_finds_it_again(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz, "Tried", Answers)
    found = [fuzz.fuzz("manifests", 3, 60, inputs=20, kept=tmp_path / name) for name in ("a", "b")]
    assert found[0].ends == found[1].ends
    assert found[0].ends.total() == 20
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert len(files) == found[0].ends["WRONG"] == len(found[0].wrong) > 0
    assert [(tmp_path / "a" / name).read_bytes() for name in files] == [
        (tmp_path / "b" / name).read_bytes() for name in files
    ]
