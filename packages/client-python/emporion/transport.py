"""HTTP/1.1 by the standard library, on connections that are kept."""

from __future__ import annotations

import http.client
import select
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from .errors import NoAnswer

# Connections that are kept while nothing is asked.
MOST_IDLE = 8

_PIECE = 65_536


@dataclass(frozen=True)
class HttpAnswer:
    """An answer with the names of its headers in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpTransport:
    """Sends requests from any thread."""

    def __init__(self, most_idle: int = MOST_IDLE) -> None:
        self._most_idle = most_idle
        self._lock = threading.Lock()
        self._idle: list[tuple[str, http.client.HTTPConnection]] = []
        self._tls = ssl.create_default_context()

    def exchange(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, timeout: float
    ) -> HttpAnswer:
        """One request and its answer, read within the time it may take. Raises ``NoAnswer``."""
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        until = time.monotonic() + timeout
        connection = self._taken(origin) or self._opened(parts.scheme, parts.netloc)
        try:
            _allow(connection, until)
            connection.request(method, target, body=body, headers=dict(headers))
            _allow(connection, until)
            response = connection.getresponse()
            pieces = []
            while piece := response.read1(_PIECE):
                pieces.append(piece)
                _allow(connection, until)
            # Pieces of a known length do not tell that the last one was read.
            response.read()
            answer = HttpAnswer(
                response.status, {name.lower(): value for name, value in response.getheaders()}, b"".join(pieces)
            )
        except TimeoutError as cause:
            connection.close()
            raise NoAnswer("timeout", f"No answer within {timeout:g} s.") from cause
        except (OSError, http.client.HTTPException, UnicodeError) as cause:
            connection.close()
            raise NoAnswer("unreachable", f"The server cannot be reached: {cause or type(cause).__name__}.") from cause
        except BaseException:
            connection.close()
            raise
        self._give_back(origin, connection, keep=not response.will_close)
        return answer

    def close(self) -> None:
        """Closes what is kept."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def _opened(self, scheme: str, host: str) -> http.client.HTTPConnection:
        if scheme == "https":
            return http.client.HTTPSConnection(host, context=self._tls)
        return http.client.HTTPConnection(host)

    def _taken(self, origin: str) -> http.client.HTTPConnection | None:
        """One that is kept, unless the server has closed it since."""
        while True:
            with self._lock:
                index = next((at for at, (of, _) in enumerate(self._idle) if of == origin), None)
                if index is None:
                    return None
                _, connection = self._idle.pop(index)
            if connection.sock is not None and not _is_readable(connection.sock):
                return connection
            connection.close()

    def _give_back(self, origin: str, connection: http.client.HTTPConnection, *, keep: bool) -> None:
        with self._lock:
            if keep and len(self._idle) < self._most_idle:
                self._idle.append((origin, connection))
                return
        connection.close()


def _allow(connection: http.client.HTTPConnection, until: float) -> None:
    """Lets the next step take what is left."""
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    connection.timeout = left
    if connection.sock is not None:
        connection.sock.settimeout(left)


def _is_readable(sock: socket.socket) -> bool:
    """An idle connection on which something comes is at its end."""
    try:
        return bool(select.select([sock], [], [], 0)[0])
    except (OSError, ValueError):
        return True
