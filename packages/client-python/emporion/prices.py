"""How far a consumer has come in the prices, proven by their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .contract import PriceUpdateData
from .frames import WireFrame
from .progress import Breach

# `missed`: prices before it are no longer kept.
PriceStep = Literal["told", "known", "missed", "breach"]


@dataclass(frozen=True)
class Price:
    """A price, as it is told. Prices have no place in the log, and only the newest counts, unless all are asked for.

    seq: with ``price_sequence``, its place among the prices, milliseconds since 1970.
    missed: with ``price_sequence``, whether prices of the asset before it were missed that the server keeps no longer.
    """

    price: PriceUpdateData
    timestamp: str
    seq: int | None = None
    missed: bool = False
    kind: Literal["price"] = field(default="price", init=False)


class PriceProgress:
    """Each price names the one of the same asset before it.

    The prices of one moment come one after the other, so that a moment is complete when a later one begins.
    """

    def __init__(self, resume: int | None) -> None:
        self._last: dict[str, int] = {}
        self._moment: int | None = None
        # Where to resume: all prices up to it were told.
        self.position = resume

    def take(self, frame: Mapping[str, Any]) -> PriceStep:
        """What a price is to the consumer."""
        asset, seq, prev = frame["data"]["asset"], frame.get("price_seq"), frame.get("price_prev")
        last = self._last.get(asset)
        if seq is None:
            return "breach"
        if last is not None and seq <= last:
            return "known"
        # One before the last told: what was told after it, the server has no more, as after a restore.
        if last is not None and prev is not None and prev > last:
            # What was lost lies after the last one of the asset, whatever was told of the others.
            self.position = last if self.position is None else min(last, self.position)
            return "breach"
        if self._moment is not None and seq > self._moment:
            self.position = self._moment
        self._moment = seq
        self._last[asset] = seq
        return "missed" if last is not None and prev is None else "told"

    def tell(self, frame: WireFrame, is_numbered: bool) -> Price | Breach | None:
        """A price for the consumer, unless it has it already or one before it is missing."""
        data, timestamp = frame.data, frame.whole["timestamp"]
        if not is_numbered:
            return Price(data, timestamp)
        step = self.take(frame.whole)
        if step == "breach":
            return Breach(f"a price of {data['asset']} that does not follow")
        return None if step == "known" else Price(data, timestamp, frame.whole["price_seq"], step == "missed")
