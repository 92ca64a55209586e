/** What actors of one simulation do far more often than those of another: each seed has its own fashion. */

import { aimsOf } from "./FaultAim.ts"
import { FAULT_KINDS } from "./FaultPlan.ts"
import { eventsWith } from "./ReachableEvents.ts"
import { SeededRandom } from "./SeededRandom.ts"

/** What can be in fashion. */
export const FASHIONS = [
  /** Companies buy on credit and do not pay, while an administrator sets the time forward by weeks. */
  "arrears",
  /** Companies are scored again and again while they owe. */
  "credit",
  /** Orders take few commitments. */
  "crowds",
  /** Holders of cards complain. */
  "disputes",
  /** Owners pull the kill switch. */
  "halts",
  /** Administrators register and retire machine traders. */
  "machines",
  /** Modules decide for bots. */
  "modules",
  /** Bots can hardly pay for their evaluations. */
  "thrift",
  /** Bots are terminated while they trade. */
  "terminations",
  /** Nobody sets the time forward, so that auctions come to their ends. */
  "trading",
  /** Webhooks are changed. */
  "webhooks"
] as const
export type Fashion = (typeof FASHIONS)[number]

/** How many in a thousand seeds have a fashion that nothing asks for. */
const FASHIONABLE = 250

/** What has to be in fashion for an event that hardly comes without. */
const ASKED_BY: Readonly<Record<string, Fashion>> = {
  BotReturned: "terminations",
  BotTerminated: "terminations",
  CommitmentHaltSet: "halts",
  CreditLimitSet: "credit",
  MachineTraderRegistered: "machines",
  MachineTraderRetired: "machines",
  OrderSettled: "trading",
  PaymentDisputeLost: "disputes",
  PaymentDisputeWon: "disputes",
  PaymentDisputed: "disputes",
  PurchaseOrderOverdue: "arrears",
  PurchaseOrderPaymentDue: "arrears",
  WebhookChanged: "webhooks",
  WebhookDeleted: "webhooks",
  WebhookDisabled: "webhooks",
  WebhookEnabled: "webhooks",
  WebhookSecretRotated: "webhooks",
  WinnerChosen: "trading"
}

/** What a simulation is made from, as far as it decides on fashions. */
interface FashionableSpec {
  readonly seed: number
  readonly bots?: number
  readonly companies?: number
}

/** What is in fashion: what the events ask for that a seed's faults are aimed at, and now and then something else. */
export const fashionsOf = (spec: FashionableSpec): ReadonlySet<Fashion> => {
  const random = new SeededRandom(spec.seed, "fashion")
  const drawn = random.chance(FASHIONABLE) ? [random.pick(FASHIONS)] : []
  const asked = aimsOf(spec.seed, FAULT_KINDS, eventsWith(spec)).flatMap(({ before }) => ASKED_BY[before] ?? [])
  return new Set([...drawn, ...asked])
}

/** Nothing is in fashion. */
export const NO_FASHION: ReadonlySet<Fashion> = new Set()
