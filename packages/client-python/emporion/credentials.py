"""Who a client says it is."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Union

# An access token, or what gives one that is valid now: it is asked whenever one is needed anew.
TokenSource = Union[str, Callable[[], Union[str, Awaitable[str]]]]

# A token that ends within so many seconds is replaced before it is used.
RENEW_BEFORE = 60.0


@dataclass(frozen=True)
class Credentials:
    """A token, or an API client's id and secret."""

    token: TokenSource | None = None
    client_id: str | None = None
    client_secret: str | None = None
    # The scopes to ask for, between spaces; all that the API client has by default.
    scope: str | None = None

    @property
    def is_renewable(self) -> bool:
        """Whether a token that was refused can be replaced by another."""
        return self.token is None and self.client_id is not None or callable(self.token)


@dataclass(frozen=True)
class HeldToken:
    """A token that was got, and until when it may be used."""

    text: str
    until: float


async def token_of(source: TokenSource) -> str:
    """A token. A function that is none of asyncio's may wait for the network: it runs in a thread."""
    if isinstance(source, str):
        return source
    give: Callable[[], Union[str, Awaitable[str]]] = source
    answer = give() if inspect.iscoroutinefunction(source) else await asyncio.to_thread(give)
    return answer if isinstance(answer, str) else await answer
