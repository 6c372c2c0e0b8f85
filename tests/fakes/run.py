"""Grades a manifest with the fake engine: a real process for tests that kill it. Arguments: manifest and folder."""

import contextlib
import sys
from pathlib import Path

from grader.runs.backends import LocalBackend
from grader.runs.batch import grade_manifest
from grader.serving.settings import load_settings
from tests.fakes.engine import CATALOGUE, SPEC

if __name__ == "__main__":
    with contextlib.closing(LocalBackend(load_settings(workers=1), SPEC, CATALOGUE)) as backend:
        grade_manifest(Path(sys.argv[1]), Path(sys.argv[2]), backend, progress=False)
