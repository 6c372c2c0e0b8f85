"""What is deployed names settings, ports and files that are there."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader import __version__
from grader.processes.logs import FORMAT_VARIABLE
from grader.processes.stages import Stage, StageTime
from grader.serving.seen.calls import Call
from grader.serving.seen.metrics import Metrics
from grader.serving.settings import ServerSettings, describe_settings, unknown_variables
from grader.serving.workers import PoolState, WorkEnds
from grader.v1 import service_pb2

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"
BOARD = DEPLOY / "grafana.json"
FILES = [*sorted(set(DEPLOY.iterdir()) - {BOARD}), ROOT / "docs" / "operations.md", ROOT / "docs" / "serving.md"]


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


def metrics():
    """The names and labels of all samples of all metrics."""
    pool = PoolState(2, 1, 1, {"x": 1}, 0.5, WorkEnds())
    made = Metrics(lambda: pool, lambda: 1, lambda: datetime.now(UTC))
    answer = service_pb2.GradeBatchResponse()
    answer.verdict.reasons.add(code="X")
    made.note(Call("Grade", "", "", "", "maze", 1.0, 1, answer, (StageTime(Stage.JUDGE, 0.0, 1.0),)))
    found = {}
    for name, labels in re.findall(r"^(grader_\w+)(?:\{(.*)\})? ", made.text().decode(), re.MULTILINE):
        if not name.endswith("_created"):
            found.setdefault(name, set()).update(re.findall(r"(\w+)=", labels))
    return found


def families(names):
    return {re.sub("_(bucket|count|sum)$", "", name) for name in names}


def test_the_board_asks_for_metrics_and_labels_that_there_are():
    board, known = json.loads(BOARD.read_text()), metrics()
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked += [one["query"] for one in board["templating"]["list"]]
    names = {name for text in asked for name in re.findall(r"grader_\w+", text)}
    assert names <= known.keys()
    for text in asked:
        labels = set().union(*(known[name] for name in re.findall(r"grader_\w+", text))) | {"job", "le"}
        used = re.findall(r"(\w+)=", text) + re.findall(r"\w+", " ".join(re.findall(r"by \(([^)]*)\)", text)))
        assert set(used) <= labels, text
    assert families(names) == families(known), "a metric that no panel shows"


def test_the_boards_panels_lie_side_by_side():
    board = json.loads(BOARD.read_text())
    places = [panel["gridPos"] for panel in board["panels"]]
    covered = [(x, y) for one in places for x in range(one["x"], one["x"] + one["w"])
               for y in range(one["y"], one["y"] + one["h"])]  # fmt: skip
    assert len(covered) == len(set(covered)) == 24 * (max(y for _, y in covered) + 1)
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


def test_metrics_are_those_of_the_page_on_operations():
    told = set(re.findall(r"`(grader_\w+)", (ROOT / "docs" / "operations.md").read_text()))
    assert families(metrics()) <= told
