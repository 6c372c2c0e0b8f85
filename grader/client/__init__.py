"""Clients for the grading service: typed errors, back-off, and messages as large as the server takes."""

from grader.client.aio import AsyncGraderClient
from grader.client.errors import GraderCallError, RetryPolicy, ServerUnreachableError
from grader.client.sync import GraderClient

__all__ = ["AsyncGraderClient", "GraderCallError", "GraderClient", "RetryPolicy", "ServerUnreachableError"]
