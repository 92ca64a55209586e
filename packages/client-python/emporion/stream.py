"""A consumer of ``/ws/arena``."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any, Literal, TypeAlias, TypeVar, Union

from . import operations
from .backoff import Backoff
from .client import AsyncEmporionClient
from .contract import (
    ARENA_STREAM_PATH,
    HEARTBEAT_MILLIS,
    STREAM_CLOSE,
    STREAM_PROTOCOL,
    TICKET_PROTOCOL_PREFIX,
    OrderDetail,
    Position,
    SubscribeData,
)
from .credentials import TokenSource
from .errors import is_final
from .frames import WireFrame, read_wire_frame
from .orders import StreamedOrders
from .platform import Platform, standard_platform
from .prices import Price, PriceProgress
from .progress import Breach, CompleteEvent, NewState, Resync, StreamProgress
from .sockets import Ended, NotOpened, Socket, http_url, open_socket, websocket_url

__all__ = [
    "ArenaStreamClient",
    "CompleteEvent",
    "NewState",
    "Position",
    "Price",
    "Resync",
    "StreamItem",
    "StreamRefused",
    "StreamStatus",
]

# Seconds of silence after which the server is asked for a sign, and after which the connection is given up.
ASK_AFTER = HEARTBEAT_MILLIS / 1000 + 5
GIVE_UP_AFTER = 45.0

# What a subscription chooses from. `my` needs authentication.
Channel = Literal["orders", "commitments", "settlements", "prices", "my"]
AssetType = Literal["commodity", "fx", "options", "gpu"]

# `waiting`: until it connects again.
StreamStatus = Literal["connecting", "live", "waiting", "ended"]

RefusalCode: TypeAlias = Literal[
    "invalid_request",
    "unauthorized",
    "unavailable",
    "authentication_expired",
    "epoch_changed",
    "position_unknown",
    "too_far_behind",
]

_Value = TypeVar("_Value")


# What a consumer is told, in order.
StreamItem = Union[CompleteEvent, NewState, Resync, Price]


class StreamRefused(Exception):
    """Why the client stopped for good.

    ``unauthorized``: the token is refused. A reason of ``Resync``: what was missed cannot be told.
    """

    def __init__(self, code: RefusalCode, message: str) -> None:
        super().__init__(message)
        self.code: RefusalCode = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


class _Closed(Exception):
    """The client was closed meanwhile."""


class _Again(Exception):
    """The connection is of no more use; another one is."""

    def __init__(self, why: str, code: int | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.code = code


class ArenaStreamClient:
    """Tells of every event once, in order, across disconnections, and can prove it.

    What the server says counts only where its numbers follow from each other. ``async for item in client`` connects,
    and goes on until ``close()``, or fails with ``StreamRefused``. A slow reader gets events later and misses none.
    """

    def __init__(
        self,
        url: str,
        *,
        channels: Sequence[Channel] | None = None,
        asset_types: Sequence[AssetType] | None = None,
        order_ids: Sequence[str] | None = None,
        snapshot: bool = True,
        resume: Position | None = None,
        price_sequence: bool = False,
        price_resume: int | None = None,
        token: TokenSource | None = None,
        ticket: Callable[[], Awaitable[str | None]] | None = None,
        end_on_resync: bool = False,
        on_status: Callable[[StreamStatus, str | None], None] | None = None,
        platform: Platform | None = None,
        connect: Callable[[str, Sequence[str]], Awaitable[Socket]] = open_socket,
    ) -> None:
        """Prepares a subscription.

        channels: all public ones where there are none; the state needs ``orders`` and ``commitments``.
        snapshot: whether to begin with the state of the orders, also where what was missed cannot be told.
        resume: goes on after the position of the last item that was kept.
        price_sequence: whether every recorded price is told, once and in order, across disconnections too.
        price_resume: goes on after this place among the prices, such as ``price_position`` of another time.
        token: what the channel ``my`` needs; asked for before every connection.
        ticket: in place of a token, asked for a fresh ticket before every connection; None ends the client.
        end_on_resync: whether to end where what was missed cannot be told, in place of telling so.
        on_status: told of every change, and why where there is a reason.
        """
        self._url = websocket_url(url, ARENA_STREAM_PATH)
        self._subscription: SubscribeData = {"sequence": True, "snapshot": snapshot}
        if channels is not None:
            self._subscription["channels"] = list(channels)
        if asset_types is not None:
            self._subscription["asset_type"] = list(asset_types)
        if order_ids is not None:
            self._subscription["order_id"] = list(order_ids)
        if price_sequence:
            self._subscription["price_sequence"] = True
        self._progress = StreamProgress(snapshot, resume)
        self._prices = PriceProgress(price_resume)
        # A ticket is wanted seldom: no connection is kept for it.
        self._platform = platform or standard_platform(0)
        self._backoff = Backoff(self._platform.random)
        self._orders = StreamedOrders()
        self._ticket = ticket or (None if token is None else _tickets(url, token, self._platform))
        self._end_on_resync = end_on_resync
        self._on_status = on_status
        self._connect = connect
        self._has_state = False
        self._has_reader = False
        self._socket: Socket | None = None
        self._closed = asyncio.Event()
        self._asked_to_wait = 0.0
        # Since when nothing was heard, while something is waited for.
        self._waiting_since: float | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        # None before the start.
        self.status: StreamStatus | None = None
        # Connections that it has tried.
        self.connections = 0
        # How often the server's frames did not follow from each other.
        self.breaches = 0

    @property
    def position(self) -> Position | None:
        """The place up to which everything was told; where to ``resume`` another time."""
        return self._progress.position

    @property
    def price_position(self) -> int | None:
        """The place up to which every price was told; where to ``price_resume`` another time."""
        return self._prices.position

    def state(self) -> dict[str, OrderDetail] | None:
        """Every order at ``position``; None without a snapshot. Orders that settled long ago are left out."""
        return self._orders.all() if self._has_state else None

    def order(self, order_id: str) -> OrderDetail | None:
        """One order at ``position``."""
        return self._orders.get(order_id) if self._has_state else None

    def close(self) -> None:
        """Ends the loop that reads."""
        self._closed.set()
        self._drop()

    async def __aenter__(self) -> ArenaStreamClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def __aiter__(self) -> AsyncIterator[StreamItem]:
        """The items from here on, for one reader."""
        if self._has_reader:
            raise RuntimeError("The client has a reader, or has ended.")
        self._has_reader = True
        return self._items()

    async def _items(self) -> AsyncIterator[StreamItem]:
        why: str | None = None
        try:
            while True:
                try:
                    await self._open()
                    async with aclosing(self._told()) as told:
                        async for item in told:
                            yield item
                except _Again as again:
                    self._drop()
                    self._become("waiting", again.why)
                    await self._wait(self._backoff.next(again.code, self._asked_to_wait))
        except _Closed:
            return
        except StreamRefused as refusal:
            why = str(refusal)
            raise
        finally:
            self._closed.set()
            self._drop()
            self._become("ended", why)

    async def _open(self) -> None:
        """Connects and subscribes."""
        self.connections += 1
        self._become("connecting")
        self._asked_to_wait = 0.0
        protocols = [STREAM_PROTOCOL]
        if self._ticket is not None:
            protocols.append(TICKET_PROTOCOL_PREFIX + await self._granted(self._ticket))
        try:
            self._socket = await self._unless_closed(self._connect(self._url, protocols))
        except NotOpened as failure:
            raise _Again(str(failure)) from failure
        except ValueError as failure:
            raise StreamRefused("invalid_request", "The address or the ticket is not a valid one.") from failure
        resume = self._progress.connect()
        data = self._subscription.copy()
        if resume is not None:
            data["resume"] = resume
        if "price_sequence" in data and self._prices.position is not None:
            data["price_resume"] = self._prices.position
        await self._send({"type": "subscribe", "id": str(self.connections), "data": data})

    async def _granted(self, ticket: Callable[[], Awaitable[str | None]]) -> str:
        try:
            text = await self._unless_closed(ticket())
        except _Closed:
            raise
        except Exception as error:
            if is_final(error):
                raise StreamRefused("unauthorized", error.message) from error
            raise _Again(f"no ticket: {error}") from error
        if text is None:
            raise StreamRefused("authentication_expired", "There is no ticket any more.")
        return text

    async def _told(self) -> AsyncGenerator[StreamItem, None]:
        """What the connection tells, until it ends."""
        socket = self._socket
        if socket is None:
            raise _Closed
        watch = asyncio.ensure_future(self._watch(socket))
        try:
            while not self._closed.is_set():
                self._waiting_since = self._platform.now()
                text = await socket.recv()
                self._waiting_since = None
                item = self._hear(text)
                if item is not None:
                    yield item
            raise _Closed
        except Ended as end:
            if self._closed.is_set():
                raise _Closed from None
            if end.code == STREAM_CLOSE["authenticationExpired"] and self._ticket is None:
                raise StreamRefused("authentication_expired", "Connect again with fresh authentication.") from None
            raise _Again(str(end), end.code) from None
        finally:
            watch.cancel()

    def _hear(self, text: str | bytes) -> StreamItem | None:
        frame = read_wire_frame(text)
        if frame is None:
            raise self._distrusted("a frame that is not of the protocol")
        if frame.kind == "server_shutdown":
            self._asked_to_wait = min(frame.data["reconnect_after_ms"] / 1000, 30.0)
        elif frame.kind == "error":
            raise self._refused(frame.data)
        elif frame.kind == "price_update":
            return self._price(frame) if self._progress.is_live else None
        elif frame.kind != "other":
            return self._take(frame)
        return None

    def _price(self, frame: WireFrame) -> Price | None:
        told = self._prices.tell(frame, "price_sequence" in self._subscription)
        if isinstance(told, Breach):
            raise self._distrusted(told.what)
        return told

    def _take(self, frame: WireFrame) -> StreamItem | None:
        step = self._progress.take(frame)
        if isinstance(step, Breach):
            raise self._distrusted(step.what)
        if step is not None or frame.kind == "heartbeat":
            self._backoff.succeeded()
        if self._progress.is_live and self.status == "connecting":
            self._become("live")
        if isinstance(step, Resync) and self._end_on_resync:
            raise StreamRefused(step.reason, "What was missed cannot be told.")
        if isinstance(step, NewState):
            self._has_state = True
            self._orders.replace(step.orders)
        elif isinstance(step, CompleteEvent) and self._has_state:
            self._orders.apply(step)
        elif isinstance(step, Resync):
            self._has_state = False
        return step

    def _refused(self, data: Any) -> Exception:
        code, message = data["code"], data["message"]
        if code == "unavailable" or (code == "unauthorized" and self._ticket is not None):
            return _Again(message)
        return StreamRefused(code, message)

    def _distrusted(self, what: str) -> Exception:
        self.breaches += 1
        return _Again(what)

    async def _watch(self, socket: Socket) -> None:
        """A server that says nothing for too long is asked, then given up."""
        while True:
            await self._platform.sleep_async(ASK_AFTER / 2)
            silence = 0.0 if self._waiting_since is None else self._platform.now() - self._waiting_since
            if silence >= GIVE_UP_AFTER:
                socket.abort()
            elif silence >= ASK_AFTER and self.status == "live":
                try:
                    await socket.send('{"type":"ping"}')
                except Ended:
                    return

    async def _send(self, message: object) -> None:
        try:
            if self._socket is not None:
                await self._socket.send(json.dumps(message))
        except Ended as end:
            raise _Again(str(end), end.code) from None

    async def _wait(self, seconds: float) -> None:
        await self._unless_closed(self._platform.sleep_async(seconds))

    async def _unless_closed(self, work: Awaitable[_Value]) -> _Value:
        """What comes of some work; called off where the client is closed first."""
        running = asyncio.ensure_future(work)
        closing = asyncio.ensure_future(self._closed.wait())
        try:
            await asyncio.wait({running, closing}, return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                raise _Closed
            return running.result()
        finally:
            closing.cancel()
            running.cancel()

    def _drop(self) -> None:
        """Says goodbye on the side."""
        socket, self._socket = self._socket, None
        if socket is None:
            return
        task = asyncio.ensure_future(socket.close())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _become(self, status: StreamStatus, why: str | None = None) -> None:
        self.status = status
        if self._on_status is not None:
            self._on_status(status, why)


def _tickets(url: str, token: TokenSource, platform: Platform) -> Callable[[], Awaitable[str | None]]:
    """Gets tickets by an access token."""
    client = AsyncEmporionClient(http_url(url), token=token, retries=0, platform=platform)

    async def ticket() -> str:
        return (await client.call(operations.arena_stream_stream_ticket()))["ticket"]

    return ticket
