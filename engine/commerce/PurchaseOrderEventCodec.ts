import { Schema } from "effect"
import type { AccountId } from "../ledger/Account.ts"
import type { Amount } from "../money/Amount.ts"
import type { PurchaseOrderEvent, PurchaseOrderPlaced } from "./PurchaseOrderEvent.ts"

const Money = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>
const Account = Schema.String as unknown as Schema.Codec<AccountId, string>

const act = { at: Schema.Int, userId: Schema.String, companyId: Schema.String }

const terms = Schema.Struct({
  orderId: Schema.String,
  buyer: Schema.Struct({ companyId: Schema.String, creditLimit: Account }),
  lines: Schema.Array(
    Schema.Struct({
      productId: Schema.String,
      sellerId: Schema.String,
      wallet: Account,
      quantity: Schema.Int,
      unitPrice: Money
    })
  ),
  sellers: Schema.Array(Schema.Struct({ sellerId: Schema.String, wallet: Account, subtotal: Money })),
  total: Money,
  paymentTerms: Schema.Union([
    Schema.Struct({ type: Schema.Literals(["prepaid", "net_30", "net_60"]) }),
    Schema.Struct({ type: Schema.Literal("installments"), installments: Schema.Int })
  ]),
  schedule: Schema.Array(Schema.Struct({ number: Schema.Int, amount: Money, dueAt: Schema.Int })),
  placedAt: Schema.Int
})

const payment = Schema.Struct({
  paymentId: Schema.String,
  from: Account,
  amount: Money,
  parts: Schema.Array(Money),
  to: Schema.Array(Account),
  instalments: Schema.Array(Schema.Int)
})

const PurchaseOrderEventSchema = Schema.Union([
  Schema.TaggedStruct("PurchaseOrderPlaced", { ...act, terms }),
  Schema.TaggedStruct("PurchaseOrderPaid", { ...act, orderId: Schema.String, payment }),
  Schema.TaggedStruct("PurchaseOrderFulfilled", { ...act, orderId: Schema.String }),
  Schema.TaggedStruct("PurchaseOrderCancelled", { ...act, orderId: Schema.String, reason: Schema.String })
]) as unknown as Schema.Codec<PurchaseOrderEvent, unknown>

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(PurchaseOrderEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodePurchaseOrderEvent = (data: string): PurchaseOrderEvent => fromJson(data)

/** The bytes of `encodeEvent`, sooner. The copy keeps the fields' order, and JSON refuses a bigint that is left in it. */
export const encodePlaced = (event: PurchaseOrderPlaced): string => {
  const { terms } = event
  return JSON.stringify({
    ...event,
    terms: {
      ...terms,
      lines: terms.lines.map((line) => ({ ...line, unitPrice: line.unitPrice.toString() })),
      sellers: terms.sellers.map((share) => ({ ...share, subtotal: share.subtotal.toString() })),
      total: terms.total.toString(),
      schedule: terms.schedule.map((instalment) => ({ ...instalment, amount: instalment.amount.toString() }))
    }
  })
}
