import { Deferred, Effect, Result } from "effect"
import type { ActorUnavailable, Envelope } from "../../engine/actor/ActorHost.ts"
import { settleGroup } from "../../engine/actor/CommitGroup.ts"
import type { ChainHash } from "../../engine/actor/EventChain.ts"
import type { Entry, Journal, Outcome } from "../../engine/actor/Journal.ts"
import type { ArenaError } from "../../engine/arena/ArenaError.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { encodePlatformEvent } from "../../engine/replay/EventCodec.ts"
import type { Trader } from "../../engine/arena/Commitment.ts"
import { evolve, opened, type OrderState, orderStream } from "../../engine/arena/Order.ts"
import { type OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { type OrderMessage, orderBehavior, type OrderReply } from "../../engine/arena/OrderActor.ts"
import { decideSubmission, NOTHING_EARLIER, type Submission } from "../../engine/arena/Submission.ts"
import { accountId } from "../../engine/ledger/Account.ts"
import { Book } from "../../engine/ledger/Book.ts"
import { fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { link } from "../../src/database/ChainLink.ts"
import { serve } from "./Worker.ts"
/** A process that lets the engine decide commitments, without any adapter, and says how many a second of its core. */

export interface EnginePlan {
  /**
   * What is measured: the decisions alone; decisions as the order's actor takes them, in batches; or those with every
   * event encoded and hashed into its order's chain.
   */
  readonly kind: "decisions" | "actor" | "hashed"
  readonly decisions: number
}

/** An actor's largest batch. */
const BATCH = 500

/** Below the limit of commitments an owner may have on an order. */
const PER_ORDER = 500

const OPENED_AT = 1_800_000_000_000
const TRADERS = 64

const traders = Array.from({ length: TRADERS }, (_, index): Trader => ({
  owner: `cmp_${index}`,
  userId: `usr_${index}`,
  address: `usr_${index}`,
  type: "human",
  botId: null,
  account: accountId(`usr_${index}`, "USD", "wallet"),
  allowance: null
}))

const submissions = traders.map((trader): Submission => ({
  proposedPrice: fromUnits(102n * ONE),
  exitPrice: fromUnits(110n * ONE),
  quantity: fromUnits(1_000n),
  slippage: ZERO,
  swapExecutor: "",
  trader,
  barred: null
}))

const submissionOf = (index: number): Submission => submissions[index % TRADERS] as Submission

const terms = (index: number): OrderTerms => ({
  orderId: `ord_${String(index).padStart(24, "0")}`,
  assetType: "fx",
  asset: "EUR/USD",
  details: { pair: "EUR/USD" },
  quantity: fromUnits(10n * ONE),
  entryPrice: fromUnits(100n * ONE),
  openedAt: OPENED_AT,
  expiryAt: OPENED_AT + 900_000,
  settlementAt: OPENED_AT + 1_800_000,
  maker: { owner: "maker", address: "maker", account: accountId("maker", "USD", "wallet") },
  tieKeyHash: "0".repeat(64)
})

const wallets = () =>
  new Book(
    traders.map(({ account }) => ({ id: account, balance: fromUnits(1_000_000_000n * ONE), held: ZERO, closed: false }))
  )

/** Decides, asks the ledger and evolves, one after the other. */
const decideAlone = (decisions: number): void => {
  for (let order = 0; order * PER_ORDER < decisions; order++) {
    const state = opened(terms(order))
    const book = wallets()
    for (let index = 0; index < PER_ORDER; index++) {
      const entry = decideSubmission(
        state,
        submissionOf(index),
        OPENED_AT + index,
        null,
        state.lastOrdinal + 1,
        NOTHING_EARLIER
      )
      if (Result.isFailure(entry)) throw entry.failure
      const applied = book.apply(entry.success.commands)
      if (Result.isFailure(applied)) throw applied.failure
      evolve(state, entry.success.event)
    }
  }
}

/** The ledger's rules and nothing else. */
const ledgerOnly = (): Journal<ArenaEvent>["append"] => {
  let book = wallets()
  return ({ stream, version, entries }) =>
    Effect.sync(() => {
      if (version === 1) book = wallets()
      return entries.map(<E extends ArenaEvent>({ commands, event }: Entry<E>, index: number): Outcome<E> => {
        const applied = book.apply(commands)
        return Result.isFailure(applied)
          ? { _tag: "Refused", error: applied.failure }
          : { _tag: "Accepted", recorded: { seq: index, stream, version: (version ?? 0) + index, event, hash: "" } }
      })
    })
}

/** What the unit of work does between its two accesses to the database. */
const chained =
  (hash: ChainHash): Journal<ArenaEvent>["append"] =>
  (batch) =>
    Effect.suspend(() => {
      const heads = new Map([[batch.stream, { version: batch.version ?? 0, hash: new Uint8Array(32) }]])
      const { results } = settleGroup([batch], { book: wallets(), heads }, 0, hash, encodePlatformEvent)
      return Effect.fromResult(results[0] ?? Result.succeed([]))
    })

type OrderEnvelope = Envelope<OrderMessage, OrderReply, ArenaError>

const envelope = (index: number): OrderEnvelope => ({
  message: { _tag: "Submit", submission: submissionOf(index) },
  at: OPENED_AT + index,
  reply: Deferred.makeUnsafe<OrderReply, ArenaError | ActorUnavailable>()
})

/** Lets orders take full batches, as their actors do. */
const decideInActors = Effect.fnUntraced(function* (append: Journal<ArenaEvent>["append"], decisions: number) {
  const behavior = orderBehavior<never>({
    journal: { append },
    history: () => Effect.succeed([]),
    halt: () => null,
    facts: () => Effect.die("no step is taken")
  })
  for (let order = 0; order * BATCH < decisions; order++) {
    const state: OrderState = opened(terms(order))
    const batch = Array.from({ length: BATCH }, (_, index) => envelope(index))
    yield* behavior.receive(state, batch)
    const answered = batch.every(({ reply }) => Deferred.isDoneUnsafe(reply))
    if (!answered || state.commitments.size !== BATCH) return yield* Effect.die(`${orderStream("")} took too few`)
  }
})

const decide = (kind: EnginePlan["kind"], decisions: number): Promise<void> | void => {
  if (kind === "decisions") return decideAlone(decisions)
  const append = kind === "actor" ? ledgerOnly() : chained(link)
  return Effect.runPromise(Effect.orDie(decideInActors(append, decisions)))
}

/** Decisions for each second of processor time, helper threads of the runtime included. */
const measure = async ({ kind, decisions }: EnginePlan): Promise<number> => {
  const before = process.cpuUsage()
  await decide(kind, decisions)
  const { user, system } = process.cpuUsage(before)
  return (decisions * 1e6) / (user + system)
}

serve(measure)
