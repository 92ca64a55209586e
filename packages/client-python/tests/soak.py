"""Tells all that it is told of the arena, a line of JSON each: `soak.py http://…`."""

import asyncio
import dataclasses
import json
import sys

from emporion.stream import ArenaStreamClient, StreamStatus


def say(line: object) -> None:
    print(json.dumps(line), flush=True)


async def main(url: str) -> None:
    is_live = False

    def changed(status: StreamStatus, why: str | None) -> None:
        nonlocal is_live
        if status == "live" and not is_live:
            is_live = True
            say({"kind": "live", "position": client.position})
        if status == "ended":
            say({"kind": "ended", "why": why})

    client = ArenaStreamClient(
        url, channels=["orders", "commitments", "settlements"], snapshot=False, on_status=changed
    )
    async for item in client:
        say(dataclasses.asdict(item))


asyncio.run(main(sys.argv[1]))
