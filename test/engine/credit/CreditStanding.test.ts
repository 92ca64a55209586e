import { describe, expect, it } from "bun:test"
import {
  ASSESSMENT_WINDOW,
  assessmentsBefore,
  commandsOf,
  creditOf,
  evolve,
  postedToOthers,
  unassessed
} from "../../../engine/credit/CreditStanding.ts"
import { custodyOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"

const set = (userId: string, posted: bigint) =>
  ({
    _tag: "CreditLimitSet",
    at: 0,
    userId,
    companyId: "cmp_1",
    granted: fromUnits(0n),
    used: fromUnits(posted),
    posted: fromUnits(posted)
  }) as const

describe("CreditStanding", () => {
  it("moves a limit up from the outside and down to it, each time under another id", () => {
    const standing = unassessed("cmp_1")
    const limit = "usr_1/USD-CREDIT/credit_limit"
    const outside = custodyOf("USD-CREDIT")
    const steps = [5n, 5n, 2n].map((posted) => {
      const event = set("usr_1", posted)
      const commands = commandsOf(standing, event)
      evolve(standing, event)
      return commands
    })
    expect(steps).toEqual([
      [
        {
          _tag: "Transfer",
          id: "credit-limit/cmp_1/1",
          from: outside,
          to: limit,
          amount: fromUnits(5n),
          purpose: "credit"
        }
      ],
      [],
      [
        {
          _tag: "Transfer",
          id: "credit-limit/cmp_1/3",
          from: limit,
          to: outside,
          amount: fromUnits(3n),
          purpose: "credit"
        }
      ]
    ])
    expect(creditOf(standing, "usr_1").posted).toBe(fromUnits(2n))
    expect(creditOf(standing, "usr_2").posted).toBe(fromUnits(0n))
  })

  it("counts what the others have", () => {
    const standing = unassessed("cmp_1")
    for (const [user, posted] of [
      ["usr_1", 5n],
      ["usr_2", 7n],
      ["usr_3", 1n]
    ] as const) {
      evolve(standing, set(user, posted))
    }
    expect(postedToOthers(standing, "usr_2")).toBe(fromUnits(6n))
    expect(postedToOthers(standing, "usr_9")).toBe(fromUnits(13n))
  })

  it("forgets an assessment when it is a day old", () => {
    const standing = { ...unassessed("cmp_1"), assessments: [{ userId: "usr_1", at: 10 }] }
    expect(assessmentsBefore(standing, 9 + ASSESSMENT_WINDOW)).toHaveLength(1)
    expect(assessmentsBefore(standing, 10 + ASSESSMENT_WINDOW)).toHaveLength(0)
  })
})
