import { describe, expect, it } from "bun:test"
import { NO_FASHION } from "../../../engine/simulation/FrequentActs.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { MODULES, planUnusual } from "../../../engine/simulation/UnusualBotActs.ts"

describe("Something unusual about a bot", () => {
  const bots = Array.from({ length: 300 }, (_, seed) => seed)
  const drawn = (fashions: Parameters<typeof planUnusual>[2]) =>
    bots.map((seed) => planUnusual(new SeededRandom(seed, "unusual"), 300_000, fashions))

  it("is seldom, and of some kinds often where they are in fashion", () => {
    const modular = (fashions: Parameters<typeof planUnusual>[2]) =>
      drawn(fashions).filter(({ module }) => module !== undefined).length
    expect(modular(NO_FASHION)).toBeLessThan(45)
    expect(modular(new Set(["modules"]))).toBeGreaterThan(150)
    const ended = drawn(new Set(["terminations"])).filter(({ requests }) =>
      requests.some(([, { act }]) => act === "terminate")
    )
    expect(ended.length).toBeGreaterThan(150)
  })

  it("has one of the modules that there are, and requests within the simulation", () => {
    for (const { module = MODULES[0], requests } of drawn(new Set(["modules", "thrift", "terminations"]))) {
      expect<ReadonlyArray<string>>(MODULES).toContain(module)
      expect(requests.every(([at]) => at >= 0 && at < 300_000)).toBe(true)
    }
  })
})
