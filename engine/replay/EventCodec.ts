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
import { type EventFamilies, type EventFamily, familyOf } from "./PlatformEvent.ts"
import type { StoredEvent } from "./StoredEvent.ts"

export type ReadEvent = {
  [F in EventFamily]: { readonly of: F; readonly event: EventFamilies[F] }
}[EventFamily]

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

/** Reads a stored event, or says that no event has these bytes. */
export const readEvent = ({ type, data }: StoredEvent): Result.Result<ReadEvent, string> =>
  Result.try({
    try: () => {
      const of = familyOf(type) ?? "order"
      return { of, event: DECODERS[of](data) } as ReadEvent
    },
    catch: () => "cannot be read as an event of its type"
  })
