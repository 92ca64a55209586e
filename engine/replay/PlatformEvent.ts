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

const FAMILY_OF: { readonly [T in PlatformEvent["_tag"]]: EventFamily } = {
  OrderOpened: "order",
  CommitmentSubmitted: "order",
  OrderClosed: "order",
  WinnerChosen: "order",
  OrderSettled: "order",
  OrderVoided: "order",
  FundsMinted: "funds",
  CapitalFunded: "funds",
  AllowanceGranted: "funds",
  ProductListed: "product",
  ProductRevised: "product",
  PurchaseOrderPlaced: "purchase",
  PurchaseOrderPaid: "purchase",
  PurchaseOrderFulfilled: "purchase",
  PurchaseOrderCancelled: "purchase",
  PaymentCreated: "payment",
  PaymentAuthorized: "payment",
  PaymentCaptureRequested: "payment",
  PaymentVoidRequested: "payment",
  PaymentCaptured: "payment",
  PaymentFailed: "payment",
  PaymentVoided: "payment",
  PaymentRefundRequested: "payment",
  PaymentRefunded: "payment",
  PaymentRefundFailed: "payment",
  PaymentDisputed: "payment",
  PaymentDisputeWon: "payment",
  PaymentDisputeLost: "payment",
  MoneyTransferred: "transfer",
  MoneyWithdrawn: "transfer",
  RateQuoted: "transfer",
  CompanyCreated: "company",
  CompanyRegistered: "company",
  CompanyUpdated: "company",
  CompanyPlanSet: "company",
  CompanyEntitlementSet: "company",
  CompanyVerified: "company",
  CreditAssessed: "credit",
  CreditLimitSet: "credit",
  SubscriptionCreated: "subscription",
  SubscriptionRenewed: "subscription",
  SubscriptionPaymentFailed: "subscription",
  SubscriptionEndSet: "subscription",
  SubscriptionCancelled: "subscription",
  WebhookCreated: "webhook",
  WebhookChanged: "webhook",
  WebhookSecretRotated: "webhook",
  WebhookDisabled: "webhook",
  WebhookEnabled: "webhook",
  WebhookDeleted: "webhook",
  CreditsGranted: "credits",
  CreditsLapsed: "credits",
  CreditsBought: "credits",
  CreditBudgetSet: "credits",
  BotCreated: "bot",
  BotChanged: "bot",
  BotStarted: "bot",
  BotPaused: "bot",
  BotResumed: "bot",
  BotSuspended: "bot",
  BotTerminated: "bot",
  BotFunded: "bot",
  BotWithdrawn: "bot",
  BotReturned: "bot",
  BotDecided: "bot",
  BotGuardSet: "bot",
  CommitmentHaltSet: "halt",
  VaultDepositsSet: "vault",
  MachineTraderRegistered: "machine"
}

const families: ReadonlyMap<string, EventFamily> = new Map(Object.entries(FAMILY_OF))

/** The family of the events with a tag, if any has it. */
export const familyOf = (tag: string): EventFamily | undefined => families.get(tag)

/** Whether an event is of a family. */
export const isOf =
  <F extends EventFamily>(family: F) =>
  (event: PlatformEvent): event is EventFamilies[F] =>
    familyOf(event._tag) === family
