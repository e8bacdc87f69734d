"""Objects of a store: conditions, repeated requests, and what is said of a store that refuses."""

from __future__ import annotations

import itertools
import sys

import pytest

from infograph.errors import ConfigError, OutputError
from infograph.publishing.store import ReplacedError, Store, explain

from .conftest import S3Server


def test_an_object_is_read_as_it_was_written(store: Store) -> None:
    assert store.read("a/ü #?%.md") is None
    version = store.write("a/ü #?%.md", b"text", {"Content-Type": "text/markdown"})
    found = store.read("a/ü #?%.md")
    assert found is not None
    assert (found.data, found.version) == (b"text", version)
    assert store.names() == {"a/ü #?%.md"}
    store.remove(["a/ü #?%.md", "was never there"])
    assert store.names() == set()


def test_an_object_is_replaced_on_a_condition(store: Store) -> None:
    first = store.create("a", b"1")
    with pytest.raises(ReplacedError):
        store.create("a", b"2")
    second = store.write("a", b"2", over=first)
    with pytest.raises(ReplacedError):
        store.write("a", b"3", over=first)
    store.remove(["a"])
    with pytest.raises(ReplacedError):
        store.write("a", b"3", over=second)


def test_many_objects_are_removed_at_once(store: Store, s3: S3Server) -> None:
    names = [str(number) for number in range(30)]
    for name in names:
        store.write(name, b"x")
    s3.asked.clear()
    store.remove(names)
    assert [method for method, _ in s3.asked] == ["POST"]
    assert store.names() == set()


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["503 SlowDown", "cut", "lost"])
def test_a_request_that_fails_is_sent_again(store: Store, s3: S3Server, fault: str) -> None:
    turns = itertools.cycle([fault, None])
    s3.fault = lambda method, path: next(turns)
    for number in range(3):
        store.write("a", b"%d" % number)
        found = store.read("a")
        assert found is not None and found.data == b"%d" % number


@pytest.mark.parametrize("there", [False, True])
def test_a_swap_whose_answer_is_lost_counts(store: Store, s3: S3Server, there: bool) -> None:
    """It goes out twice; the second time it finds the object of the first."""
    before = store.write("a", b"old") if there else None
    s3.fault = lambda method, path: "lost" if method == "PUT" and len(s3.asked) == 1 else None
    s3.asked.clear()
    version = store.swap("a", b"new", over=before)
    s3.fault = None
    found = store.read("a")
    assert found is not None and (found.data, found.version) == (b"new", version)
    with pytest.raises(ReplacedError):
        store.swap("a", b"other", over=before)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("403 AccessDenied", "have not the right"),
        ("403 InvalidAccessKeyId", "does not take these credentials"),
        ("403 SignatureDoesNotMatch", "does not take these credentials"),
        ("403 RequestTimeTooSkewed", "the clock of this machine is wrong"),
        ("400 AuthorizationHeaderMalformed", "another region than it was asked in. Set AWS_REGION=eu-west-3"),
        ("301 PermanentRedirect", "another region than it was asked in"),
        ("501 NotImplemented", "does not know conditional writes"),
        ("503 SlowDown", "too busy"),
        ("418 Teapot", "cannot be published to (Teapot)"),
        ("cut", "does not answer"),
    ],
)
def test_a_store_that_refuses_is_told_in_one_line(s3: S3Server, fault: str, said: str) -> None:
    store = Store(f"s3://{s3.bucket()}/docs")
    s3.fault = lambda method, path: fault
    for act in (store.reach, lambda: store.create("a", b"x"), lambda: store.remove(["a"]), store.names):
        with pytest.raises(OutputError) as caught:
            act()
        message = str(caught.value)
        assert said in message and message.startswith(store.address) and "\n" not in message
        assert len(message) < 300 and "wJalr" not in message and "AKIA" not in message


@pytest.mark.usefixtures("hasty")
def test_a_bucket_that_is_missing_is_no_missing_file(s3: S3Server) -> None:
    store = Store("s3://there-is-none/docs")
    for act in (store.reach, lambda: store.write("a", b"x"), store.names):
        with pytest.raises(OutputError, match="there is no such bucket"):
            act()


@pytest.mark.usefixtures("hasty")
def test_a_server_that_is_not_there(s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(OutputError, match="does not answer"):
        Store("s3://bucket/docs").reach()


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("missing", [("AWS_ACCESS_KEY_ID",), ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")])
def test_no_credentials(s3: S3Server, monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...]) -> None:
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://127.0.0.1:9")  # which only machines of the cloud have
    for name in missing:
        monkeypatch.delenv(name)
    with pytest.raises(OutputError, match=r"no credentials are to be found. Set AWS_ACCESS_KEY_ID and"):
        Store("s3://bucket/docs").reach()


def test_http_is_for_this_machine(s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://store.example:9000")
    with pytest.raises(OutputError, match="would be asked over http, unencrypted"):
        Store("s3://bucket/docs").reach()


@pytest.mark.parametrize(
    ("address", "said", "reason", "hint"),
    [
        ("gs://b/x", "GenericError: Generic GCS error: OpenCredentials {", "no credentials", "GOOGLE_SERVICE_ACCOUNT"),
        ("az://b/x", "GenericError: source: MissingAccount", "no credentials", "AZURE_STORAGE_ACCOUNT_KEY"),
        ("az://b/x", "FileNotFoundError: <Code>ContainerNotFound</Code>", "no such bucket", "Make it"),
        ("s3://b/x", "ValueError: sk-verysecretkey9876 is no text", "cannot be published to (ValueError)", "See to"),
    ],
)
def test_what_is_said_of_a_failure(address: str, said: str, reason: str, hint: str) -> None:
    found = explain(said, address)
    assert reason in found[0] and hint in found[1]
    assert "secretkey" not in "".join(found)


def test_without_obstore_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(ConfigError, match=r"needs obstore .*infograph\[store\]"):
        Store("s3://bucket/docs")
