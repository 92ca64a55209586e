import { describe, expect } from "bun:test"
import { Duration, Effect, Exit, Result } from "effect"
import { makeActorHost } from "../../../engine/actor/ActorHost.ts"
import { decodeArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import type { ArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import { JournalUnavailable } from "../../../engine/actor/Journal.ts"
import { orderBehavior, type OrderMessage, type OrderWorld } from "../../../engine/arena/OrderActor.ts"
import { openOrder } from "../../../engine/arena/OrderLifecycle.ts"
import { orderStream } from "../../../engine/arena/Order.ts"
import { MAX_COMMITMENTS_PER_ORDER } from "../../../engine/arena/Submission.ts"
import { accountId } from "../../../engine/ledger/Account.ts"
import { commitment, human, submission, terms, usd } from "../../lib/ArenaArbitraries.ts"
import { itEffect } from "../../lib/Effects.ts"
import { MemoryJournal } from "../../lib/MemoryJournal.ts"

const offered = terms({ openedAt: 0, expiryAt: 1_000_000, settlementAt: 2_000_000 })
const rich = (owner: string) => ({
  id: accountId(owner, "USD", "wallet"),
  balance: usd("1000000"),
  held: usd("0"),
  closed: false
})

const trader = human("alice", { account: accountId("alice", "USD", "wallet") })
const bid = (quantity: string): OrderMessage => ({
  _tag: "Submit",
  submission: submission({ trader, quantity: usd(quantity) })
})

/** A host of order actors on a journal in memory, with one order opened. */
const arena = Effect.fnUntraced(function* (
  change: Partial<OrderWorld<never>> = {},
  openedAt = 0,
  around: (world: OrderWorld<never>) => OrderWorld<never> = (world) => world
) {
  const journal = new MemoryJournal<ArenaEvent>(decodeArenaEvent, [
    { ...rich("alice"), balance: usd("40") },
    { ...rich("maker"), id: offered.maker.account }
  ])
  yield* Effect.orDie(
    journal.append({ stream: orderStream(offered.orderId), version: 0, entries: [openOrder({ ...offered, openedAt })] })
  )
  const behavior = orderBehavior(
    around({
      journal,
      history: (orderId) => Effect.sync(() => journal.history(orderStream(orderId))),
      halt: () => null,
      facts: () => Effect.die("no step is due"),
      ...change
    })
  )
  const host = yield* makeActorHost(behavior, {
    mailboxCapacity: 10,
    batchLimit: 10,
    passivateAfter: Duration.hours(1),
    minBackoff: Duration.millis(10),
    maxBackoff: Duration.millis(10),
    onFailure: () => Effect.void
  })
  return { journal, host }
})

describe("OrderActor", () => {
  itEffect("answers a submission once it is recorded, with its place in the chain", () =>
    Effect.gen(function* () {
      const { host, journal } = yield* arena()
      const reply = yield* host.ask(offered.orderId, bid("1"))
      const last = journal.recorded.at(-1)
      expect(reply).toMatchObject({ _tag: "Submitted", recorded: { version: 2, hash: last?.hash ?? "none" } })
    })
  )

  itEffect("answers each submission of a batch: taken, refused by the order, refused by the ledger", () =>
    Effect.gen(function* () {
      const { host, journal } = yield* arena()
      const exits = yield* Effect.all(
        ["1", "1000000", "9", "1"].map((quantity) => Effect.exit(host.ask(offered.orderId, bid(quantity)))),
        { concurrency: "unbounded" }
      )
      expect(exits.map(Exit.isSuccess)).toEqual([true, false, true, false])
      const submitted = journal.recorded.filter(({ event }) => event._tag === "CommitmentSubmitted")
      expect(submitted.map(({ version }) => version)).toEqual([2, 3])
    })
  )

  itEffect("tells who watches how many were decided, and when they were answered", () =>
    Effect.gen(function* () {
      const told: Array<string | number> = []
      const watch = () => {
        told.push("begun")
        return (decided: number) => void told.push(decided)
      }
      const { host } = yield* arena({ watch })
      const submissions = ["1", "1000000", "2"].map((quantity) => submission({ trader, quantity: usd(quantity) }))
      yield* host.ask(offered.orderId, { _tag: "SubmitMany", submissions })
      expect(told).toEqual(["begun", 2, "begun", 0])
    })
  )

  itEffect("answers each submission of one message as if they came one after the other", () =>
    Effect.gen(function* () {
      const { host, journal } = yield* arena()
      const reply = yield* host.ask(offered.orderId, {
        _tag: "SubmitMany",
        submissions: ["1", "1000000", "9", "1"].map((quantity) => submission({ trader, quantity: usd(quantity) }))
      })
      const outcomes = reply._tag === "SubmittedMany" ? reply.outcomes : []
      const told = outcomes.map((outcome) =>
        Result.isSuccess(outcome) ? outcome.success.version : outcome.failure._tag
      )
      expect(told).toEqual([2, "InvalidTerms", 3, "InsufficientCollateral"])
      expect(journal.recorded.map(({ version }) => version)).toEqual([1, 2, 3])
    })
  )

  itEffect("takes one commitment for a decision, in one message, in one batch and later", () =>
    Effect.gen(function* () {
      const { host, journal } = yield* arena()
      const one = submission({ trader, quantity: usd("0.001"), decisionId: "dec_1" })
      const twice: OrderMessage = { _tag: "SubmitMany", submissions: [one, one] }
      const replies = yield* Effect.all(
        [twice, twice].map((message) => host.ask(offered.orderId, message)),
        {
          concurrency: "unbounded"
        }
      )
      const error = yield* Effect.flip(host.ask(offered.orderId, { _tag: "Submit", submission: one }))
      expect(replies).toMatchObject([
        { outcomes: [{ _tag: "Success" }, { failure: { _tag: "AlreadyCommitted" } }] },
        { outcomes: [{ failure: { _tag: "AlreadyCommitted" } }, { failure: { _tag: "AlreadyCommitted" } }] }
      ])
      expect(error).toMatchObject({ _tag: "AlreadyCommitted", decisionId: "dec_1" })
      expect(journal.recorded).toHaveLength(2)
    })
  )

  itEffect("answers a message whose submissions are all refused, and writes nothing", () =>
    Effect.gen(function* () {
      const { host, journal } = yield* arena()
      const none = yield* host.ask(offered.orderId, { _tag: "SubmitMany", submissions: [] })
      const refused = yield* host.ask(offered.orderId, {
        _tag: "SubmitMany",
        submissions: [submission({ trader, quantity: usd("1000000") })]
      })
      expect([none, refused]).toMatchObject([
        { _tag: "SubmittedMany", outcomes: [] },
        { _tag: "SubmittedMany", outcomes: [{ failure: { _tag: "InvalidTerms" } }] }
      ])
      expect(journal.recorded).toHaveLength(1)
    })
  )

  itEffect("takes no more submissions than its mailbox, however many come in one message", () =>
    Effect.gen(function* () {
      const { host, journal } = yield* arena()
      const many = (size: number) =>
        host.ask(offered.orderId, {
          _tag: "SubmitMany",
          submissions: Array.from({ length: size }, () => submission({ trader, quantity: usd("0.001") }))
        })
      const error = yield* Effect.flip(many(11))
      expect(error).toMatchObject({ _tag: "ActorUnavailable", reason: "mailbox_full" })
      yield* many(10)
      expect(journal.recorded).toHaveLength(11)
    })
  )

  itEffect("takes 20,000 commitments on an order and refuses those that are beyond, also of one batch", () =>
    Effect.gen(function* () {
      expect(MAX_COMMITMENTS_PER_ORDER).toBe(20_000)
      const earlier = Array.from({ length: MAX_COMMITMENTS_PER_ORDER - 5 }, (_, index): ArenaEvent => {
        const { orderId } = offered
        const one = commitment(index + 1, { orderId, trader: human(`owner ${index % 20}`) })
        return { _tag: "CommitmentSubmitted", at: one.acceptedAt, commitment: one }
      })
      const { host } = yield* arena({}, 0, (world) => ({
        ...world,
        journal: { append: (batch) => world.journal.append({ ...batch, version: null }) },
        history: (orderId) => Effect.map(world.history(orderId), (events) => [...events, ...earlier])
      }))
      const submissions = Array.from({ length: 7 }, () => submission({ trader, quantity: usd("0.001") }))
      const reply = yield* host.ask(offered.orderId, { _tag: "SubmitMany", submissions })
      const outcomes = reply._tag === "SubmittedMany" ? reply.outcomes : []
      const refused = outcomes.map((outcome) => (Result.isFailure(outcome) ? outcome.failure._tag : null))
      expect(refused).toEqual([null, null, null, null, null, "OrderFull", "OrderFull"])
      const error = yield* Effect.flip(host.ask(offered.orderId, bid("0.001")))
      expect(error).toMatchObject({ _tag: "OrderFull", limit: MAX_COMMITMENTS_PER_ORDER })
    })
  )

  itEffect("refuses what a full journal did not write, and goes on with what it knows", () =>
    Effect.gen(function* () {
      let isFull = false
      let readings = 0
      const { host, journal } = yield* arena({}, 0, (world) => ({
        ...world,
        journal: {
          append: (batch) =>
            isFull
              ? Effect.fail(new JournalUnavailable({ reason: "full", isUnwritten: true }))
              : world.journal.append(batch)
        },
        history: (orderId) =>
          Effect.suspend(() => {
            readings += 1
            return world.history(orderId)
          })
      }))
      yield* host.ask(offered.orderId, bid("1"))
      isFull = true
      const errors = yield* Effect.all(
        [bid("1"), bid("1")].map((message) => Effect.flip(host.ask(offered.orderId, message))),
        { concurrency: "unbounded" }
      )
      isFull = false
      const reply = yield* host.ask(offered.orderId, bid("1"))
      expect(errors).toMatchObject([{ reason: "overloaded" }, { reason: "overloaded" }])
      expect(reply).toMatchObject({ recorded: { version: 3 } })
      expect([readings, journal.recorded.length]).toEqual([1, 3])
    })
  )

  itEffect("accepts nothing before the order's opening, whatever its clock shows", () =>
    Effect.gen(function* () {
      const { host, journal } = yield* arena({}, 5_000)
      yield* host.ask(offered.orderId, bid("1"))
      expect(journal.recorded.at(-1)?.event).toMatchObject({ at: 5_000, commitment: { acceptedAt: 5_000 } })
    })
  )

  itEffect("refuses an order that nobody opened", () =>
    Effect.gen(function* () {
      const { host } = yield* arena()
      const error = yield* Effect.flip(host.ask("ord_none", bid("1")))
      expect(error).toMatchObject({ _tag: "OrderNotFound", orderId: "ord_none" })
    })
  )

  itEffect("gathers no facts while no step is due, and says whether the order is settled", () =>
    Effect.gen(function* () {
      const { host } = yield* arena()
      expect(yield* host.ask(offered.orderId, { _tag: "Advance" })).toEqual({ _tag: "Advanced", settled: false })
    })
  )
})
