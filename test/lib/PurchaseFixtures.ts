import { Result } from "effect"
import fc from "fast-check"
import type { Entry } from "../../engine/actor/Journal.ts"
import type { PaymentTerms } from "../../engine/commerce/PaymentTerms.ts"
import { creditLimitOf, evolve, placed, type PurchaseOrderState } from "../../engine/commerce/PurchaseOrder.ts"
import { dueStep } from "../../engine/commerce/OverdueDecision.ts"
import { cancel, fulfil, pay, place } from "../../engine/commerce/PurchaseOrderDecision.ts"
import type { PurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEvent.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { fromUnits } from "../../engine/money/Amount.ts"

/** An act tried on an order. */
const step = fc.oneof(
  fc.record({ act: fc.constant("pay" as const), extent: fc.constantFrom("next" as const, "all" as const) }),
  fc.record({ act: fc.constant("fulfil" as const), companyId: fc.constantFrom("bob", "cyd") }),
  fc.record({ act: fc.constant("cancel" as const), companyId: fc.constantFrom("ada", "bob", "cyd") }),
  fc.record({ act: fc.constant("look" as const) })
)

/** Days that pass before an act. */
const days = fc.constantFrom(0, 0, 1, 5, 29, 33)

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

const act = (companyId: string, at: number) => ({ userId: `usr_${companyId}`, companyId, at })

const decidedBy = (
  state: PurchaseOrderState,
  taken: typeof step extends fc.Arbitrary<infer S> ? S : never,
  payment: { readonly paymentId: string; readonly from: AccountId },
  at: number
): Result.Result<Entry<PurchaseOrderEvent>, unknown> => {
  switch (taken.act) {
    case "pay":
      return pay(state, { ...payment, extent: taken.extent }, act("ada", at))
    case "fulfil":
      return fulfil(state, act(taken.companyId, at))
    case "cancel":
      return cancel(state, "changed our mind", act(taken.companyId, at))
    case "look":
      return Result.fromNullishOr(dueStep(state, at), () => "nothing was due")
  }
}

const copied = (state: PurchaseOrderState): PurchaseOrderState => structuredClone(state)

/** The lives of orders of the company `ada`: the events that the engine decides, whatever is tried. */
export const anyPurchase: fc.Arbitrary<ReadonlyArray<Stage>> = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 5 }),
    terms,
    fc.array(fc.tuple(step, days), { maxLength: 12 }),
    fc.constantFrom({}, { metadata: { project: "mill" } })
  )
  .map(([lines, paymentTerms, steps, particulars]) => {
    const buyer = { companyId: "ada", creditLimit: creditLimitOf("usr_ada") }
    const { event } = Result.getOrThrow(
      place({ orderId: "pur_1", buyer, lines, paymentTerms, ...particulars }, act("ada", 1))
    )
    const state = placed(event.terms)
    const stages: Array<Stage> = [{ event, before: copied(state), after: copied(state) }]
    let at = 1
    for (const [taken, passed] of steps) {
      at += 1 + passed * 86_400_000
      const payment = { paymentId: `pay_${at}`, from: walletOf("usr_ada", "USD") }
      const decided = decidedBy(state, taken, payment, at)
      if (Result.isFailure(decided)) continue
      const before = copied(state)
      evolve(state, decided.success.event)
      stages.push({ event: decided.success.event, before, after: copied(state) })
    }
    return stages
  })
