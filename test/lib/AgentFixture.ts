import { Effect } from "effect"
import { type Batch, JournalUnavailable, type Outcome, StaleVersion } from "../../engine/actor/Journal.ts"
import type { AgentWorld } from "../../engine/arena/AgentTick.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import type { Problem } from "../../engine/arena/CircuitBreaker.ts"
import type { DueOrder } from "../../engine/arena/DueOrders.ts"
import type { Median } from "../../engine/arena/Median.ts"
import type { OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { InvalidCommand } from "../../engine/ledger/Book.ts"
import { terms, usd } from "./ArenaArbitraries.ts"

export const SLOT = 60_000

/** The world does not answer. */
export const LOST = new JournalUnavailable({ reason: "nobody answers" })

export const due = (orderId: string, expiryAt: number): DueOrder => ({
  orderId,
  asset: "XAU",
  expiryAt,
  settlementAt: expiryAt + 1_000
})

/** An arena whose agent is looked at: what it does is written down, and what it finds can be set. */
export class AgentFixture {
  readonly calls: Array<string> = []
  readonly skipped: Array<string> = []
  /** Orders that are there. */
  readonly there = new Set<string>()
  readonly halted = new Set<AssetType>()
  readonly unpriced = new Set<AssetType>()
  readonly appended: Array<string> = []
  /** What becomes of the next entries; accepted unless said. */
  readonly outcomes: Array<"refused" | "stale" | "lost"> = []
  live: ReadonlyArray<DueOrder> = []
  medians: ReadonlyArray<Median> = []
  isBalanced = true
  problems: ReadonlyArray<Problem> = []
  readonly checked: Array<ReadonlyArray<Problem>> = []
  /** How an order answers that it is told to take its steps. */
  advance: AgentWorld<JournalUnavailable>["advance"] = () => Effect.succeed(true)

  readonly world: AgentWorld<JournalUnavailable> = {
    slotAt: (now) => Math.floor(now / SLOT),
    orderIdOf: (slot, assetType) => (assetType === "gpu" ? undefined : idOf(slot, assetType)),
    existing: (ids) => Effect.sync(() => new Set(ids.filter((id) => this.there.has(id)))),
    halt: (assetType) => (this.halted.has(assetType) ? { scope: "asset_type", retryAfterSeconds: 1 } : null),
    terms: (slot, assetType, now) => (this.unpriced.has(assetType) ? undefined : termsOf(slot, assetType, now)),
    append: (batch) => Effect.suspend(() => this.#append(batch)),
    skipped: (assetType, reason) => Effect.sync(() => void this.skipped.push(`${assetType}: ${reason}`)),
    live: Effect.sync(() => {
      this.calls.push("live")
      return this.live
    }),
    advance: (orderId) =>
      Effect.suspend(() => {
        this.calls.push(`advance ${orderId}`)
        return this.advance(orderId)
      }),
    waits: (orderId) => Effect.sync(() => void this.calls.push(`${orderId} waits`)),
    isBalanced: Effect.sync(() => {
      this.calls.push("audit")
      return this.isBalanced
    }),
    since: (asset, from) =>
      Effect.sync(() => this.medians.filter((median) => median.asset === asset && median.at >= from)),
    record: () =>
      Effect.sync(() => {
        this.calls.push("record")
        return this.problems
      }),
    check: (problems) =>
      Effect.sync(() => {
        this.calls.push("check")
        this.checked.push(problems)
      })
  }

  #append({
    entries: [entry],
    stream
  }: Batch<ArenaEvent>): Effect.Effect<ReadonlyArray<Outcome<ArenaEvent>>, StaleVersion | JournalUnavailable> {
    const outcome = this.outcomes.shift()
    if (outcome === "lost") return Effect.fail(LOST)
    if (outcome === "stale") return Effect.fail(new StaleVersion({ stream, expected: 0, actual: 1 }))
    if (outcome === "refused") {
      return Effect.succeed([{ _tag: "Refused", error: new InvalidCommand({ reason: "too little" }) }])
    }
    if (entry === undefined) return Effect.succeed([])
    this.appended.push(stream)
    this.calls.push(`open ${stream}`)
    return Effect.succeed([
      { _tag: "Accepted", recorded: { seq: 1, stream, version: 1, event: entry.event, hash: "" } }
    ])
  }
}

const idOf = (slot: number, assetType: AssetType): string => `${assetType}/${slot}`

const termsOf = (slot: number, assetType: AssetType, now: number): OrderTerms =>
  terms({
    orderId: idOf(slot, assetType),
    assetType,
    entryPrice: usd("1"),
    quantity: usd("1"),
    openedAt: now,
    expiryAt: now + 30_000,
    settlementAt: now + 40_000
  })
