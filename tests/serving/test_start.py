"""What a server says when it starts, and what keeps it from starting."""

import json
import socket
import subprocess
import sys

import pytest

from grader.serving import server as server_app
from grader.serving.catalogue import make_catalogue
from grader.serving.server import ServerStartError, serve
from grader.serving.settings import load_settings
from grader.serving.work import default_spec
from grader.v1 import service_pb2
from tests.fakes import serving
from tests.fakes.engine import CATALOGUE, SPEC
from tests.serving.test_client import make_certificate


class NoWorkers:
    def __init__(self, *_):
        raise AssertionError("workers are started")


@pytest.fixture
def no_workers(monkeypatch):
    monkeypatch.setattr(server_app, "WorkerPool", NoWorkers)
    monkeypatch.setattr(server_app, "configure_logging", lambda _: None)


def test_a_taken_port_is_told_before_workers_are_started(no_workers):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerStartError, match=f"can't listen on 127.0.0.1:{port}; is the port taken"):
            serve(load_settings(port=port, workers=1), SPEC, CATALOGUE)


def test_bad_tls_files_are_told_before_workers_are_started(no_workers, tmp_path):
    cert, key = make_certificate(tmp_path, "server")
    other, _ = make_certificate(tmp_path, "other")
    junk = tmp_path / "junk.pem"
    junk.write_text("no certificate")
    for files in ({"tls_cert": junk, "tls_key": key}, {"tls_cert": other, "tls_key": key},
                  {"tls_cert": cert, "tls_key": key, "tls_client_ca": junk}):  # fmt: skip
        with pytest.raises(ServerStartError, match="the TLS files can't be used"):
            serve(load_settings(port=0, workers=1, **files), SPEC, CATALOGUE)


def test_a_missing_lpips_is_one_line_of_the_log():
    with serving.process(GRADER_SERVICE_HOST="x", GRADER_LOG_FORMAT="json") as (process, address):
        assert address
        process.terminate()
        _, logged = process.communicate(timeout=60)
    lines = [json.loads(line) for line in logged.splitlines()]
    warnings = [line["message"] for line in lines if line["level"] == "WARNING"]
    assert warnings == ["lpips_alex and lpips_vgg can't be measured here: it needs torch"]
    serving_line = next(line for line in lines if line["message"] == "serving")
    assert (serving_line["address"], serving_line["workers"], serving_line["tls"]) == (address, 1, False)


def test_measures_that_lack_different_things_are_one_sentence():
    measures = [
        service_pb2.MeasureInfo(name="a", unavailable_reason="needs x"),
        service_pb2.MeasureInfo(name="b", available=True),
        service_pb2.MeasureInfo(name="c", unavailable_reason="needs y"),
    ]
    said = server_app.say_missing(measures)
    assert said == "a can't be measured here: needs x; c can't be measured here: needs y"
    assert server_app.say_missing(measures[1:2]) == ""


LOADED = """
import sys
from grader.serving.server import GraderServer, make_catalogue
from grader.serving.settings import load_settings
from grader.serving.work import default_spec
from grader.v1 import service_pb2

settings = load_settings()
default_spec(settings.media_limits)
make_catalogue(settings, service_pb2.ListTasksResponse(grader_version="1"))
print(*sorted({"scipy", "skimage", "shapely", "av", "torch", "opentelemetry"} & set(sys.modules)))
"""


def test_the_process_that_answers_calls_loads_nothing_that_grades():
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_worker_says_what_its_engine_can_do():
    settings = load_settings(port=0)
    said = service_pb2.ListTasksResponse.FromString(default_spec(settings.media_limits).about())
    assert make_catalogue(settings, said) == make_catalogue(settings)
