import { Result } from "effect"
import { encodeEvent } from "../actor/EventChain.ts"
import type { Entry } from "../actor/Journal.ts"
import type { ArenaEvent, CommitmentSubmitted } from "../arena/ArenaEvent.ts"
import type { OrderState } from "../arena/Order.ts"
import { nextStep, openOrder } from "../arena/OrderLifecycle.ts"
import { decideSubmission, NOTHING_EARLIER } from "../arena/Submission.ts"
import type { Command } from "../ledger/Command.ts"
import { type Accrual, factsOf, type Step } from "./OrderFactsOf.ts"

/**
 * Decides a recorded event again, by the engine alone, on the state that the events before it left: its commands to the
 * ledger where the decision is the recorded one, byte for byte, else what is different.
 *
 * @param state - undefined before the opening
 * @param accrual - what collateral earned; undefined takes the recorded yields
 */
export const decideAgain = (
  state: OrderState | undefined,
  event: ArenaEvent,
  data: string,
  accrual: Accrual | undefined
): Result.Result<ReadonlyArray<Command>, string> =>
  Result.flatMap(decision(state, event, accrual), ({ commands, event: decided }) => {
    const expected = encodeEvent(decided)
    return expected === data ? Result.succeed(commands) : Result.fail(difference(expected, data))
  })

type Decision = Result.Result<Entry<ArenaEvent>, string>

const decision = (state: OrderState | undefined, event: ArenaEvent, accrual: Accrual | undefined): Decision => {
  if (event._tag === "OrderOpened") {
    return state === undefined ? Result.succeed(openOrder(event.terms)) : Result.fail("opens an order that is there")
  }
  if (state === undefined) return Result.fail("is about an order that was not opened, or is settled")
  return event._tag === "CommitmentSubmitted" ? submission(state, event) : step(state, event, accrual)
}

const submission = (state: OrderState, { at, commitment }: CommitmentSubmitted): Decision => {
  if (commitment.ordinal <= state.lastOrdinal) {
    return Result.fail(`has the ordinal ${commitment.ordinal} after ${state.lastOrdinal}`)
  }
  const decided = decideSubmission(
    state,
    { ...commitment, barred: null },
    at,
    null,
    commitment.ordinal,
    NOTHING_EARLIER
  )
  return Result.mapError(decided, (refusal) => `would be refused: ${refusal._tag} ${JSON.stringify(refusal)}`)
}

const step = (state: OrderState, event: Step, accrual: Accrual | undefined): Decision => {
  const isEarly = event._tag === "OrderSettled" && event.winner !== null && event.at < state.terms.settlementAt
  const decided = isEarly ? undefined : nextStep(state, factsOf(state, event, accrual))
  return decided === undefined ? Result.fail(`was not due at ${event.at}`) : Result.succeed(decided)
}

/** How many characters of the first difference are shown. */
const SHOWN = 80

const BEFORE = 24

const difference = (expected: string, found: string): string => {
  let at = 0
  while (at < expected.length && expected[at] === found[at]) at += 1
  const from = Math.max(0, at - BEFORE)
  const part = (text: string): string => text.slice(from, from + SHOWN)
  return `is decided otherwise by the engine: expected …${part(expected)}…, recorded is …${part(found)}…`
}
