import type { ArenaEvent } from "../arena/ArenaEvent.ts"
import type { CommitmentHaltSet } from "../arena/CommitmentHalt.ts"
import type { MachineTraderRegistered } from "../arena/MachineTraderRegistration.ts"
import type { VaultDepositsSet } from "../arena/VaultDeposits.ts"
import type { EvaluationCreditsEvent } from "../bot/EvaluationCreditsEvent.ts"
import type { BotEvent } from "../bot/BotEvent.ts"
import type { ProductEvent } from "../commerce/ProductEvent.ts"
import type { PurchaseOrderEvent } from "../commerce/PurchaseOrderEvent.ts"
import type { CompanyEvent } from "../company/CompanyEvent.ts"
import type { CreditEvent } from "../credit/CreditEvent.ts"
import type { FundsEvent } from "../ledger/FundsEvent.ts"
import type { PaymentEvent } from "../payments/PaymentEvent.ts"
import type { TransferEvent } from "../transfers/TransferEvent.ts"
import type { SubscriptionEvent } from "../subscriptions/SubscriptionEvent.ts"
import type { WebhookEvent } from "../webhook/WebhookEvent.ts"

/** The events of each context that records any. */
export interface EventFamilies {
  readonly order: ArenaEvent
  readonly funds: FundsEvent
  readonly product: ProductEvent
  readonly purchase: PurchaseOrderEvent
  readonly payment: PaymentEvent
  readonly transfer: TransferEvent
  readonly company: CompanyEvent
  readonly credit: CreditEvent
  readonly subscription: SubscriptionEvent
  readonly webhook: WebhookEvent
  readonly bot: BotEvent
  readonly halt: CommitmentHaltSet
  readonly vault: VaultDepositsSet
  readonly machine: MachineTraderRegistered
  readonly credits: EvaluationCreditsEvent
}

export type EventFamily = keyof EventFamilies

/** Everything the platform records. */
export type PlatformEvent = EventFamilies[EventFamily]
