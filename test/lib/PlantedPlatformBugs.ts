import { Effect, Result } from "effect"
import { purchaseOrderStream } from "../../engine/commerce/PurchaseOrder.ts"
import { place } from "../../engine/commerce/PurchaseOrderDecision.ts"
import type { WriteEntry } from "../../engine/simulation/platform/DeskWorld.ts"
import type { PaymentProvider } from "../../engine/payments/PaymentProvider.ts"
import type { Planted } from "../../engine/simulation/SimulationEnvironment.ts"
import type { ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import { altered } from "./AlteredLedger.ts"

/** Every few steps a transaction is written and its answer lost. */
const LOST_RESPONSES = Array.from({ length: 40 }, (_, number) => ({
  after: 5 + 4 * number,
  strike: { kind: "fail_journal", half: true, times: 1 } as const
}))

/** Companies beside a small arena, with faults. */
export const withCompanies = (seed: number): ScenarioSpec => ({
  seed,
  orders: 4,
  traders: 2,
  companies: 5,
  faults: true,
  strikes: LOST_RESPONSES
})

/** What renews a subscription is done once more, as if nothing had been written. */
const chargesAgain =
  (write: WriteEntry): WriteEntry =>
  (entry) => {
    if (entry.entry.event._tag !== "SubscriptionRenewed") return write(entry)
    const commands = entry.entry.commands.map((command) =>
      command._tag === "Transfer" ? { ...command, id: `${command.id}/again` } : command
    )
    const again = { ...entry, version: null, preconditions: [], entry: { ...entry.entry, commands } }
    return Effect.andThen(write(entry), write(again))
  }

/** An order is cancelled as if it had reserved no stock. */
const keepsStock =
  (write: WriteEntry): WriteEntry =>
  (entry) => {
    if (entry.entry.event._tag !== "PurchaseOrderCancelled") return write(entry)
    const commands = entry.entry.commands.filter(({ _tag }) => _tag !== "ReleaseMultiHold")
    return write({ ...entry, entry: { ...entry.entry, commands } })
  }

/** What was ordered on credit last is ordered once more as soon as something of its buyer's is overdue. */
const ordersOverdue = (write: WriteEntry): WriteEntry => {
  const last = new Map<string, Parameters<WriteEntry>[0]>()
  return (entry) => {
    const { event } = entry.entry
    if (event._tag === "PurchaseOrderPlaced" && event.terms.paymentTerms.type !== "prepaid") {
      last.set(event.companyId, entry)
    }
    const again = event._tag === "PurchaseOrderOverdue" ? last.get(event.companyId)?.entry.event : undefined
    if (again?._tag !== "PurchaseOrderPlaced") return write(entry)
    const orderId = `${again.terms.orderId}_again`
    const placed = place({ ...again.terms, orderId }, again)
    return Effect.tap(write(entry), () =>
      Result.isFailure(placed)
        ? Effect.void
        : Effect.ignore(write({ stream: purchaseOrderStream(orderId), version: 0, entry: placed.success }))
    )
  }
}

/** What reminds of an instalment is recorded once more. */
const remindsAgain =
  (write: WriteEntry): WriteEntry =>
  (entry) =>
    entry.entry.event._tag === "PurchaseOrderPaymentDue"
      ? Effect.andThen(write(entry), write({ ...entry, version: null }))
      : write(entry)

/** A refund that is asked for again has another key, and nobody looks for what became of it. */
const forgetsRefunds = (cards: PaymentProvider): PaymentProvider => {
  const { authorize, capture, dispute, instrument, name, takes, void: letGo } = cards
  let asked = 0
  return {
    name,
    instrument,
    takes,
    authorize,
    capture,
    dispute,
    void: letGo,
    find: (kind, step) => (kind === "refund" ? Effect.succeed(undefined) : cards.find(kind, step)),
    refund: (step) => cards.refund({ ...step, key: `${step.key}/${++asked % 2}` })
  }
}

/** What became of a capture is never told. */
const hidesCaptures = (cards: PaymentProvider): PaymentProvider => {
  const { authorize, capture, dispute, instrument, name, refund, takes, void: letGo } = cards
  return {
    name,
    instrument,
    takes,
    authorize,
    refund,
    dispute,
    void: letGo,
    find: (kind, step) => (kind === "capture" ? Effect.succeed(undefined) : cards.find(kind, step)),
    capture: (step) => Effect.as(capture(step), { _tag: "Unknown", reason: "nobody looked" })
  }
}

/** Faults of the companies' part, by the rule that finds them, and how many seeds that takes at most. */
export const PLANTED_PLATFORM_BUGS: ReadonlyArray<{
  readonly name: string
  readonly invariant: string
  readonly seeds: number
  readonly planted: Planted
}> = [
  {
    name: "has a ledger that keeps the stock of an order that was cancelled",
    invariant: "held",
    seeds: 3,
    planted: altered((command) => (command._tag === "ReleaseMultiHold" ? [] : [command]))
  },
  {
    name: "does not ask for the stock of an order that was cancelled",
    invariant: "replay",
    seeds: 3,
    planted: { companies: { write: keepsStock } }
  },
  {
    name: "gives a card its money back twice where the answer was lost",
    invariant: "cards",
    seeds: 60,
    planted: { companies: { cards: forgetsRefunds } }
  },
  {
    name: "never hears what became of a capture",
    invariant: "unfinished",
    seeds: 10,
    planted: { companies: { cards: hidesCaptures } }
  },
  {
    name: "charges each renewal a second time",
    invariant: "replay",
    seeds: 20,
    planted: { companies: { write: chargesAgain } }
  },
  {
    name: "takes an order on credit while something is overdue",
    invariant: "frozen",
    seeds: 60,
    planted: { companies: { write: ordersOverdue } }
  },
  {
    name: "reminds of what is due a second time",
    invariant: "overdue",
    seeds: 60,
    planted: { companies: { write: remindsAgain } }
  },
  {
    name: "drops the second of several deliveries",
    invariant: "deliveries",
    seeds: 5,
    planted: { companies: { deliveries: (made) => made.filter((_, index) => index !== 1) } }
  }
]
