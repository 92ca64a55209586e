import { describe, expect, it } from "bun:test"
import { Clock, Effect, Layer } from "effect"
import fc from "fast-check"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import { OrderNotFound } from "../../../engine/arena/ArenaError.ts"
import type { CommitmentSubmitted } from "../../../engine/arena/ArenaEvent.ts"
import { ApiError } from "../../../src/api/ApiError.ts"
import { Receipt } from "../../../src/api/Arena.ts"
import { Arena, type CommitmentRequest, type Committed } from "../../../src/arena/Arena.ts"
import { BatchCommitments } from "../../../src/arena/BatchCommitments.ts"
import type { CommitmentItem } from "../../../src/arena/CommitmentItem.ts"
import { receiptOf } from "../../../src/arena/CommitmentReceipt.ts"
import { storedAs } from "../../../src/http/KeptResponse.ts"
import { IdempotencyRepository } from "../../../src/http/IdempotencyRepository.ts"
import type { Call } from "../../../src/rpc/RpcHandler.ts"
import { commitment, usd } from "../../lib/ArenaArbitraries.ts"
import { layer as memory } from "../../lib/MemoryIdempotency.ts"
import { property } from "../../lib/Property.ts"

const callOf = (caller: string): Call => ({
  caller,
  principal: {
    userId: caller,
    clientId: "cli",
    companyId: caller,
    role: "buyer",
    scopes: [],
    kind: "user",
    status: "active"
  },
  connection: { isWatched: false, onEnd: () => {} }
})

const item = (change: Partial<CommitmentItem>): CommitmentItem => ({
  orderId: "ord_1",
  proposedPrice: usd("100"),
  exitPrice: usd("110"),
  quantity: usd("1"),
  slippage: usd("0"),
  swapExecutor: "",
  botId: undefined,
  idempotencyId: undefined,
  ...change
})

/** An arena that takes its time, remembers what was accepted, and has no order `nothing`. */
const arena = (made: Array<CommitmentRequest>) =>
  Layer.effect(
    Arena,
    Effect.gen(function* () {
      const kept = yield* IdempotencyRepository
      const commit = Effect.fnUntraced(function* (request: CommitmentRequest) {
        yield* Effect.yieldNow
        if (request.orderId === "nothing") return yield* new OrderNotFound({ orderId: "nothing" })
        made.push(request)
        const event: CommitmentSubmitted = { _tag: "CommitmentSubmitted", at: 0, commitment: commitment(made.length) }
        const recorded: Recorded<CommitmentSubmitted> = { seq: 1, stream: "", version: made.length, event, hash: "" }
        if (request.idempotency !== undefined) {
          const { fingerprint, key } = request.idempotency
          yield* kept.keep(
            key,
            { fingerprint, ...storedAs(Receipt)(receiptOf(recorded)) },
            yield* Clock.currentTimeMillis
          )
        }
        return recorded
      })
      return Arena.of({
        commit,
        submit: () => false,
        commitMany: (requests) =>
          Effect.forEach(requests, (request): Effect.Effect<Committed> => Effect.result(commit(request))),
        advance: () => Effect.die("nothing is advanced here")
      })
    })
  ).pipe(Layer.provideMerge(memory))

const batches = (made: Array<CommitmentRequest>) => BatchCommitments.make.pipe(Effect.provide(arena(made)))

const anyItem = fc
  .record({
    id: fc.constantFrom(undefined, "a", "b", "c"),
    quantity: fc.constantFrom("1", "2"),
    orderId: fc.constantFrom("ord_1", "ord_1", "nothing")
  })
  .map(({ id, orderId, quantity }) => item({ idempotencyId: id, orderId, quantity: usd(quantity) }))

const messages = fc.array(
  fc.record({ caller: fc.constantFrom("usr_1", "usr_2"), items: fc.array(anyItem, { maxLength: 6 }) })
)

describe("BatchCommitments", () => {
  it("answers each item, and makes at most one commitment under a caller's id, whatever runs at once", () =>
    fc.assert(
      fc.asyncProperty(messages, (sent) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const made: Array<CommitmentRequest> = []
            const { commit } = yield* batches(made).pipe(Effect.map((one) => ({ commit: one.commit.bind(one) })))
            const answers = yield* Effect.forEach(sent, ({ caller, items }) => commit(items, callOf(caller)), {
              concurrency: "unbounded"
            })
            for (const [index, { items }] of sent.entries()) expect(answers[index]).toHaveLength(items.length)
            const keys = made.flatMap(({ idempotency }) => (idempotency === undefined ? [] : [idempotency.key]))
            expect(new Set(keys).size).toBe(keys.length)
            // Once all is quiet, an id stands for one commitment, and other terms under it are refused.
            for (const { caller, items } of sent) {
              for (const each of items.filter(
                ({ idempotencyId, orderId }) => idempotencyId !== undefined && orderId !== "nothing"
              )) {
                const before = made.length
                const [first = new ApiError("internal")] = yield* commit([each], callOf(caller))
                const again = yield* commit([each, each], callOf(caller))
                if (first instanceof ApiError) expect(first.code).toBe("unprocessable")
                else expect(again).toEqual([first, first])
                expect(made.length - before).toBeLessThanOrEqual(1)
              }
            }
          })
        )
      ),
      property()
    ))

  it("refuses an item alone, remembers no refusal, and keeps callers apart", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const made: Array<CommitmentRequest> = []
        const one = yield* batches(made)
        const keyed = item({ idempotencyId: "a", orderId: "nothing" })
        const [missing, taken] = yield* one.commit([keyed, item({})], callOf("usr_1"))
        expect(missing).toMatchObject({ code: "ARENA_001" })
        expect(taken).toMatchObject({ _tag: "Accepted", collateral_required: 3.81 })
        const [second] = yield* one.commit([item({ idempotencyId: "a" })], callOf("usr_1"))
        expect(second).toMatchObject({ _tag: "Accepted" })
        yield* one.commit([item({ idempotencyId: "a" })], callOf("usr_2"))
        expect(made).toHaveLength(3)
        const running = one.commit([item({ idempotencyId: "b" })], callOf("usr_1"))
        const outcomes = yield* Effect.all([running, running], { concurrency: 2 })
        const codes = outcomes.flat().map((outcome) => (outcome instanceof ApiError ? outcome.code : outcome._tag))
        expect(codes.toSorted()).toEqual(["Accepted", "conflict"])
      })
    ))
})
