import type { Command } from "../ledger/Command.ts"
import { custodyOf } from "../ledger/Funding.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import { CREDIT_ASSET, creditLimitOf } from "../commerce/PurchaseOrder.ts"
import type { CreditEvent } from "./CreditEvent.ts"

/** A day in milliseconds: the time within which assessments are counted. */
export const ASSESSMENT_WINDOW = 86_400_000

/** What one user may owe. */
export interface UserCredit {
  readonly granted: Amount
  /** The balance of the limit's account: never below `granted`, and above it while unpaid orders use more. */
  readonly posted: Amount
}

/** A request that was scored. */
export interface PastAssessment {
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The credit of one company's users as its events make it. They share a stream, because they share a ceiling. */
export interface CreditStanding {
  readonly companyId: string
  /** The number of events recorded. */
  version: number
  readonly users: Map<string, UserCredit>
  /** Those of the last {@link ASSESSMENT_WINDOW} before the newest, oldest first. */
  assessments: ReadonlyArray<PastAssessment>
}

/** The stream of a company's credit events. */
export const creditStream = (companyId: string): string => `credit/${companyId}`

/** A company none of whose users was scored. */
export const unassessed = (companyId: string): CreditStanding => ({
  companyId,
  version: 0,
  users: new Map(),
  assessments: []
})

const NONE: UserCredit = { granted: ZERO, posted: ZERO }

export const creditOf = ({ users }: CreditStanding, userId: string): UserCredit => users.get(userId) ?? NONE

/** What the accounts of the company's other users hold. */
export const postedToOthers = ({ users }: CreditStanding, userId: string): Amount =>
  fromUnits(Array.from(users).reduce((sum, [id, { posted }]) => (id === userId ? sum : sum + posted), 0n))

/** Those of a time's last {@link ASSESSMENT_WINDOW}. */
export const assessmentsBefore = ({ assessments }: CreditStanding, now: number): ReadonlyArray<PastAssessment> =>
  assessments.filter(({ at }) => at > now - ASSESSMENT_WINDOW)

/** Moves the limit's account to what an event says; nothing where it is there already. */
export const commandsOf = (standing: CreditStanding, event: CreditEvent): ReadonlyArray<Command> => {
  const { userId, posted } = event
  const change = posted - creditOf(standing, userId).posted
  if (change === 0n) return []
  const [limit, outside] = [creditLimitOf(userId), custodyOf(CREDIT_ASSET)]
  const [from, to] = change > 0n ? [outside, limit] : [limit, outside]
  const amount = fromUnits(change > 0n ? change : -change)
  const id = `credit-limit/${standing.companyId}/${standing.version + 1}`
  return [{ _tag: "Transfer", id, from, to, amount, purpose: "credit" }]
}

/** Applies one recorded event, in place. */
export const evolve = (standing: CreditStanding, event: CreditEvent): void => {
  const { userId, granted, posted, at } = event
  standing.version += 1
  standing.users.set(userId, { granted, posted })
  if (event._tag === "CreditAssessed") {
    standing.assessments = [...assessmentsBefore(standing, at), { userId, at }]
  }
}
