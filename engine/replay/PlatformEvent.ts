import type { Schema } from "effect"
import { ArenaEvent } from "../arena/ArenaEvent.ts"
import { FundsEvent } from "../ledger/FundsEvent.ts"
import { ProductEvent } from "../commerce/ProductEvent.ts"
import { PurchaseOrderEvent } from "../commerce/PurchaseOrderEvent.ts"
import { PaymentEvent } from "../payments/PaymentEvent.ts"
import { TransferEvent } from "../transfers/TransferEvent.ts"
import { CompanyEvent } from "../company/CompanyEvent.ts"
import { CreditEvent } from "../credit/CreditEvent.ts"
import { SubscriptionEvent } from "../subscriptions/SubscriptionEvent.ts"
import { WebhookEvent } from "../webhooks/WebhookEvent.ts"
import { BotEvent } from "../bots/BotEvent.ts"
import { CommitmentHaltSet } from "../arena/CommitmentHalt.ts"
import { VaultDepositsSet } from "../arena/VaultDeposits.ts"
import { MachineTraderEvent } from "../arena/MachineTraderRegistration.ts"
import { UserErased } from "../erasure/ErasureEvent.ts"
import { EvaluationCreditsEvent } from "../bots/EvaluationCreditsEvent.ts"

/** The events of each context that records any. */
export const EVENTS = {
  order: ArenaEvent,
  funds: FundsEvent,
  product: ProductEvent,
  purchase: PurchaseOrderEvent,
  payment: PaymentEvent,
  transfer: TransferEvent,
  company: CompanyEvent,
  credit: CreditEvent,
  subscription: SubscriptionEvent,
  webhook: WebhookEvent,
  bot: BotEvent,
  halt: CommitmentHaltSet,
  vault: VaultDepositsSet,
  machine: MachineTraderEvent,
  credits: EvaluationCreditsEvent,
  erasure: UserErased
}

export type EventFamily = keyof typeof EVENTS

export type EventFamilies = { readonly [F in EventFamily]: (typeof EVENTS)[F]["Type"] }

/** Everything the platform records. */
export type PlatformEvent = EventFamilies[EventFamily]

/** The schema of one event, by its tag. */
type Member = Schema.Top & { readonly fields: { readonly _tag: { readonly schema: { readonly literal: string } } } }

/** The events of a family, each with its tag. */
export const membersOf = (
  family: (typeof EVENTS)[EventFamily]
): ReadonlyArray<readonly [tag: string, member: Schema.Top]> => {
  const members: ReadonlyArray<Member> = "members" in family ? family.members : [family]
  return members.map((member) => [member.fields._tag.schema.literal, member])
}

const families: ReadonlyMap<string, EventFamily> = new Map(
  (Object.keys(EVENTS) as ReadonlyArray<EventFamily>).flatMap((family) =>
    membersOf(EVENTS[family]).map(([tag]) => [tag, family] as const)
  )
)

/** The family of the events with a tag, if any has it. */
export const familyOf = (tag: string): EventFamily | undefined => families.get(tag)

/** Whether an event is of a family. */
export const isOf =
  <F extends EventFamily>(family: F) =>
  (event: PlatformEvent): event is EventFamilies[F] =>
    familyOf(event._tag) === family
