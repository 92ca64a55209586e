/** What is asked for when somebody pays an order. */

import { Schema } from "effect"
import { Metadata } from "../metadata/Metadata.ts"
import { Amount } from "../money/Amount.ts"

export const PAYMENT_PROVIDERS = ["wallet", "sandbox-card", "stripe"] as const
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number]

export const EXTENTS = ["next", "all"] as const
export type Extent = (typeof EXTENTS)[number]

export const CAPTURE_MODES = ["automatic", "manual"] as const
export type CaptureMode = (typeof CAPTURE_MODES)[number]

/** What was asked for; it never changes. */
export const PaymentPlan = Schema.Struct({
  paymentId: Schema.String,
  orderId: Schema.String,
  payer: Schema.Struct({ userId: Schema.String, companyId: Schema.String }),
  provider: Schema.Literals(PAYMENT_PROVIDERS),
  /** What the payer pays with, by a name that may be shown; null for the wallet. */
  instrument: Schema.NullOr(Schema.String),
  /** USD, more than 0. */
  amount: Amount,
  extent: Schema.Literals(EXTENTS),
  capture: Schema.Literals(CAPTURE_MODES),
  metadata: Schema.optionalKey(Metadata)
})
export type PaymentPlan = typeof PaymentPlan.Type
