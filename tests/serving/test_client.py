"""The shipped client: large messages, typed errors, back-off, TLS."""

import grpc
import pytest
import trustme

from grader.client import GraderCallError, GraderClient, RetryPolicy
from grader.model.errors import FieldViolation, GraderError
from grader.serving.workers import InProcessExecutor
from grader.v1 import service_pb2, verdict_pb2
from tests.fakes import serving
from tests.fakes.engine import SPEC, make_request

MIB = 1024 * 1024
QUICK = RetryPolicy(attempts=3, first_delay_s=0.01, max_delay_s=0.02)


@pytest.fixture(scope="module")
def server():
    executor = InProcessExecutor(SPEC)
    with serving.running(executor) as made:
        yield made
    executor.close()


@pytest.fixture(scope="module")
def client(server):
    with GraderClient(server.address, retry=QUICK) as made:
        made.wait_ready()
        yield made


def test_20_mb_pass_and_one_byte_over_the_limit_is_refused_with_it(client):
    """Case A12; the limit is that of the server, 32 MiB."""
    large = make_request("large", b"PASS " + bytes(20 * MIB))
    answer = client.grade(large)
    assert answer.verdict.outcome == verdict_pb2.OUTCOME_PASS
    assert answer.verdict.metrics[0].value == 20 * MIB + 5
    over = make_request("over", b"PASS")
    over.image.data += bytes(32 * MIB + 1 - over.ByteSize() - 8)
    over.image.data += bytes(32 * MIB + 1 - over.ByteSize())
    assert over.ByteSize() == 32 * MIB + 1
    with pytest.raises(GraderCallError) as raised:
        client.grade(over)
    error = raised.value
    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE")
    assert str(32 * MIB) in error.message
    assert (error.retry_delay_s, error.transient, error.retryable) == (None, False, False)
    answers = {item.request_id: item for item in client.grade_batch([over, large])}
    assert answers["over"].status.reason == "MESSAGE_TOO_LARGE"
    assert answers["large"].verdict.outcome == verdict_pb2.OUTCOME_PASS


@pytest.mark.parametrize("over", [1, 900_000])
def test_the_servers_answer_to_a_large_message_is_that_of_the_clients_own_check(server, over):
    """The first client believes in a larger limit than the server's, so the server answers."""
    with (
        serving.running(server.service.executor, max_message_bytes=MIB) as small,
        GraderClient(small.address, max_message_bytes=64 * MIB) as trusting,
        GraderClient(small.address, max_message_bytes=MIB) as checking,
    ):
        request = make_request("over", bytes(MIB + over))
        errors = []
        for client in (trusting, checking):
            with pytest.raises(GraderCallError) as raised:
                client.grade(request)
            errors.append((raised.value.code, raised.value.reason, raised.value.message))
        assert errors[0] == errors[1]


def test_wrong_fields_are_typed(client):
    with pytest.raises(GraderCallError) as raised:
        client.grade(make_request("one", b"BAD"))
    assert raised.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert raised.value.violations == (FieldViolation("maze.truth.path_cell_ids", "MISSING", "it is empty"),)
    assert "INVALID_ARGUMENT (INVALID_FIELD): maze.truth.path_cell_ids" in str(raised.value)


def test_a_dead_worker_is_tried_again(tmp_path):
    with serving.running(workers=1) as server, GraderClient(server.address, retry=QUICK) as client:
        answer = client.grade(make_request("once", f"ONCE {tmp_path / 'mark'}".encode()))
        assert answer.verdict.outcome == verdict_pb2.OUTCOME_PASS
        with pytest.raises(GraderCallError) as raised:
            client.grade(make_request("dies", b"DIE"))
        assert (raised.value.reason, raised.value.retryable) == ("WORKER_DIED", True)


def test_what_does_not_help_is_not_tried_again(client, monkeypatch):
    asked = []
    grade = client._stub.Grade
    monkeypatch.setattr(client._stub, "Grade", lambda *more, **named: (asked.append(1), grade(*more, **named))[1])
    with pytest.raises(GraderCallError):
        client.grade(make_request("one", b"BUG"))
    assert len(asked) == 1


def test_nobody_there():
    with GraderClient("127.0.0.1:1", retry=QUICK, timeout_s=5) as client:
        with pytest.raises(GraderCallError) as raised:
            client.list_tasks()
        assert raised.value.code is grpc.StatusCode.UNAVAILABLE
        with pytest.raises(GraderCallError, match="did not say SERVING"):
            client.wait_ready(timeout_s=0.2)
        with pytest.raises(GraderCallError) as raised:
            list(client.grade_batch([make_request("one")]))
        assert raised.value.transient


def test_the_whole_time_is_limited(client):
    with GraderClient(client._target, timeout_s=0.2) as hasty, pytest.raises(GraderCallError) as raised:
        hasty.grade(make_request("slow", b"SLEEP 0.5"))
    assert raised.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


def test_an_error_of_the_callers_iterator_comes_through(client):
    def requests():
        yield make_request("one")
        raise GraderError("no more")

    got = []
    with pytest.raises(GraderError, match="no more"):
        got.extend(client.grade_batch(requests()))
    assert [answer.request_id for answer in client.grade_batch([make_request("two")])] == ["two"]


def test_delays_grow_are_random_and_bounded():
    policy = RetryPolicy(attempts=9, first_delay_s=1, max_delay_s=4)
    for tried, longest in ((1, 1), (2, 2), (3, 4), (8, 4)):
        delays = {policy.delay_s(tried, 0.0) for _ in range(50)}
        assert len(delays) > 1
        assert all(0 <= delay <= longest for delay in delays)
    assert policy.delay_s(1, 2.0) >= 2.0


def make_certificate(folder, name):
    """A certificate for localhost with the authority that signed it, NAME.pem, and NAME.key."""
    authority = trustme.CA()
    made = authority.issue_cert("localhost", "127.0.0.1", common_name=name)
    chain, key = folder / f"{name}.pem", folder / f"{name}.key"
    chain.write_bytes(b"".join(blob.bytes() for blob in (*made.cert_chain_pems, authority.cert_pem)))
    key.write_bytes(made.private_key_pem.bytes())
    return chain, key


def test_mutual_tls_and_reload(tmp_path, server):
    cert, key = make_certificate(tmp_path, "server")
    theirs, their_key = make_certificate(tmp_path, "client")
    files = {"tls_cert": cert, "tls_key": key, "tls_client_ca": theirs}

    def ask(address, with_certificate=True):
        mine = (their_key.read_bytes(), theirs.read_bytes()) if with_certificate else (None, None)
        credentials = grpc.ssl_channel_credentials(cert.read_bytes(), *mine)
        with GraderClient(address, credentials=credentials, retry=QUICK, timeout_s=5) as client:
            return client.list_tasks()

    with serving.running(server.service.executor, host="localhost", **files) as secure:
        assert isinstance(ask(secure.address), service_pb2.ListTasksResponse)
        with pytest.raises(GraderCallError):
            ask(secure.address, with_certificate=False)
        good = cert.read_bytes()
        cert.write_text("no certificate")
        with pytest.raises((GraderCallError, ValueError)):
            ask(secure.address)  # trusts junk itself
        cert.write_bytes(good)
        ask(secure.address)  # the server kept the old one through the bad change
        cert, key = make_certificate(tmp_path, "server")
        ask(secure.address)  # trusts the new one only
