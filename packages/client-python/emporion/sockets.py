"""WebSockets by the library ``websockets``, the same for its versions from 10.4 on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Any, Protocol, cast
from urllib.parse import urlsplit, urlunsplit

import websockets
from websockets.exceptions import ConnectionClosed, InvalidHandshake

# Seconds for a connection to be made, and for its end to be agreed on.
_OPEN_TIMEOUT = 20
_CLOSE_TIMEOUT = 1

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")


class Socket(Protocol):
    """An open connection."""

    async def send(self, text: str) -> None: ...

    async def recv(self) -> str | bytes: ...

    async def close(self) -> None: ...

    def abort(self) -> None: ...


class NotOpened(Exception):
    """A connection was not opened. ``status`` is what the server answered, where it did."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Ended(Exception):
    """A connection is at its end, with a code where one was told."""

    def __init__(self, code: int | None, why: str | None = None) -> None:
        super().__init__(why or ("lost" if code is None else f"closed with {code}"))
        self.code = code


class _LibrarySocket:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def send(self, text: str) -> None:
        try:
            await self._connection.send(text)
        except ConnectionClosed as end:
            raise _ended(end) from None

    async def recv(self) -> str | bytes:
        try:
            return cast("str | bytes", await self._connection.recv())
        except ConnectionClosed as end:
            raise _ended(end) from None

    async def close(self) -> None:
        await self._connection.close()

    def abort(self) -> None:
        transport = getattr(self._connection, "transport", None)
        if transport is not None:
            transport.abort()


def require_tokens(protocols: Sequence[str]) -> None:
    """Raises ``ValueError`` where a protocol cannot stand in a header."""
    if not all(_TOKEN.fullmatch(protocol) for protocol in protocols):
        raise ValueError("The ticket or the token is not a valid one.")


async def open_socket(url: str, protocols: Sequence[str]) -> Socket:
    """Connects. Raises ``NotOpened``; ``ValueError`` where no server could be asked."""
    require_tokens(protocols)
    connecting = cast(Any, websockets).connect(
        url,
        subprotocols=list(protocols),
        open_timeout=_OPEN_TIMEOUT,
        close_timeout=_CLOSE_TIMEOUT,
        # The client looks after the connection itself.
        ping_interval=None,
        max_size=None,
        compression=None,
    )
    try:
        return _LibrarySocket(await connecting)
    except InvalidHandshake as refusal:
        response = getattr(refusal, "response", None)
        status = getattr(refusal, "status_code", None) or getattr(response, "status_code", None)
        raise NotOpened(str(refusal), status) from refusal
    except (OSError, asyncio.TimeoutError, EOFError, ConnectionClosed) as lost:
        raise NotOpened(str(lost) or type(lost).__name__) from lost


def websocket_url(server: str, path: str) -> str:
    """Where a server's WebSocket is: the path is the usual one unless the address has one itself."""
    parts = urlsplit(server)
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
    if scheme not in ("ws", "wss") or not parts.netloc:
        raise ValueError(f"The address of a server begins with https:// or http://, not {server!r}.")
    return urlunsplit((scheme, parts.netloc, path if parts.path in ("", "/") else parts.path, parts.query, ""))


def http_url(server: str) -> str:
    """The same server for REST."""
    return re.sub(r"^ws", "http", server)


def _ended(end: ConnectionClosed) -> Ended:
    received = end.rcvd
    return Ended(None if received is None else received.code)
