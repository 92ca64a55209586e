"""What a client takes from where it runs."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from .transport import MOST_IDLE, HttpAnswer, HttpTransport


class Exchange(Protocol):
    """Sends one request and reads its answer; blocks. Raises ``NoAnswer``."""

    def __call__(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, timeout: float
    ) -> HttpAnswer: ...


@dataclass(frozen=True)
class Platform:
    """The network, time and chance; tests bring their own."""

    exchange: Exchange
    # Lets go of what the exchanges kept.
    close: Callable[[], None] = lambda: None
    # Seconds since any moment.
    now: Callable[[], float] = time.monotonic
    # From 0 to below 1.
    random: Callable[[], float] = random.random
    # A text that nobody else makes.
    uuid: Callable[[], str] = lambda: uuid.uuid4().hex
    sleep: Callable[[float], None] = time.sleep
    sleep_async: Callable[[float], Awaitable[None]] = asyncio.sleep


def standard_platform(most_idle: int = MOST_IDLE) -> Platform:
    """The standard library's; ``most_idle`` connections are kept while nothing is asked."""
    transport = HttpTransport(most_idle)
    return Platform(transport.exchange, transport.close)
