import { Effect } from "effect"
import type { AgentWorld } from "../../engine/arena/AgentTick.ts"
import { orderIdOf } from "../../engine/arena/OrderTemplate.ts"
import { slotTerms, type TermsWorld } from "../../engine/arena/SlotOpening.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { unavailable } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { LedgerAudit } from "../funds/LedgerAudit.ts"
import { Oracles } from "../oracles/Oracles.ts"
import { AgentActivity } from "./AgentActivity.ts"
import { Arena } from "./Arena.ts"
import { Breakers } from "./Breakers.ts"
import { MarketMaker } from "./MarketMaker.ts"
import { OrderKeys } from "./OrderKeys.ts"
import { OrderRepository } from "./OrderRepository.ts"
import { PriceBook } from "./PriceBook.ts"

const MILLIS = 1_000

const makeTermsWorld = Effect.gen(function* () {
  const { arena } = yield* Settings
  const { hash, tieKeyHash } = yield* OrderKeys
  const world: TermsWorld = {
    hash,
    tieKeyHash,
    history: (yield* Oracles).history,
    maker: yield* MarketMaker,
    commitWindow: arena.commitWindowSeconds * MILLIS,
    settlementDelay: arena.settlementDelaySeconds * MILLIS,
    latest: (yield* PriceBook).latest
  }
  return world
})

/** The server's arena, for its agent. */
export const make = Effect.gen(function* () {
  const { arena: settings } = yield* Settings
  const activity = yield* AgentActivity
  const arena = yield* Arena
  const audit = yield* LedgerAudit
  const breakers = yield* Breakers
  const journal = yield* UnitOfWork
  const orders = yield* OrderRepository
  const prices = yield* PriceBook
  const termsWorld = yield* makeTermsWorld

  const world: AgentWorld<Unavailable> = {
    slotAt: (now) => Math.floor(now / (settings.slotSeconds * MILLIS)),
    orderIdOf: (slot, assetType) => orderIdOf(termsWorld.hash, slot, assetType),
    existing: orders.existing,
    halt: breakers.halt,
    terms: (slot, assetType, now) => slotTerms(termsWorld, slot, assetType, now, settings.makerDiscount),
    append: (batch) =>
      Effect.catchTag(journal.append(batch), "JournalUnavailable", (error) => Effect.fail(unavailable(error))),
    skipped: activity.skip,
    live: orders.live,
    advance: arena.advance,
    waits: (orderId, { reason }) => Effect.logWarning(`Order ${orderId} waits: ${reason}`),
    isBalanced: Effect.flatMap(audit.check, (report) =>
      report.balanced ? Effect.succeed(true) : Effect.as(Effect.logFatal("The ledger does not add up", report), false)
    ),
    since: prices.since,
    record: prices.record,
    check: breakers.check
  }
  return world
})
