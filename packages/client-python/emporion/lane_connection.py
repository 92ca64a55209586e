"""One connection to ``/rpc`` after another, each for the same caller."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .backoff import Backoff
from .contract import ERROR_STATUS, FAST_LANE_PATH, FAST_LANE_PROTOCOL, MAX_UNDER_WAY, TOKEN_PROTOCOL_PREFIX
from .credentials import TokenSource, token_of
from .errors import ApiError, NoAnswer, is_final
from .platform import Platform
from .sockets import Ended, NotOpened, Socket, websocket_url

# Seconds of silence after which the server is asked for a sign, and after which the connection is given up.
ASK_AFTER = 10.0
GIVE_UP_AFTER = 20.0

# How often a new token is named while a connection lasts, in seconds: an access token lives for 30 minutes.
RENEW_EVERY = 600.0

# The longest wait before a connection is tried again, in seconds.
_LONGEST_WAIT = 5.0

# Seconds that the server takes no word of what the end of a connection does, before it is told again.
_ARM_AGAIN = 1.0

# The shortest wait before a stream that was refused for now is asked for again, in seconds.
_ASK_AGAIN = 1.0

# Requests that are under way at once; a few more may be asked by the connection itself.
_MOST_UNDER_WAY = MAX_UNDER_WAY - 8

# `refused`: the server does not take the token; the next call tries another. `waiting`: until it connects again.
LaneStatus = Literal["connecting", "live", "waiting", "refused", "closed"]


@dataclass(eq=False)
class LaneRequest:
    """A request, as often as it is sent."""

    tag: str
    # Asked for whenever it is sent.
    payload: Callable[[], object]
    on_success: Callable[[Any], None]
    on_failure: Callable[[Exception], None]
    # The connection was lost while it was under way. Answers whether it is sent again.
    on_lost: Callable[[], bool] = lambda: False
    on_chunk: Callable[[Sequence[Any]], None] = lambda values: None


def _ignore(_: Any) -> None:
    """What nobody waits for."""


class LaneConnection:
    """Requests wait for it, are sent, and are sent again on the next one where they may be."""

    def __init__(
        self,
        url: str,
        token: TokenSource,
        *,
        cancel_on_disconnect: bool,
        on_status: Callable[[LaneStatus, str | None], None] | None,
        platform: Platform,
        connect: Callable[[str, Sequence[str]], Awaitable[Socket]],
    ) -> None:
        self._url = websocket_url(url, FAST_LANE_PATH)
        self._token = token
        self._cancel_on_disconnect = cancel_on_disconnect
        self._on_status = on_status
        self._platform = platform
        self._connect = connect
        self._backoff = Backoff(platform.random, _LONGEST_WAIT)
        # To be sent, the first one first.
        self._queue: dict[LaneRequest, None] = {}
        self._under_way: dict[int, LaneRequest] = {}
        self._ids: dict[LaneRequest, int] = {}
        # Refused for now, and what sends each again.
        self._later: dict[LaneRequest, asyncio.Task[None]] = {}
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._runner: asyncio.Task[None] | None = None
        self._last_id = 0
        self._heard_at = 0.0
        self.status: LaneStatus = "waiting"

    def start(self) -> None:
        """Connects, and again whenever the connection is lost."""
        if self.status != "closed" and (self._runner is None or self._runner.done()):
            self._runner = asyncio.ensure_future(self._run())

    def ask(self, request: LaneRequest) -> None:
        """Sends a request once it can be."""
        if self.status == "closed":
            return request.on_failure(_closed())
        self._queue[request] = None
        self.start()
        self._flush()

    def ask_later(self, request: LaneRequest, seconds: float) -> None:
        """Sends a request that was refused for now, after so many seconds or a moment."""

        async def wait() -> None:
            await self._platform.sleep_async(max(_ASK_AGAIN, seconds))
            self._later.pop(request, None)
            self.ask(request)

        self._later[request] = asyncio.ensure_future(wait())

    def acknowledge(self, request: LaneRequest) -> None:
        """Asks for a stream's next piece."""
        self._tell("Ack", request)

    def cancel(self, request: LaneRequest) -> None:
        """Calls a request off."""
        self._queue.pop(request, None)
        later = self._later.pop(request, None)
        if later is not None:
            later.cancel()
        self._tell("Interrupt", request)
        self._forget(request)
        self._flush()

    async def close(self) -> None:
        """Ends the connection, and whatever waits."""
        if self.status == "closed":
            return
        self._become("closed")
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.cancel()
            await asyncio.gather(runner, return_exceptions=True)
        self._fail_all(_closed())

    async def _run(self) -> None:
        """Connects again and again, until the token is refused."""
        is_named_later = False
        while True:
            self._become("connecting")
            code: int | None = None
            try:
                token = await token_of(self._token)
                is_named_later = await self._connected(token, is_named_later)
                continue
            except ApiError as error:
                if is_final(error):
                    return self._refuse(error)
                why = error.message
            except Ended as end:
                why, code = str(end), end.code
            except NotOpened as failure:
                why = str(failure)
            except Exception as failure:
                why = str(failure) or type(failure).__name__
            is_named_later = False
            self._become("waiting", why)
            await self._platform.sleep_async(self._backoff.next(code))

    async def _connected(self, token: str, is_named_later: bool) -> bool:
        """One connection, to its end. Answers whether the next one names the token by a message.

        An answer that refuses to open one does not say why; that to a message does.
        """
        protocols = [FAST_LANE_PROTOCOL] + ([] if is_named_later else [TOKEN_PROTOCOL_PREFIX + token])
        try:
            socket = await self._connect(self._url, protocols)
        except NotOpened as failure:
            if failure.status in (400, 401, 403) and not is_named_later:
                return True
            raise
        except ValueError as failure:
            raise _refusal_of({"code": "unauthorized", "message": "The access token is not a valid one."}) from failure
        self._outgoing = asyncio.Queue()
        self._heard_at = self._platform.now()
        tasks = [asyncio.ensure_future(work) for work in (self._write(socket), self._watch(socket))]
        try:
            if is_named_later:
                await self._introduce(socket, token)
            self._begin(tasks)
            while True:
                for message in _messages_in(await self._heard(socket)):
                    self._take(message)
        finally:
            for task in tasks:
                task.cancel()
            self._lose()
            await _farewell(socket)

    async def _introduce(self, socket: Socket, token: str) -> None:
        """Names the caller, before anything else is asked."""
        self._last_id += 1
        number = self._last_id
        await socket.send(_request(number, "authenticate", {"access_token": token}))
        while True:
            for message in _messages_in(await self._heard(socket)):
                end = message.get("exit") if message.get("requestId") == number else None
                if end is None:
                    continue
                if end["_tag"] == "Success":
                    return
                raise _failure_of(end)

    def _begin(self, tasks: list[asyncio.Task[None]]) -> None:
        self._become("live")
        if self._cancel_on_disconnect:
            self._arm(tasks)
        if callable(self._token):
            tasks.append(asyncio.ensure_future(self._renew()))
        self._flush()

    def _arm(self, tasks: list[asyncio.Task[None]]) -> None:
        """Says that the end of this connection stops the company; again where the server refuses it for now."""

        async def again() -> None:
            await self._platform.sleep_async(_ARM_AGAIN)
            self._arm(tasks)

        def refused(_: Exception) -> None:
            tasks.append(asyncio.ensure_future(again()))

        self._transmit(LaneRequest("cancelOnDisconnect", lambda: {"enabled": True}, _ignore, refused))

    async def _renew(self) -> None:
        """What fails is tried again the next time, or by a new connection."""
        while True:
            await self._platform.sleep_async(RENEW_EVERY)
            try:
                token = await token_of(self._token)
            except Exception:
                continue
            named = {"access_token": token}
            self._transmit(LaneRequest("authenticate", lambda: named, _ignore, _ignore))

    async def _write(self, socket: Socket) -> None:
        outgoing = self._outgoing
        try:
            while True:
                await socket.send(await outgoing.get())
        except Ended:
            return

    async def _watch(self, socket: Socket) -> None:
        """A server that says nothing for too long is asked for a sign, then given up."""
        while True:
            await self._platform.sleep_async(ASK_AFTER / 2)
            silence = self._platform.now() - self._heard_at
            if silence >= GIVE_UP_AFTER:
                return socket.abort()
            if silence >= ASK_AFTER:
                self._outgoing.put_nowait('{"_tag":"Ping"}')

    async def _heard(self, socket: Socket) -> str | bytes:
        text = await socket.recv()
        self._heard_at = self._platform.now()
        self._backoff.succeeded()
        return text

    def _take(self, message: Mapping[str, Any]) -> None:
        kind = message.get("_tag")
        if kind == "Defect":
            raise Ended(None, message.get("defect", {}).get("message"))
        request = self._under_way.get(message.get("requestId", 0))
        if request is None:
            return
        if kind == "Chunk":
            return request.on_chunk(message.get("values", []))
        end = message.get("exit")
        if kind != "Exit" or end is None:
            return
        self._forget(request)
        if end["_tag"] == "Success":
            request.on_success(end.get("value"))
        else:
            request.on_failure(_failure_of(end))
        self._flush()

    def _flush(self) -> None:
        while self._queue and self.status == "live" and len(self._under_way) < _MOST_UNDER_WAY:
            request = next(iter(self._queue))
            del self._queue[request]
            self._transmit(request)

    def _transmit(self, request: LaneRequest) -> None:
        self._last_id += 1
        self._under_way[self._last_id] = request
        self._ids[request] = self._last_id
        self._outgoing.put_nowait(_request(self._last_id, request.tag, request.payload()))

    def _tell(self, tag: str, request: LaneRequest) -> None:
        number = self._ids.get(request)
        if number is not None:
            self._outgoing.put_nowait(json.dumps({"_tag": tag, "requestId": number}))

    def _forget(self, request: LaneRequest) -> None:
        number = self._ids.pop(request, None)
        if number is not None:
            del self._under_way[number]

    def _lose(self) -> None:
        """What was under way is sent again before what waits, where it may be."""
        if self.status == "live":
            self.status = "waiting"
        lost, waiting = list(self._under_way.values()), self._queue
        self._under_way, self._ids = {}, {}
        self._queue = {request: None for request in lost if request.on_lost()}
        self._queue.update(waiting)

    def _refuse(self, error: ApiError) -> None:
        self._become("refused", error.message)
        self._fail_all(error)

    def _fail_all(self, error: Exception) -> None:
        waiting = [*self._queue, *self._later]
        for task in self._later.values():
            task.cancel()
        self._later.clear()
        self._queue.clear()
        for request in waiting:
            request.on_failure(error)

    def _become(self, status: LaneStatus, why: str | None = None) -> None:
        if self.status == "closed" or (self.status == status and why is None):
            return
        self.status = status
        if self._on_status is not None:
            self._on_status(status, why)


def _closed() -> NoAnswer:
    return NoAnswer("closed", "The client is closed.")


async def _farewell(socket: Socket) -> None:
    """Closes a connection though the task is called off."""
    closing: Coroutine[Any, Any, None] = socket.close()
    try:
        await asyncio.shield(asyncio.ensure_future(closing))
    except asyncio.CancelledError:
        socket.abort()
        raise


def _request(number: int, tag: str, payload: object) -> str:
    return json.dumps({"_tag": "Request", "id": number, "tag": tag, "headers": [], "payload": payload})


def _messages_in(text: str | bytes) -> Sequence[Mapping[str, Any]]:
    try:
        read = json.loads(text)
    except ValueError:
        return []
    return [message for message in (read if isinstance(read, list) else [read]) if isinstance(message, dict)]


def _refusal_of(told: Mapping[str, Any]) -> ApiError:
    return ApiError(
        told["code"],
        told["message"],
        status=ERROR_STATUS.get(told["code"], 500),
        retry_after=told.get("retry_after"),
        errors=told.get("errors", ()),
    )


def _failure_of(end: Mapping[str, Any]) -> ApiError:
    causes = [cause["error"] for cause in end.get("cause", []) if "error" in cause]
    return _refusal_of(causes[0] if causes else {"code": "internal", "message": "The server failed."})
