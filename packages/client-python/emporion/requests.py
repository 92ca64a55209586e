"""What an operation is asked with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode, urljoin

from .contract import OPERATION_CODES, WITHOUT_KEY, ErrorCode

Body = TypeVar("Body", covariant=True)
Row = TypeVar("Row", covariant=True)


@dataclass(frozen=True)
class Request(Generic[Body]):
    """One operation with all that it takes, not sent yet. The functions of ``operations`` make it."""

    # The method and the path of the contract, such as `GET /api/arena/orders/{order_id}`.
    operation: str
    path: Mapping[str, object] = field(default_factory=dict)
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = None
    is_form: bool = False

    @property
    def method(self) -> str:
        return self.operation.split(" ")[0]

    @property
    def codes(self) -> tuple[ErrorCode, ...]:
        """The codes of ``ApiError`` with which the operation may refuse."""
        return OPERATION_CODES.get(self.operation, ())

    @property
    def is_keyed(self) -> bool:
        """Whether it is done once under a key, however often it is sent."""
        return self.method == "POST" and self.operation not in WITHOUT_KEY

    def url(self, server: str) -> str:
        """Its address on a server."""
        template = self.operation.split(" ")[1]
        names = {name: self._segment(name, value) for name, value in self.path.items()}
        query = urlencode({name: _text(value) for name, value in self.query.items() if value is not None})
        return urljoin(server, template.format_map(names)) + (f"?{query}" if query else "")

    def _segment(self, name: str, value: object) -> str:
        """A name in the path. Nothing, `.` or `..` would make the address of something else."""
        if value is None or value in ("", ".", ".."):
            raise ValueError(f"{self.operation}: no {name}")
        return quote(str(value), safe="")

    def content(self) -> tuple[str, bytes] | None:
        """The type and the bytes of its body."""
        if self.body is None:
            return None
        if self.is_form and isinstance(self.body, Mapping):
            return "application/x-www-form-urlencoded", urlencode(self.body).encode()
        return "application/json", json.dumps(self.body, ensure_ascii=False, allow_nan=False).encode()


@dataclass(frozen=True)
class ListRequest(Request[Body], Generic[Body, Row]):
    """The same for what answers a list."""


def rows_in(body: Any) -> list[Any]:
    """The rows in an answer, whatever name the list has in it."""
    if isinstance(body, list):
        return body
    lists = [value for value in body.values() if isinstance(value, list)] if isinstance(body, dict) else []
    return lists[0] if lists else []


def _text(value: object) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)
