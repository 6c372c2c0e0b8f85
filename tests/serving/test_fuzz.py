"""The fuzzing itself, in small: changed inputs end as is documented; what does not is a finding."""

import random

import pytest

from benchmarks.service import fuzz


@pytest.mark.parametrize(("name", "inputs"), [("media", 300), ("requests", 25), ("manifests", 60)])
def test_changed_inputs_end_as_is_documented(name, inputs):
    draw, seeds, target = random.Random(20), fuzz.seeds_of(name), fuzz.TARGETS[name]()
    assert target(seeds[0]) in ("OK", "verdict")
    assert all(target(fuzz.mutated(draw.choice(seeds), seeds, draw)) for _ in range(inputs))


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
