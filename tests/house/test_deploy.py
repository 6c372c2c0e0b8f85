"""What is deployed names settings, ports and files that are there."""

import re
from pathlib import Path

import pytest

from grader import __version__
from grader.processes.logs import FORMAT_VARIABLE
from grader.serving.settings import ServerSettings, describe_settings, unknown_variables

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"
FILES = [*sorted(DEPLOY.iterdir()), ROOT / "docs" / "operations.md", ROOT / "docs" / "serving.md"]


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_settings_that_are_named_exist(file):
    named = set(re.findall(r"\bGRADER_[A-Z][A-Z_]*[A-Z]", file.read_text()))
    assert named or file.name == "README.md"
    assert unknown_variables(dict.fromkeys(named, "")) == ()
    assert named <= {name for name, _, _ in describe_settings()} | {FORMAT_VARIABLE}


def test_ports_are_those_of_the_service_and_of_each_other():
    names = ("Dockerfile", "grader.service", "kubernetes.yaml")
    docker, unit, kubernetes = ((DEPLOY / name).read_text() for name in names)
    port = ServerSettings.model_fields["port"].default
    assert f"EXPOSE {port} 9095" in docker
    assert f"containerPort: {port}" in kubernetes
    for text in (docker, unit):
        assert "GRADER_METRICS_PORT=9095" in text
    assert '{name: GRADER_METRICS_PORT, value: "9095"}' in kubernetes
    assert f"grader:{__version__}" in kubernetes


def test_what_the_image_copies_is_there():
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE):
        assert all((ROOT / name).exists() for name in sources.split())


def test_what_stops_it_leaves_time_to_drain():
    drain_s = ServerSettings.model_fields["drain_s"].default
    waits = re.search(r"TimeoutStopSec=(\d+)", (DEPLOY / "grader.service").read_text())[1]
    grace = re.search(r"terminationGracePeriodSeconds: (\d+)", (DEPLOY / "kubernetes.yaml").read_text())[1]
    assert min(int(waits), int(grace)) >= drain_s + 15
