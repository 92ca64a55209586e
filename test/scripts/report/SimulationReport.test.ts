import { describe, expect, it } from "bun:test"
import { toNumber } from "../../../engine/money/Amount.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import type { SimulationResult } from "../../../engine/simulation/SimulationResult.ts"
import type { ReportData } from "../../../scripts/report/ReportData.ts"
import { simulationReport } from "../../../scripts/report/SimulationReport.ts"
import { hashing, readHistory } from "../../../scripts/SimulationPlatform.ts"

const history = readHistory(new URL("../../../data/daily-rates-per-usd.csv", import.meta.url))

const result: SimulationResult = simulate(makeScenario({ seed: 7, orders: 8, traders: 6, faults: true, keep: {} }), {
  hashing,
  history,
  prices: true
})

const dataOf = (page: string): ReportData => {
  const text = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? ""
  return JSON.parse(text) as ReportData
}

describe("simulationReport", () => {
  it("is one page that loads nothing", async () => {
    const page = await simulationReport(result, "npm run sim -- --seed 7")
    expect(page.startsWith("<!doctype html>")).toBe(true)
    expect(page).toContain("default-src 'none'")
    expect(page.match(/<(?:link|img|iframe|script)[^>]*\s(?:src|href)=/g)).toBeNull()
    expect(page.match(/@import|url\((?!data:)/g)).toBeNull()
    expect(page.match(/<\/script>/g)?.length).toBe(2)
  })

  it("carries every order and trader, best trader first, in USD", async () => {
    const data = dataOf(await simulationReport(result, "npm run sim -- --seed 7"))
    expect(data.stateHash).toBe(result.stateHash)
    expect(data.orders.map(({ id }) => id).toSorted()).toEqual(result.orders.map(({ orderId }) => orderId).toSorted())
    expect(data.orders.some(({ prices }) => prices.length > 1)).toBe(true)
    const profits = result.traders.map(({ profit }) => toNumber(profit)).toSorted((one, other) => other - one)
    expect(data.traders.map(({ profit }) => profit)).toEqual(profits)
  })

  it("shows a broken rule, whatever its words are", async () => {
    const violation = { invariant: "zero_sum", detail: "</script><script>alert(1)</script>", seq: 3, at: 0 }
    const page = await simulationReport({ ...result, violation }, "npm run sim -- --seed 7")
    expect(page).not.toContain("<script>alert")
    expect(dataOf(page).violation).toEqual({ invariant: "zero_sum", detail: violation.detail, seq: 3 })
  })
})
