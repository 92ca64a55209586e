"""The stream: each event once, whatever is lost, and an end that says why."""

from __future__ import annotations

import asyncio
import random
import unittest
from collections.abc import Callable
from typing import Any

from emporion.contract import STREAM_CLOSE
from emporion.errors import ApiError
from emporion.prices import PriceProgress
from emporion.sockets import NotOpened
from emporion.stream import ArenaStreamClient, CompleteEvent, NewState, Price, Resync, StreamItem, StreamRefused

from .fakes import EPOCH, FakeArena, FakeSocket, Network, VirtualTime, answer, frame, order


def client_of(network: Network, time: VirtualTime, **options: Any) -> ArenaStreamClient:
    platform = time.platform(options.pop("exchange", None))
    return ArenaStreamClient("http://arena.example", platform=platform, connect=network.connect, **options)


def telling(*said: object) -> Callable[[FakeSocket], None]:
    """Says the same to every subscription, and nothing more."""

    def accept(socket: FakeSocket) -> None:
        def hear(message: Any) -> None:
            if message["type"] == "subscribe":
                for each in said:
                    socket.say(each)

        socket.heard = hear

    return accept


SUBSCRIBED = frame("subscribed", {"epoch": EPOCH, "seq": 5})
EVENT = frame("order_created", {"order_id": "ord_1"}, seq=6, prev=5, frame=1, frames=1)


def price(seq: int, prev: int | None, asset: str = "XAU") -> dict[str, Any]:
    data = {"asset_type": "commodity", "asset": asset, "price": 2400.5, "source": "test"}
    return {"type": "price_update", "data": data, "timestamp": "", "price_seq": seq, "price_prev": prev}


class PriceSequenceTest(unittest.IsolatedAsyncioTestCase):
    def test_tells_each_price_once_and_what_is_missing(self) -> None:
        progress = PriceProgress(None)
        said = [price(5, None), price(9, 5), price(9, 5), price(20, None), price(31, 25)]
        self.assertEqual([progress.take(one) for one in said], ["told", "told", "known", "missed", "breach"])
        self.assertEqual(progress.position, 9)

    async def test_resumes_after_the_last_moment_that_was_told(self) -> None:
        asked: list[Any] = []

        def accept(socket: FakeSocket) -> None:
            def hear(message: Any) -> None:
                if message["type"] != "subscribe":
                    return
                asked.append(message["data"].get("price_resume"))
                socket.say(SUBSCRIBED)
                first = [price(7, 5), price(8, 7), price(11, 10)]
                for each in first if len(asked) == 1 else [price(8, 7), price(10, 8)]:
                    socket.say(each)

            socket.heard = hear

        time = VirtualTime()
        client = client_of(Network(accept), time, snapshot=False, price_sequence=True)

        async def told() -> list[int | None]:
            seqs: list[int | None] = []
            async with client:
                async for item in client:
                    assert isinstance(item, Price)
                    seqs.append(item.seq)
                    if item.seq == 10:
                        break
            return seqs

        self.assertEqual(await time.run(told()), [7, 8, 10])
        self.assertEqual(asked, [None, 7])
        self.assertEqual(client.breaches, 1)


class ResumingTest(unittest.IsolatedAsyncioTestCase):
    async def test_tells_each_event_once_and_in_order_whatever_is_lost(self) -> None:
        breaches = 0
        for seed in range(150):
            arena = FakeArena(60, random.Random(seed))
            time = VirtualTime()
            client = client_of(arena.network, time, snapshot=seed % 2 == 0)
            expected = arena.expected(15)
            told = await time.run(self._read(client, len(expected)))
            self.assertEqual(told, expected, f"seed {seed}")
            if seed % 2 == 0:
                known = client.order("ord_1")
                assert known is not None
                self.assertEqual(known["settlement_date"], str(expected[-1][0]))
                self.assertEqual(len(client.state() or {}), 3)
            breaches += client.breaches
        self.assertGreater(breaches, 100)

    async def _read(self, client: ArenaStreamClient, count: int) -> list[tuple[int, int]]:
        told: list[tuple[int, int]] = []
        async for item in client:
            if isinstance(item, CompleteEvent):
                told.append((item.position["seq"], len(item.frames)))
            if len(told) == count:
                break
        return told

    async def test_takes_what_is_said_twice_once(self) -> None:
        last = frame("order_created", {"order_id": "ord_2"}, seq=7, prev=6, frame=1, frames=1)
        network, time = Network(telling(SUBSCRIBED, EVENT, EVENT, last)), VirtualTime()
        client = client_of(network, time, snapshot=False)
        self.assertEqual(await time.run(self._read(client, 2)), [(6, 1), (7, 1)])
        self.assertEqual((client.breaches, client.connections), (0, 1))

    async def test_goes_on_from_a_position(self) -> None:
        network, time = Network(telling(SUBSCRIBED, EVENT)), VirtualTime()
        client = client_of(network, time, channels=["orders"], resume={"epoch": EPOCH, "seq": 5})
        self.assertEqual(await time.run(self._read(client, 1)), [(6, 1)])
        (socket,) = network.sockets
        asked = {"sequence": True, "snapshot": True, "channels": ["orders"], "resume": {"epoch": EPOCH, "seq": 5}}
        self.assertEqual(socket.sent[0]["data"], asked)
        self.assertEqual((socket.url, list(socket.protocols)), ("ws://arena.example/ws/arena", ["emporion.v1"]))
        self.assertEqual(client.position, {"epoch": EPOCH, "seq": 6})

    async def test_gives_up_a_server_that_says_nothing(self) -> None:
        network, time = Network(telling(SUBSCRIBED)), VirtualTime()
        client = client_of(network, time, snapshot=False)
        reading = asyncio.ensure_future(self._read(client, 1))
        await time.run(network.until(2))
        client.close()
        await reading
        self.assertEqual([each["type"] for each in network.sockets[0].sent], ["subscribe", "ping", "ping", "ping"])
        self.assertEqual(time.now, 50 + 0.25 * 0.75)

    async def test_waits_as_long_as_the_server_asks(self) -> None:
        network, time = Network(telling(frame("server_shutdown", {"reconnect_after_ms": 7_000}))), VirtualTime()
        client = client_of(network, time)
        reading = asyncio.ensure_future(self._read(client, 1))
        for _ in range(30):
            await asyncio.sleep(0)
        network.sockets[0].end(STREAM_CLOSE["shutdown"])
        for _ in range(30):
            await asyncio.sleep(0)
        self.assertEqual(time.slept[-1], 7.0 + 0.25 * 0.75)
        client.close()
        await reading

    async def test_tells_prices_and_what_cannot_be_told(self) -> None:
        price = {"asset_type": "fx", "asset": "EUR", "price": 1.1, "source": "median"}
        lost = frame("resync_required", {"epoch": "epoch-2", "seq": 9, "reason": "epoch_changed"})
        page = {"epoch": "epoch-2", "seq": 9, "page": 1, "pages": 1, "orders": [order("ord_9")]}
        said = [
            lost,
            frame("subscribed", {"epoch": "epoch-2", "seq": 9}),
            frame("snapshot", page),
            frame("price_update", price),
            frame("of_later", {}),
        ]
        network, time = Network(telling(*said)), VirtualTime()
        client = client_of(network, time, resume={"epoch": EPOCH, "seq": 5})
        items: list[StreamItem] = []

        async def read() -> None:
            async for item in client:
                items.append(item)
                if isinstance(item, Price):
                    client.close()

        await time.run(read())
        self.assertEqual([type(item) for item in items], [Resync, NewState, Price])
        self.assertEqual([item.kind for item in items], ["resync", "snapshot", "price"])
        ended = client_of(Network(telling(*said)), time, resume={"epoch": EPOCH, "seq": 5}, end_on_resync=True)
        with self.assertRaises(StreamRefused) as caught:
            await time.run(self._read(ended, 1))
        self.assertEqual(caught.exception.code, "epoch_changed")


class EndTest(unittest.IsolatedAsyncioTestCase):
    async def refused(self, network: Network, **options: Any) -> StreamRefused:
        time = VirtualTime()
        client = client_of(network, time, **options)
        with self.assertRaises(StreamRefused) as caught:
            await time.run(self._first(client))
        self.assertEqual(client.status, "ended")
        return caught.exception

    async def _first(self, client: ArenaStreamClient) -> StreamItem | None:
        async for item in client:
            return item
        return None

    async def test_a_refused_token_is_an_error_of_its_own(self) -> None:
        body = {"success": False, "code": "unauthorized", "message": "Get a new one."}
        refusal = await self.refused(Network(), token="wrong", exchange=lambda *_: answer(401, body))
        self.assertEqual((refusal.code, str(refusal)), ("unauthorized", "Get a new one. (unauthorized)"))
        self.assertIsInstance(refusal.__cause__, ApiError)

    async def test_a_ticket_that_fails_is_asked_for_again(self) -> None:
        answers = [answer(503, {}), answer(429, {}), answer(200, {"ticket": "t-1"})]
        network, time = Network(telling(SUBSCRIBED, EVENT)), VirtualTime()
        client = client_of(network, time, token="right", snapshot=False, exchange=lambda *_: answers.pop(0))
        self.assertIsInstance(await time.run(self._first(client)), CompleteEvent)
        self.assertEqual(list(network.sockets[0].protocols), ["emporion.v1", "ticket.t-1"])

    async def test_a_ticket_is_fetched_for_each_connection_until_there_is_none(self) -> None:
        tickets = ["one", "two", None]

        async def ticket() -> str | None:
            return tickets.pop(0)

        network = Network(lambda socket: socket.end(1006))
        self.assertEqual((await self.refused(network, ticket=ticket)).code, "authentication_expired")
        self.assertEqual([each.protocols[1] for each in network.sockets], ["ticket.one", "ticket.two"])

    async def test_an_error_of_the_server_ends_it(self) -> None:
        said = frame("error", {"code": "invalid_request", "message": "No such channel."})
        refusal = await self.refused(Network(telling(said)))
        self.assertEqual((refusal.code, refusal.message), ("invalid_request", "No such channel."))
        expired = Network(lambda socket: socket.end(STREAM_CLOSE["authenticationExpired"]))
        self.assertEqual((await self.refused(expired)).code, "authentication_expired")

    async def test_a_connection_that_is_not_opened_is_tried_again_later_each_time(self) -> None:
        network, time = Network(telling(SUBSCRIBED, EVENT)), VirtualTime()
        network.refusals = [NotOpened("refused"), NotOpened("bad gateway", 502), NotOpened("not found", 404)]
        client = client_of(network, time, snapshot=False)
        self.assertIsInstance(await time.run(self._first(client)), CompleteEvent)
        self.assertEqual(time.slept[:3], [0.25 * 0.75, 0.5 * 0.75, 1 * 0.75])

    async def test_close_ends_the_loop_wherever_it_is(self) -> None:
        network = Network(telling(SUBSCRIBED))
        time = VirtualTime()
        for rounds in range(12):
            client = client_of(network, time, snapshot=False)
            reading = asyncio.ensure_future(self._first(client))
            for _ in range(rounds):
                await asyncio.sleep(0)
            client.close()
            self.assertIsNone(await asyncio.wait_for(reading, 5))
            self.assertEqual(client.status, "ended")
        waiting = client_of(Network(lambda socket: socket.end(1006)), time)
        reading = asyncio.ensure_future(self._first(waiting))
        for _ in range(30):
            await asyncio.sleep(0)
        self.assertEqual(waiting.status, "waiting")
        waiting.close()
        self.assertIsNone(await asyncio.wait_for(reading, 5))

    async def test_has_one_reader(self) -> None:
        client = client_of(Network(), VirtualTime())
        client.__aiter__()
        with self.assertRaises(RuntimeError):
            client.__aiter__()

    async def test_wants_an_address(self) -> None:
        for url in ("arena.example", "ftp://arena.example", "http://"):
            with self.assertRaises(ValueError):
                ArenaStreamClient(url)


if __name__ == "__main__":
    unittest.main()
