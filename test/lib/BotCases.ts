import type { Commitment } from "../../engine/arena/Commitment.ts"
import type { OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { encodeEvent } from "../../engine/actor/EventChain.ts"
import { botCommands } from "../../engine/bots/BotCommands.ts"
import { type BotDecided, type BotEvent, decisionIdOf } from "../../engine/bots/BotEvent.ts"
import { evaluate, type EvaluationInput } from "../../engine/bots/Evaluation.ts"
import type {
  CreditBudgetSet,
  CreditsGranted,
  EvaluationCreditsEvent
} from "../../engine/bots/EvaluationCreditsEvent.ts"
import { PRESETS } from "../../engine/bots/Strategy.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { lossAllowanceOf } from "../../engine/ledger/LossLimit.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { BotAudit } from "../../engine/simulation/BotAudit.ts"
import { CreditsAudit } from "../../engine/simulation/CreditsAudit.ts"
import { readOrder, type Wire } from "../../engine/simulation/NaiveOrder.ts"
import { terms, usd } from "./ArenaArbitraries.ts"

export const CASE_BOT = "bot_1"

/** The first millisecond of February 2027. */
export const FEBRUARY = 1_801_440_000_000

const wire = <T extends object>(event: T): Wire<T> => JSON.parse(encodeEvent(event))

export const offer: OrderTerms = terms({
  orderId: "ord_1",
  assetType: "fx",
  entryPrice: usd("100"),
  quantity: usd("10"),
  openedAt: 0,
  expiryAt: FEBRUARY + 1_000_000,
  settlementAt: FEBRUARY + 2_000_000
})

/** What a bot is that a module of its owner's decides for. */
export const MODULAR_PROFILE = {
  name: "bot_1",
  capabilities: ["fx"],
  strategy: { riskPreset: "balanced", ...PRESETS.balanced, maxCollateralPerTrade: usd("100") },
  creditBudget: usd("5"),
  autoTopUp: false,
  strategyModule: "tide.ts"
} as const

export const profile = {
  name: "One",
  capabilities: ["fx" as const],
  strategy: { riskPreset: "balanced" as const, ...PRESETS.balanced, maxCollateralPerTrade: usd("1000") },
  creditBudget: usd("3"),
  autoTopUp: true
}

const act = { at: FEBRUARY, by: "usr_1", botId: CASE_BOT }

/** Events of one bot, told to the auditors one after the other; what they find is kept. */
export class BotCase {
  readonly found: Array<string> = []
  /** Milliseconds after {@link FEBRUARY}. */
  elapsed = 0
  readonly bots: BotAudit
  readonly credits: CreditsAudit

  constructor() {
    const report = (invariant: string): void => void this.found.push(invariant)
    const order = readOrder(wire(offer))
    this.bots = new BotAudit({
      report,
      now: () => FEBRUARY + this.elapsed,
      elapsed: () => this.elapsed,
      order: (orderId) => (orderId === order.id ? order : undefined),
      isHalted: () => false
    })
    this.credits = new CreditsAudit({
      report,
      bot: (botId) => this.bots.bot(botId),
      monthly: () => usd("2")
    })
  }

  tell(...events: ReadonlyArray<BotEvent>): this {
    for (const event of events) {
      this.bots.event(wire(event), botCommands("usr_1", event))
      if (event._tag === "BotDecided") this.credits.decided(wire(event))
    }
    return this
  }

  count(...events: ReadonlyArray<EvaluationCreditsEvent>): this {
    for (const event of events) this.credits.event(wire(event))
    return this
  }

  commit(change: Partial<Commitment> = {}): this {
    this.bots.committed(wire({ ...commitment, ...change }))
    return this
  }
}

export const made: BotEvent = {
  ...act,
  _tag: "BotCreated",
  turn: 1,
  allowance: usd("100"),
  companyId: "cmp_1",
  userId: "usr_1",
  walletAddress: "0x1",
  profile,
  amount: usd("1000")
}

export const lifecycle = (_tag: "BotStarted" | "BotPaused" | "BotResumed"): BotEvent => ({ ...act, _tag })

export const moved = (
  _tag: "BotFunded" | "BotWithdrawn" | "BotTerminated",
  turn: number,
  amount: Amount
): BotEvent => ({
  ...act,
  _tag,
  turn,
  allowance: ZERO,
  amount
})

const of = { at: FEBRUARY, companyId: "cmp_1", period: "2027-02" }

export const granted: CreditsGranted = { ...of, _tag: "CreditsGranted", credits: usd("2") }

export const budgeted: CreditBudgetSet = {
  ...of,
  _tag: "CreditBudgetSet",
  botId: CASE_BOT,
  times: 1,
  before: ZERO,
  after: usd("3")
}

/** Worth 105 by its past, 100 now. */
export const input: EvaluationInput = {
  at: FEBRUARY,
  strategy: profile.strategy,
  order: {
    orderId: offer.orderId,
    assetType: offer.assetType,
    entryPrice: offer.entryPrice,
    quantity: offer.quantity,
    expiryAt: offer.expiryAt
  },
  prices: ["112", "112", "112", "112", "100"].map(usd),
  freeCollateral: usd("1000"),
  lossBudget: usd("100"),
  capable: true,
  halted: false,
  shade: ZERO
}

const decision = evaluate(input)

export const decided: BotDecided = {
  ...act,
  _tag: "BotDecided",
  decisionId: decisionIdOf(CASE_BOT, offer.orderId),
  orderId: offer.orderId,
  dryRun: false,
  input,
  decision,
  charge: {
    chargeId: decisionIdOf(CASE_BOT, offer.orderId),
    companyId: "cmp_1",
    botId: CASE_BOT,
    period: "2027-02",
    free: ONE,
    paid: ZERO
  }
}

/** A dry run under a name of its own, paid with these parts of a credit. */
export const asked = (name: string, free: bigint, paid: bigint, at = FEBRUARY): BotDecided => ({
  ...decided,
  at,
  decisionId: name,
  dryRun: true,
  charge: { ...decided.charge!, chargeId: name, free: fromUnits(free), paid: fromUnits(paid) }
})

export const commitment: Commitment = {
  commitmentId: "com_1_1",
  orderId: offer.orderId,
  ordinal: 1,
  assetType: offer.assetType,
  trader: {
    owner: "cmp_1",
    userId: "usr_1",
    address: "0x1",
    type: "machine",
    botId: CASE_BOT,
    account: walletOf(CASE_BOT, "USD"),
    allowance: lossAllowanceOf(CASE_BOT)
  },
  proposedPrice: decision.bid,
  exitPrice: decision.exitPrice,
  quantity: decision.quantity,
  slippage: ZERO,
  swapExecutor: "",
  collateral: decision.collateral,
  acceptedAt: FEBRUARY,
  status: "active",
  reason: null,
  profit: ZERO,
  yieldEarned: ZERO,
  decisionId: decided.decisionId
}
