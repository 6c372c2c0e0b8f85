"""Times the page on which people label: from a key to the next candidate on the screen, in a real browser.

``python -m benchmarks.labelling [--items 200] [--side 1024] [--look 0.4]`` needs Chromium on the path and the
packages of the extras ``label`` and ``browser``. The run is invented: nothing is graded. A candidate is looked at for
``--look`` seconds before the next key, less than a person needs; with 0 a key is pressed as soon as the candidate
before is on the screen, so that pictures that are loaded ahead compete with those that are shown. The time is the
page's own, from its keydown to after the frame in which the next candidate's picture is painted. In it are the
transaction on disk, the way there and back, and the picture.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from benchmarks.report_page import browser

_PROBE = """
() => {
  window.times = [];
  let pressed = 0;
  addEventListener("keydown", () => { pressed = performance.now(); }, true);
  new MutationObserver(() => {
    const since = pressed;
    if (!since) return;
    pressed = 0;
    const images = [...document.querySelectorAll(".view img")];
    Promise.all(images.map((one) => one.decode().catch(() => {}))).then(() =>
      requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - since))));
  }).observe(document.body, { attributes: true, attributeFilter: ["data-turn"] });
}
"""


def write_run(folder: Path, count: int, side: int) -> Path:
    """Writes a run of mazes with pictures of noise, which no encoder makes small; gives its folder."""
    dice = np.random.default_rng(0)
    run = folder / "run"
    run.mkdir()
    asked, ended = [], []
    for at in range(count):
        name = f"picture_{at}.png"
        noise = dice.integers(0, 256, (side // 8, side // 8, 3), dtype=np.uint8)
        Image.fromarray(noise).resize((side, side), Image.Resampling.BILINEAR).save(folder / name)
        puzzle = {"puzzle": {"image": {"uri": name}}}
        asked.append(json.dumps({"requestId": f"c{at}", "maze": puzzle, "image": {"uri": name}}))
        verdict = {"outcome": "OUTCOME_PASS", "score": 1.0, "reward": 1.0}
        ended.append(json.dumps({"requestId": f"c{at}", "status": {"code": 0}, "verdict": verdict}))
    manifest = folder / "manifest.jsonl"
    manifest.write_text("\n".join(asked) + "\n", encoding="utf-8")
    (run / "results.jsonl").write_text("\n".join(ended) + "\n", encoding="utf-8")
    digest = hashlib.sha256(manifest.read_bytes()).hexdigest()
    (run / "run.json").write_text(json.dumps({"manifest": "../manifest.jsonl", "manifest_digest": digest}))
    return run


@contextlib.contextmanager
def served(run: Path) -> Iterator[str]:
    """Serves the page of a run, and gives its address."""
    options = ["--rater", "bench", "--sample", "random=all", "--twice", "0", "--port", "0", "--json"]
    command = [sys.executable, "-m", "grader", "label", str(run), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            line = (process.stdout or sys.stdin.buffer).readline()
            yield json.loads(line)["raters"][0]["address"]
        finally:
            process.terminate()


def key_times(page: Any, count: int, look_s: float) -> list[float]:
    """Presses a key for each candidate once it was looked at, and gives the times in ms."""
    page.evaluate(_PROBE)
    for at in range(count - 1):
        time.sleep(look_s)
        page.keyboard.press("rw"[at % 2])
        page.wait_for_function(f"() => window.times.length > {at}")
    found: list[float] = page.evaluate("() => window.times")
    return found


def main() -> int:
    """Makes a run, labels it, and prints the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--side", type=int, default=1024, help="of the pictures, in pixels")
    parser.add_argument("--look", type=float, default=0.4, help="seconds between a candidate and the key")
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    folder = Path(tempfile.mkdtemp())
    try:
        run = write_run(folder, options.items, options.side)
        with served(run) as address, sync_playwright() as playwright:
            window = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
            page = window.new_page()
            page.goto(address)
            page.wait_for_selector("body[data-turn]")
            times = np.array(key_times(page, options.items, options.look))
            window.close()
    finally:
        shutil.rmtree(folder)
    shares = ", ".join(f"{100 * share:g} % {np.quantile(times, share):.0f} ms" for share in (0.5, 0.9, 0.99))
    told = f"{len(times)} keys, {options.look:g} s after it was shown, pictures of {options.side} px"
    print(f"{told}: {shares}, longest {times.max():.0f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
