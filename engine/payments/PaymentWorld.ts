/** What payments reach, whoever runs them. */

import type { Effect } from "effect"
import type { StaleVersion } from "../actor/Journal.ts"
import type { PurchaseOrderState } from "../commerce/PurchaseOrder.ts"
import type { PurchaseRecord } from "../commerce/PurchaseRecord.ts"
import type { AccountId } from "../ledger/Account.ts"
import type { LedgerError } from "../ledger/Book.ts"
import type { Amount } from "../money/Amount.ts"
import type { Refusal } from "../wire/Refusal.ts"
import type { PaymentState } from "./Payment.ts"
import type { PaymentError } from "./PaymentError.ts"
import type { PaymentEvent } from "./PaymentEvent.ts"
import type { PaymentPlan, PaymentProviderName } from "./PaymentPlan.ts"
import type { PaymentProvider } from "./PaymentProvider.ts"

/** What is decided on: a payment, its order, and what that would take now. */
export interface PaymentSituation {
  readonly state: PaymentState
  readonly order: PurchaseOrderState
  /** The order with the times of what happened to it. */
  readonly purchase: PurchaseRecord
  readonly takes: Amount
}

/** Why an event of a payment is not recorded. */
export type RecordFailure<E> = PaymentError | StaleVersion | LedgerError | E

/** Money that an order is to take. */
export interface OrderMoney {
  readonly paymentId: string
  readonly from: AccountId
  readonly extent: PaymentPlan["extent"]
}

/** A payment that comes due later, unless something is recorded; `Lease` is by what it is ended. */
export interface PaymentSchedule<E, Lease> {
  /** How often in a row a payment's provider gave no answer. */
  readonly attempts: (paymentId: string) => Effect.Effect<number, E>
  /** Lets a payment come due at a time, unless something is recorded that makes it due earlier. */
  readonly lease: (paymentId: string, until: number) => Effect.Effect<Lease, E>
  /** Ends a lease: the payment comes due at `due`, or never. What is recorded since makes it due all the same. */
  readonly release: (paymentId: string, lease: Lease, due: number | undefined) => Effect.Effect<void, E>
  /** Lets a payment come due later, after so many requests without an answer; `why` is for people. */
  readonly postpone: (paymentId: string, due: number, attempts: number, why: string) => Effect.Effect<void, E>
}

/** What drives payments. It fails with `E` where it does not answer. */
export interface PaymentWorld<E, Lease = unknown> {
  readonly find: (paymentId: string) => Effect.Effect<PaymentSituation | undefined, E>
  readonly provider: (name: PaymentProviderName) => PaymentProvider | undefined
  readonly schedule: PaymentSchedule<E, Lease>
  /** Lets the order take the money of a payment. */
  readonly pay: (orderId: string, money: OrderMoney, payer: PaymentPlan["payer"]) => Effect.Effect<unknown, Refusal | E>
  /** Decides an event on a payment's state and writes it. */
  readonly record: (state: PaymentState, event: PaymentEvent) => Effect.Effect<void, RecordFailure<E>>
}
