"""What a call fails with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeGuard, cast

from .contract import ErrorCode, FieldError


# A field of a request that was not taken, such as `payload.quantity`, and what belongs there.
FaultyField: TypeAlias = FieldError


class ApiError(Exception):
    """The platform refused a request. ``code`` is for programs, the message for people."""

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        status: int,
        request_id: str | None = None,
        retry_after: float | None = None,
        errors: Sequence[FaultyField] = (),
    ) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message
        self.status = status
        # `X-Request-Id` of the answer, to quote.
        self.request_id = request_id
        # Seconds after which the same request may succeed.
        self.retry_after = retry_after
        self.errors = tuple(errors)

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


class NoAnswer(Exception):
    """No answer came: the server cannot be reached, the connection was lost, the time is over, or the client is closed.

    What was asked may have happened.
    """

    def __init__(self, code: Literal["timeout", "unreachable", "closed"], message: str) -> None:
        super().__init__(message)
        self.code: Literal["timeout", "unreachable", "closed"] = code
        self.message = message


def is_final(error: BaseException) -> TypeGuard[ApiError]:
    """Whether another try with the same credentials is in vain."""
    return isinstance(error, ApiError) and 400 <= error.status < 500 and error.status != 429


def is_passing(error: ApiError) -> bool:
    """Whether the same may succeed later."""
    return error.status in (429, 502, 503, 504)


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """Seconds of ``Retry-After``."""
    try:
        seconds = float(headers.get("retry-after", "nan"))
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def api_error_of(status: int, headers: Mapping[str, str], body: Any) -> ApiError:
    """What an answer refuses. An answer of something else, such as a proxy, is ``unavailable`` or ``internal``."""
    told: Mapping[str, Any] = body if isinstance(body, dict) else {}
    code, message, errors = told.get("code"), told.get("message"), told.get("errors")
    if not isinstance(code, str):
        code = "internal" if status == 500 else "unavailable"
    return ApiError(
        cast(ErrorCode, code),
        message if isinstance(message, str) else f"The server answered {status}.",
        status=status,
        request_id=headers.get("x-request-id"),
        retry_after=retry_after_of(headers),
        errors=cast("list[FaultyField]", errors) if isinstance(errors, list) else (),
    )
