"""Who may call: tokens, certificates and how callers are named."""

import contextlib
import hashlib
import logging
import os

import grpc
import pytest
import trustme

from grader.serving.access.certificates import CertificateError, CertificateFiles
from grader.serving.access.clients import peer_name
from grader.serving.access.tokens import TokenFile, TokenFileError, read_tokens
from grader.serving.server import ServerStartError, check_start
from grader.serving.settings import load_settings
from grader.serving.workers import InProcessExecutor
from grader.v1 import service_pb2, service_pb2_grpc
from tests.fakes import serving
from tests.fakes.engine import CATALOGUE, SPEC, make_request


def line(name, token):
    return f"{name} {hashlib.sha256(token.encode()).hexdigest()}\n"


def rewrite(path, text):
    """Writes a file anew, at a time that is another one on every file system."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    os.utime(path, ns=(before + 10**9, before + 10**9))


@pytest.fixture(scope="module")
def executor():
    made = InProcessExecutor(SPEC)
    yield made
    made.close()


def test_only_a_known_token_is_served_and_a_changed_file_counts_at_once(executor, tmp_path, caplog):
    file = tmp_path / "tokens"
    rewrite(file, "# pipelines\n" + line("train", "secret-1") + line("eval", "secret-2"))
    with (
        serving.running(executor, token_file=file) as server,
        grpc.insecure_channel(server.address) as channel,
        caplog.at_level(logging.INFO, "grader"),
    ):
        stub = service_pb2_grpc.GraderServiceStub(channel)
        request = make_request("one")

        def code_of(*metadata):
            try:
                stub.Grade(request, metadata=metadata)
            except grpc.RpcError as error:
                return error.code()
            return grpc.StatusCode.OK

        refused = grpc.StatusCode.UNAUTHENTICATED
        assert code_of() is refused
        assert code_of(("authorization", "Bearer wrong")) is refused
        assert code_of(("authorization", "secret-1")) is refused
        assert code_of(("authorization", "Bearer secret-1")) is grpc.StatusCode.OK
        assert code_of(("authorization", "bearer secret-2")) is grpc.StatusCode.OK
        with pytest.raises(grpc.RpcError):
            stub.ListTasks(service_pb2.ListTasksRequest())
        with pytest.raises(grpc.RpcError):
            list(stub.GradeBatch(iter([service_pb2.GradeBatchRequest(request=request)])))
        rewrite(file, line("eval", "secret-2"))
        assert code_of(("authorization", "Bearer secret-1")) is refused
        assert code_of(("authorization", "Bearer secret-2")) is grpc.StatusCode.OK
        rewrite(file, "no tokens")
        assert code_of(("authorization", "Bearer secret-2")) is grpc.StatusCode.OK
    assert "the changed tokens can't be used" in caplog.text
    lines = [record.grader_facts for record in caplog.records if record.name == "grader.access"]
    assert {(line["end"], line["client"].partition(":")[0]) for line in lines} == {
        ("PASS", "token"),
        ("TOKEN_REFUSED", "peer"),
    }
    assert {line["rpc"] for line in lines} == {"Grade", "GradeBatch", "ListTasks"}
    assert "secret" not in caplog.text


def test_a_token_does_what_its_roles_say(executor, tmp_path):
    file = tmp_path / "tokens"
    both, grades, fits = (line(name, name).rstrip() for name in ("both", "grades", "fits"))
    file.write_text(f"{both}\n{grades} grade\n{fits} calibrate\n")
    catalogue = service_pb2.ListTasksResponse()
    catalogue.CopyFrom(CATALOGUE)
    catalogue.profiles[0].calibration.raters = 3
    with (
        serving.running(executor, catalogue=catalogue, token_file=file) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        stub = service_pb2_grpc.GraderServiceStub(channel)

        def asked(name):
            """How the calls end, and whether it is told what was fitted to people."""
            metadata = (("authorization", f"Bearer {name}"),)
            told = stub.ListTasks(service_pb2.ListTasksRequest(), metadata=metadata).profiles[0]
            items = iter([service_pb2.GradeBatchRequest(request=make_request("one"))])
            one, many = (
                stub.Grade.future(make_request("one"), metadata=metadata),
                stub.GradeBatch(items, metadata=metadata),
            )
            with contextlib.suppress(grpc.RpcError):
                list(many)
            return [one.code().name, many.code().name], told.HasField("calibration")

        assert {name: asked(name) for name in ("both", "grades", "fits")} == {
            "both": (["OK", "OK"], True),
            "grades": (["OK", "OK"], False),
            "fits": (["PERMISSION_DENIED", "PERMISSION_DENIED"], True),
        }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no token"),
        ("name only\n", ":1: a line has a name"),
        ("# c\n\nx " + "0" * 63 + "\n", ":3: a line has a name"),
        ("a b " + "0" * 64 + "\n", ":1: a line has a name"),
        ("a " + "0" * 64 + " grade rule\n", ":1: there is no such role; roles are grade and calibrate"),
    ],
)
def test_a_file_of_tokens_that_is_none(text, said, tmp_path):
    file = tmp_path / "tokens"
    file.write_text(text)
    with pytest.raises(TokenFileError, match=said):
        read_tokens(file)
    with pytest.raises(TokenFileError):
        check_start(load_settings(port=0, token_file=file))


def test_a_file_of_tokens_that_is_gone_keeps_the_old_ones(tmp_path):
    file = tmp_path / "tokens"
    file.write_text(line("a", "t"))
    tokens = TokenFile(file)
    file.unlink()
    assert tokens.owner_of("t").name == "a"
    assert tokens.owner_of("x" * 10_000) is None


@pytest.mark.parametrize(
    ("peer", "name"),
    [
        ("ipv4:10.1.2.3:4567", "10.1.2.3"),
        ("ipv4:127.0.0.1:4567", "127.0.0.1:4567"),
        ("ipv6:%5B2001:db8::1%5D:80", "[2001:db8::1]"),
        ("unix:/run/x\n", "unix:/run/x_"),
    ],
)
def test_callers_without_a_name_are_machines_or_connections_of_this_one(peer, name):
    assert peer_name(peer) == name


AUTHORITY = trustme.CA()


def files_of(folder, **more):
    made = AUTHORITY.issue_cert("localhost", **more)
    cert, key = folder / "cert.pem", folder / "key.pem"
    rewrite(cert, "".join(blob.bytes().decode() for blob in made.cert_chain_pems))
    rewrite(key, made.private_key_pem.bytes().decode())
    return cert, key


def long_ago():
    import datetime

    return datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)


def test_an_expired_certificate_is_refused_at_start_and_keeps_no_good_one_out(tmp_path, caplog):
    cert, key = files_of(tmp_path, not_after=long_ago())
    with pytest.raises(ServerStartError, match="is not valid: it ended on 2020-01-01"):
        check_start(load_settings(port=0, tls_cert=cert, tls_key=key))
    files_of(tmp_path)
    files = CertificateFiles(cert, key, None)
    assert files.read()
    good = files.ends
    files_of(tmp_path, not_after=long_ago())
    with caplog.at_level(logging.ERROR, "grader"):
        assert files.changed() is None
    assert "the old ones stay" in caplog.text
    assert files.ends == good
    files_of(tmp_path)
    assert files.changed() is not None
    assert files.changed() is None


def test_a_certificate_of_the_future_and_one_of_another_key_are_refused(tmp_path):
    import datetime

    cert, key = files_of(tmp_path, not_before=datetime.datetime(2900, 1, 1, tzinfo=datetime.UTC))
    with pytest.raises(CertificateError, match="begins on 2900-01-01"):
        CertificateFiles(cert, key, None).read()
    files_of(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    _, other_key = files_of(other)
    with pytest.raises(CertificateError, match=r"(?i)key"):
        CertificateFiles(cert, other_key, None).read()


def test_a_caller_with_a_certificate_has_its_name(executor, tmp_path, caplog):
    cert, key = files_of(tmp_path)
    ca = tmp_path / "ca.pem"
    AUTHORITY.cert_pem.write_to_path(ca)
    own = AUTHORITY.issue_cert("trainer", common_name="trainer")
    credentials = grpc.ssl_channel_credentials(
        ca.read_bytes(), own.private_key_pem.bytes(), b"".join(blob.bytes() for blob in own.cert_chain_pems)
    )
    with (
        caplog.at_level(logging.INFO, "grader"),
        serving.running(executor, tls_cert=cert, tls_key=key, tls_client_ca=ca) as server,
        grpc.secure_channel(f"localhost:{server.port}", credentials) as channel,
    ):
        service_pb2_grpc.GraderServiceStub(channel).Grade(make_request("one"))
        assert server.certificates.ends is not None
    (line,) = [record.grader_facts for record in caplog.records if record.name == "grader.access"]
    assert line["client"] == "cert:trainer"


def test_what_is_no_certificate_is_said(tmp_path):
    cert, key = files_of(tmp_path)
    ca = tmp_path / "ca.pem"
    ca.write_text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    with pytest.raises(CertificateError):
        CertificateFiles(cert, key, ca).read()
