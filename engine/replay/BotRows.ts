import { Schema } from "effect"
import type { BotState } from "../bot/Bot.ts"
import type { BotDecided, BotGuardSet } from "../bot/BotEvent.ts"
import { KeptDecision, KeptInput } from "../bot/BotEventCodec.ts"
import type { StateRow } from "./StateTable.ts"

const text = (value: number | bigint | null): string | null => (value === null ? null : `${value}`)

/** A PostgreSQL array as text. No asset type has anything in it that is quoted. */
const arrayText = (values: ReadonlyArray<string>): string => `{${values.join(",")}}`

/** A row of `bots`, as its last event left it. */
export const botRow = (state: BotState, seq: number): StateRow => {
  const { profile, standing } = state
  const { strategy } = profile
  return {
    table: "bots",
    values: [
      state.botId,
      state.companyId,
      state.userId,
      state.walletAddress,
      profile.name,
      arrayText(profile.capabilities),
      strategy.riskPreset,
      `${strategy.riskLevel}`,
      `${strategy.maxLossPct}`,
      `${strategy.minRoiPct}`,
      `${strategy.maxCollateralPerTrade}`,
      `${profile.creditBudget}`,
      `${profile.autoTopUp}`,
      standing.status,
      standing.cause,
      `${state.netFunded}`,
      `${state.allowance}`,
      `${state.turns}`,
      `${state.createdAt}`,
      `${state.statusAt}`,
      `${seq}`
    ]
  }
}

/** A time in which a bot was active with the same capabilities. */
export interface Span {
  /** The event that began it. */
  readonly seq: number
  readonly botId: string
  readonly companyId: string
  readonly capabilities: ReadonlyArray<string>
  readonly from: number
}

/** A row of `machine_trader_spans`. */
export const spanRow = ({ botId, capabilities, companyId, from, seq }: Span, until: number | null): StateRow => ({
  table: "machine_trader_spans",
  values: [`${seq}`, botId, companyId, arrayText(capabilities), `${from}`, text(until)]
})

/** What a decision was made on, as it is kept. */
export const inputText = Schema.encodeSync(Schema.fromJsonString(KeptInput))

/** What was decided, as it is kept. */
export const decisionText = Schema.encodeSync(Schema.fromJsonString(KeptDecision))

/** A row of `bot_decisions`. */
export const decisionRow = (event: BotDecided, seq: number): StateRow => ({
  table: "bot_decisions",
  values: [
    event.decisionId,
    `${seq}`,
    event.botId,
    event.orderId,
    `${event.at}`,
    `${event.dryRun}`,
    event.decision.code,
    inputText(event.input),
    decisionText(event.decision),
    event.charge?.chargeId ?? null,
    `${event.charge?.free ?? 0n}`,
    `${event.charge?.paid ?? 0n}`
  ]
})

/** A row of `bot_guards`. */
export const guardRow = ({ at, by, companyId, deadlineAt }: BotGuardSet, seq: number): StateRow => ({
  table: "bot_guards",
  values: [companyId, text(deadlineAt), `${at}`, by, `${seq}`]
})
