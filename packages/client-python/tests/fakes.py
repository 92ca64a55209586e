"""Time, a network and a small arena that tests rule over."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from emporion.platform import Exchange, Platform
from emporion.sockets import Ended, NotOpened, Socket, require_tokens
from emporion.transport import HttpAnswer

Result = TypeVar("Result")

EPOCH = "epoch-1"


class VirtualTime:
    """Time that passes when nothing else happens."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def platform(self, exchange: Exchange | None = None) -> Platform:
        return Platform(
            exchange or no_network,
            now=lambda: self.now,
            random=lambda: 0.5,
            uuid=lambda: f"key-{len(self.slept)}",
            sleep=self.sleep,
            sleep_async=self.sleep_async,
        )

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.slept.append(seconds)
        due: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, due))
        await due

    async def run(self, work: Awaitable[Result]) -> Result:
        """Lets time pass until some work is done."""
        task = asyncio.ensure_future(work)
        for _ in range(10_000):
            for _ in range(20):
                await asyncio.sleep(0)
            if task.done():
                return task.result()
            self.pass_on()
        task.cancel()
        raise AssertionError("the work does not end")

    def pass_on(self) -> None:
        """Goes to the next moment for which something waits."""
        self._sleepers = [(at, due) for at, due in self._sleepers if not due.done()]
        if self._sleepers:
            at, due = min(self._sleepers, key=lambda sleeper: sleeper[0])
            self.now = max(self.now, at)
            due.set_result(None)


def no_network(method: str, url: str, headers: Mapping[str, str], body: bytes | None, timeout: float) -> HttpAnswer:
    raise AssertionError("nothing should be asked over HTTP")


def answer(status: int, body: object, **headers: str) -> HttpAnswer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpAnswer(status, {"content-type": "application/json", **named}, json.dumps(body).encode())


class FakeSocket:
    """What a server and a client say to each other, in two queues."""

    def __init__(self, url: str, protocols: Sequence[str]) -> None:
        self.url = url
        self.protocols = protocols
        self.sent: list[Any] = []
        self.is_closed = False
        self._incoming: asyncio.Queue[str | Ended] = asyncio.Queue()
        self.heard: Callable[[Any], None] = lambda message: None

    async def send(self, text: str) -> None:
        if self.is_closed:
            raise Ended(None)
        message = json.loads(text)
        self.sent.append(message)
        self.heard(message)

    async def recv(self) -> str:
        found = await self._incoming.get()
        if isinstance(found, Ended):
            self.is_closed = True
            raise found
        return found

    async def close(self) -> None:
        self.end(1000)

    def abort(self) -> None:
        self.end(None)

    def say(self, message: object) -> None:
        self._incoming.put_nowait(json.dumps(message))

    def end(self, code: int | None) -> None:
        self._incoming.put_nowait(Ended(code))


class Network:
    """Every connection that was asked for."""

    def __init__(self, accept: Callable[[FakeSocket], None] = lambda socket: None) -> None:
        self.sockets: list[FakeSocket] = []
        self.refusals: list[NotOpened] = []
        self._accept = accept

    async def until(self, count: int) -> None:
        """Waits for so many connections."""
        while len(self.sockets) < count:
            await asyncio.sleep(0)

    async def connect(self, url: str, protocols: Sequence[str]) -> Socket:
        require_tokens(protocols)
        socket = FakeSocket(url, protocols)
        self.sockets.append(socket)
        if self.refusals:
            raise self.refusals.pop(0)
        self._accept(socket)
        return socket


class FakeArena:
    """A log of events with the stream's protocol, whose connections lose what dice say."""

    def __init__(self, events: int, dice: random.Random) -> None:
        # How many frames each event has.
        self.log = [dice.randrange(4) for _ in range(events)]
        self.network = Network(self._accept)
        self._dice = dice
        self.faults = 60

    def expected(self, after: int) -> list[tuple[int, int]]:
        return [(seq, frames) for seq, frames in enumerate(self.log, 1) if frames > 0 and seq > after]

    def _accept(self, socket: FakeSocket) -> None:
        def hear(message: Any) -> None:
            if message["type"] == "subscribe":
                self._subscribed(socket, message["data"])

        socket.heard = hear

    def _subscribed(self, socket: FakeSocket, asked: Mapping[str, Any]) -> None:
        resume = asked.get("resume")
        # A first subscription begins in the middle of the log.
        start = resume["seq"] if resume else len(self.log) // 4
        frames = [frame("subscribed", {"epoch": EPOCH, "seq": start})]
        if resume is None and asked["snapshot"]:
            for page in (1, 2, 3):
                orders = [order(f"ord_{page}")]
                frames.append(
                    frame("snapshot", {"epoch": EPOCH, "seq": start, "page": page, "pages": 3, "orders": orders})
                )
        frames.extend(self._events(start))
        for each in frames:
            chance = self._dice.random() if self.faults > 0 else 1.0
            if chance < 0.06:
                self.faults -= 1
                if chance < 0.01:
                    break
                # Said twice, or never.
                if chance < 0.03:
                    socket.say(each)
                    socket.say(each)
                continue
            socket.say(each)
        socket.end(1006)

    def _events(self, start: int) -> list[Mapping[str, Any]]:
        frames: list[Mapping[str, Any]] = []
        prev = start
        for seq, count in self.expected(start):
            for number in range(1, count + 1):
                place = {"seq": seq, "prev": prev, "frame": number, "frames": count}
                frames.append(frame("order_updated", order("ord_1", settlement_date=str(seq)), **place))
            prev = seq
            if self._dice.random() < 0.2:
                frames.append(frame("heartbeat", {"epoch": EPOCH, "seq": seq, "prev": prev}))
        frames.append(frame("heartbeat", {"epoch": EPOCH, "seq": len(self.log), "prev": prev}))
        return frames


def frame(kind: str, data: object, **place: int) -> Mapping[str, Any]:
    return {"type": kind, "data": data, "timestamp": "2026-01-01T00:00:00.000Z", **place}


def order(order_id: str, **more: object) -> dict[str, Any]:
    return {"order_id": order_id, "status": "open", "commitments": [], **more}
