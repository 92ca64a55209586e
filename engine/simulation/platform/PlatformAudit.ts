import { Result } from "effect"
import type { ChainedEvent } from "../../actor/CommitGroup.ts"
import { encodeEvent } from "../../actor/EventChain.ts"
import type { AccountId } from "../../ledger/Account.ts"
import type { Command } from "../../ledger/Command.ts"
import type { FamilyReplay } from "../../replay/FamilyReplay.ts"
import { tradeReplays, type TradeReplays } from "../../replay/TradeReplays.ts"
import { type EventFamily, familyOf, type PlatformEvent } from "../../replay/PlatformEvent.ts"
import type { RowSink } from "../../replay/RowSink.ts"
import { columnThatDiffers, keyOf, type StateRow, STATE_COLUMNS } from "../../replay/StateTable.ts"
import type { Report } from "../LedgerAudit.ts"
import type { KeptEvent } from "../MemoryTables.ts"
import type { Wire } from "../NaiveOrder.ts"
import { ArrearsAudit } from "./ArrearsAudit.ts"
import { auditCard } from "./CardAudit.ts"
import type { CardNetwork } from "./CardNetwork.ts"
import { auditDeliveries, type EndedWebhooks } from "./DeliveryAudit.ts"
import { ExpectedHolds } from "./ExpectedHolds.ts"
import { unfinishedStep } from "./PaymentRest.ts"
import type { PlatformProjection } from "./PlatformProjection.ts"
import { ProjectedRows } from "./ProjectedRows.ts"
import { ReadEvents } from "./ReadEvents.ts"
import { storedOf } from "../StoredKept.ts"

/** What of the world is judged at the end. */
export interface EndedPlatform {
  readonly webhooks: EndedWebhooks
  readonly cards: Pick<CardNetwork, "charges">
  readonly projection: Pick<PlatformProjection, "orderOf" | "payment" | "subscriptions">
  /** What the clock shows, in milliseconds since 1970. */
  readonly now: number
}

/** For how long a subscription or an instalment may be due before somebody had to come to it, in milliseconds. */
const LATE_MILLIS = 60_000

/** The rows that a replay derives. */
class DerivedRows implements RowSink {
  readonly history = false
  readonly rows = new Map<string, StateRow>()

  put(row: StateRow): void {
    this.rows.set(`${row.table}/${keyOf(row)}`, row)
  }
}

/**
 * Judges the companies' events by what ships for that: the replays of `emporion verify` decide each of them again, what the
 * ledger was asked must be what they say, and the tables must be what they derive. What accounts hold, and what a cards'
 * network outside has, are judged by rules of this world's own.
 */
export class PlatformAudit {
  readonly #report: Report
  readonly #derived = new DerivedRows()
  readonly #families: TradeReplays = tradeReplays(this.#derived)
  readonly #holds = new ExpectedHolds()
  readonly #arrears: ArrearsAudit
  readonly #projected = new ProjectedRows()
  readonly #reads = new ReadEvents()
  /** By what a request is known again, the stream where it came to something. */
  readonly #streams = new Map<string, string>()

  constructor(report: Report) {
    this.#report = report
    this.#arrears = new ArrearsAudit(report)
  }

  /** What an account of the companies must hold. */
  held(account: AccountId): bigint {
    return this.#holds.of(account)
  }

  /** An event that was recorded, with what the ledger took for it. */
  event(recorded: ChainedEvent<PlatformEvent>, wire: Wire<PlatformEvent>, commands: ReadonlyArray<Command>): void {
    const family = familyOf(recorded.event._tag)
    const replay = this.#replayOf(family)
    if (replay === undefined) return
    this.#holds.event(wire)
    this.#arrears.event(wire)
    this.#once(wire, recorded.stream)
    const stored = storedOf(recorded)
    const { event } = recorded
    const what = `event ${stored.seq}, ${stored.type} of ${stored.stream},`
    const read = this.#reads.of(recorded)
    if (Result.isFailure(read)) return this.#report("replay", `${what} ${read.failure}`)
    const decided = replay.decide(read.success.event, stored)
    if (Result.isFailure(decided)) return this.#report("replay", `${what} ${decided.failure}`)
    if (encodeEvent(decided.success) !== encodeEvent(commands)) {
      this.#report("replay", `${what} asked the ledger for something else than it decides`)
    }
    replay.evolve(read.success.event, stored)
    if (family === "purchase") this.#families.payment.hear?.(event, stored)
  }

  /** What a request comes to is in one stream: whoever asks again means the same. */
  #once(event: Wire<PlatformEvent>, stream: string): void {
    const name = requestIn(event)
    if (name === undefined) return
    const before = this.#streams.get(name) ?? stream
    this.#streams.set(name, before)
    if (before !== stream) this.#report("committed_twice", `${name} is in ${before} and in ${stream}`)
  }

  /** The replay that judges a family here, if one does. */
  #replayOf(family: EventFamily | undefined): FamilyReplay<PlatformEvent> | undefined {
    const all: Partial<Record<EventFamily, unknown>> = this.#families
    return family === undefined ? undefined : (all[family] as FamilyReplay<PlatformEvent> | undefined)
  }

  /** The tables got events. */
  projected(events: ReadonlyArray<KeptEvent>): void {
    for (const kept of events) {
      if (this.#replayOf(familyOf(storedOf(kept).type)) === undefined) continue
      const read = this.#reads.of(kept)
      if (Result.isFailure(read)) continue
      try {
        this.#projected.take(read.success)
      } catch (error) {
        this.#report("tables", String(error))
      }
    }
  }

  /** Once everything has come to rest: the tables are what the replays derive, and the cards' network agrees. */
  end(platform: EndedPlatform): void {
    for (const family of Object.values(this.#families)) family.finish?.()
    this.#compareTables()
    this.#endPayments(platform)
    for (const { nextAt, terms } of platform.projection.subscriptions.values()) {
      if (nextAt === null || nextAt > platform.now - LATE_MILLIS) continue
      this.#report("unfinished", `${terms.subscriptionId} was due at ${nextAt}, and it is ${platform.now}`)
    }
    this.#arrears.end(platform.now - LATE_MILLIS)
    auditDeliveries(platform.webhooks, this.#report, this.#reads)
  }

  /** Each payment is where it can stay, and what cards know of payments is what payments say. */
  #endPayments({ cards: { charges }, projection }: EndedPlatform): void {
    for (const paymentId of new Set([...projection.orderOf.keys(), ...charges.keys()])) {
      const situation = projection.payment(paymentId)
      const charge = charges.get(paymentId)
      const state = situation?.state
      if (situation !== undefined && !situation.state.isDirect) {
        const step = unfinishedStep(situation, charge?.fate)
        if (step !== undefined) {
          this.#report("unfinished", `${paymentId} is ${situation.state.stage}, and has to ${step._tag}`)
        }
      }
      if (state?.plan.provider !== "wallet") auditCard({ paymentId, state, charge }, this.#report)
      else if (charge !== undefined) this.#report("cards", `${paymentId} is of a wallet, and a card was charged`)
    }
  }

  #compareTables(): void {
    const { rows } = this.#derived
    let count = 0
    for (const row of this.#projected.rows) {
      count += 1
      const key = `${row.table}/${row.values[0] ?? ""}`
      const derived = rows.get(key)
      if (derived === undefined) return this.#report("tables", `${key} is there, and no replay derives it`)
      const columns = STATE_COLUMNS[derived.table].length
      const column = columnThatDiffers(derived, { table: derived.table, values: row.values.slice(0, columns) })
      if (column !== undefined) return this.#report("tables", `${key} has another ${column} than a replay derives`)
    }
    if (count !== rows.size) this.#report("tables", `there are ${count} rows, and a replay derives ${rows.size}`)
  }
}

/** What a request is known by in what it came to, of those that are not the key of their entry. */
const requestIn = (event: Wire<PlatformEvent>): string | undefined => {
  switch (event._tag) {
    case "PaymentRefundRequested":
      return `refund ${event.refundId}`
    case "PaymentCaptureRequested":
    case "PaymentVoidRequested":
      return event.requestId === null ? undefined : `request ${event.requestId}`
    case "PurchaseOrderPaid":
      return `payment ${event.payment.paymentId}`
    case "WebhookCreated":
      return `webhook ${event.webhookId}`
    default:
      return undefined
  }
}
