"""When to try again."""

from __future__ import annotations

from collections.abc import Callable

from .contract import STREAM_CLOSE

# Seconds before the first new try, and the longest before any; each halved at random.
FIRST_WAIT = 0.25
LONGEST_WAIT = 30.0

# Waits that begin later, by close code: the server asked for patience.
_CAREFUL = {
    STREAM_CLOSE["policyViolation"]: 10.0,
    STREAM_CLOSE["tooBig"]: 10.0,
    STREAM_CLOSE["tryAgainLater"]: 2.0,
    STREAM_CLOSE["tooSlow"]: 2.0,
}

# Doublings after which the wait is the longest in any case.
_MAX_DOUBLINGS = 10


class Backoff:
    """Later each time that it was in vain, and never with all the others."""

    def __init__(self, random: Callable[[], float], longest: float = LONGEST_WAIT) -> None:
        self._random = random
        self._longest = longest
        self._failures = 0

    def succeeded(self) -> None:
        """The try was worth it."""
        self._failures = 0

    def next(self, code: int | None = None, asked: float = 0.0) -> float:
        """Seconds to wait after a connection ended with a code, at least as long as the server asked for."""
        first = FIRST_WAIT if code is None else _CAREFUL.get(code, FIRST_WAIT)
        longest = min(max(self._longest, first), first * 2.0 ** min(self._failures, _MAX_DOUBLINGS))
        self._failures += 1
        return asked + longest * (1 + self._random()) / 2
