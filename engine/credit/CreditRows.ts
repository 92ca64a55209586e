import type { Recorded } from "../actor/Journal.ts"
import { add, put, set, type TableRow } from "../journal/TableRow.ts"
import type { StateRow } from "../replay/StateTable.ts"
import type { CreditAssessed, CreditLimitSet } from "./CreditEvent.ts"
import type { UserCredit } from "./CreditStanding.ts"

/** The texts that a card's row keeps of its lists and of what was asked. */
const textsOf = ({ card, request }: CreditAssessed) => {
  const { annualIncome, homeOwnership, empLength, loanAmt, purpose, desc } = request
  return {
    request: JSON.stringify({ annualIncome, homeOwnership, empLength, loanAmt, purpose, desc }),
    points: JSON.stringify(card.points.map(({ attribute, points }) => ({ attribute, points }))),
    reasons: JSON.stringify(card.reasons.map(({ code, text, points }) => ({ code, text, points })))
  }
}

/** A row of `credit_assessments`. */
export const assessmentRow = (event: CreditAssessed, seq: number): StateRow => {
  const { card, companyId, granted, userId } = event
  const { points, reasons, request } = textsOf(event)
  return {
    table: "credit_assessments",
    values: [
      `${seq}`,
      userId,
      companyId,
      `${card.assessedAt}`,
      request,
      `${card.score}`,
      `${card.defaultProbability}`,
      card.band,
      `${card.limit}`,
      `${granted}`,
      `${card.apr}`,
      points,
      reasons,
      card.modelVersion
    ]
  }
}

interface Limit extends UserCredit {
  readonly userId: string
  readonly companyId: string
  /** The sequences of the assessment behind it, and of the last event. */
  readonly assessedBy: number
  readonly seq: number
}

/** A row of `credit_limits`. */
export const limitRow = ({ assessedBy, companyId, granted, posted, seq, userId }: Limit): StateRow => ({
  table: "credit_limits",
  values: [userId, companyId, `${granted}`, `${posted}`, `${assessedBy}`, `${seq}`]
})

export const assessedRows = ({ event, seq }: Recorded<CreditAssessed>): ReadonlyArray<TableRow> => [
  add(assessmentRow(event, seq)),
  put(limitRow({ ...event, assessedBy: seq, seq }))
]

/** Whoever has a limit was assessed. */
export const limitSetRows = ({ event, seq }: Recorded<CreditLimitSet>): ReadonlyArray<TableRow> => [
  set("credit_limits", event.userId, { granted: `${event.granted}`, posted: `${event.posted}`, event_seq: `${seq}` })
]
