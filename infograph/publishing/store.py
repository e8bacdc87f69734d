"""Objects of a store below one address: read, written (on conditions), removed, listed.

Every failure is one clear line. What obstore says of one is pages long and may hold what was signed: `explain` tells
failures apart and says them anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from infograph.errors import OutputError, missing_extra
from infograph.files.disk import LARGEST_OUTPUT
from infograph.formats.names import PUBLISHER
from infograph.remote.addresses import is_loopback

if TYPE_CHECKING:
    from obstore import UpdateVersion
    from obstore.store import ClientConfig, RetryConfig
    from obstore.store import ObjectStore as Backend

TIMEOUT = timedelta(seconds=60)
"""How long one request may take."""
CONNECTING = timedelta(seconds=5)
"""How long a connection may take. Where there are no credentials, an address is asked that only machines of the cloud
have."""
RETRIES = 8
"""How often a request is sent again that a busy store refused, or whose connection broke."""
PATIENCE = timedelta(seconds=90)
"""How long a request is sent again."""

_ENDPOINTS = (
    "AWS_ENDPOINT_URL_S3",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT",
    "AZURE_STORAGE_ENDPOINT",
    "AZURE_ENDPOINT",
)
"""Environment variables that name another server than the cloud's."""


@dataclass(frozen=True, slots=True)
class Version:
    """Version of an object's content, by which a store tells whether it was replaced."""

    e_tag: str | None
    version: str | None

    def as_condition(self) -> UpdateVersion:
        condition: UpdateVersion = {}
        if self.e_tag is not None:
            condition["e_tag"] = self.e_tag
        if self.version is not None:
            condition["version"] = self.version
        return condition


@dataclass(frozen=True, slots=True)
class StoredObject:
    """Content of an object, and its version."""

    data: bytes
    version: Version
    is_too_large: bool = False
    """Whether it is larger than any output, and therefore somebody else's; its content is left out."""


class ReplacedError(Exception):
    """An object was written on a condition that does not hold: another wrote it in the meantime."""


class Store:
    """Objects below an address such as `s3://bucket/docs`. Credentials come from the environment alone, where the
    libraries of each cloud look for them.

    Every method raises OutputError for a store that refuses, or does not answer.
    """

    def __init__(self, address: str) -> None:
        """Opens a store; nothing is asked of it yet. Raises ConfigError where obstore is not installed."""
        try:
            import obstore
            from obstore.store import from_url
        except ImportError as error:
            raise missing_extra("store", address, "needs obstore", error) from None
        self.address = address
        self._obstore = obstore
        options: ClientConfig = {"timeout": TIMEOUT, "connect_timeout": CONNECTING}
        if _asks_this_machine(os.environ):
            options["allow_http"] = True
        retries: RetryConfig = {"max_retries": RETRIES, "retry_timeout": PATIENCE}
        with _Explained(address):
            self._backend: Backend = from_url(address, config=None, client_options=options, retry_config=retries)

    def reach(self) -> None:
        """Asks the store for something: what is wrong with an address or with credentials is known before a tree is
        built for it."""
        self.read(PUBLISHER)

    def read(self, path: str) -> StoredObject | None:
        """Returns an object; None where there is none. One larger than any output is returned without its content."""
        with _Explained(self.address):
            try:
                found = self._obstore.get(self._backend, path)
                data = bytes(found.bytes()) if found.meta["size"] <= LARGEST_OUTPUT else b""
            except FileNotFoundError as error:
                if _lacks_bucket(str(error)):
                    raise
                return None
            large = found.meta["size"] > LARGEST_OUTPUT
            return StoredObject(data, Version(found.meta["e_tag"], found.meta["version"]), large)

    def write(
        self, path: str, data: bytes, attributes: Mapping[str, str] | None = None, *, over: Version | None = None
    ) -> Version:
        """Writes an object, whole or not at all, whatever is there; with `over`, only over this version. Raises
        ReplacedError where that does not hold."""
        return self._put(path, data, attributes, over.as_condition() if over else "overwrite")

    def create(self, path: str, data: bytes, attributes: Mapping[str, str] | None = None) -> Version:
        """Writes an object where there is none. Raises ReplacedError where there is one."""
        return self._put(path, data, attributes, "create")

    def swap(
        self, path: str, data: bytes, attributes: Mapping[str, str] | None = None, *, over: Version | None
    ) -> Version:
        """Writes an object only over a version, or where `over` is None only where there is none. Raises ReplacedError
        where another wrote it. Bytes that only this call can have written count as its own: where the answer got lost,
        the request went out twice, and found the first one's object."""
        try:
            if over is None:
                return self.create(path, data, attributes)
            return self.write(path, data, attributes, over=over)
        except ReplacedError:
            found = self.read(path)
            if found is None or found.data != data:
                raise
            return found.version

    def _put(self, path: str, data: bytes, attributes: Mapping[str, str] | None, mode: Any) -> Version:
        errors = self._obstore.exceptions
        with _Explained(self.address):
            try:
                made = self._obstore.put(
                    self._backend, path, data, attributes=dict(attributes or {}), mode=mode, use_multipart=False
                )
            except (errors.AlreadyExistsError, errors.PreconditionError) as error:
                raise ReplacedError(path) from error
            except FileNotFoundError as error:
                if mode in ("overwrite", "create") or _lacks_bucket(str(error)):
                    raise
                raise ReplacedError(path) from error  # what was to be replaced is gone
        return Version(made["e_tag"], made["version"])

    def remove(self, paths: Sequence[str]) -> None:
        """Removes objects; one that is gone already does not matter."""
        for path in _batches(paths):
            with _Explained(self.address):
                try:
                    self._obstore.delete(self._backend, path)
                except FileNotFoundError as error:
                    if _lacks_bucket(str(error)):
                        raise

    def names(self) -> set[str]:
        """Returns the paths of all objects."""
        with _Explained(self.address):
            return {found["path"] for page in self._obstore.list(self._backend) for found in page}


def _batches(paths: Sequence[str]) -> Iterable[list[str]]:
    return (list(paths[start : start + 1000]) for start in range(0, len(paths), 1000))


def _asks_this_machine(environment: Mapping[str, str]) -> bool:
    """Whether another server is named and all that are run on this machine: nothing crosses a network unencrypted."""
    named = [environment[name] for name in _ENDPOINTS if environment.get(name)]
    return bool(named) and all(is_loopback(urlsplit(address).hostname or "") for address in named)


class _Explained:
    """Context in which errors of obstore become one line each."""

    def __init__(self, address: str) -> None:
        self._address = address

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if kind is None or error is None or isinstance(error, ReplacedError | OutputError):
            return
        if (kind.__module__ or "").startswith("obstore") or isinstance(error, FileNotFoundError | PermissionError):
            raise OutputError(self._address, *explain(f"{kind.__name__}: {error}", self._address)) from None
        if isinstance(error, ValueError | TypeError):
            raise OutputError(self._address, *explain(str(error), self._address)) from None


def _lacks_bucket(said: str) -> bool:
    return re.search(_NO_BUCKET, said) is not None


_NO_BUCKET = "NoSuchBucket|ContainerNotFound|specified bucket does not exist|FilesystemNotFound"
_CREDENTIALS = "<how to set them>"
"""Stands in a way out for that of the store's kind, see `_KEYS`."""
_KEYS = {
    "s3": "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or give this machine a role.",
    "gs": "Set GOOGLE_SERVICE_ACCOUNT in the environment to the file of a service account's key.",
    "az": "Set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY in the environment.",
}
_LATER = "Run it again: what was sent already stays, and readers see nothing of it before all is."
_CAUSES: tuple[tuple[str, str, str], ...] = (
    (_NO_BUCKET, "there is no such bucket", "Make it, or see to its name."),
    (
        "AuthorizationHeaderMalformed|PermanentRedirect|IncorrectEndpoint|redirect without LOCATION|IllegalLocation",
        "the bucket lies in another region than it was asked in",
        "Set AWS_REGION to the region of the bucket.",
    ),
    (
        "RequestTimeTooSkewed|RequestExpired|AuthenticationFailed.*[Dd]ate|clock",
        "refuses the requests, since the clock of this machine is wrong",
        "Set the clock.",
    ),
    (
        "169\\.254\\.169\\.254|metadata\\.google|metadata endpoint|token request|MissingAccount|MissingCredential|"
        "MissingAccessKeyId|MissingSecretAccessKey|OpenCredentials|latest/api/token|latest/meta-data",
        "no credentials are to be found",
        _CREDENTIALS,
    ),
    (
        "InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken|AuthenticationFailed|UnauthenticatedError|"
        "InvalidSecurity|InvalidAccessKey|DecodeCredentials|status: 401",
        "does not take these credentials",
        f"See to those in the environment. {_CREDENTIALS}",
    ),
    (
        "AccessDenied|AllAccessDisabled|AuthorizationPermissionMismatch|PermissionDeniedError|status: 403",
        "these credentials have not the right to it",
        "They need the rights to list the bucket, and to read, write and delete its objects.",
    ),
    (
        "NotImplemented|NotSupportedError|status: 501",
        "does not know conditional writes, by which one of two publishers is kept out",
        "Publish there by other means, or to a store that does.",
    ),
    ("SlowDown|TooManyRequests|ServerBusy|status: (?:429|5\\d\\d)", "is too busy: it refused time after time", _LATER),
    (
        "scheme is not allowed|URL scheme|BadScheme",
        "would be asked over http, unencrypted",
        "Use https, or set AWS_ALLOW_HTTP=true for a network of your own.",
    ),
    (
        "kind: (?:Connect|Timeout|Request|Interrupted|Decode)|error sending request|timed out|dns error|"
        "connection closed|error decoding response",
        "does not answer",
        f"See to the network and the address. {_LATER}",
    ),
)
"""What the text of a failure has, as a pattern; the reason; and the way out."""


def explain(said: str, address: str) -> tuple[str, str]:
    """Returns the reason for a failure and the way out, from what obstore says of it; nothing of that is repeated but a
    region's name and the code of an error, so that no message can hold a key.

    address: of the store
    """
    for pattern, reason, hint in _CAUSES:
        if re.search(pattern, said, re.DOTALL):
            region = re.search(r"<Region>([a-z0-9-]{4,30})</Region>|expecting '([a-z0-9-]{4,30})'", said)
            if region and "region" in reason:
                hint = f"Set AWS_REGION={region[1] or region[2]}."
            return reason, hint.replace(_CREDENTIALS, _KEYS.get(address.partition(":")[0], ""))
    code = re.search(r"<Code>(\w{1,60})</Code>", said)
    status = re.search(r"status: (\d{3})\b", said)
    kind = re.match(r"\w{1,60}(?=: )", said)
    what = code[1] if code else f"status {status[1]}" if status else kind[0] if kind else "no reason"
    return f"cannot be published to ({what})", "See to the address, the rights and the store's own log."
