"""The platform's REST operations, typed by its contract: for plain code, and for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeVar, cast

from .calls import Alone, Answered, CallSteps, Send, Sending, Step, Steps, Wait, following, known
from .credentials import token_of
from .requests import ListRequest, Request, rows_in

Body = TypeVar("Body")
Row = TypeVar("Row")
Result = TypeVar("Result")


class EmporionClient(CallSteps):
    """The operations for plain code: each call blocks. Threads may share it."""

    def __enter__(self) -> EmporionClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._platform.close()

    def token(self) -> str:
        """An access token that is valid for a while, such as for the stream and the fast lane."""
        return known(self._run(self._token()))

    def call(
        self,
        request: Request[Body],
        *,
        timeout: float | None = None,
        retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> Body:
        """Does an operation, and answers its body. Raises ``ApiError`` or ``NoAnswer``."""
        return self.ask(request, timeout=timeout, retries=retries, idempotency_key=idempotency_key).body

    def ask(
        self,
        request: Request[Body],
        *,
        timeout: float | None = None,
        retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answered[Body]:
        """The same with what the answer's headers say."""
        return self._run(self._repeated(self._sending(request, timeout, retries, idempotency_key)))

    def pages(self, request: ListRequest[Body, Any]) -> Iterator[Body]:
        """Every page of a list, from the one that is asked for: nothing is doubled or missed while rows are added."""
        sending: Sending | None = self._sending(request, None, None, None)
        while sending is not None:
            answered = self._run(self._repeated(sending))
            yield answered.body
            sending = following(sending, answered)

    def rows(self, request: ListRequest[Any, Row]) -> Iterator[Row]:
        """Every row of a list."""
        for page in self.pages(request):
            yield from rows_in(page)

    def _run(self, steps: Steps[Result]) -> Result:
        answer: Any = None
        error: Exception | None = None
        while True:
            try:
                step = steps.send(answer) if error is None else steps.throw(error)
            except StopIteration as end:
                return cast(Result, end.value)
            answer, error = None, None
            try:
                answer = self._take(step)
            except Exception as failure:
                error = failure

    def _take(self, step: Step) -> Any:
        if isinstance(step, Send):
            return self._platform.exchange(step.method, step.url, step.headers, step.body, step.timeout)
        if isinstance(step, Wait):
            return self._platform.sleep(step.seconds)
        if isinstance(step, Alone):
            with self._lock:
                return self._run(step.steps)
        token = step.source if isinstance(step.source, str) else step.source()
        if not isinstance(token, str):
            raise TypeError("A token that is awaited needs the AsyncEmporionClient.")
        return token


class AsyncEmporionClient(CallSteps):
    """The operations for asyncio: each call is awaited, and waits in a thread."""

    async def __aenter__(self) -> AsyncEmporionClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections that are kept."""
        self._platform.close()

    async def token(self) -> str:
        """An access token that is valid for a while, such as for the stream and the fast lane."""
        return known(await self._run(self._token()))

    async def call(
        self,
        request: Request[Body],
        *,
        timeout: float | None = None,
        retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> Body:
        """Does an operation, and answers its body. Raises ``ApiError`` or ``NoAnswer``."""
        answered = await self.ask(request, timeout=timeout, retries=retries, idempotency_key=idempotency_key)
        return answered.body

    async def ask(
        self,
        request: Request[Body],
        *,
        timeout: float | None = None,
        retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answered[Body]:
        """The same with what the answer's headers say."""
        return await self._run(self._repeated(self._sending(request, timeout, retries, idempotency_key)))

    async def pages(self, request: ListRequest[Body, Any]) -> AsyncIterator[Body]:
        """Every page of a list, from the one that is asked for: nothing is doubled or missed while rows are added."""
        sending: Sending | None = self._sending(request, None, None, None)
        while sending is not None:
            answered = await self._run(self._repeated(sending))
            yield answered.body
            sending = following(sending, answered)

    async def rows(self, request: ListRequest[Any, Row]) -> AsyncIterator[Row]:
        """Every row of a list."""
        async for page in self.pages(request):
            for row in rows_in(page):
                yield row

    async def _run(self, steps: Steps[Result]) -> Result:
        answer: Any = None
        error: Exception | None = None
        while True:
            try:
                step = steps.send(answer) if error is None else steps.throw(error)
            except StopIteration as end:
                return cast(Result, end.value)
            answer, error = None, None
            try:
                answer = await self._take(step)
            except Exception as failure:
                error = failure

    async def _take(self, step: Step) -> Any:
        if isinstance(step, Send):
            return await asyncio.to_thread(
                self._platform.exchange, step.method, step.url, step.headers, step.body, step.timeout
            )
        if isinstance(step, Wait):
            return await self._platform.sleep_async(step.seconds)
        if isinstance(step, Alone):
            async with self._turn:
                return await self._run(step.steps)
        return await token_of(step.source)
