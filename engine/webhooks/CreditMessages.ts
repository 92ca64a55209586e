import type { CreditEvent } from "../credit/CreditEvent.ts"
import { creditStream } from "../credit/CreditStanding.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import { creditObject } from "../credit/CreditObject.ts"
import { type Draft, type Drafts, drafted, type History, reading } from "./History.ts"

/** What the user could owe before its latest event. */
const grantedBefore = (events: ReadonlyArray<CreditEvent>, userId: string): Amount =>
  events.filter((event) => event.userId === userId).at(-2)?.granted ?? ZERO

/**
 * What is told of a credit event, to the user's company. That a lowered limit's repaid part can no longer be used is
 * told nobody: it changes neither the score nor what the user may owe.
 */
export const creditMessages = (event: CreditEvent, history: History): Drafts => {
  if (event._tag === "CreditLimitSet") return drafted([])
  const { companyId, granted, userId } = event
  return reading(history, creditStream(companyId), (events) => {
    const before = grantedBefore(events as ReadonlyArray<CreditEvent>, userId)
    const told = (type: Draft["type"]): Draft => ({ type, companyId, object: () => creditObject(event, before) })
    const scored = told("credit.score_updated")
    return drafted(granted === before ? [scored] : [scored, told("credit.limit_changed")])
  })
}
