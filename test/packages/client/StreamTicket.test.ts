import { describe, expect, it } from "bun:test"
import { ArenaStreamClient, type ArenaStreamOptions } from "../../../packages/client/src/ArenaStreamClient.ts"
import { FakeArena } from "../../lib/FakeArena.ts"

describe("The stream's tickets", () => {
  it("are got with a token; the client waits for a server that gives none now, and ends where the token is refused", async () => {
    const arena = new FakeArena()
    const replies = [
      [200, { ticket: "t1" }],
      [503, { code: "unavailable" }],
      [200, { ticket: "t2" }],
      [401, { code: "unauthorized", message: "Sign in." }]
    ] as const
    const asked: Array<unknown> = []
    const platform: ArenaStreamOptions["platform"] = {
      ...arena.platform,
      fetch: (url, { headers, method }) => {
        const [status, body] = replies[asked.push([method, url, headers]) - 1]!
        return Promise.resolve(Response.json(body, { status }))
      }
    }
    let tokens = 0
    const client = new ArenaStreamClient({
      url: "ws://arena.example",
      channels: ["my"],
      token: () => `token-${(tokens += 1)}`,
      platform
    })
    const reader = client[Symbol.asyncIterator]()
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 30; turn++) await Promise.resolve()
      arena.time.pass(2_000)
    }
    await settle()
    arena.rest()
    expect(arena.socket.protocols).toEqual(["emporion.v1", "ticket.t1"])
    expect((await reader.next()).value).toMatchObject({ kind: "snapshot" })
    arena.socket.end(4401)
    for (let turn = 0; turn < 4; turn++) await settle()
    arena.rest()
    expect(arena.socket.protocols).toEqual(["emporion.v1", "ticket.t2"])
    expect(asked[2]).toEqual([
      "POST",
      "http://arena.example/api/arena/stream/ticket",
      { authorization: "Bearer token-3" }
    ])
    arena.socket.end(4401)
    for (let turn = 0; turn < 4; turn++) await settle()
    expect(await reader.next().catch((failure: unknown) => failure)).toMatchObject({
      code: "unauthorized",
      cause: { name: "ApiError", status: 401 }
    })
    expect(arena.sockets).toHaveLength(2)
  })
})
