import { describe, expect, it } from "bun:test"
import { OPTIONS } from "../../engine/simulation/SimulationArguments.ts"
import { sim, simHere } from "../lib/SimCommand.ts"

describe("npm run sim", () => {
  it("prints the seed, the events and both hashes, the same in another process", async () => {
    const given = ["--seed", "9", "--orders", "8", "--traders", "4", "--faults"]
    const [once, again] = [sim(...given), await simHere(...given)]
    const told = once.out.split("\n").filter((line) => /^(seed|events|state hash|events hash)/.test(line))
    expect(told.length).toBe(4)
    expect(told[0]).toMatch(/^seed +9$/)
    for (const line of told) expect(again.out).toContain(line)
    expect(once.code).toBe(0)
  })

  it("answers everything as JSON, amounts as decimal strings", async () => {
    const { out, code } = await simHere("--orders", "4", "--traders", "3", "--json")
    const result = JSON.parse(out)
    expect(result).toMatchObject({ seed: 42, violation: null })
    expect(result.stateHash).toMatch(/^[0-9a-f]{64}$/)
    expect(result.orders[0].entryPrice).toMatch(/^\d+(\.\d{1,6})?$/)
    expect(code).toBe(0)
  })

  it("has several nodes serve one database", async () => {
    const given = ["--nodes", "2", "--requests", "10", "--seed", "3"]
    const { code, out } = await simHere(...given)
    expect(out).toMatch(/^requests +\d+ acknowledged, \d+ refused, \d+ unknown$/m)
    expect(out).toMatch(/^events hash +[0-9a-f]{64}$/m)
    expect(code).toBe(0)
    expect(JSON.parse((await simHere(...given, "--json")).out)).toMatchObject({ seed: 3, violation: null })
  })

  it("refuses a report of many seeds", async () => {
    const { code, err } = await simHere("--seeds", "2", "--report", "out.html")
    expect(code).toBe(2)
    expect(err).toContain("--report is for one seed: leave out --report or --seeds\nnpm run sim")
  })

  it("ends with 2 where the parts of a subcommand's line are understood, and the whole is not", async () => {
    const lines: ReadonlyArray<readonly [string, string]> = [
      [
        "campaign /nowhere --seeds 1 --complete --faults",
        "sim: --complete asks for what only comes with --bots, --companies: give them too.\n"
      ],
      [
        "campaign /nowhere --seeds 1 --world a.json --bots 1",
        "sim: --bots is what a world has itself: leave out --bots or --world\n"
      ],
      ["compare --rule quorum --rule quorum", "sim: Give two rules: --rule quorum stands there twice.\n"]
    ]
    for (const [line, err] of lines) expect(await simHere(...line.split(" "))).toEqual({ code: 2, out: "", err })
  })

  it("says how it is used", async () => {
    const { code, err } = await simHere("--what")
    expect(code).toBe(2)
    expect(err).toContain("unknown argument --what\nnpm run sim")
    const help = await simHere("--help")
    expect(help.code).toBe(0)
    for (const option of [...OPTIONS, "--faults", "--json", "--help"]) {
      expect(help.out).toMatch(new RegExp(`^  ${option} .*\\S`, "m"))
    }
  })
})
