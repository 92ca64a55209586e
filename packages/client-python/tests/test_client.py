"""REST: once under its key, as late as the server asks, and by a token that is valid."""

from __future__ import annotations

import asyncio
import http.server
import json
import select
import threading
import unittest
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from emporion import ApiError, AsyncEmporionClient, EmporionClient, NoAnswer, operations
from emporion.contract import CommitmentRequest
from emporion.transport import HttpAnswer, HttpTransport

from .fakes import VirtualTime, answer

URL = "https://api.example"
TERMS: CommitmentRequest = {
    "order_id": "ord_1",
    "proposed_entry_price": 1.1,
    "expected_exit_price": 1.2,
    "quantity": 1,
}


class Server:
    """Answers what it is told to, one after another, and keeps what it was asked."""

    def __init__(self, *answers: HttpAnswer | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str, Mapping[str, str], Any]] = []

    def __call__(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, timeout: float
    ) -> HttpAnswer:
        self.asked.append((method, url, headers, None if body is None else json.loads(body)))
        given = self.answers.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    def headers(self, name: str) -> list[str | None]:
        return [headers.get(name) for _, _, headers, _ in self.asked]


LOST = NoAnswer("unreachable", "lost")
DONE = answer(200, {"success": True})


class CallTest(unittest.TestCase):
    def client(self, server: Server, **options: Any) -> EmporionClient:
        self.time = VirtualTime()
        return EmporionClient(URL, platform=self.time.platform(server), **options)

    def test_sends_again_under_one_key_and_later_each_time(self) -> None:
        running = answer(409, {"code": "conflict", "message": "It is running."}, retry_after="1")
        server = Server(LOST, answer(503, {}, retry_after="7"), answer(429, {}), running, DONE)
        self.client(server, token="t").call(operations.arena_submit_commitment(TERMS))
        self.assertEqual(server.headers("idempotency-key"), ["key-0"] * 5)
        self.assertEqual(self.time.slept, [0.1875, 7 + 0.375, 0.75, 1 + 1.5])
        self.assertEqual(server.asked[0][1], f"{URL}/api/arena/commitments")
        self.assertEqual(server.asked[0][3], TERMS)

    def test_takes_a_key_of_the_callers_own(self) -> None:
        server = Server(DONE, DONE)
        client = self.client(server, token="t")
        client.call(operations.arena_submit_commitment(TERMS), idempotency_key="mine")
        client.call(operations.funds_list_funds(), idempotency_key="mine")
        self.assertEqual(server.headers("idempotency-key"), ["mine", None])

    def test_gives_up(self) -> None:
        server = Server(LOST, LOST, LOST, LOST, LOST)
        with self.assertRaises(NoAnswer):
            self.client(server, token="t").call(operations.funds_list_funds())
        self.assertEqual(len(server.asked), 5)
        conflict = answer(409, {"code": "conflict", "message": ""})
        for refusal in (answer(503, {}, retry_after="61"), conflict, answer(500, {})):
            server = Server(refusal)
            with self.assertRaises(ApiError):
                self.client(server, token="t").call(operations.arena_submit_commitment(TERMS))
        server = Server(LOST)
        with self.assertRaises(NoAnswer):
            self.client(server, token="t", retries=0).call(operations.funds_list_funds())

    def test_does_not_repeat_what_takes_no_key_but_after_429(self) -> None:
        ask = operations.clients_create_client({"name": "bot", "scopes": []})
        failures: list[HttpAnswer | Exception] = [LOST, answer(503, {})]
        for failure in failures:
            with self.assertRaises((NoAnswer, ApiError)):
                self.client(Server(failure, DONE), token="t").call(ask)
        server = Server(answer(429, {}), DONE)
        self.client(server, token="t").call(ask)
        self.assertEqual(server.headers("idempotency-key"), [None, None])

    def test_sends_nothing_that_could_be_the_address_of_something_else_or_no_json(self) -> None:
        missing: Any = None
        for name in (missing, "", ".", ".."):
            server = Server(DONE)
            with self.assertRaisesRegex(ValueError, ": no id$"):
                self.client(server, token="t").call(operations.purchase_orders_get_order(name))
            self.assertEqual(server.asked, [])
        server = Server(DONE)
        terms = TERMS.copy()
        terms["proposed_entry_price"] = float("nan")
        with self.assertRaises(ValueError):
            self.client(server, token="t").call(operations.arena_submit_commitment(terms))
        self.assertEqual(server.asked, [])

    def test_tells_a_refusal(self) -> None:
        body = {"code": "ARENA_002", "message": "Too little.", "errors": [{"field": "quantity", "expected": "less"}]}
        server = Server(answer(422, body, x_request_id="req_1"), answer(502, None))
        client = self.client(server, token="t", retries=0)
        with self.assertRaises(ApiError) as caught:
            client.call(operations.arena_submit_commitment(TERMS))
        error = caught.exception
        self.assertEqual((error.code, error.status, error.request_id), ("ARENA_002", 422, "req_1"))
        self.assertEqual((str(error), error.errors[0]["field"]), ("Too little. (ARENA_002)", "quantity"))
        with self.assertRaises(ApiError) as caught:
            client.call(operations.funds_list_funds())
        self.assertEqual(caught.exception.code, "unavailable")

    def test_reads_a_list_to_its_end(self) -> None:
        link = '<https://api.example/api/arena/orders?limit=2&after=b>; rel="next"'
        server = Server(
            answer(200, {"success": True, "orders": [{"order_id": "a"}, {"order_id": "b"}]}, link=link),
            LOST,
            answer(200, {"success": True, "orders": [{"order_id": "c"}]}),
        )
        rows = self.client(server, token="t").rows(operations.arena_list_orders(limit=2))
        self.assertEqual([order["order_id"] for order in rows], ["a", "b", "c"])
        self.assertEqual([url for _, url, _, _ in server.asked[1:]], [f"{URL}/api/arena/orders?limit=2&after=b"] * 2)

    def test_says_what_headers_say(self) -> None:
        server = Server(answer(200, [], x_total_count="3", x_request_id="req_2"), HttpAnswer(200, {}, b"a,b\n"))
        client = self.client(server)
        answered = client.ask(operations.funds_list_funds())
        self.assertEqual((answered.total, answered.request_id, answered.status), (3, "req_2", 200))
        self.assertEqual(client.call(operations.arena_history_get_history_file("2026-01-01", "auctions.csv")), "a,b\n")
        self.assertEqual(server.headers("authorization"), [None, None])
        with self.assertRaises(ValueError):
            client.token()

    def test_gets_a_token_by_a_secret_and_replaces_it_in_time(self) -> None:
        def token(text: str) -> HttpAnswer:
            return answer(200, {"access_token": text, "expires_in": 1_800})

        server = Server(token("one"), DONE, DONE, token("two"), DONE, answer(401, {}), token("three"), DONE)
        client = self.client(server, client_id="cli", client_secret="s", scope="orders:read")
        for wait in (0.0, 0.0, 1_741.0, 0.0):
            self.time.now += wait
            client.call(operations.funds_list_funds())
        used = [header for header in server.headers("authorization") if header is not None]
        self.assertEqual(used, [f"Bearer {text}" for text in ("one", "one", "two", "two", "three")])
        wanted = {"grant_type": "client_credentials", "client_id": "cli", "client_secret": "s", "scope": "orders:read"}
        self.assertEqual(server.asked[0][3], wanted)

    def test_asks_for_a_token_once_more_where_it_is_refused(self) -> None:
        given = iter(["old", "new", "newer"])
        server = Server(answer(401, {}), DONE, answer(401, {}), answer(401, {}))
        client = self.client(server, token=lambda: next(given))
        client.call(operations.funds_list_funds())
        self.assertEqual(server.headers("authorization"), ["Bearer old", "Bearer new"])
        for who in (self.client(Server(answer(401, {})), token="fixed"), self.client(Server(), token="two words")):
            with self.assertRaises(ApiError) as caught:
                who.call(operations.funds_list_funds())
            self.assertEqual(caught.exception.status, 401)

    def test_wants_an_address(self) -> None:
        for url in ("api.example", "ws://api.example", "https://"):
            with self.assertRaises(ValueError):
                EmporionClient(url)


class AsyncCallTest(unittest.IsolatedAsyncioTestCase):
    async def test_does_the_same_and_gets_one_token_for_all(self) -> None:
        server = Server(answer(200, {"access_token": "one", "expires_in": 1_800}), *[DONE] * 3)
        time = VirtualTime()
        async with AsyncEmporionClient(URL, client_id="a", client_secret="b", platform=time.platform(server)) as client:
            await asyncio.gather(*[client.call(operations.arena_submit_commitment(TERMS)) for _ in range(3)])
        self.assertEqual(server.headers("authorization")[1:], ["Bearer one"] * 3)

    async def test_sends_again_and_reads_lists(self) -> None:
        server = Server(LOST, answer(200, [{"id": "fnd_1"}]))
        time = VirtualTime()

        async def token() -> str:
            return "awaited"

        client = AsyncEmporionClient(URL, token=token, platform=time.platform(server))

        async def read() -> list[str]:
            return [fund["id"] async for fund in client.rows(operations.funds_list_funds())]

        self.assertEqual(await time.run(read()), ["fnd_1"])
        self.assertEqual(server.headers("authorization"), ["Bearer awaited"] * 2)


class SilentServer(http.server.ThreadingHTTPServer):
    """A server that can be told to end its silence."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.silence = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    """Says how many requests its connection had; ends it, or falls silent, where it is asked to."""

    protocol_version = "HTTP/1.1"
    count = 0

    def do_GET(self) -> None:
        self.count += 1
        if self.path == "/silence":
            assert isinstance(self.server, SilentServer)
            self.server.silence.wait()
            return
        body = str(self.count).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        # Ends the connection without a word, as a server does that is tired of waiting.
        self.close_connection = self.path == "/last"

    def log_message(self, *_: object) -> None:
        """Quiet."""


@contextmanager
def serving() -> Iterator[str]:
    server = SilentServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.silence.set()
        server.shutdown()
        thread.join()
        server.server_close()


class TransportTest(unittest.TestCase):
    def test_keeps_connections_and_notices_those_that_ended(self) -> None:
        transport = HttpTransport()
        with serving() as url:
            bodies = [transport.exchange("GET", url + path, {}, None, 5).body for path in ("/", "/", "/last")]
            ((_, ended),) = transport._idle
            select.select([ended.sock], [], [], 5)
            bodies += [transport.exchange("GET", url, {}, None, 5).body for _ in range(2)]
            transport.close()
        self.assertEqual(bodies, [b"1", b"2", b"3", b"1", b"2"])

    def test_says_why_no_answer_came(self) -> None:
        transport = HttpTransport()
        with serving() as url:
            with self.assertRaises(NoAnswer) as caught:
                transport.exchange("GET", url + "/silence", {}, None, 0.05)
            self.assertEqual(caught.exception.code, "timeout")
        with self.assertRaises(NoAnswer) as caught:
            transport.exchange("GET", url, {}, None, 5)
        self.assertEqual(caught.exception.code, "unreachable")


if __name__ == "__main__":
    unittest.main()
