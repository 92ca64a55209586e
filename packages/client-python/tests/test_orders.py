"""The orders that a stream gives."""

import unittest
from typing import Any, cast

from emporion.orders import MAX_SETTLED_ORDERS, StreamedOrders
from emporion.progress import CompleteEvent

from .fakes import EPOCH, frame, order


def event(*frames: Any) -> CompleteEvent:
    return CompleteEvent({"epoch": EPOCH, "seq": 1}, frames)


def updated(**data: object) -> Any:
    return frame("order_updated", data)


def bid(order_id: str, commitment_id: str, rank: int | None) -> Any:
    return frame("commitment_updated", {"order_id": order_id, "commitment_id": commitment_id, "rank": rank})


class StreamedOrdersTest(unittest.TestCase):
    def setUp(self) -> None:
        self.orders = StreamedOrders()
        self.orders.replace([cast(Any, order("ord_1", commitments=[{"commitment_id": "a", "rank": None}]))])

    def ranked(self, order_id: str) -> list[str]:
        found = self.orders.get(order_id)
        assert found is not None
        return [each["commitment_id"] for each in found["commitments"]]

    def test_ranks_commitments_and_keeps_them_while_an_order_changes(self) -> None:
        self.orders.apply(event(bid("ord_1", "b", None), bid("ord_1", "c", None), bid("unknown", "d", 1)))
        self.assertEqual(self.ranked("ord_1"), ["a", "b", "c"])
        changed = updated(order_id="ord_1", status="settled")
        self.orders.apply(event(changed, bid("ord_1", "b", 2), bid("ord_1", "c", 1)))
        self.assertEqual(self.ranked("ord_1"), ["c", "b", "a"])
        self.assertNotIn("order_id", (self.orders.get("ord_1") or {"commitments": [{}]})["commitments"][0])
        self.assertIsNone(self.orders.get("unknown"))

    def test_a_snapshot_begins_anew(self) -> None:
        self.orders.replace([cast(Any, order("ord_2"))])
        self.assertEqual(list(self.orders.all()), ["ord_2"])

    def test_lets_go_of_what_settled_long_ago(self) -> None:
        for number in range(MAX_SETTLED_ORDERS + 1):
            self.orders.apply(event(updated(order_id=f"old_{number}", status="settled")))
        self.assertEqual(len(self.orders.all()), MAX_SETTLED_ORDERS + 1)
        self.assertIsNone(self.orders.get("old_0"))
        self.assertIsNotNone(self.orders.get("ord_1"))


if __name__ == "__main__":
    unittest.main()
