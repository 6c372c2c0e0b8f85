"""Serves the fake engine: a real process for tests of signals. Settings come from the environment."""

from grader.processes.starting import warm_up
from grader.serving.server import serve
from grader.serving.settings import load_settings
from grader.v1 import service_pb2
from tests.fakes.engine import CATALOGUE, SPEC

LACKS = ("lpips_alex", "lpips_vgg")

if __name__ == "__main__":
    warm_up(["tests.fakes.engine"])
    measures = [service_pb2.MeasureInfo(name=name, unavailable_reason="it needs torch") for name in LACKS]
    offered = service_pb2.ListTasksResponse(measures=measures)
    offered.MergeFrom(CATALOGUE)
    serve(load_settings(), SPEC, offered)
