import { Result } from "effect"
import fc from "fast-check"
import type { Entry } from "../../engine/actor/Journal.ts"
import type { PaymentTerms } from "../../engine/commerce/PaymentTerms.ts"
import { creditLimitOf, evolve, placed, type PurchaseOrderState } from "../../engine/commerce/PurchaseOrder.ts"
import { cancel, fulfil, pay, place } from "../../engine/commerce/PurchaseOrderDecision.ts"
import type { PurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEvent.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { fromUnits } from "../../engine/money/Amount.ts"

/** An act tried on an order. */
const step = fc.oneof(
  fc.record({ act: fc.constant("pay" as const), extent: fc.constantFrom("next" as const, "all" as const) }),
  fc.record({ act: fc.constant("fulfil" as const), companyId: fc.constantFrom("bob", "cyd") }),
  fc.record({ act: fc.constant("cancel" as const), companyId: fc.constantFrom("ada", "bob", "cyd") })
)

const line = fc.record({
  productId: fc.constantFrom("prd_1", "prd_2", "prd_3"),
  sellerId: fc.constantFrom("bob", "cyd"),
  wallet: fc.constantFrom(walletOf("usr_1", "USD"), walletOf("usr_2", "USD")),
  quantity: fc.integer({ min: 1, max: 1_000 }),
  unitPrice: fc.bigInt(100_000n, 90_000_000n).map(fromUnits)
})

const terms = fc.oneof(
  fc.constantFrom<PaymentTerms>({ type: "prepaid" }, { type: "net_30" }, { type: "net_60" }),
  fc.record({ type: fc.constant("installments" as const), installments: fc.integer({ min: 2, max: 9 }) })
)

/** An order after each of its events. */
interface Stage {
  readonly event: PurchaseOrderEvent
  /** As it was before; of a placement, as it is placed. */
  readonly before: PurchaseOrderState
  readonly after: PurchaseOrderState
}

const copied = (state: PurchaseOrderState): PurchaseOrderState => structuredClone(state)

/** The lives of orders of the company `ada`: the events that the engine decides, whatever is tried. */
export const anyPurchase: fc.Arbitrary<ReadonlyArray<Stage>> = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 5 }),
    terms,
    fc.array(step, { maxLength: 10 }),
    fc.constantFrom({}, { metadata: { project: "mill" } })
  )
  .map(([lines, paymentTerms, steps, particulars]) => {
    const buyer = { companyId: "ada", creditLimit: creditLimitOf("usr_ada") }
    const act = (companyId: string, at: number) => ({ userId: `usr_${companyId}`, companyId, at })
    const { event } = Result.getOrThrow(
      place({ orderId: "pur_1", buyer, lines, paymentTerms, ...particulars }, act("ada", 1))
    )
    const state = placed(event.terms)
    const stages: Array<Stage> = [{ event, before: copied(state), after: copied(state) }]
    for (const [index, taken] of steps.entries()) {
      const at = index + 2
      const payment = { paymentId: `pay_${at}`, from: walletOf("usr_ada", "USD") }
      const decided: Result.Result<Entry<PurchaseOrderEvent>, unknown> = taken.act === "pay"
        ? pay(state, { ...payment, extent: taken.extent }, act("ada", at))
        : taken.act === "fulfil"
          ? fulfil(state, act(taken.companyId, at))
          : cancel(state, "changed our mind", act(taken.companyId, at))
      if (Result.isFailure(decided)) continue
      const before = copied(state)
      evolve(state, decided.success.event)
      stages.push({ event: decided.success.event, before, after: copied(state) })
    }
    return stages
  })
