"""LPIPS itself, beside the package lpips called plainly. Run by ``make test-lpips``, which installs what it needs."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from grader.lpips import weights as lpips_weights
from grader.lpips.availability import LpipsError
from grader.lpips.nets import NET_FILES, LpipsNet, weight_shapes
from grader.lpips.network import LpipsScorer, LpipsSelfCheckError, PictureTooSmallError
from grader.lpips.pairs import PicturePair
from grader.lpips.places import WeightPlaces, WeightsDamagedError
from grader.lpips.weights import load_trunk
from tests.samples.lpips import npz_of
from tests.samples.lpips_reference import reference_network, reference_value

pytestmark = pytest.mark.lpips

ALEX, VGG, SQUEEZE = LpipsNet
NETS = pytest.mark.parametrize("net", [ALEX, VGG])


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """For the package's side too: on a busy machine its threads wait for each other."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def scorers():
    return {net: LpipsScorer(net) for net in (ALEX, VGG)}


def random_pair(seed: int, height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Blocks of random colours, and the same with noise of random strength."""
    rng = np.random.default_rng(seed)
    side = int(rng.integers(3, 12))
    reference = rng.integers(0, 256, (-(-height // side), -(-width // side), 3)).repeat(side, 0).repeat(side, 1)
    reference = reference[:height, :width]
    noise = rng.integers(-120, 121, reference.shape) * rng.random()
    return np.clip(reference + noise, 0, 255).astype(np.uint8), reference.astype(np.uint8)


@NETS
def test_is_the_packages_value_on_50_random_pairs(scorers, net) -> None:
    """A9, for 8 bits and for floats."""
    plain = reference_network(net)
    for seed in range(50):
        candidate, reference = random_pair(seed, 32 + seed // 2, 56 - seed // 3)
        expected = float(reference_value(plain, candidate, reference).item())
        assert scorers[net].score(candidate, reference) == pytest.approx(expected, abs=1e-6)
        floats = (candidate / 255.0, reference / 255.0)
        assert scorers[net].score(*floats) == pytest.approx(expected, abs=1e-6)


@NETS
def test_a_mask_averages_the_packages_map(scorers, net) -> None:
    plain = reference_network(net, spatial=True)
    for seed in range(8):
        candidate, reference = random_pair(seed, 64, 80)
        kept = np.ones((64, 80), bool)
        kept[10 + seed : 40, 20 : 50 + seed] = False
        shown = np.where(kept[..., None], candidate, reference)
        expected = reference_value(plain, shown, reference)[kept].mean(dtype=np.float64)
        assert scorers[net].score(candidate, reference, kept) == pytest.approx(expected, abs=1e-6)


@NETS
def test_nothing_in_the_excluded_region_moves_it(scorers, net) -> None:
    scorer = scorers[net]
    candidate, reference = random_pair(3, 70, 64)
    kept = np.ones((70, 64), bool)
    kept[5:50, 8:40] = False
    expected = scorer.score(candidate, reference, kept)
    for seed in range(4):
        noisy = candidate.copy()
        noisy[~kept] = np.random.default_rng(seed).integers(0, 256, noisy.shape, np.uint8)[~kept]
        assert scorer.score(noisy, reference, kept) == expected
        assert scorer.score(noisy, reference) != scorer.score(candidate, reference)
    # What is kept does move it.
    changed = candidate.copy()
    changed[60:, 50:] = 255 - changed[60:, 50:]
    assert scorer.score(changed, reference, kept) != expected


@NETS
def test_equal_pictures_and_nothing_kept(scorers, net) -> None:
    candidate, reference = random_pair(4, 64, 64)
    scorer = scorers[net]
    assert scorer.score(reference, reference) == 0.0
    nothing = np.zeros((64, 64), bool)
    assert scorer.score(candidate, reference, nothing) is None
    # All that differs is left out.
    assert scorer.score(np.where(nothing[..., None], candidate, reference), reference, ~nothing) == 0.0


@NETS
def test_a_mask_that_keeps_all_is_near_the_value_without_one(scorers, net) -> None:
    candidate, reference = random_pair(5, 96, 128)
    whole = scorers[net].score(candidate, reference)
    assert scorers[net].score(candidate, reference, np.ones((96, 128), bool)) == pytest.approx(whole, rel=0.02)


@NETS
def test_batches_threads_and_repetition_change_no_bit(scorers, net) -> None:
    import torch

    pairs = []
    for seed in range(5):
        candidate, reference = random_pair(seed, 64, 64)
        kept = None
        if seed % 2:
            kept = np.ones((64, 64), bool)
            kept[seed:30, 12:40] = False
        pairs.append(PicturePair(candidate, reference, kept))
    alone = tuple(scorers[net].score(pair.candidate, pair.reference, pair.kept) for pair in pairs)
    before = torch.get_num_threads()
    try:
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            assert scorers[net].score_batch(pairs) == alone
            assert scorers[net].score_batch(pairs[::-1]) == alone[::-1]
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    assert LpipsScorer(net).score_batch(pairs) == alone
    # Candidates that share a reference, which then goes through the network once.
    shared = [replace(pair, reference=pairs[0].reference) for pair in pairs]
    one_by_one = tuple(scorers[net].score(pair.candidate, pair.reference.copy(), pair.kept) for pair in shared)
    assert scorers[net].score_batch(shared) == one_by_one
    assert scorers[net].score_batch([]) == ()


@NETS
def test_all_at_once_is_near_one_by_one(scorers, net) -> None:
    """Within 1e-6, in any order, with masks, shared references, and pairs in which nothing counts; bits may differ."""
    pairs = [PicturePair(*random_pair(seed, 64, 48)) for seed in range(6)]
    half = np.zeros((64, 48), bool)
    half[:, :20] = True
    pairs[1] = replace(pairs[1], kept=half)
    pairs[2] = replace(pairs[2], reference=pairs[1].reference.copy())
    pairs[3] = replace(pairs[3], kept=np.zeros((64, 48), bool))
    alone = [scorers[net].score(pair.candidate, pair.reference, pair.kept) for pair in pairs]
    assert alone[3] is None
    for order in (slice(None), slice(None, None, -1), slice(3, 4), slice(0, 0)):
        together = scorers[net].score_batch(pairs[order], batched=True)
        assert together == pytest.approx(alone[order], abs=1e-6)
    # Of a batch nothing stays behind that would change bits of what is measured alone.
    assert [scorers[net].score(pair.candidate, pair.reference, pair.kept) for pair in pairs] == alone


def test_a_batch_is_of_one_size(scorers) -> None:
    pairs = [PicturePair(*random_pair(0, side, 64)) for side in (64, 65)]
    with pytest.raises(ValueError, match="one size"):
        scorers[ALEX].score_batch(pairs)


@NETS
def test_small_pictures_are_refused_and_the_least_is_not(scorers, net) -> None:
    least = {ALEX: 31, VGG: 16}[net]
    assert scorers[net].min_side_px == least
    candidate, reference = random_pair(1, least, 50)
    assert scorers[net].score(candidate, reference) > 0
    for view in (slice(None, least - 1), (slice(None), slice(None, least - 1))):
        with pytest.raises(PictureTooSmallError, match=f"needs {least} a side"):
            scorers[net].score(candidate[view], reference[view])


def test_a_range_is_never_guessed(scorers) -> None:
    """A9: floats out of range are rejected."""
    candidate, reference = random_pair(2, 40, 40)
    for wrong in (candidate.astype(np.float64), candidate / 127.5 - 1.0, np.full(candidate.shape, np.nan)):
        with pytest.raises(ValueError, match="outside"):
            scorers[ALEX].score(wrong, reference / 255.0)
    with pytest.raises(ValueError, match="types differ"):
        scorers[ALEX].score(candidate, reference / 255.0)
    with pytest.raises(ValueError, match="shapes differ"):
        scorers[ALEX].score(candidate, reference[:35])
    with pytest.raises(ValueError, match="shape"):
        scorers[ALEX].score(candidate[..., 0], reference[..., 0])


def test_making_one_leaves_torch_as_it_was() -> None:
    import torch

    state, threads = torch.get_rng_state(), torch.get_num_threads()
    flags = torch.backends.cudnn.deterministic, torch.backends.cudnn.allow_tf32
    scorer = LpipsScorer(ALEX)
    assert torch.equal(state, torch.get_rng_state())
    assert (torch.get_num_threads(), torch.get_default_device().type) == (threads, "cpu")
    assert (torch.backends.cudnn.deterministic, torch.backends.cudnn.allow_tf32) == flags
    assert scorer.source.weights_sha256 == NET_FILES[ALEX].copy_sha256


@NETS
def test_weights_that_are_not_the_published_ones_never_score(monkeypatch, tmp_path, net) -> None:
    """A19: a file whose digest were known, with the right shapes, and values that are off by a hundredth of a bias."""
    arrays = dict(load_trunk(net, WeightPlaces.from_environment()).arrays)
    arrays["0.bias"] = arrays["0.bias"] + np.float32(0.01)
    path = tmp_path / "a.npz"
    path.write_bytes(npz_of(arrays))
    places = replace(WeightPlaces.from_environment(), given=path)
    with pytest.raises(WeightsDamagedError):
        LpipsScorer(net, places)
    digest = lpips_weights.arrays_digest(tuple(arrays.items()))
    monkeypatch.setitem(NET_FILES, net, replace(NET_FILES[net], copy_sha256=digest))
    with pytest.raises(LpipsSelfCheckError, match="is known"):
        LpipsScorer(net, places)


def test_torchvisions_file_gives_the_same(monkeypatch, tmp_path) -> None:
    """A file as torchvision's, with the classifier's tensors beside the features; its digest is put in place."""
    import torch

    trunk = load_trunk(ALEX, WeightPlaces.from_environment())
    state = {f"features.{name}": torch.from_numpy(array) for name, array in trunk.arrays}
    path = tmp_path / NET_FILES[ALEX].state_name
    torch.save({**state, "classifier.1.weight": torch.zeros(3, 3)}, path)
    monkeypatch.setitem(NET_FILES, ALEX, replace(NET_FILES[ALEX], state_prefix=lpips_weights._file_sha256(path)[:8]))
    scorer = LpipsScorer(ALEX, WeightPlaces(given=None, hub=tmp_path, cache=tmp_path / "none"))
    assert scorer.source.weights_sha256 == trunk.digest
    pair = random_pair(0, 48, 48)
    assert scorer.score(*pair) == LpipsScorer(ALEX).score(*pair)


def test_squeeze_works_where_its_weights_are(monkeypatch, tmp_path) -> None:
    """The published ones can't be had everywhere; made-up ones in a file like torchvision's show that all fits."""
    import torch

    rng = np.random.default_rng(0)
    state = {
        f"features.{name}": torch.from_numpy(rng.normal(0, 0.05, shape).astype(np.float32))
        for name, shape in weight_shapes(SQUEEZE).items()
    }
    path = tmp_path / NET_FILES[SQUEEZE].state_name
    torch.save(state, path)
    made_up = replace(NET_FILES[SQUEEZE], state_prefix=lpips_weights._file_sha256(path)[:8])
    monkeypatch.setitem(NET_FILES, SQUEEZE, made_up)
    monkeypatch.setenv("GRADER_LPIPS_WEIGHTS", str(tmp_path))
    scorer, plain = LpipsScorer(SQUEEZE), reference_network(SQUEEZE)
    assert scorer.known_value is None
    assert "no value is known" in scorer.self_check
    for seed in range(5):
        pair = random_pair(seed, 40, 50)
        assert scorer.score(*pair) == pytest.approx(float(reference_value(plain, *pair).item()), abs=1e-6)


@pytest.mark.parametrize(("net", "name"), [(ALEX, "alexnet"), (VGG, "vgg16"), (SQUEEZE, "squeezenet1_1")])
def test_shapes_and_file_names_are_torchvisions(net, name) -> None:
    import torch
    import torchvision

    from grader.lpips.fetching import torchvision_url

    with torch.device("meta"):
        features = torchvision.models.get_model(name, weights=None).features
    assert weight_shapes(net) == {key: tuple(tensor.shape) for key, tensor in features.state_dict().items()}
    assert torchvision_url(net).rpartition("/")[2] == NET_FILES[net].state_name


def test_a_device_that_is_not_there_is_an_error() -> None:
    for device in ("cuda:99", "nonsense"):
        with pytest.raises(LpipsError, match=device):
            LpipsScorer(ALEX, device=device)


def test_a_broken_package_is_an_error(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "lpips", None)
    with pytest.raises(LpipsError, match="pip install"):
        LpipsScorer(ALEX)
