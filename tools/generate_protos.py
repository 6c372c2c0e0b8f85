"""Generates grader/v1 from protos/. Run it after a change of a .proto file and commit what it writes."""

from __future__ import annotations

import sys
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent


def main(out: Path = ROOT) -> int:
    """Writes ``*_pb2.py``, ``*_pb2.pyi`` and ``*_pb2_grpc.py`` below ``out``/grader/v1; returns protoc's exit code."""
    sources = sorted(str(path) for path in (ROOT / "protos").rglob("*.proto"))
    services = [source for source in sources if source.endswith("service.proto")]
    well_known = str(Path(protoc.__file__).parent / "_proto")
    search = ["protoc", f"--proto_path={ROOT / 'protos'}", f"--proto_path={well_known}"]
    messages = protoc.main([*search, f"--python_out={out}", f"--pyi_out={out}", *sources])
    return int(messages or protoc.main([*search, f"--grpc_python_out={out}", *services]))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
