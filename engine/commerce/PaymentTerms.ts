import { DateTime, Schema } from "effect"

/** The fewest and the most instalments. */
export const FEWEST_INSTALMENTS = 2
export const MOST_INSTALMENTS = 12

export const PAYMENT_TERMS = ["prepaid", "net_30", "net_60", "installments"] as const

/** When an order is paid: before it is fulfilled, once after so many days, or in equal monthly parts. Specification 4.2, POST /v1/orders. */
export const PaymentTerms = Schema.Union([
  Schema.Struct({ type: Schema.Literals(["prepaid"]) }),
  Schema.Struct({ type: Schema.Literals(["net_30"]) }),
  Schema.Struct({ type: Schema.Literals(["net_60"]) }),
  Schema.Struct({ type: Schema.Literals(["installments"]), installments: Schema.Int })
])
export type PaymentTerms = typeof PaymentTerms.Type

const MILLIS_A_DAY = 86_400_000

/** Whether the buyer pays later than it orders, and so needs a credit limit. */
export const isOnCredit = (terms: PaymentTerms): boolean => terms.type !== "prepaid"

/**
 * When each part is due, in milliseconds since 1970. The first instalment is due a month after the order, the others on
 * the same day of the months after it, or on the last day of a month that has no such day.
 */
export const dueDates = (terms: PaymentTerms, placedAt: number): ReadonlyArray<number> => {
  switch (terms.type) {
    case "prepaid":
      return [placedAt]
    case "net_30":
      return [placedAt + 30 * MILLIS_A_DAY]
    case "net_60":
      return [placedAt + 60 * MILLIS_A_DAY]
    case "installments": {
      const start = DateTime.makeUnsafe(placedAt)
      return Array.from({ length: terms.installments }, (_, index) =>
        DateTime.toEpochMillis(DateTime.add(start, { months: index + 1 }))
      )
    }
  }
}
