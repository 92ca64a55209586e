import { describe, expect, it } from "bun:test"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")

const sim = (...given: ReadonlyArray<string>) => {
  const child = Bun.spawnSync([process.execPath, join(root, "scripts/sim.ts"), ...given], {
    cwd: root,
    stdin: "ignore"
  })
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() }
}

describe("bun run sim", () => {
  it("prints the seed, the events and both hashes, the same each time", () => {
    const given = ["--seed", "9", "--orders", "8", "--traders", "4", "--faults"]
    const [once, again] = [sim(...given), sim(...given)]
    const told = once.out.split("\n").filter((line) => /^(seed|events|state hash|events hash)/.test(line))
    expect(told.length).toBe(4)
    expect(told[0]).toMatch(/^seed +9$/)
    for (const line of told) expect(again.out).toContain(line)
    expect(once.code).toBe(0)
  })

  it("answers everything as JSON, amounts as decimal strings", () => {
    const { out, code } = sim("--orders", "4", "--traders", "3", "--json")
    const result = JSON.parse(out)
    expect(result).toMatchObject({ seed: 42, violation: null })
    expect(result.stateHash).toMatch(/^[0-9a-f]{64}$/)
    expect(result.orders[0].entryPrice).toMatch(/^\d+(\.\d{1,6})?$/)
    expect(code).toBe(0)
  })

  it("gives the same hash over many seeds, however many run side by side", () => {
    const given = ["--seeds", "6", "--seed", "30", "--orders", "4", "--traders", "3", "--faults"]
    const [alone, both] = ["1", "2"].map((jobs) => sim(...given, "--jobs", jobs))
    const hash = alone?.out.match(/^sweep hash +([0-9a-f]{64})$/m)?.[1]
    expect(hash).toBeDefined()
    expect(both?.out).toContain(`sweep hash    ${hash}`)
    expect(both?.out).toMatch(/^seeds +6 from 30, 0 failed$/m)
    expect(both?.out).toMatch(/^speed +\d+ events\/s of wall time, [\d.]+ s, jobs 2$/m)
    expect([alone?.code, both?.code]).toEqual([0, 0])
  })

  it("refuses a report of many seeds", () => {
    const { code, err } = sim("--seeds", "2", "--report", "out.html")
    expect(code).toBe(2)
    expect(err).toContain("--report is for one seed: leave out --report or --seeds\nbun run sim")
  })

  it("says how it is used", () => {
    const { code, err } = sim("--what")
    expect(code).toBe(2)
    expect(err).toContain("unknown argument --what\nbun run sim")
    const help = sim("--help")
    expect(help.code).toBe(0)
    expect(help.out).toContain("--seeds")
  })
})
