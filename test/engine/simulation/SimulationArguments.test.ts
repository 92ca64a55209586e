import { describe, expect, it } from "bun:test"
import { commandOf } from "../../../engine/simulation/Shrink.ts"
import { readArguments } from "../../../engine/simulation/SimulationArguments.ts"

const split = (text: string): ReadonlyArray<string> => text.split(" ")

describe("The arguments of a simulation", () => {
  it("has defaults for all of them", () => {
    expect(readArguments([])).toEqual({
      spec: { seed: 42, orders: 200, traders: 50, faults: false, keep: {} },
      json: false,
      report: undefined,
      sweep: undefined
    })
  })

  it("reads what the command of a scenario says", () => {
    const spec = { seed: 7, orders: 10, traders: 8, faults: true, keep: { orders: [3], traders: [0, 2], faults: [] } }
    const given = commandOf(spec).replace("npm run sim -- ", "")
    expect(readArguments(split(given))).toMatchObject({ spec })
    const turnout = { ...spec, rule: "turnout" as const }
    expect(readArguments(split(commandOf(turnout).replace("npm run sim -- ", "")))).toMatchObject({ spec: turnout })
    const bots = { ...spec, bots: 5, keep: { ...spec.keep, bots: [1] } }
    expect(readArguments(split(commandOf(bots).replace("npm run sim -- ", "")))).toMatchObject({ spec: bots })
    expect(readArguments(["--seed=7", "--json", "--report=out.html"])).toMatchObject({ json: true, report: "out.html" })
  })

  it("reads a scheduler with a bound and a module, and writes them into the command as a shell takes them", () => {
    const spec = { seed: 7, orders: 10, traders: 8, faults: false, depth: 2, with: "../mine.ts", keep: {} }
    expect(commandOf(spec)).toEndWith("--scheduler pct --depth 2 --with ../mine.ts")
    expect(readArguments(split(commandOf(spec).replace("npm run sim -- ", "")))).toMatchObject({ spec })
    expect(commandOf({ ...spec, with: "my bot's.ts" })).toEndWith(` --with 'my bot'\\''s.ts'`)
    expect(readArguments(["--with=a=b.ts"])).toMatchObject({ spec: { with: "a=b.ts" } })
    expect(readArguments(["--scheduler", "pct"])).toMatchObject({ spec: { depth: 3 } })
    expect(readArguments(["--scheduler", "uniform"])).toMatchObject({ spec: { seed: 42 } })
    expect(readArguments(["--depth", "3"])).toBe("--depth is for --scheduler pct")
    expect(readArguments(["--scheduler", "fifo"])).toBe("--scheduler is one of uniform, pct")
    expect(readArguments(["--scheduler", "pct", "--depth", "0"])).toBe("--depth is an integer from 1 to 100")
    expect(readArguments(["--nodes", "3", "--with", "mine.ts"])).toContain("--with is for the arena")
  })

  it("reads how many seeds, and how many side by side", () => {
    expect(readArguments(["--seeds", "1000"])).toMatchObject({ sweep: { seeds: 1_000, jobs: undefined } })
    expect(readArguments(["--seed", "7", "--seeds=20", "--jobs", "2", "--faults", "--json"])).toMatchObject({
      spec: { seed: 7, faults: true },
      json: true,
      sweep: { seeds: 20, jobs: 2 }
    })
    expect(readArguments(["--seed", "9007199254740990", "--seeds", "2"])).toMatchObject({ sweep: { seeds: 2 } })
  })

  it("says what does not go with many seeds", () => {
    expect(readArguments(["--seeds", "0"])).toBe("--seeds is an integer from 1 to 100000")
    expect(readArguments(["--seeds", "100001"])).toBe("--seeds is an integer from 1 to 100000")
    expect(readArguments(["--seeds", "2", "--jobs", "0"])).toBe("--jobs is an integer from 1 to 64")
    expect(readArguments(["--seeds", "2", "--jobs", "65"])).toBe("--jobs is an integer from 1 to 64")
    expect(readArguments(["--jobs", "2"])).toBe("--jobs is for many seeds: add --seeds")
    expect(readArguments(["--seeds", "2", "--report", "out.html"])).toBe(
      "--report is for one seed: leave out --report or --seeds"
    )
    expect(readArguments(["--keep-orders", "1", "--seeds", "2"])).toContain("--keep-orders is for one seed")
    expect(readArguments(["--seed", "9007199254740991", "--seeds", "2"])).toContain("take a smaller --seed")
  })

  it("reads several nodes, and what the command of a failing world says", () => {
    expect(readArguments(["--nodes", "3"])).toMatchObject({ spec: { seed: 42, nodes: 3, requests: 60 } })
    const spec = { seed: 7, nodes: 2, requests: 9, keep: { requests: [3], faults: [] } }
    expect(readArguments(split(commandOf(spec).replace("npm run sim -- ", "")))).toMatchObject({ spec })
    expect(readArguments(["--nodes", "3", "--orders", "4"])).toContain("--orders is for the arena")
    expect(readArguments(["--requests", "3"])).toBe("--requests is for several nodes: add --nodes")
    expect(readArguments(["--nodes", "17"])).toBe("--nodes is an integer from 1 to 16")
    expect(readArguments(["--nodes", "3", "--requests", "x"])).toContain("--requests is an integer")
    expect(readArguments(["--nodes", "3", "--seeds", "2", "--keep-requests", "1"])).toContain("is for one seed")
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
