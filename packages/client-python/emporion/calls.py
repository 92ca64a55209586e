"""How a request is sent until it is answered: as steps, which a client takes in its own way."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, Union, cast
from urllib.parse import urljoin

from . import operations
from .backoff import Backoff
from .contract import TokenRequest, TokenResponse
from .credentials import RENEW_BEFORE, Credentials, HeldToken, TokenSource
from .errors import ApiError, NoAnswer, api_error_of, is_passing
from .platform import Platform, standard_platform
from .requests import Request
from .transport import HttpAnswer

Body = TypeVar("Body")
Result = TypeVar("Result")

# Seconds that one request may take, and how often it is sent again.
TIMEOUT = 30.0
RETRIES = 4

# A server that asks for a longer wait than so many seconds is not waited for.
LONGEST_RETRY_AFTER = 60.0

_NEXT = re.compile(r'<([^>]*)>\s*;\s*rel="?next"?')


@dataclass(frozen=True)
class Answered(Generic[Body]):
    """An answer, and what its headers say."""

    body: Body
    status: int
    # Their names in small letters.
    headers: Mapping[str, str]
    request_id: str | None
    # Rows of the whole list.
    total: int | None


@dataclass(frozen=True)
class Sending:
    request: Request[Any]
    url: str
    key: str | None
    timeout: float
    retries: int


@dataclass(frozen=True)
class Send:
    """Wants a request to be sent, and gets its ``HttpAnswer``."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout: float


@dataclass(frozen=True)
class Wait:
    seconds: float


@dataclass(frozen=True)
class Ask:
    """Wants a token."""

    source: TokenSource


@dataclass(frozen=True)
class Alone:
    """Wants steps to be done by one call at a time."""

    steps: Steps[str]


Step = Union[Send, Wait, Ask, Alone]
Steps = Generator[Step, Any, Result]


class CallSteps:
    """What both clients do, and what they are made with."""

    def __init__(
        self,
        url: str,
        *,
        token: TokenSource | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        scope: str | None = None,
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
        platform: Platform | None = None,
    ) -> None:
        if not re.match(r"https?://[^/]", url):
            raise ValueError(f"The address of a server begins with https:// or http://, and {url!r} does not.")
        self._url = url
        self._credentials = Credentials(token, client_id, client_secret, scope)
        self._timeout = timeout
        self._retries = retries
        self._platform = platform or standard_platform()
        self._held: HeldToken | None = None
        self._lock = threading.RLock()
        self._turn = asyncio.Lock()

    def _sending(
        self, request: Request[Any], timeout: float | None, retries: int | None, idempotency_key: str | None
    ) -> Sending:
        return Sending(
            request,
            request.url(self._url),
            (idempotency_key or self._platform.uuid()) if request.is_keyed else None,
            self._timeout if timeout is None else timeout,
            self._retries if retries is None else retries,
        )

    def _repeated(self, sending: Sending) -> Steps[Answered[Any]]:
        """Sends until it is answered: under the same key each time, later each time, as long as the server asks."""
        backoff = Backoff(self._platform.random)
        attempt = 0
        while True:
            try:
                return (yield from self._authenticated(sending))
            except (ApiError, NoAnswer) as error:
                wait = _wait_after(error, sending) if attempt < sending.retries else None
                if wait is None:
                    raise
            yield Wait(backoff.next(asked=wait))
            attempt += 1

    def _authenticated(self, sending: Sending) -> Steps[Answered[Any]]:
        """A token that was refused is replaced once."""
        token = yield from self._token()
        try:
            return (yield from self._sent(sending, token))
        except ApiError as error:
            if error.status != 401 or token is None or not self._credentials.is_renewable:
                raise
        if self._held is not None and self._held.text == token:
            self._held = None
        return (yield from self._sent(sending, (yield from self._token())))

    def _sent(self, sending: Sending, token: str | None) -> Steps[Answered[Any]]:
        content = sending.request.content()
        headers = {"accept": "application/json, */*"}
        if token is not None:
            headers["authorization"] = f"Bearer {_visible(token)}"
        if content is not None:
            headers["content-type"] = content[0]
        if sending.key is not None:
            headers["idempotency-key"] = sending.key
        answer: HttpAnswer = yield Send(
            sending.request.method, sending.url, headers, content and content[1], sending.timeout
        )
        body = _body_of(answer)
        if answer.status >= 400:
            raise api_error_of(answer.status, answer.headers, body)
        total = answer.headers.get("x-total-count")
        return Answered(
            body,
            answer.status,
            answer.headers,
            answer.headers.get("x-request-id"),
            None if total is None else int(total),
        )

    def _token(self) -> Steps[str | None]:
        """A token that is valid for a while; None for a client that says of nobody that it is them."""
        who = self._credentials
        if isinstance(who.token, str):
            return who.token
        if not who.is_renewable:
            return None
        held = self._held_now()
        if held is not None:
            return held
        token: str = yield Alone(self._renewed())
        return token

    def _held_now(self) -> str | None:
        held = self._held
        return held.text if held is not None and held.until - self._platform.now() > RENEW_BEFORE else None

    def _renewed(self) -> Steps[str]:
        held = self._held_now()
        if held is not None:
            return held
        who = self._credentials
        if callable(who.token):
            text: str = yield Ask(who.token)
            self._held = HeldToken(text, self._platform.now())
            return text
        wanted: dict[str, Any] = {
            "grant_type": "client_credentials",
            "client_id": who.client_id,
            "client_secret": who.client_secret,
        }
        if who.scope is not None:
            wanted["scope"] = who.scope
        request = operations.auth_token(cast(TokenRequest, wanted))
        answered = yield from self._sent(Sending(request, request.url(self._url), None, self._timeout, 0), None)
        granted: TokenResponse = answered.body
        self._held = HeldToken(granted["access_token"], self._platform.now() + granted["expires_in"])
        return self._held.text


def _wait_after(error: ApiError | NoAnswer, sending: Sending) -> float | None:
    """Seconds that are waited at least before the same is sent again; None where it is not."""
    may_repeat = sending.request.method != "POST" or sending.key is not None
    if isinstance(error, NoAnswer):
        return 0.0 if may_repeat else None
    # The first request under the key is still running, and will be answered under it.
    is_running = error.code == "conflict" and error.retry_after is not None
    passes = error.status == 429 or (may_repeat and (is_passing(error) or is_running))
    wait = error.retry_after or 0.0
    return wait if passes and wait <= LONGEST_RETRY_AFTER else None


def following(sending: Sending, answered: Answered[Any]) -> Sending | None:
    """What asks for the next page; None after the last."""
    found = _NEXT.search(answered.headers.get("link", ""))
    if found is None:
        return None
    return Sending(sending.request, urljoin(sending.url, found[1]), None, sending.timeout, sending.retries)


def _body_of(answer: HttpAnswer) -> Any:
    text = answer.body.decode("utf-8", "replace")
    if "json" not in answer.headers.get("content-type", ""):
        return text or None
    try:
        return json.loads(text)
    except ValueError:
        return None


def known(token: str | None) -> str:
    if token is None:
        raise ValueError("The client has neither a token nor an API client's credentials.")
    return token


def _visible(token: str) -> str:
    """A token that can stand in a header; what cannot is refused before it is sent."""
    if not re.fullmatch(r"[\x21-\x7e]+", token):
        raise ApiError("unauthorized", "The access token is not a valid one.", status=401)
    return token
