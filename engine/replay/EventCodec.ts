import { Result } from "effect"
import { decodeArenaEvent } from "../arena/ArenaEventCodec.ts"
import { decodeCommitmentHalt } from "../arena/CommitmentHaltCodec.ts"
import { decodeMachineTraderRegistered } from "../arena/MachineTraderRegistrationCodec.ts"
import { decodeVaultDeposits } from "../arena/VaultDepositsCodec.ts"
import { decodeEvaluationCreditsEvent } from "../bot/EvaluationCreditsEventCodec.ts"
import { decodeBotEvent } from "../bot/BotEventCodec.ts"
import { decodeProductEvent } from "../commerce/ProductEventCodec.ts"
import { decodePurchaseOrderEvent } from "../commerce/PurchaseOrderEventCodec.ts"
import { decodeCreditEvent } from "../credit/CreditEventCodec.ts"
import { decodeCompanyEvent } from "../company/CompanyEventCodec.ts"
import { decodeFundsEvent } from "../ledger/FundsEventCodec.ts"
import { decodePaymentEvent } from "../payments/PaymentEventCodec.ts"
import { decodeTransferEvent } from "../transfers/TransferEventCodec.ts"
import { decodeSubscriptionEvent } from "../subscriptions/SubscriptionEventCodec.ts"
import { decodeWebhookEvent } from "../webhook/WebhookEventCodec.ts"
import type { EventFamilies, EventFamily, PlatformEvent } from "./PlatformEvent.ts"
import type { StoredEvent } from "./StoredEvent.ts"

export type ReadEvent = {
  [F in EventFamily]: { readonly of: F; readonly event: EventFamilies[F] }
}[EventFamily]

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

const DECODERS: { readonly [F in EventFamily]: (data: string) => EventFamilies[F] } = {
  order: decodeArenaEvent,
  funds: decodeFundsEvent,
  product: decodeProductEvent,
  purchase: decodePurchaseOrderEvent,
  payment: decodePaymentEvent,
  transfer: decodeTransferEvent,
  company: decodeCompanyEvent,
  credit: decodeCreditEvent,
  subscription: decodeSubscriptionEvent,
  webhook: decodeWebhookEvent,
  credits: decodeEvaluationCreditsEvent,
  bot: decodeBotEvent,
  halt: decodeCommitmentHalt,
  vault: decodeVaultDeposits,
  machine: decodeMachineTraderRegistered
}

const families: ReadonlyMap<string, EventFamily> = new Map(Object.entries(FAMILY_OF))

/** Reads a stored event, or says that no event has these bytes. */
export const readEvent = ({ type, data }: StoredEvent): Result.Result<ReadEvent, string> =>
  Result.try({
    try: () => {
      const of = families.get(type) ?? "order"
      return { of, event: DECODERS[of](data) } as ReadEvent
    },
    catch: () => "cannot be read as an event of its type"
  })
