import { describe, expect, it } from "bun:test"
import { type BotMeans, botNeeds } from "../../../../../src/dashboard/app/bots/BotNeeds.ts"

const READY: BotMeans = {
  company: { plan: "pro", machine_trader: true },
  most: 5,
  living: 4,
  wallet: `0x${"1".repeat(40)}`,
  free: 12.5
}

const missing = (means: Partial<BotMeans>): ReadonlyArray<string> =>
  botNeeds({ ...READY, ...means }).flatMap(({ done, title }) => (done ? [] : [title]))

describe("botNeeds", () => {
  it("names what is missing, and where to get it", () => {
    expect(missing({})).toEqual([])
    expect(missing({ company: { plan: "standard", machine_trader: true }, most: 0, living: 0 })).toEqual([
      "A plan with bots"
    ])
    expect(missing({ company: { plan: "pro", machine_trader: false } })).toEqual(["The right to have machines trade"])
    expect(missing({ living: 5 })).toEqual(["Room for another one"])
    expect(missing({ wallet: null, free: 0 })).toEqual(["A linked wallet", "US dollars for its collateral"])
    expect(botNeeds(READY).map(({ to }) => to)).toEqual(["/plan", "/bots", "/account", "/funds"])
  })
})
