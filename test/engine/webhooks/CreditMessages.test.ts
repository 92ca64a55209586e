import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { CreditAssessed, CreditEvent } from "../../../engine/credit/CreditEvent.ts"
import { creditStream } from "../../../engine/credit/CreditStanding.ts"
import { type Amount, fromUnits, ONE, toNumber, ZERO } from "../../../engine/money/Amount.ts"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"
import { runs } from "../../lib/Property.ts"
import { outlineOf, messagesOf, wrongWith } from "../../lib/RenderedMessages.ts"

const [EXAMPLE] = EXAMPLE_EVENTS["credit.score_updated"].events as ReadonlyArray<CreditAssessed>
const BUYER = "cmp_example0buyer0000000000000"

const assessed = (userId: string, dollars: number): CreditAssessed => {
  if (EXAMPLE === undefined) throw new Error("there is no example")
  const granted = fromUnits(BigInt(dollars) * ONE)
  return { ...EXAMPLE, userId, granted, posted: granted }
}

const tell = (events: ReadonlyArray<CreditEvent>) => {
  const event = events.at(-1)
  if (event === undefined) throw new Error("there is no event to tell of")
  const messages = messagesOf(event, { [creditStream(BUYER)]: events })
  expect(wrongWith(event, messages)).toEqual([])
  return messages
}

describe("What is told of a credit event", () => {
  it("is a score each time, and a limit where that is another one than the same user's before", () => {
    const scores = fc.array(fc.tuple(fc.constantFrom("ada", "bob"), fc.constantFrom(0, 5, 9)), { minLength: 1 })
    fc.assert(
      fc.property(scores, (given) => {
        const limits = new Map<string, Amount>()
        const events: Array<CreditEvent> = []
        for (const [userId, dollars] of given) {
          const event = assessed(userId, dollars)
          events.push(event)
          const before = limits.get(userId) ?? ZERO
          const changed = before === event.granted ? [] : [`credit.limit_changed to ${BUYER}`]
          const messages = tell(events)
          expect(outlineOf(messages)).toEqual([`credit.score_updated to ${BUYER}`, ...changed])
          expect(messages[0]?.object()).toMatchObject({
            id: userId,
            amount: dollars,
            previous_amount: toNumber(before),
            status: dollars === 0 ? "declined" : "approved"
          })
          limits.set(userId, event.granted)
        }
      }),
      { numRuns: runs() }
    )
  })

  it("is nothing where only what was repaid is taken back", () => {
    const trimmed: CreditEvent = {
      _tag: "CreditLimitSet",
      at: 2,
      userId: "ada",
      companyId: BUYER,
      granted: fromUnits(5n),
      used: ZERO,
      posted: fromUnits(5n)
    }
    expect(tell([assessed("ada", 9), trimmed])).toEqual([])
  })
})
