import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../lib/Effects.ts"
import { openedArena, refusal, usd } from "../../lib/OpenedArena.ts"

describe("Idempotency-Key on POST /api/arena/commitments", () => {
  itLive("replays the same bytes, and refuses another body", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      const first = yield* commit({}, trader.id, "k-1")
      const again = yield* commit({}, trader.id, "k-1")
      expect({ text: again.text, replayed: again.headers.get("idempotency-replayed") }).toEqual({
        text: first.text,
        replayed: "true"
      })
      expect(first.headers.get("idempotency-replayed")).toBeNull()
      expect(refusal(yield* commit({ quantity: 1 }, trader.id, "k-1"))).toEqual([422, "unprocessable", "at once"])
      yield* server.restart()
      expect((yield* commit({}, trader.id, "k-1")).text).toBe(first.text)
      const { json } = yield* server.get<{ readonly commitments: ReadonlyArray<unknown> }>(
        "/api/arena/commitments/my",
        trader.id
      )
      expect(json.commitments.length).toBe(1)
    })
  )

  itLive("is replayed before any refusal, and kept apart by caller", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      const other = (yield* server.user()).id
      yield* server.mint(other, usd(10_000n))
      const first = yield* commit({}, trader.id, "k-1")
      const theirs = yield* commit({}, other, "k-1")
      expect(theirs.json.data.commitment_id).not.toBe(first.json.data.commitment_id)
      server.world.pass(90_000)
      expect((yield* commit({}, trader.id, "k-1")).text).toBe(first.text)
      expect(refusal(yield* commit({}, trader.id, "k-2"))).toEqual([410, "ARENA_004", "at once"])
      const late = yield* commit({}, trader.id, "k-2")
      expect([late.status, late.headers.get("idempotency-replayed")]).toEqual([410, "true"])
    })
  )

  itLive("makes one commitment of many at once", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      const answers = yield* Effect.forEach(Array.from({ length: 20 }), () => commit({}, trader.id, "k-1"), {
        concurrency: "unbounded"
      })
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
      expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1)
      const { json } = yield* server.get("/api/arena/commitments/my", trader.id)
      expect(json).toMatchObject({ commitments: [{ status: "active" }] })
    })
  )
})
