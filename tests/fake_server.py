"""Serves the fake engine: a real process for tests of signals. Settings come from the environment."""

from fake_engine import CATALOGUE, SPEC

from grader.server_app import serve
from grader.settings import load_settings

if __name__ == "__main__":
    serve(load_settings(), SPEC, CATALOGUE)
