import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { type Fate, KEPT } from "../../../engine/simulation/CallFate.ts"
import { MemoryServer } from "../../../engine/simulation/MemoryServer.ts"
import { serve, SHIPPED_PARTS } from "../../../engine/simulation/MemoryWritePath.ts"
import { NodesDatabase } from "../../../engine/simulation/NodesDatabase.ts"
import type { RequestPlan } from "../../../engine/simulation/NodesScenario.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VirtualClock } from "../../../engine/simulation/VirtualClock.ts"
import { eventAnswers, WritingNode } from "../../../engine/simulation/WritingNode.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { itEffect } from "../../lib/Effects.ts"

const silent = { appending: () => {}, taken: () => {}, projected: () => {} }

const writing = Effect.gen(function* () {
  const clock = new VirtualClock(0, new SeededRandom(1, "clock"))
  const state = { lost: "" }
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.sync(() => clock.advance()),
        Effect.yieldNow
      )
    )
  )
  const server = new MemoryServer(1, {
    database: new NodesDatabase(link, silent),
    clock,
    fateOf: ({ call }): Fate => (call === state.lost ? { ...KEPT, becomes: "lost" } : KEPT),
    report: (problem) => void expect(problem).toBe(""),
    start: () => {}
  })
  const node = new WritingNode(yield* serve(server, { ...SHIPPED_PARTS, answers: eventAnswers }, link))
  return { node, state }
})

const plan = (change: Partial<RequestPlan>): RequestPlan => ({
  index: 0,
  id: "req/0",
  at: 0,
  kind: "mint",
  owner: 0,
  other: 1,
  amount: 5n,
  isKeyed: true,
  isClaimed: true,
  node: 0,
  patience: 1,
  again: undefined,
  ...change
})

const asked = (change: Partial<RequestPlan>, key = change.id ?? "req/0") => ({ plan: plan(change), key })

describe("WritingNode", () => {
  itEffect("does a request once, and answers its retries alike", () =>
    Effect.gen(function* () {
      const { node } = yield* writing
      const first = yield* node.answer(asked({}))
      expect(first).toMatchObject({ status: 200 })
      expect(yield* node.answer(asked({}))).toEqual(first)
      expect(yield* node.answer(asked({ id: "req/1" }, "req/0"))).toMatchObject({ status: 500 })
    })
  )

  itEffect("refuses for good what the ledger does not take, once that is kept", () =>
    Effect.gen(function* () {
      const { node, state } = yield* writing
      const pay = asked({ id: "req/1", kind: "pay" })
      state.lost = "keep"
      expect(yield* node.answer(pay)).toMatchObject({ status: 503 })
      state.lost = ""
      expect(yield* node.answer(pay)).toMatchObject({ status: 422 })
      expect(yield* node.answer(asked({}))).toMatchObject({ status: 200 })
      expect(yield* node.answer(pay)).toMatchObject({ status: 422 })
    })
  )
})
