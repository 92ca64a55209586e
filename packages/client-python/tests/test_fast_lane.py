"""The fast lane: what may be repeated is sent again, what may not is told, and streams go on."""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import Mapping
from typing import Any

from emporion import ApiError, NoAnswer
from emporion.contract import CommitPayload
from emporion.fast_lane import FastLaneClient
from emporion.progress import CompleteEvent, NewState
from emporion.sockets import NotOpened

from .fakes import EPOCH, FakeSocket, Network, VirtualTime, frame, order

TERMS: CommitPayload = {"order_id": "ord_1", "proposed_entry_price": 1, "expected_exit_price": 2, "quantity": 1}
NAMED = TERMS.copy()
NAMED["idempotency_id"] = "one"


class Lane:
    """A server of ``/rpc`` that does what a test says for each message."""

    def __init__(self) -> None:
        self.network = Network(self._accept)
        self.asked: list[tuple[str, Any]] = []
        self.answers: dict[str, list[Any]] = {}

    @property
    def socket(self) -> FakeSocket:
        return self.network.sockets[-1]

    def _accept(self, socket: FakeSocket) -> None:
        socket.heard = lambda message: self._hear(socket, message)

    def _hear(self, socket: FakeSocket, message: Mapping[str, Any]) -> None:
        if message["_tag"] != "Request":
            return self.asked.append((message["_tag"], message.get("requestId")))
        self.asked.append((message["tag"], message["payload"]))
        waiting = self.answers.get(message["tag"], [])
        given = waiting.pop(0) if waiting else None
        if given == "lose":
            socket.end(1006)
        elif given is not None:
            socket.say([{**given, "requestId": message["id"]}])

    def say(self, tag: str, *values: object) -> None:
        """Says a piece of the stream that was asked for last."""
        number = next(m["id"] for m in reversed(self.socket.sent) if m.get("tag") == tag)
        self.socket.say({"_tag": "Chunk", "requestId": number, "values": list(values)})


def success(value: object) -> Mapping[str, Any]:
    return {"_tag": "Exit", "exit": {"_tag": "Success", "value": value}}


def failure(code: str, **more: object) -> Mapping[str, Any]:
    error: dict[str, object] = {**more, "code": code, "message": f"It is {code}."}
    return {"_tag": "Exit", "exit": {"_tag": "Failure", "cause": [{"_tag": "Fail", "error": error}]}}


class FastLaneTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.lane = Lane()
        self.time = VirtualTime()

    def client(self, **options: Any) -> FastLaneClient:
        options.setdefault("token", "right")
        return FastLaneClient(
            "http://arena.example", platform=self.time.platform(), connect=self.lane.network.connect, **options
        )

    def tags(self) -> list[str]:
        return [tag for tag, _ in self.lane.asked]

    async def settle(self) -> None:
        for _ in range(30):
            await asyncio.sleep(0)

    async def test_answers_calls(self) -> None:
        self.lane.answers = {"balances": [success({"funds": []})], "commitBatch": [success({"results": [1, 2]})]}
        async with self.client() as client:
            self.assertEqual(await client.balances(), {"funds": []})
            self.assertEqual(await client.commit_batch([TERMS, TERMS]), [1, 2])
            self.assertEqual(client.status, "live")
        self.assertEqual(client.status, "closed")
        self.assertEqual(list(self.lane.socket.protocols), ["emporion.rpc.v1.json", "bearer.right"])
        with self.assertRaises(NoAnswer) as caught:
            await client.balances()
        self.assertEqual(caught.exception.code, "closed")

    async def test_tells_a_refusal(self) -> None:
        self.lane.answers = {"commit": [failure("ARENA_001"), failure("rate_limited", retry_after=3)]}
        async with self.client() as client:
            for status, wait in ((404, None), (429, 3)):
                with self.assertRaises(ApiError) as caught:
                    await client.commit(TERMS)
                self.assertEqual((caught.exception.status, caught.exception.retry_after), (status, wait))

    async def test_sends_again_what_may_be_repeated(self) -> None:
        self.lane.answers = {"commit": ["lose", failure("conflict"), success({"commitment_id": "com_1"})]}
        async with self.client() as client:
            receipt = await self.time.run(client.commit(NAMED))
        self.assertEqual(receipt["commitment_id"], "com_1")
        self.assertEqual(self.lane.asked, [("commit", NAMED)] * 3)

    async def test_tells_where_what_may_not_was_lost(self) -> None:
        self.lane.answers = {"commit": ["lose"], "evaluate": [failure("conflict")]}
        async with self.client() as client:
            with self.assertRaises(NoAnswer) as caught:
                await self.time.run(client.commit(TERMS))
            self.assertEqual(caught.exception.code, "unreachable")
            with self.assertRaises(ApiError):
                await self.time.run(client.evaluate({"bot_id": "bot_1", "order_id": "ord_1"}))
        self.assertEqual(self.tags(), ["commit", "evaluate"])

    async def test_a_call_ends_in_time(self) -> None:
        async with self.client(timeout=0.01) as client:
            with self.assertRaises(NoAnswer) as caught:
                await client.balances()
            self.assertEqual(caught.exception.code, "timeout")
            await self.settle()
        self.assertEqual(self.tags(), ["balances", "Interrupt"])

    async def test_close_ends_calls_and_loops(self) -> None:
        client = self.client()
        calls = [asyncio.ensure_future(client.balances()), asyncio.ensure_future(client.commit(TERMS))]
        stream = asyncio.ensure_future(self._collect(client, 1))
        await self.settle()
        await client.close()
        results = await asyncio.gather(*calls, return_exceptions=True)
        self.assertEqual([type(each) for each in results], [NoAnswer, NoAnswer])
        self.assertEqual(await stream, [])

    async def test_a_refused_token_is_told_by_a_message(self) -> None:
        self.lane.network.refusals = [NotOpened("401", 401)]
        self.lane.answers = {"authenticate": [failure("unauthorized")]}
        given = iter(["wrong", "wrong", "right"])
        async with self.client(token=lambda: next(given)) as client:
            with self.assertRaises(ApiError) as caught:
                await self._waited(client.balances())
            self.assertEqual((caught.exception.code, client.status), ("unauthorized", "refused"))
            self.lane.answers = {"balances": [success({"funds": []})]}
            await self._waited(client.balances())
        protocols = [list(each.protocols) for each in self.lane.network.sockets]
        self.assertEqual([len(each) for each in protocols], [2, 1, 2])
        self.assertEqual(self.lane.asked[0], ("authenticate", {"access_token": "wrong"}))
        async with self.client(token="two words") as client:
            with self.assertRaises(ApiError):
                await self._waited(client.balances())

    async def _waited(self, call: Any) -> Any:
        return await asyncio.wait_for(call, 5)

    async def test_arms_each_connection(self) -> None:
        armed = success({"enabled": True})
        self.lane.answers = {"cancelOnDisconnect": [failure("unavailable"), armed, armed], "balances": ["lose", armed]}
        async with self.client(cancel_on_disconnect=True) as client:
            await self.settle()
            await self.time.run(client.balances())
        self.assertGreaterEqual(self.tags().count("cancelOnDisconnect"), 2)

    async def test_asks_a_silent_server_and_gives_it_up(self) -> None:
        async with self.client():
            await self.time.run(self.lane.network.until(2))
        self.assertEqual(self.tags(), ["Ping", "Ping"])
        self.assertEqual(self.time.now, 20 + 0.25 * 0.75)

    async def _collect(self, client: FastLaneClient, count: int) -> list[Any]:
        found: list[Any] = []
        async for item in client.subscribe({"snapshot": True}):
            found.append(item)
            if len(found) == count:
                break
        return found

    async def test_streams_go_on_where_they_were(self) -> None:
        event = {"seq": 6, "prev": 5, "frame": 1, "frames": 1}
        async with self.client() as client:
            reading = asyncio.ensure_future(self._collect(client, 3))
            await self.settle()
            page = {"epoch": EPOCH, "seq": 5, "page": 1, "pages": 1, "orders": [order("ord_1")]}
            self.lane.say("subscribe", frame("subscribed", {"epoch": EPOCH, "seq": 5}), frame("snapshot", page))
            await self.settle()
            self.lane.say("subscribe", frame("order_updated", order("ord_1"), **event))
            await self.settle()
            self.lane.socket.end(1006)
            await self.time.run(self.lane.network.until(2))
            await self.settle()
            asked = [payload for tag, payload in self.lane.asked if tag == "subscribe"]
            self.assertEqual(asked[1], {"snapshot": True, "resume": {"epoch": EPOCH, "seq": 6}})
            # A frame is lost: what follows is not believed, and the stream is asked for again.
            later = frame("order_updated", order("ord_1"), seq=8, prev=7, frame=1, frames=1)
            self.lane.say("subscribe", frame("subscribed", {"epoch": EPOCH, "seq": 6}), later)
            await self.settle()
            missed = frame("order_updated", order("ord_1"), seq=7, prev=6, frame=1, frames=1)
            self.lane.say("subscribe", frame("subscribed", {"epoch": EPOCH, "seq": 6}), missed)
            state, first, second = await self._waited(reading)
            await self.settle()
        self.assertIsInstance(state, NewState)
        assert isinstance(first, CompleteEvent) and isinstance(second, CompleteEvent)
        self.assertEqual([first.position["seq"], second.position["seq"]], [6, 7])
        self.assertEqual(self.tags().count("subscribe"), 3)
        self.assertEqual(self.tags()[-1], "Interrupt")

    async def test_tells_orders_without_their_commitments(self) -> None:
        async with self.client() as client:
            reading = asyncio.ensure_future(self._orders(client))
            await self.settle()
            page = {"epoch": EPOCH, "seq": 5, "page": 1, "pages": 1, "orders": [order("ord_1")]}
            self.lane.say("subscribe", frame("subscribed", {"epoch": EPOCH, "seq": 5}), frame("snapshot", page))
            changed = frame("order_updated", order("ord_2"), seq=6, prev=5, frame=1, frames=1)
            self.lane.say("subscribe", changed)
            told = await self._waited(reading)
        self.assertEqual([each["order_id"] for each in told], ["ord_1", "ord_2"])
        self.assertNotIn("commitments", told[0])
        asked = {"asset_type": ["fx"], "channels": ["orders"], "snapshot": True}
        self.assertEqual(self.lane.asked[0], ("subscribe", asked))

    async def _orders(self, client: FastLaneClient) -> list[Any]:
        found: list[Any] = []
        async for each in client.orders({"asset_type": ["fx"]}):
            found.append(each)
            if len(found) == 2:
                break
        return found

    async def test_a_refusal_that_passes_is_waited_for_and_another_ends_the_stream(self) -> None:
        self.lane.answers = {"webhookEvents": [failure("unavailable", retry_after=9), failure("access_denied")]}
        async with self.client() as client:
            with self.assertRaises(ApiError) as caught:
                await self.time.run(self._pieces(client))
        self.assertEqual(caught.exception.code, "access_denied")
        self.assertEqual(self.time.now, 9)

    async def test_webhook_events_go_on_after_the_last_piece(self) -> None:
        async with self.client() as client:
            reading = asyncio.ensure_future(self._pieces(client))
            await self.settle()
            self.lane.say("webhookEvents", {"seq": 7, "events": []})
            await self.settle()
            self.lane.socket.end(1006)
            await self.time.run(self.lane.network.until(2))
            await self.settle()
            self.assertEqual(self.lane.asked[-1], ("webhookEvents", {"after": 7}))
        self.assertEqual(await self._waited(reading), [7])

    async def _pieces(self, client: FastLaneClient) -> list[Any]:
        return [piece["seq"] async for piece in client.webhook_events()]

    async def test_no_more_is_under_way_than_may_be(self) -> None:
        async with self.client() as client:
            calls = [asyncio.ensure_future(client.balances()) for _ in range(300)]
            await self.settle()
            self.assertEqual(len(self.lane.asked), 248)
            for message in list(self.lane.socket.sent):
                self.lane.socket.say({**success(0), "requestId": message["id"]})
            self.lane.answers["balances"] = [success(0)] * 52
            self.assertEqual(len(await self._waited(asyncio.gather(*calls))), 300)


if __name__ == "__main__":
    unittest.main()
