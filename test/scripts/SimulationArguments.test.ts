import { describe, expect, it } from "bun:test"
import { commandOf } from "../../engine/simulation/Shrink.ts"
import { readArguments } from "../../scripts/SimulationArguments.ts"

const split = (text: string): ReadonlyArray<string> => text.split(" ")

describe("The arguments of a simulation", () => {
  it("has defaults for all of them", () => {
    expect(readArguments([])).toEqual({
      spec: { seed: 42, orders: 200, traders: 50, faults: false, keep: {} },
      json: false,
      report: undefined
    })
  })

  it("reads what the command of a scenario says", () => {
    const spec = { seed: 7, orders: 10, traders: 8, faults: true, keep: { orders: [3], traders: [0, 2], faults: [] } }
    const given = commandOf(spec).replace("bun run sim ", "")
    expect(readArguments(split(given))).toMatchObject({ spec })
    const turnout = { ...spec, rule: "turnout" as const }
    expect(readArguments(split(commandOf(turnout).replace("bun run sim ", "")))).toMatchObject({ spec: turnout })
    expect(readArguments(["--seed=7", "--json", "--report=out.html"])).toMatchObject({ json: true, report: "out.html" })
  })

  it("says what is wrong", () => {
    expect(readArguments(["--orders"])).toBe("--orders needs a value")
    expect(readArguments(["--orders", "-1"])).toBe("--orders is an integer from 0 to 100000")
    expect(readArguments(["--seed", "x"])).toContain("--seed is an integer")
    expect(readArguments(["--rule", "majority"])).toBe("--rule is one of weighted, quorum, turnout")
    expect(readArguments(["--fault"])).toBe("unknown argument --fault")
    expect(readArguments(["--keep-orders", "1,,2"])).toContain("--keep-orders takes numbers")
  })
})
