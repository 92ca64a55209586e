import { expect, it } from "bun:test"
import { tradeReplays } from "../../../engine/replay/TradeReplays.ts"
import { COMPANY_FAMILIES } from "../../../engine/simulation/ReachableEvents.ts"

it("has a replay of its own for each family of what companies do", () => {
  const replays = tradeReplays({ history: false, put: () => undefined })
  expect(Object.keys(replays).toSorted()).toEqual([...COMPANY_FAMILIES, "company"].toSorted())
  expect(new Set(Object.values(replays).map(({ constructor }) => constructor)).size).toBe(COMPANY_FAMILIES.length + 1)
})
