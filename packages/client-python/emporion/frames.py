"""What the stream says, checked as far as a client heeds it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_list(value: object) -> bool:
    return isinstance(value, list)


# What the client reads of each frame.
_FIELDS: Mapping[str, Mapping[str, Callable[[object], bool]]] = {
    "subscribed": {"epoch": _is_text, "seq": _is_count},
    "snapshot": {"epoch": _is_text, "seq": _is_count, "page": _is_count, "pages": _is_count, "orders": _is_list},
    "heartbeat": {"epoch": _is_text, "seq": _is_count, "prev": _is_count},
    "resync_required": {"epoch": _is_text, "seq": _is_count, "reason": _is_text},
    "server_shutdown": {"reconnect_after_ms": _is_count},
    "error": {"code": _is_text, "message": _is_text},
    "price_update": {"asset_type": _is_text, "asset": _is_text, "price": _is_number, "source": _is_text},
}

_NUMBERS = ("seq", "prev", "frame", "frames")


@dataclass(frozen=True)
class WireFrame:
    """What the server said. ``kind`` is its type, ``event`` for what has a place in the log, ``other`` for the rest."""

    kind: str
    whole: Mapping[str, Any]

    @property
    def data(self) -> Any:
        return self.whole["data"]


def read_frame(frame: object) -> WireFrame | None:
    """A frame; None where it is none of the protocol.

    Types that are not known here are let through, as events where they have a place in the log: a server may be newer
    than its client.
    """
    if not isinstance(frame, dict):
        return None
    kind, data = frame.get("type"), frame.get("data")
    if not isinstance(kind, str) or not isinstance(data, dict):
        return None
    fields = _FIELDS.get(kind)
    if fields is not None:
        seq = frame.get("price_seq") if kind == "price_update" else None
        is_whole = all(holds(data.get(name)) for name, holds in fields.items()) and (seq is None or _is_count(seq))
        return WireFrame(kind, frame) if is_whole else None
    if all(_is_count(frame.get(name)) for name in _NUMBERS):
        return WireFrame("event", frame)
    return None if "seq" in frame else WireFrame("other", frame)


def read_wire_frame(text: str | bytes) -> WireFrame | None:
    """The same of a message as it came."""
    try:
        return read_frame(json.loads(text))
    except ValueError:
        return None
