"""How far a consumer has come in the log, proven by the numbers of the frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Union, cast

from .contract import EventFrame, OrderDetail, Position
from .frames import WireFrame


@dataclass(frozen=True)
class CompleteEvent:
    """All that was told of one event of the log."""

    # With all before it, this event has been told.
    position: Position
    frames: Sequence[EventFrame]
    kind: Literal["event"] = field(default="event", init=False)


@dataclass(frozen=True)
class NewState:
    """A new beginning: every order as it was at a position, in place of whatever was known."""

    position: Position
    orders: Sequence[OrderDetail]
    kind: Literal["snapshot"] = field(default="snapshot", init=False)


@dataclass(frozen=True)
class Resync:
    """What was missed cannot be told."""

    position: Position
    reason: Literal["epoch_changed", "position_unknown", "too_far_behind"]
    kind: Literal["resync"] = field(default="resync", init=False)


@dataclass(frozen=True)
class Breach:
    """The server's frames do not follow from each other: something may be missing."""

    what: str


Step = Union[CompleteEvent, NewState, Resync, Breach, None]


class StreamProgress:
    """An event counts when all its frames are there, and a snapshot when all its pages are."""

    def __init__(self, wants_snapshot: bool, start: Position | None) -> None:
        self._wants_snapshot = wants_snapshot
        # Where to resume: what lies before it was told, or not wanted.
        self.position = start
        # The last event that was told to its end on this connection, or where the subscription began.
        self._told = 0
        self._asked: Position | None = None
        self._phase: Literal["asked", "snapshot", "events"] = "asked"
        self._beginning: Position | None = None
        self._orders: list[OrderDetail] = []
        # Pages of the snapshot that are there.
        self._pages = 0
        self._frames: list[Mapping[str, Any]] = []

    @property
    def is_live(self) -> bool:
        """Whether the subscription stands and events follow."""
        return self._phase == "events"

    def connect(self) -> Position | None:
        """A new connection: what was told by half is forgotten. Answers where it resumes; None before a beginning."""
        self._phase = "asked"
        self._frames = []
        self._orders = []
        self._pages = 0
        self._asked = self.position
        return self._asked

    def take(self, frame: WireFrame) -> Step:
        if frame.kind == "event":
            return self._event(frame.whole)
        if frame.kind == "subscribed":
            return self._subscribed(frame.data)
        if frame.kind == "snapshot":
            return self._snapshot(frame.data)
        if frame.kind == "heartbeat":
            return self._heartbeat(frame.data)
        if frame.kind == "resync_required":
            return self._resync(frame.data)
        return None

    def _resync(self, data: Any) -> Step:
        if self._phase != "asked" or self._asked is None:
            return Breach("a resync where nothing was resumed")
        self._asked = None
        return Resync({"epoch": data["epoch"], "seq": data["seq"]}, data["reason"])

    def _subscribed(self, data: Any) -> Step:
        if self._phase != "asked":
            return Breach("a second subscription")
        here: Position = {"epoch": data["epoch"], "seq": data["seq"]}
        asked = self._asked
        if asked is not None and here != asked:
            return Breach(f"resumed at {_place(here)} in place of {_place(asked)}")
        if asked is None and self._wants_snapshot:
            self._beginning = here
            self._phase = "snapshot"
            return None
        self._begin(here)
        return None

    def _begin(self, position: Position) -> None:
        self.position = position
        self._told = position["seq"]
        self._phase = "events"

    def _snapshot(self, data: Any) -> Step:
        beginning = self._beginning
        if self._phase != "snapshot" or beginning is None:
            return Breach("a snapshot that was not asked for")
        if data["epoch"] != beginning["epoch"] or data["seq"] != beginning["seq"]:
            return Breach("a snapshot of two moments")
        page, pages = data["page"], data["pages"]
        if page != self._pages + 1 or page > pages:
            return Breach(f"page {page} of {pages} after page {self._pages}")
        self._pages = page
        self._orders.extend(data["orders"])
        if page < pages:
            return None
        whole, self._orders = self._orders, []
        self._begin(beginning)
        return NewState(beginning, whole)

    def _heartbeat(self, data: Any) -> Step:
        epoch, seq, prev, position = data["epoch"], data["seq"], data["prev"], self.position
        if not self.is_live or position is None:
            return Breach(f"a heartbeat at {seq} before the subscription")
        if epoch != position["epoch"]:
            return Breach(f"a heartbeat of {epoch} in {position['epoch']}")
        if seq < position["seq"]:
            return Breach(f"a heartbeat at {seq} after {position['seq']}")
        if prev != self._told:
            return Breach(f"a heartbeat at {seq} after {prev}, followed {self._told}")
        if self._frames and seq >= self._frames[0]["seq"]:
            return Breach(f"a heartbeat at {seq} while {self._frames[0]['seq']} is not whole")
        self.position = {"epoch": epoch, "seq": seq}
        return None

    def _event(self, frame: Mapping[str, Any]) -> Step:
        position = self.position
        seq, prev, number, count = frame["seq"], frame["prev"], frame["frame"], frame["frames"]
        if not self.is_live or position is None:
            return Breach(f"event {seq} before the subscription")
        if seq <= self._told:
            return None
        if not self._follows(seq, prev, number, count, position["seq"]):
            half = self._frames[-1] if self._frames else None
            place = f"{self._told}" if half is None else f"frame {half['frame']} of {half['frames']} of {half['seq']}"
            return Breach(f"frame {number} of {count} of event {seq} after {prev}, followed {place}")
        self._frames.append(frame)
        if number < count:
            return None
        frames, self._frames = self._frames, []
        reached: Position = {"epoch": position["epoch"], "seq": seq}
        self._begin(reached)
        return CompleteEvent(reached, cast("list[EventFrame]", frames))

    def _follows(self, seq: int, prev: int, number: int, count: int, position: int) -> bool:
        if prev != self._told or number > count or number != len(self._frames) + 1:
            return False
        if not self._frames:
            return bool(seq > position)
        last = self._frames[-1]
        return bool(seq == last["seq"] and count == last["frames"])


def _place(position: Position) -> str:
    return f"{position['epoch']}/{position['seq']}"
