import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { Socket } from "effect/socket"
import { FastLane } from "../../../src/api/rpc/FastLane.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"

describe("FastLaneServer", () => {
  itLive("commits by the real arena, once under an id", () =>
    Effect.gen(function* () {
      const { server, terms, trader } = yield* openedArena()
      const token = yield* server.token(trader.id)
      const socket = yield* Socket.makeWebSocket(`${server.url.replace("http", "ws")}/rpc`).pipe(
        Effect.provide(Socket.layerWebSocketConstructorGlobal)
      )
      const protocol = yield* RpcClient.makeProtocolSocket().pipe(
        Effect.provideService(Socket.Socket, socket),
        Effect.provideService(RpcSerialization.RpcSerialization, RpcSerialization.json)
      )
      const client = yield* RpcClient.make(FastLane).pipe(Effect.provideService(RpcClient.Protocol, protocol))
      expect(yield* Effect.flip(client.commit(terms))).toMatchObject({ _tag: "Refused", code: "unauthorized" })
      expect(yield* client.authenticate({ access_token: token })).toMatchObject({ user_id: trader.id })
      const made = yield* client.commit({ ...terms, idempotency_id: "a" })
      expect(yield* client.commit({ ...terms, idempotency_id: "a" })).toEqual(made)
      const { results } = yield* client.commitBatch({
        items: [
          terms,
          { ...terms, order_id: "nothing" },
          { ...terms, quantity: -1 },
          { ...terms, idempotency_id: "a" },
          { ...terms, idempotency_id: "a", quantity: 1 },
          { ...terms, idempotency_id: "b" },
          { ...terms, idempotency_id: "b" }
        ]
      })
      expect(results.map((result) => (result._tag === "Refused" ? result.code : result._tag))).toEqual([
        "Accepted",
        "ARENA_001",
        "invalid_request",
        "Accepted",
        "unprocessable",
        "Accepted",
        "Accepted"
      ])
      expect([results[3], results[6]]).toEqual([made, results[5]])
      const { commitments } = yield* client.myCommitments({})
      expect(commitments).toHaveLength(3)
      const { funds } = yield* client.balances({})
      expect(funds.map(({ type }) => type)).toEqual(["USD"])
    })
  )
})
