"""Makes a run of many verdicts and times how long its report opens in a real browser.

``python -m benchmarks.report_page [FOLDER] [--verdicts 5000]`` needs Chromium (``chromium``, ``chromium-browser`` or
``google-chrome`` on the path); nothing else of this project does. The page is opened from its file, without a server.
Times are from the start of navigation, as the browser itself measures them: when the document is there, when its first
content is painted, and when the list of all verdicts is filled. The verdicts are invented: nothing is graded.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from grader.report.make import make_report
from grader.report.tables.build import TableOptions
from grader.runs.folder import OVERLAYS_NAME, overlay_name

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MODELS = ("atlas-image-2", "borealis", "cirrus-xl", "dune-mini")
CODES = ("WALL_CROSSED", "GOAL_NOT_REACHED", "CELLS_FILLED", "SIDE_BRANCH", "NOTHING_DRAWN", "MAZE_ALTERED", "DOTS")
_SIDE_PX = 256
_PICTURES = 24
_PROBE = """
<script>
addEventListener("load", () => {
  const begun = performance.now();
  const look = () => {
    const rows = document.querySelectorAll("#list-table .tabulator-row").length;
    if (!rows && performance.now() - begun < 20000) return setTimeout(look, 5);
    const [open] = performance.getEntriesByType("navigation");
    const painted = performance.getEntriesByName("first-contentful-paint")[0];
    console.log("TIMES " + JSON.stringify({
      document: open.domContentLoadedEventEnd, painted: painted ? painted.startTime : 0,
      list: performance.now(), rows,
    }) + " END");
  };
  document.getElementById("list").scrollIntoView();
  look();
});
</script>
"""


def write_run(folder: Path, count: int, seed: int = 0) -> Path:
    """Writes a manifest, pictures, overlays and results of a run that was never graded; gives the run's folder."""
    dice = random.Random(seed)
    run = folder / "run"
    (run / OVERLAYS_NAME).mkdir(parents=True)
    pictures = [_picture(folder / f"picture_{at}.png", seed + at) for at in range(_PICTURES)]
    asked, ended = [], []
    for at in range(count):
        model = MODELS[at % len(MODELS)]
        puzzle = at // len(MODELS) // 5
        request_id = f"{model}/maze_{puzzle:04d}/attempt_{at // len(MODELS) % 5 + 1}"
        tags = {"geometry": dice.choice(["square", "hexagon", "circle"]), "scale": str(dice.choice([4, 8, 12, 16]))}
        picture = pictures[at % _PICTURES]
        said = {
            "requestId": request_id,
            "maze": {},
            "image": {"uri": picture.name},
            "puzzleId": f"maze_{puzzle:04d}",
            "model": model,
            "attempt": at // len(MODELS) % 5 + 1,
            "tags": tags,
        }
        asked.append(json.dumps(said))
        ended.append(json.dumps(_result(request_id, dice, 0.25 + 0.15 * MODELS.index(model))))
        shutil.copyfile(picture, run / OVERLAYS_NAME / overlay_name(request_id))
    manifest = folder / "manifest.jsonl"
    manifest.write_text("\n".join(asked) + "\n", encoding="utf-8")
    (run / "results.jsonl").write_text("\n".join(ended) + "\n", encoding="utf-8")
    digest = hashlib.sha256(manifest.read_bytes()).hexdigest()
    (run / "run.json").write_text(json.dumps({"manifest": "../manifest.jsonl", "manifest_digest": digest}))
    return run


def _result(request_id: str, dice: random.Random, rate: float) -> dict[str, Any]:
    passed = dice.random() < rate
    score = dice.choice([1.0, 1.0, 0.97]) if passed else round(dice.random(), 3)
    codes = [] if passed else dice.sample(CODES, dice.randint(1, 3))
    metrics = {"coverage": score, "violation": round(1 - score, 3), "mse_in": dice.random(), "mse_out": dice.random()}
    return {
        "requestId": request_id,
        "status": {"code": 0},
        "verdict": {
            "outcome": "OUTCOME_PASS" if passed else "OUTCOME_FAIL",
            "score": score,
            "reward": 1.0 if passed else round(0.9 * score, 4),
            "metrics": [{"name": name, "value": value} for name, value in metrics.items()],
            "reasons": [
                {"code": code, "message": f"{code.capitalize().replace('_', ' ')}, in a sentence of usual length."}
                for code in codes
            ],
            "notes": [{"code": "FLOOR_REPAINTED", "message": "The floor is another white."}] * (dice.random() < 0.05),
            "observation": {"path": {"confidence": round(1 - dice.random() ** 3, 3), "pieces": 1}},
            "alignment": {"method": "RESIZED", "quality": round(1 - dice.random() ** 4, 3)},
            "provenance": {"graderVersion": "0.1.0", "profile": "default", "profileDigest": "0" * 64},
        },
    }


def _picture(path: Path, seed: int) -> Path:
    dice = np.random.default_rng(seed)
    small = dice.integers(0, 256, (8, 8, 3), dtype=np.uint8)
    Image.fromarray(small).resize((_SIDE_PX, _SIDE_PX), Image.Resampling.NEAREST).save(path)
    return path


def browser() -> str:
    """The path of a Chromium.

    Raises
    ------
    SystemExit
        If there is none.
    """
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise SystemExit(f"this benchmark needs Chromium; none of {', '.join(BROWSERS)} is on the path")
    return found


def opening_times(chromium: str, page: Path) -> dict[str, float]:
    """Opens a page and gives its times in ms, and how many rows of the list are there.

    A copy of the page beside it is opened, with a script that waits for the list; the copy is removed.
    """
    text = page.read_text(encoding="utf-8")
    # The page allows its own script only, so the copy drops that rule; all else is as it is.
    text = re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", text)
    probe = page.with_name("probe.html")
    probe.write_text(text.replace("</body>", f"{_PROBE}</body>"), encoding="utf-8")
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
            command = [chromium, *options, f"--user-data-dir={profile}", "--window-size=1280,900"]
            with subprocess.Popen(
                [*command, "--enable-logging=stderr", probe.resolve().as_uri()], stderr=subprocess.PIPE, text=True
            ) as process:
                try:
                    return _said(process)
                finally:
                    process.terminate()
    finally:
        probe.unlink()


def _said(process: subprocess.Popen[str]) -> dict[str, float]:
    """Waits for the line in which the page says its times."""
    for line in process.stderr or ():
        if said := re.search(r"TIMES (.*) END", line):
            times: dict[str, float] = json.loads(said[1].replace(chr(92) + '"', '"'))
            return times
    raise SystemExit("the page did not say its times")


def main() -> int:
    """Makes the run, reports it, opens it three times and prints the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="where the run is made [default: a temporary folder]")
    parser.add_argument("--verdicts", type=int, default=5000)
    parser.add_argument("--tries", type=int, default=3)
    options = parser.parse_args()
    chromium = browser()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        run = folder / "run"
        if not run.is_dir():
            run = write_run(folder, options.verdicts)
        begun = time.monotonic()
        page = make_report([run], options=TableOptions()).page
        print(f"{options.verdicts} verdicts; the report took {time.monotonic() - begun:.1f} s")
        size = sum(path.stat().st_size for path in page.parent.rglob("*") if path.is_file())
        print(f"index.html {page.stat().st_size / 1e6:.2f} MB, the report's folder {size / 1e6:.1f} MB")
        for _ in range(options.tries):
            times = opening_times(chromium, page)
            print(
                f"document {times['document']:.0f} ms, first paint {times['painted']:.0f} ms, "
                f"list of all verdicts {times['list']:.0f} ms ({times['rows']:.0f} rows drawn)"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
