"""Importing this is all that the warm process does: what every worker needs is imported, and read, once."""

from __future__ import annotations

import gc

from grader.engine.engine import Engine
from grader.profiles.reading import package_profiles
from grader.serving.catalogue import engine_info
from grader.serving.pool.worker import answer_payloads

__all__ = ["Engine", "answer_payloads"]

engine_info(package_profiles())
# What is here stays to the end. Looking through it for garbage would copy its memory into every worker.
gc.collect()
gc.freeze()
