"""LPIPS where its packages or weights are missing: nothing heavy is loaded, and messages say what to do (case A19)."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from grader.cli import main as cli
from grader.lpips import availability
from grader.lpips import network as lpips
from grader.lpips.availability import why_unavailable
from grader.lpips.nets import NET_FILES
from grader.lpips.network import LpipsNotInstalledError, LpipsScorer, self_check_pair
from tests.samples.lpips import ALEX, SQUEEZE, VGG, make_samples


@pytest.fixture
def samples(monkeypatch, tmp_path):
    return make_samples(monkeypatch, tmp_path)


@pytest.fixture
def no_torch(monkeypatch):
    """As if nothing of it were installed, also where it is."""
    for name in lpips.PACKAGES:
        monkeypatch.setitem(sys.modules, name, None)


def run(*arguments, places):
    own, torch_home = places.cache.parent, places.hub.parent.parent
    env = {"COLUMNS": "120", "GRADER_CACHE": str(own), "TORCH_HOME": str(torch_home), "GRADER_LPIPS_WEIGHTS": None}
    return CliRunner().invoke(cli.app, ["weights", *map(str, arguments)], env=env)


def test_importing_the_module_imports_no_torch(tmp_path) -> None:
    """A torch that would end the program stands first on the path."""
    (tmp_path / "torch.py").write_text("raise SystemExit('torch was imported')")
    code = "import grader.lpips.network, grader.lpips.fetching, grader.cli.weights"
    path = os.pathsep.join([str(tmp_path), *sys.path])
    for tried, ends in ((code, (0, "")), ("import torch", (1, "torch was imported\n"))):
        done = subprocess.run(
            [sys.executable, "-c", tried],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert (done.returncode, done.stderr) == ends


def test_a_scorer_says_what_to_install(samples, no_torch) -> None:
    with pytest.raises(LpipsNotInstalledError, match=r"pip install --editable '\.\[lpips\]'` in the folder"):
        LpipsScorer(ALEX, samples.places)


def test_why_it_is_unavailable(samples, monkeypatch, no_torch) -> None:
    assert "torch" in why_unavailable(ALEX, samples.places)
    assert "pip install" in why_unavailable(ALEX, samples.places)
    monkeypatch.setattr(availability, "PACKAGES", ("numpy",))
    assert "get them with `grader weights --net alex`" in why_unavailable(ALEX, samples.places)
    copy = samples.put(samples.places.copy_path(ALEX), samples.copy)
    assert why_unavailable(ALEX, samples.places) is None
    copy.write_bytes(samples.copy[:-30])
    assert "damaged" in why_unavailable(ALEX, samples.places)


def test_the_pair_of_the_self_check_is_fixed() -> None:
    candidate, reference = self_check_pair()
    assert reference.shape == candidate.shape == (64, 64, 3)
    # Row 5, column 40: 4 * 40, 4 * 5, 4 * (5 ^ 40 = 45); the candidate is 5 pixels to the right, and inside rows and
    # columns 16 to 39 its channels are turned round: column 20 shows 15 of row 20, 4 * (20 ^ 15 = 27) first.
    assert reference[5, 40].tolist() == [160, 20, 180]
    assert candidate[5, 45].tolist() == [160, 20, 180]
    assert candidate[20, 20].tolist() == [108, 80, 60]


def test_check_only_looks(samples, no_torch) -> None:
    done = run("--check", places=samples.places)
    assert done.exit_code == 1
    first, second = done.stderr.splitlines()
    assert first.startswith("grader: alex: there are no weights of LPIPS's network alex in ")
    assert first.endswith("get them with `grader weights --net alex`")
    assert second == (
        "grader: to use the weights, LPIPS needs torch, torchvision, lpips; install them with "
        "`pip install --editable '.[lpips]'` in the folder that this program was installed from"
    )
    assert not samples.places.cache.exists()


def test_kept_files_are_found_and_their_size_is_told(samples, no_torch, tmp_path) -> None:
    given = samples.put(tmp_path / "in" / "alexnet.ckpt", samples.pickled)
    done = run("--from", given.parent, places=samples.places)
    path = samples.places.copy_path(ALEX)
    size = path.stat().st_size / 1e6
    line = f"alex: {path} ({size:.1f} MB), digest as it should be"
    assert (done.exit_code, done.stdout.strip()) == (0, line)
    done = run("--check", places=samples.places)
    assert (done.exit_code, done.stdout.strip()) == (0, line)
    done = run(places=samples.places)
    assert (done.exit_code, done.stdout.strip()) == (0, line)


def test_each_network_is_said_by_itself(samples, no_torch) -> None:
    samples.put(samples.places.copy_path(VGG), samples.copy)
    done = run("--net", "all", "--check", places=samples.places)
    assert done.exit_code == 1
    assert done.stdout.startswith("vgg: ")
    assert [line.split(":")[1].strip() for line in done.stderr.splitlines()][:2] == ["alex", "squeeze"]


def test_exit_codes_of_weights(samples, no_torch, tmp_path) -> None:
    damaged = samples.put(tmp_path / "a.npz", samples.copy[:-30])
    done = run("--from", damaged, places=samples.places)
    assert done.exit_code == 2
    assert f"alex: {damaged} is damaged" in done.stderr
    assert not samples.places.cache.exists()
    done = run("--from", damaged, "--check", places=samples.places)
    assert (done.exit_code, done.stderr) == (2, "grader: --check and --from can't be given together\n")


def test_help_says_what_is_downloaded(samples) -> None:
    said = " ".join(run("--help", places=samples.places).output.split())
    for needed in ("64 MB", "GRADER_LPIPS_WEIGHTS", "GRADER_CACHE", "--check", "squeeze"):
        assert needed in said


def test_a_pth_without_torch_is_checked_by_its_digest(samples, no_torch) -> None:
    samples.put(samples.places.hub / NET_FILES[SQUEEZE].state_name, samples.state)
    done = run("--net", "squeeze", "--check", places=samples.places)
    assert done.exit_code == 0
    assert done.stdout.strip().endswith("digest as it should be")
