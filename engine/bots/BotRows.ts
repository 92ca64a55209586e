import { Schema } from "effect"
import type { Recorded } from "../actor/Journal.ts"
import { botTraderRow } from "../arena/MachineTraderRows.ts"
import type { Aggregate } from "../journal/Aggregate.ts"
import { add, put, type TableRow } from "../journal/TableRow.ts"
import { isOf, type PlatformEvent } from "../replay/PlatformEvent.ts"
import type { StateRow } from "../replay/StateTable.ts"
import { after, type BotLifeEvent, type BotState } from "./Bot.ts"
import type { BotDecided, BotGuardSet } from "./BotEvent.ts"
import { Decision, EvaluationInput } from "./Evaluation.ts"

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
      `${seq}`,
      profile.strategyModule ?? null,
      state.failure
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
export const inputText = Schema.encodeSync(Schema.fromJsonString(EvaluationInput))

/** What was decided, as it is kept. */
export const decisionText = Schema.encodeSync(Schema.fromJsonString(Decision))

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

export const decidedRows = ({ event, seq }: Recorded<BotDecided>): ReadonlyArray<TableRow> => [
  add(decisionRow(event, seq))
]

export const guardedRows = ({ event, seq }: Recorded<BotGuardSet>): ReadonlyArray<TableRow> => [
  put(guardRow(event, seq))
]

/** A bot with what its rows say beside. */
export interface KeptBot {
  readonly state: BotState
  /** The preset that it was made with. */
  readonly risk: string
  /** The last event that changed it. */
  readonly seq: number
  /** The time in which it is active now. */
  readonly span: Span | null
  /** The time in which it was active before that event, where it ended with it. */
  readonly ended: { readonly span: Span; readonly until: number } | null
}

/** What happens to a bot but for what it decides, which leaves it as it is. */
export type BotChange = Exclude<BotLifeEvent, BotDecided>

const sameTypes = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean => one.join() === other.join()

/** A bot after an event. A span ends with being active, or with the capabilities that it tells of. */
export const keptAfter = (before: KeptBot | undefined, event: BotChange, seq: number): KeptBot => {
  const state = after(before?.state, event)
  const running = before?.span ?? null
  const isActive = state.standing.status === "active"
  const { botId, companyId, profile } = state
  const { capabilities } = profile
  const risk = before?.risk ?? profile.strategy.riskPreset
  const goesOn = running !== null && isActive && sameTypes(running.capabilities, capabilities)
  if (goesOn) return { state, risk, seq, span: running, ended: null }
  const span = isActive ? { seq, botId, companyId, capabilities, from: event.at } : null
  return { state, risk, seq, span, ended: running === null ? null : { span: running, until: event.at } }
}

/** The rows of a bot that its last event may have changed. */
export const keptRows = ({ ended, risk, seq, span, state }: KeptBot): ReadonlyArray<StateRow> => [
  botTraderRow(state, risk),
  botRow(state, seq),
  ...(ended === null ? [] : [spanRow(ended.span, ended.until)]),
  ...(span === null ? [] : [spanRow(span, null)])
]

const isOfBots = isOf("bot")

const isChange = (event: PlatformEvent): event is BotChange =>
  isOfBots(event) && event._tag !== "BotDecided" && event._tag !== "BotGuardSet"

/** The rows of bots, which are machine traders too, and of when they were active, by their ids. */
export const bots: Aggregate<KeptBot> = {
  of: (event) => (isChange(event) ? { name: event.botId, isNew: event._tag === "BotCreated" } : undefined),
  after: (before, { event, seq }) => {
    if (!isChange(event)) throw new RangeError(`${event._tag} changes no bot`)
    return keptAfter(before, event, seq)
  },
  namesOf: ({ state }) => [state.botId],
  rows: keptRows
}
