import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { Result } from "effect"
import type { CreditRequest } from "../../../engine/credit/CreditApplication.ts"
import {
  assessment,
  MOST_ASSESSMENTS_A_DAY,
  MOST_COMPANY_ASSESSMENTS_A_DAY,
  TooManyAssessments
} from "../../../engine/credit/CreditDecision.ts"
import { ASSESSMENT_WINDOW, unassessed } from "../../../engine/credit/CreditStanding.ts"
import { trainedModel } from "../../../engine/credit/TrainedModel.ts"
import { fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import { REQUEST } from "../../lib/CreditArbitraries.ts"
import { CreditLine } from "../../lib/CreditLine.ts"
import { property } from "../../lib/Property.ts"

const dollars = (whole: number) => fromUnits(BigInt(whole) * ONE)
const USERS = ["usr_1", "usr_2", "usr_3"] as const
const [ANN, BOB] = USERS

/** Band E, whatever is asked. */
const POOR: CreditRequest = { ...REQUEST, annualIncome: 9_000, homeOwnership: false }

const anyUser = fc.constantFrom(...USERS)
const anyRequest = fc.record({
  annualIncome: fc.constantFrom(9_000, 40_000, 65_000, 150_000),
  homeOwnership: fc.boolean(),
  loanAmt: fc.constantFrom(1, 500, 4_000, 9_000, 20_000, 35_000, 100_000)
})
const anyAct = fc.oneof(
  fc.record({ act: fc.constant("request" as const), user: anyUser, fields: anyRequest }),
  fc.record({ act: fc.constant("order" as const), user: anyUser, amount: fc.integer({ min: 1, max: 12_000 }) }),
  fc.record({ act: fc.constant("repay" as const), user: anyUser }),
  fc.record({ act: fc.constant("trim" as const), user: anyUser })
)

describe("assessment", () => {
  it("grants what the card says, and a new request replaces it", () => {
    const line = new CreditLine()
    expect(line.request(ANN, REQUEST)).toMatchObject({ granted: dollars(9_000), posted: dollars(9_000) })
    expect(line.request(ANN, REQUEST)?.granted).toBe(dollars(9_000))
    expect(line.request(ANN, { ...REQUEST, loanAmt: 2_000 })?.posted).toBe(dollars(2_000))
    expect(line.free(ANN)).toBe(dollars(2_000))
  })

  it("gives the same card for the same request, whatever was before", () => {
    const line = new CreditLine()
    const first = line.request(ANN, REQUEST)
    line.request(ANN, POOR)
    line.order(ANN, dollars(1))
    expect(line.request(ANN, REQUEST)?.card).toEqual(first!.card)
  })

  it("keeps what unpaid orders use when the limit falls below it, and takes it back as it is repaid", () => {
    const line = new CreditLine()
    line.request(ANN, REQUEST)
    line.order(ANN, dollars(5_000))
    line.order(ANN, dollars(3_000))
    expect(line.request(ANN, POOR)).toMatchObject({ granted: ZERO, posted: dollars(8_000) })
    expect(line.order(ANN, dollars(1))).toBe(false)
    expect(line.trim(ANN)).toBe(false)
    line.repay(ANN)
    expect(line.trim(ANN)).toBe(true)
    expect(line.free(ANN)).toBe(ZERO)
    expect(line.used(ANN)).toBe(dollars(3_000))
    line.repay(ANN)
    expect(line.trim(ANN)).toBe(true)
    expect(line.total).toBe(0n)
  })

  it("lets nobody owe more than the limit, or than what was owed when the limit was lowered", () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 60, size: "max" }), (acts) => {
        const line = new CreditLine()
        const ceilings = new Map<string, bigint>()
        for (const one of acts) {
          const { user } = one
          const total = line.total
          if (one.act === "request") {
            line.now += ASSESSMENT_WINDOW
            const owed = line.used(user)
            const event = line.request(user, { ...REQUEST, ...one.fields })!
            ceilings.set(user, owed > event.granted ? owed : event.granted)
            expect(event.granted).toBeLessThanOrEqual(event.card.limit)
            expect(line.total).toBeLessThanOrEqual(total > event.card.limit ? total : event.card.limit)
          }
          if (one.act === "order") line.order(user, dollars(one.amount))
          if (one.act === "repay") line.repay(user)
          if (one.act === "trim") {
            line.trim(user)
            const [owed, granted] = [line.used(user), line.granted(user)]
            expect(line.book.account(`${user}/USD-CREDIT/credit_limit`).balance).toBe(owed > granted ? owed : granted)
          }
          for (const each of USERS) expect(line.used(each)).toBeLessThanOrEqual(ceilings.get(each) ?? 0n)
        }
        for (const each of USERS) for (let left = acts.length; left > 0; left--) line.repay(each)
        for (const each of USERS) line.trim(each)
        for (const each of USERS) expect(line.free(each)).toBe(line.granted(each))
      }),
      property()
    )
  })
})

describe("an attack on the limit", () => {
  const alone = (request: CreditRequest): bigint => new CreditLine().request(ANN, request)!.granted

  it("by requests for ever larger loans gains nothing: the last one counts", () => {
    const line = new CreditLine()
    for (const loanAmt of [1_000, 5_000, 9_000, 20_000, 35_000, 1_000_000, 2_147_483_647]) {
      const request = { ...REQUEST, loanAmt }
      expect(line.request(ANN, request)?.posted).toBe(fromUnits(alone(request)))
    }
  })

  it("by switching the ownership of the home gains nothing", () => {
    const line = new CreditLine()
    for (const homeOwnership of [true, false, true, false, true]) {
      const request = { ...REQUEST, homeOwnership }
      expect(line.request(ANN, request)?.posted).toBe(fromUnits(alone(request)))
    }
    expect(alone({ ...REQUEST, homeOwnership: false })).toBeLessThanOrEqual(alone(REQUEST))
  })

  it("by using the limit and asking again for a fresh one gains nothing: what is used stays used", () => {
    const line = new CreditLine()
    line.request(ANN, REQUEST)
    expect(line.order(ANN, dollars(9_000))).toBe(true)
    expect(line.request(ANN, REQUEST)?.posted).toBe(dollars(9_000))
    expect(line.free(ANN)).toBe(ZERO)
    expect(line.order(ANN, dollars(1))).toBe(false)
  })

  it("by a second user of the company gains nothing: they share the best one's limit", () => {
    const line = new CreditLine()
    line.request(ANN, REQUEST)
    expect(line.request(BOB, REQUEST)).toMatchObject({ granted: ZERO, posted: ZERO })
    expect(line.request(BOB, { ...REQUEST, annualIncome: 200_000, loanAmt: 12_000 })?.granted).toBe(dollars(3_000))
    expect(line.total).toBe(dollars(12_000))
  })

  it("by a second user while the first one's lowered limit is still owed gains nothing", () => {
    const line = new CreditLine()
    line.request(ANN, REQUEST)
    line.order(ANN, dollars(9_000))
    line.request(ANN, POOR)
    expect(line.request(BOB, REQUEST)?.granted).toBe(ZERO)
    line.repay(ANN)
    line.trim(ANN)
    expect(line.request(BOB, REQUEST)?.granted).toBe(dollars(9_000))
  })

  it("by trying all day is refused, by one user and by many, until a day has passed", () => {
    const line = new CreditLine()
    const start = line.now
    for (let turn = 0; turn < MOST_ASSESSMENTS_A_DAY; turn++) {
      expect(line.request(ANN, { ...REQUEST, loanAmt: 1_000 + turn })).toBeDefined()
      line.now += 1_000
    }
    const situation = { standing: line.standing, used: ZERO }
    expect(assessment(trainedModel, situation, REQUEST, { userId: ANN, at: line.now })).toEqual(
      Result.fail(
        new TooManyAssessments({
          by: "user",
          retryAfterSeconds: Math.ceil((start + ASSESSMENT_WINDOW - line.now) / 1_000)
        })
      )
    )
    for (let turn = MOST_ASSESSMENTS_A_DAY; turn < MOST_COMPANY_ASSESSMENTS_A_DAY; turn++) {
      expect(line.request(`usr_more_${turn}`, REQUEST)).toBeDefined()
    }
    expect(assessment(trainedModel, situation, REQUEST, { userId: BOB, at: line.now })).toMatchObject({
      failure: { by: "company", retryAfterSeconds: Math.ceil((start + ASSESSMENT_WINDOW - line.now) / 1_000) }
    })
    line.now = start + ASSESSMENT_WINDOW
    expect(line.request(ANN, REQUEST)).toBeDefined()
    expect(line.request(ANN, REQUEST)).toBeUndefined()
  })

  it("by what cannot be read is refused before it counts", () => {
    const situation = { standing: unassessed("cmp_1"), used: ZERO }
    const decided = assessment(trainedModel, situation, { ...REQUEST, empLength: "long" }, { userId: ANN, at: 0 })
    expect(decided).toMatchObject({ failure: { _tag: "InvalidApplication", field: "empLength" } })
  })
})
