"""The arena's orders, from a snapshot and the events after it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from .contract import OrderDetail
from .progress import CompleteEvent

# Settled orders that are kept beside the live ones; the one settled first makes room.
MAX_SETTLED_ORDERS = 1_000


class StreamedOrders:
    """Each order as its REST detail shows it."""

    def __init__(self) -> None:
        self._orders: dict[str, Mapping[str, Any]] = {}
        # Of each order, as they came.
        self._commitments: dict[str, dict[str, Mapping[str, Any]]] = {}
        # Ids in the order of their settlement.
        self._settled: dict[str, None] = {}

    def replace(self, orders: Iterable[OrderDetail]) -> None:
        """Begins anew."""
        self._orders.clear()
        self._commitments.clear()
        self._settled.clear()
        for order in orders:
            self._put({name: value for name, value in order.items() if name != "commitments"})
            self._commitments[order["order_id"]] = {each["commitment_id"]: each for each in order["commitments"]}

    def apply(self, event: CompleteEvent) -> None:
        for frame in event.frames:
            data = cast("Mapping[str, Any]", frame["data"])
            if frame["type"] == "order_updated":
                self._put(data)
            elif frame["type"] == "commitment_updated" and data["order_id"] in self._orders:
                commitment = {name: value for name, value in data.items() if name != "order_id"}
                self._commitments[data["order_id"]][data["commitment_id"]] = commitment

    def get(self, order_id: str) -> OrderDetail | None:
        order = self._orders.get(order_id)
        if order is None:
            return None
        commitments = sorted(self._commitments[order_id].values(), key=_rank)
        return cast(OrderDetail, {**order, "commitments": commitments})

    def all(self) -> dict[str, OrderDetail]:
        """All of them, by id."""
        return {order_id: cast(OrderDetail, self.get(order_id)) for order_id in self._orders}

    def _put(self, order: Mapping[str, Any]) -> None:
        order_id = order["order_id"]
        self._orders[order_id] = order
        self._commitments.setdefault(order_id, {})
        if order["status"] != "settled":
            return
        self._settled[order_id] = None
        if len(self._settled) > MAX_SETTLED_ORDERS:
            first = next(iter(self._settled))
            del self._settled[first], self._orders[first], self._commitments[first]


def _rank(commitment: Mapping[str, Any]) -> float:
    rank = commitment.get("rank")
    return float("inf") if rank is None else float(rank)
