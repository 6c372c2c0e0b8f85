"""A study that is served by a process of its own, and a person at a real browser. Needs the extra ``browser``."""

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_START_TIMEOUT_S = 60.0


class Served:
    """`grader label`, on one port for all its lives."""

    def __init__(self, run, port):
        options = ["--rater", "ann", "--sample", "random=all", "--json", "--port", str(port)]
        self._command = [sys.executable, "-m", "grader", "label", str(run), *options]
        self._process = None
        self.address = ""

    def start(self):
        env = os.environ | {"PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)
        ready, _, _ = select.select([self._process.stdout], [], [], _START_TIMEOUT_S)
        line = self._process.stdout.readline() if ready else b""
        if not line:
            raise RuntimeError("the page is not served")
        self.address = json.loads(line)["raters"][0]["address"]

    def kill(self):
        """At once, without a word to it."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()


@contextlib.contextmanager
def window(playwright, address, size=(1280, 800)):
    """A window of Chromium, with what went wrong in it."""
    path = next(found for name in BROWSERS if (found := shutil.which(name)))
    browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.goto(address)
    page.wait_for_selector("body[data-turn]")
    yield page
    browser.close()


def turn(page):
    """How often the page has shown something, and what is asked."""
    found = page.evaluate("() => [Number(document.body.dataset.turn || 0), document.body.dataset.showing]")
    return found[0], int(found[1]) if found[1] else None


def wait_for_turn(page, after, timeout_s=60.0):
    """Waits until something else is asked than what was."""
    end = time.monotonic() + timeout_s
    while turn(page)[0] <= after:
        if time.monotonic() > end:
            raise TimeoutError("nothing came after a key")
        page.wait_for_timeout(5)
