"""The client of ``/rpc``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any, Generic, Literal, TypeAlias, TypeVar, Union, cast

from .contract import (
    BalancesPayload,
    BalancesSuccess,
    CancelAfterSuccess,
    CancelOnDisconnectSuccess,
    CommitBatchSuccessResults,
    CommitPayload,
    CommitSuccess,
    EvaluatePayload,
    EvaluateSuccess,
    LiftKillSwitchSuccess,
    MyCommitmentsPayload,
    MyCommitmentsSuccess,
    OrdersPayload,
    PauseAllSuccess,
    StreamedOrder,
    SubscribePayload,
    WebhookEventsPayload,
    WebhookEventsSuccess,
)
from .credentials import TokenSource
from .errors import ApiError, NoAnswer, is_passing
from .frames import read_frame
from .lane_connection import LaneConnection, LaneRequest, LaneStatus
from .platform import Platform, standard_platform
from .progress import Breach, CompleteEvent, NewState, StreamProgress
from .sockets import Socket, open_socket
from .stream import Price, StreamItem

__all__ = ["Commitment", "EventsPiece", "FastLaneClient", "ItemResult", "LaneStatus", "Receipt"]

# Seconds that one call may take; the wait for a connection counts.
CALL_TIMEOUT = 30.0

# Before a commitment whose first sending is still under way is sent again, in seconds; twice as long each time.
_FIRST_PAUSE = 0.1
_MAX_PAUSES = 7

_Item = TypeVar("_Item")

# A commitment to an order, and one that stands.
Commitment: TypeAlias = CommitPayload
Receipt: TypeAlias = CommitSuccess

# What became of one of several commitments.
ItemResult = Union[CommitSuccess, CommitBatchSuccessResults]

# What webhooks of a company are told, up to a place.
EventsPiece: TypeAlias = WebhookEventsSuccess

Scope = Literal["bots", "company"]


class FastLaneClient:
    """Calls are awaited, and streams are read by ``async for``.

    A refusal raises ``ApiError``, a lost connection ``NoAnswer``. What changes nothing when it is repeated is sent
    again by itself after the connection was lost, commitments that have an ``idempotency_id`` too, and streams go on
    where they were.
    """

    def __init__(
        self,
        url: str,
        token: TokenSource,
        *,
        cancel_on_disconnect: bool = False,
        timeout: float = CALL_TIMEOUT,
        on_status: Callable[[LaneStatus, str | None], None] | None = None,
        platform: Platform | None = None,
        connect: Callable[[str, Sequence[str]], Awaitable[Socket]] = open_socket,
    ) -> None:
        """Prepares a connection, which the first call makes.

        token: an access token, or what gives one that is valid now: asked before each connection, and every 10 minutes.
        cancel_on_disconnect: whether the end of each connection pulls the company's kill switch.
        on_status: told of every change, and why where there is a reason.
        """
        self._platform = platform or standard_platform(0)
        self._timeout = timeout
        self._connection = LaneConnection(
            url,
            token,
            cancel_on_disconnect=cancel_on_disconnect,
            on_status=on_status,
            platform=self._platform,
            connect=connect,
        )

    @property
    def status(self) -> LaneStatus:
        return self._connection.status

    async def __aenter__(self) -> FastLaneClient:
        self._connection.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the connection, the loops that read streams, and whatever is under way."""
        await self._connection.close()

    async def commit(self, item: Commitment, *, timeout: float | None = None) -> Receipt:
        """Answered once the commitment is durable."""
        return cast(Receipt, await self._commit([item], "commit", item, timeout))

    async def commit_batch(self, items: Sequence[Commitment], *, timeout: float | None = None) -> list[ItemResult]:
        """Commits each of up to 500 items for itself: the results stand in their order."""
        answer = await self._commit(items, "commitBatch", {"items": list(items)}, timeout)
        return cast("list[ItemResult]", answer["results"])

    async def my_commitments(
        self, query: MyCommitmentsPayload | None = None, *, timeout: float | None = None
    ) -> MyCommitmentsSuccess:
        """The caller's own commitments, newest first."""
        return cast(MyCommitmentsSuccess, await self._call("myCommitments", query or {}, True, timeout))

    async def balances(self, page: BalancesPayload | None = None, *, timeout: float | None = None) -> BalancesSuccess:
        """The caller's funds."""
        return cast(BalancesSuccess, await self._call("balances", page or {}, True, timeout))

    async def evaluate(self, question: EvaluatePayload, *, timeout: float | None = None) -> EvaluateSuccess:
        """What a bot of one's own would do about an order. Takes a credit."""
        return cast(EvaluateSuccess, await self._call("evaluate", question, False, timeout))

    async def pause_all(self, *, scope: Scope = "bots", timeout: float | None = None) -> PauseAllSuccess:
        """Pauses every active bot of the company; answers which they were.

        With the scope ``company`` it pulls the company's kill switch besides: once this is answered none of its
        commitments is accepted, whoever makes it, until it is lifted.
        """
        return cast(PauseAllSuccess, await self._call("pauseAll", {"scope": scope}, True, timeout))

    async def cancel_after(
        self, seconds: float, *, scope: Scope = "bots", timeout: float | None = None
    ) -> CancelAfterSuccess:
        """Does what ``pause_all`` does after so many seconds unless this is called again. 0 clears it."""
        payload = {"timeout_seconds": seconds, "scope": scope}
        return cast(CancelAfterSuccess, await self._call("cancelAfter", payload, True, timeout))

    async def cancel_on_disconnect(
        self, enabled: bool = True, *, timeout: float | None = None
    ) -> CancelOnDisconnectSuccess:
        """Has the end of the present connection pull the company's kill switch, or no more.

        The option of the same name does so for each connection.
        """
        answer = await self._call("cancelOnDisconnect", {"enabled": enabled}, False, timeout)
        return cast(CancelOnDisconnectSuccess, answer)

    async def lift_kill_switch(self, *, timeout: float | None = None) -> LiftKillSwitchSuccess:
        """Lifts the company's kill switch. Needs ``payments:write``; its bots stay paused."""
        return cast(LiftKillSwitchSuccess, await self._call("liftKillSwitch", None, False, timeout))

    async def orders(self, asked: OrdersPayload | None = None) -> AsyncGenerator[StreamedOrder, None]:
        """Every order that is live or named, whole but without its commitments, then each as often as it changes.

        Those that changed while there was no connection are told too.
        """
        subscription = cast(SubscribePayload, {**(asked or {}), "channels": ["orders"], "snapshot": True})
        async with aclosing(self.subscribe(subscription)) as items:
            async for item in items:
                if isinstance(item, NewState):
                    for order in item.orders:
                        known = {name: value for name, value in order.items() if name != "commitments"}
                        yield cast(StreamedOrder, known)
                if isinstance(item, CompleteEvent):
                    for frame in item.frames:
                        if frame["type"] == "order_updated":
                            yield frame["data"]

    def subscribe(self, subscription: SubscribePayload | None = None) -> AsyncGenerator[StreamItem, None]:
        """The arena's events, each once and in order, as the stream's own client tells them.

        Goes on after a lost connection where it was.
        """
        asked: SubscribePayload = subscription or {}
        progress = StreamProgress(bool(asked.get("snapshot")), asked.get("resume"))

        def payload() -> object:
            resume = progress.connect()
            return asked if resume is None else dict(asked, resume=resume)

        def read(value: Any) -> Sequence[StreamItem] | None:
            frame = read_frame(value)
            if frame is None:
                return None
            if frame.kind == "price_update":
                return [Price(frame.data, frame.whole["timestamp"])] if progress.is_live else []
            step = progress.take(frame)
            if isinstance(step, Breach):
                return None
            return [] if step is None else [step]

        return _LaneStream(self._connection, "subscribe", payload, read).items()

    def webhook_events(self, listening: WebhookEventsPayload | None = None) -> AsyncGenerator[EventsPiece, None]:
        """What webhooks of the caller's company are told, from now on or from after a place.

        Goes on after a lost connection where it was.
        """
        asked: dict[str, Any] = dict(listening or {})

        def read(value: Any) -> Sequence[EventsPiece]:
            asked["after"] = value["seq"]
            return [cast(EventsPiece, value)]

        return _LaneStream(self._connection, "webhookEvents", lambda: asked, read).items()

    async def _commit(self, items: Sequence[Commitment], tag: str, payload: object, timeout: float | None) -> Any:
        """Sends again what may not have arrived, where every item has an id under which it is made once."""
        is_named = all(item.get("idempotency_id") for item in items)
        for pause in range(_MAX_PAUSES + 1):
            try:
                return await self._call(tag, payload, is_named, timeout)
            except ApiError as error:
                if not is_named or error.code != "conflict" or pause == _MAX_PAUSES:
                    raise
            await self._platform.sleep_async(_FIRST_PAUSE * 2.0**pause)

    async def _call(self, tag: str, payload: object, may_repeat: bool, timeout: float | None) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def succeeded(value: Any) -> None:
            if not answer.done():
                answer.set_result(value)

        def failed(error: Exception) -> None:
            if not answer.done():
                answer.set_exception(error)

        def lost() -> bool:
            if not may_repeat:
                failed(NoAnswer("unreachable", "The connection was lost before the answer."))
            return may_repeat

        request = LaneRequest(tag, lambda: payload, succeeded, failed, lost)
        self._connection.ask(request)
        try:
            return await asyncio.wait_for(answer, self._timeout if timeout is None else timeout)
        except asyncio.TimeoutError:
            raise NoAnswer("timeout", "No answer came in time.") from None
        finally:
            self._connection.cancel(request)


class _LaneStream(Generic[_Item]):
    """A stream of the fast lane at its reader's own pace.

    The next piece is asked for when the one before was read. After a lost connection it goes on by itself.
    """

    def __init__(
        self,
        connection: LaneConnection,
        tag: str,
        payload: Callable[[], object],
        read: Callable[[Any], Sequence[_Item] | None],
    ) -> None:
        """``read`` gives the items in a piece; None where some are missing, so that the stream is asked for again."""
        self._connection = connection
        self._read = read
        # What waits for the reader, and at last why there is no more: None where it simply ends.
        self._queue: asyncio.Queue[tuple[_Item] | Exception | None] = asyncio.Queue()
        # Whether a piece was read that the server waits to hear of.
        self._is_owed = False
        self._request = LaneRequest(tag, payload, lambda _: self._end(None), self._fail, self._lost, self._take)

    async def items(self) -> AsyncGenerator[_Item, None]:
        self._connection.ask(self._request)
        try:
            while True:
                self._acknowledge()
                found = await self._queue.get()
                if found is None:
                    return
                if isinstance(found, Exception):
                    raise found
                yield found[0]
        finally:
            self._connection.cancel(self._request)

    def _take(self, values: Sequence[Any]) -> None:
        self._is_owed = True
        for value in values:
            items = self._read(value)
            if items is None:
                return self._again()
            for item in items:
                self._queue.put_nowait((item,))
        self._acknowledge()

    def _acknowledge(self) -> None:
        """The reader waits, or will at once."""
        if self._is_owed and self._queue.empty():
            self._is_owed = False
            self._connection.acknowledge(self._request)

    def _again(self) -> None:
        self._is_owed = False
        self._connection.cancel(self._request)
        self._connection.ask(self._request)

    def _lost(self) -> bool:
        self._is_owed = False
        return True

    def _fail(self, error: Exception) -> None:
        """A client that is closed ends its streams; a refusal that passes is waited for."""
        self._is_owed = False
        if isinstance(error, ApiError) and is_passing(error):
            return self._connection.ask_later(self._request, error.retry_after or 0.0)
        self._end(None if isinstance(error, NoAnswer) and error.code == "closed" else error)

    def _end(self, why: Exception | None) -> None:
        self._queue.put_nowait(why)
