"""Serves the fake engine: a real process for tests of signals. Settings come from the environment."""

from grader.serving.server import serve
from grader.serving.settings import load_settings
from tests.fakes.engine import CATALOGUE, SPEC

if __name__ == "__main__":
    serve(load_settings(), SPEC, CATALOGUE)
