import type { Recorded } from "../actor/Journal.ts"
import type { Aggregate, Happened } from "../journal/Aggregate.ts"
import { add, set, type TableRow } from "../journal/TableRow.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import type { StateRow } from "../replay/StateTable.ts"
import type { BotDecided } from "./BotEvent.ts"
import { creditBudgetOf } from "./EvaluationCredits.ts"
import type {
  Charge,
  CreditsBought,
  CreditsGranted,
  CreditsLapsed,
  EvaluationCreditsEvent
} from "./EvaluationCreditsEvent.ts"

/** A change of a company's credits, as its history keeps it. */
export interface CreditMovement {
  readonly companyId: string
  readonly botId: string | null
  /** Whose USD paid. */
  readonly userId: string | null
  readonly at: number
  readonly period: string
  readonly kind: "grant" | "lapse" | "topup" | "charge"
  /** By what the free and the paid credits changed. */
  readonly free: Amount
  readonly paid: Amount
  readonly usd: Amount
  readonly automatic: boolean
  readonly chargeId: string | null
}

const NOTHING = { botId: null, userId: null, free: ZERO, paid: ZERO, usd: ZERO, automatic: false, chargeId: null }

/** The change of credits that an event is; undefined for one that changes none. */
export const movementOf = (event: EvaluationCreditsEvent): CreditMovement | undefined => {
  const { at, companyId, period } = event
  const of = { ...NOTHING, companyId, at, period }
  switch (event._tag) {
    case "CreditsGranted":
      return { ...of, kind: "grant", free: event.credits }
    case "CreditsLapsed":
      return { ...of, kind: "lapse", free: fromUnits(-event.credits) }
    case "CreditsBought": {
      const { automatic, botId, credits, usd, userId } = event
      return { ...of, kind: "topup", botId, userId, paid: credits, usd, automatic }
    }
    case "CreditBudgetSet":
      return undefined
  }
}

/** The change of credits that a charge is. */
export const movementOfCharge = ({ botId, chargeId, companyId, free, paid, period }: Charge, at: number) => ({
  ...NOTHING,
  companyId,
  at,
  period,
  kind: "charge" as const,
  botId,
  chargeId,
  free: fromUnits(-free),
  paid: fromUnits(-paid)
})

/** A row of `evaluation_credit_movements`. */
export const movementRow = (movement: CreditMovement, seq: number): StateRow => ({
  table: "evaluation_credit_movements",
  values: [
    `${seq}`,
    movement.companyId,
    movement.botId,
    movement.userId,
    `${movement.at}`,
    movement.period,
    movement.kind,
    `${movement.free}`,
    `${movement.paid}`,
    `${movement.usd}`,
    `${movement.automatic}`,
    movement.chargeId
  ]
})

/** The free credits of a month. */
export interface CreditPeriod {
  readonly companyId: string
  readonly period: string
  readonly granted: Amount
  readonly grantedAt: number
  readonly lapsed: { readonly credits: Amount; readonly at: number } | null
}

/** A row of `evaluation_credit_periods`. */
export const periodRow = ({ companyId, granted, grantedAt, lapsed, period }: CreditPeriod): StateRow => ({
  table: "evaluation_credit_periods",
  values: [
    `${companyId}/${period}`,
    companyId,
    period,
    `${granted}`,
    `${grantedAt}`,
    lapsed === null ? null : `${lapsed.credits}`,
    lapsed === null ? null : `${lapsed.at}`
  ]
})

/** What a bot may use in a month, as the last event left it. */
export interface CreditBudget {
  readonly companyId: string
  readonly botId: string
  readonly period: string
  readonly times: number
  readonly set: Amount
  readonly toppedUp: Amount
  readonly seq: number
}

/** A row of `evaluation_credit_budgets`. */
export const budgetRow = ({ botId, companyId, period, seq, set, times, toppedUp }: CreditBudget): StateRow => ({
  table: "evaluation_credit_budgets",
  values: [
    `${botId}/${period}`,
    companyId,
    botId,
    period,
    creditBudgetOf(botId, period),
    `${times}`,
    `${set}`,
    `${toppedUp}`,
    `${seq}`
  ]
})

const movedRows = (event: EvaluationCreditsEvent, seq: number): ReadonlyArray<TableRow> => {
  const movement = movementOf(event)
  return movement === undefined ? [] : [add(movementRow(movement, seq))]
}

export const grantedRows = ({ event, seq }: Recorded<CreditsGranted>): ReadonlyArray<TableRow> => {
  const { at, companyId, credits, period } = event
  return [
    add(periodRow({ companyId, period, granted: credits, grantedAt: at, lapsed: null })),
    ...movedRows(event, seq)
  ]
}

/** What lapses was granted. */
export const lapsedRows = ({ event, seq }: Recorded<CreditsLapsed>): ReadonlyArray<TableRow> => [
  set("evaluation_credit_periods", `${event.companyId}/${event.period}`, {
    lapsed: `${event.credits}`,
    lapsed_at: `${event.at}`
  }),
  ...movedRows(event, seq)
]

export const boughtRows = ({ event, seq }: Recorded<CreditsBought>): ReadonlyArray<TableRow> => movedRows(event, seq)

export const chargedRows = ({ event: { at, charge }, seq }: Recorded<BotDecided>): ReadonlyArray<TableRow> =>
  charge === null ? [] : [add(movementRow(movementOfCharge(charge, at), seq))]

const budgetAfter = (before: CreditBudget | undefined, { event, seq }: Happened): CreditBudget => {
  if (event._tag === "CreditBudgetSet") {
    const { after, botId, companyId, period, times } = event
    return { companyId, botId, period, times, set: after, toppedUp: before?.toppedUp ?? ZERO, seq }
  }
  if (event._tag !== "CreditsBought" || before === undefined) {
    throw new RangeError(`${event._tag} on a budget that was never set`)
  }
  return { ...before, toppedUp: fromUnits(before.toppedUp + event.credits), seq }
}

/** The rows of what bots may use in a month, by their keys: what was bought automatically adds up. */
export const creditBudgets: Aggregate<CreditBudget> = {
  of: (event) => {
    if (event._tag === "CreditBudgetSet") return { name: `${event.botId}/${event.period}`, isNew: event.times === 1 }
    if (event._tag !== "CreditsBought" || !event.automatic) return undefined
    return { name: `${event.botId}/${event.period}`, isNew: false }
  },
  after: budgetAfter,
  namesOf: ({ botId, period }) => [`${botId}/${period}`],
  rows: (budget) => [budgetRow(budget)]
}
