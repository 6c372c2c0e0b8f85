"""Settings: defaults, environment, and the exact message of each bad value."""

import os

import pytest

from grader.lpips.places import CACHE_VARIABLE, GIVEN_VARIABLE
from grader.media.pictures import MediaLimits
from grader.processes.logs import FORMAT_VARIABLE
from grader.serving.settings import (
    ServerSettings,
    SettingsError,
    UnknownVariable,
    describe_settings,
    is_loopback,
    load_settings,
    unknown_variables,
)


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    for name in list(os.environ):
        if name.startswith("GRADER_"):
            monkeypatch.delenv(name)


def test_defaults():
    settings = load_settings()
    assert settings.address == "127.0.0.1:50051"
    assert settings.workers == os.cpu_count()
    assert settings.max_message_bytes == 32 * 1024 * 1024
    assert settings.media_roots == ()
    assert settings.media_limits == MediaLimits()


def test_environment_and_what_is_given_over_it(monkeypatch, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("GRADER_PORT", "1234")
    monkeypatch.setenv("GRADER_WORKERS", "3")
    monkeypatch.setenv("GRADER_MEDIA_MAX_PIXELS", "1000")
    monkeypatch.setenv("GRADER_MEDIA_ROOTS", f"{tmp_path / 'a'}{os.pathsep}{tmp_path / 'b'}")
    settings = load_settings(port=0, workers=None)
    assert (settings.port, settings.workers) == (0, 3)
    assert settings.media_roots == ((tmp_path / "a").resolve(), (tmp_path / "b").resolve())
    assert settings.media_limits.max_pixels == 1000
    assert settings.media_limits.max_bytes == MediaLimits().max_bytes


BAD = {
    "port": ({"port": 70000}, "port (GRADER_PORT): Input should be less than or equal to 65535"),
    "workers": ({"workers": 0}, "workers (GRADER_WORKERS): Input should be greater than or equal to 1"),
    "message": (
        {"max_message_bytes": 10},
        "max_message_bytes (GRADER_MAX_MESSAGE_BYTES): Input should be greater than or equal to 1024",
    ),
    "root": ({"media_roots": "/no/such"}, "media_roots (GRADER_MEDIA_ROOTS): /no/such is no folder"),
    "cert": ({"tls_cert": "/no/such"}, "tls_cert (GRADER_TLS_CERT): /no/such is no file"),
    "key": (
        {"tls_cert": __file__},
        "--tls-cert (GRADER_TLS_CERT) and --tls-key (GRADER_TLS_KEY) need each other; set both or neither",
    ),
    "ca": (
        {"tls_client_ca": __file__},
        "--tls-client-ca (GRADER_TLS_CLIENT_CA) needs --tls-cert (GRADER_TLS_CERT) and --tls-key (GRADER_TLS_KEY)",
    ),
    "remote": (
        {"host": "0.0.0.0"},
        "host 0.0.0.0 can be reached from other machines and there is no TLS; set --tls-cert (GRADER_TLS_CERT) and "
        "--tls-key (GRADER_TLS_KEY), or GRADER_ALLOW_INSECURE_REMOTE=true if the network is trusted",
    ),
    "unknown": ({"hots": "x"}, "hots (GRADER_HOTS): Extra inputs are not permitted"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_values_say_what_and_where(name):
    given, message = BAD[name]
    with pytest.raises(SettingsError) as raised:
        load_settings(**given)
    assert str(raised.value) == message


def test_a_remote_port_is_allowed_with_tls_or_when_said():
    assert load_settings(host="0.0.0.0", allow_insecure_remote=True).host == "0.0.0.0"
    assert load_settings(host="::", tls_cert=__file__, tls_key=__file__).address == "[::]:50051"


@pytest.mark.parametrize(
    ("host", "expected"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("a.b", False)]
)
def test_is_loopback(host, expected):
    assert is_loopback(host) is expected


def test_every_setting_is_described():
    described = describe_settings()
    assert [name for name, _, _ in described] == [f"GRADER_{name.upper()}" for name in ServerSettings.model_fields]
    assert all(meaning.endswith(".") for _, _, meaning in described)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("GRADER_WORKRES", "GRADER_WORKERS"),
        ("grader_prot", "GRADER_PORT"),
        ("GRADER_TLS_CLIENT_CAS", "GRADER_TLS_CLIENT_CA"),
        ("GRADER_QUEUE", "GRADER_QUEUE_SIZE"),
        ("GRADER_LPIPS_WEIGHT", "GRADER_LPIPS_WEIGHTS"),
        ("GRADER_SOMETHING_ELSE_ALTOGETHER", None),
    ],
)
def test_a_variable_that_is_no_setting_is_named_with_the_nearest(name, nearest, monkeypatch):
    assert unknown_variables({name: "3", "GRADER_WORKERS": "2", "HOME": "/"}) == (UnknownVariable(name, nearest),)
    monkeypatch.setenv(name, "3")
    hint = rf"did you mean {nearest}\?$" if nearest else "`grader serve --settings` lists what there is$"
    with pytest.raises(SettingsError, match=f"^{name} is set, .*{hint}"):
        load_settings()


@pytest.mark.parametrize(
    "name",
    [
        "GRADER_SERVICE_HOST",
        "GRADER_SERVICE_PORT",
        "GRADER_SERVICE_PORT_GRPC",
        "GRADER_PORT_50051_TCP",
        "GRADER_PORT_50051_TCP_ADDR",
        "GRADER_GPU_SERVICE_HOST",
    ],
)
def test_what_kubernetes_sets_for_a_service_of_that_name_is_let_be(name, monkeypatch):
    monkeypatch.setenv(name, "10.0.0.1")
    monkeypatch.setenv("GRADER_PORT", "tcp://10.0.0.1:50051")
    monkeypatch.setenv("GRADER_METRICS_PORT", "tcp://10.0.0.1:9095")
    settings = load_settings()
    assert (settings.port, settings.metrics_port) == (50051, None)


def test_what_else_is_read_from_the_environment_is_known():
    every = {*(name for name, _, _ in describe_settings()), GIVEN_VARIABLE, CACHE_VARIABLE, FORMAT_VARIABLE}
    assert unknown_variables(dict.fromkeys(every, "")) == ()
