"""Runs the command line in this process."""

import json

from typer.testing import CliRunner

from grader.cli.main import app


def run(*arguments, env=None):
    """What a command did: its exit code, stdout and stderr."""
    texts = [str(argument) for argument in arguments]
    return CliRunner().invoke(app, texts, env={"COLUMNS": "120", **(env or {})}, prog_name="grader")


def run_json(*arguments, env=None):
    """The exit code of a command with --json, and the one object that it printed."""
    done = run(*arguments, "--json", env=env)
    return done.exit_code, json.loads(done.stdout)
