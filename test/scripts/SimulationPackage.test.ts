import { describe, expect, it } from "bun:test"
import { type ExtensionContext, fault, invariant, shrink, simulate, trader } from "emporion/simulation"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { worldText } from "../../engine/simulation/ExportedWorld.ts"
import { simulatedExport, surveyed } from "../lib/SimulatedExport.ts"

const ROOT = join(import.meta.dir, "../..")
const EXAMPLES = readFileSync(join(ROOT, "docs/concepts/simulation.md"), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)
const [MINE = "", PROGRAM = ""] = Array.from(EXAMPLES, ([, text = ""]) => text)

const SPEC = { seed: 3, orders: 8, traders: 4, faults: false }

/** Fails as soon as its trader's third commitment is taken. */
const impatient = ({ random }: ExtensionContext) => {
  const chance = random("bids")
  let taken = 0
  return {
    trader: trader({
      onEvent({ data, type }, market) {
        if (type === "commitment_accepted") taken += 1
        if (type !== "order_updated" || data.status !== "open") return
        market.commit({
          order_id: data.order_id,
          proposed_entry_price: data.entry_price * 1.01,
          expected_exit_price: data.entry_price * 1.3,
          quantity: (data.quantity * chance.between(50, 90)) / 100
        })
      }
    }),
    fault: fault({ name: "none", strike: () => undefined }),
    invariant: invariant({ name: "two", check: () => (taken > 2 ? `${taken} commitments` : undefined) })
  }
}

/** A program of somebody's own project, whose rule is broken by the first bid. */
const BROKEN = `import { invariant, readWorld, shrink, simulate } from "emporion/simulation"
const spec = { seed: 1, orders: 4, traders: 0, faults: false, world: "world.json" }
const check = ({ events }) => events.some(({ event }) => event._tag === "CommitmentSubmitted") ? "a bid" : undefined
const mine = { invariant: invariant({ name: "none", check }) }
const world = await readWorld("world.json")
console.log(shrink(spec, simulate(spec, mine, world).violation, mine, world).command)
`

describe("emporion/simulation", () => {
  it("runs a simulation, and makes a failing one smaller", () => {
    expect(simulate(SPEC).violation).toBeNull()
    const { violation } = simulate(SPEC, impatient)
    expect(violation?.invariant).toBe("own/two")
    expect(violation?.detail).toMatch(/^[34] commitments$/)
    if (violation === null) return
    const { spec, tried } = shrink(SPEC, violation, impatient)
    expect(tried).toBeGreaterThan(1)
    if ("nodes" in spec) throw new Error("a scenario became one of several nodes")
    expect(spec.keep?.orders?.length).toBeGreaterThanOrEqual(3)
    expect(spec.keep?.traders).toEqual([])
    expect(simulate(spec, impatient).violation?.invariant).toBe("own/two")
  })

  it("leaves the companies out that a failure does not need", () => {
    const spec = { ...SPEC, companies: 3 }
    const { violation } = simulate(spec, impatient)
    if (violation === null) throw new Error("no rule was broken")
    const smaller = shrink(spec, violation, impatient)
    expect(smaller.command).toContain("--companies 3 ")
    expect(smaller.spec.keep).toMatchObject({ traders: [], companies: [] })
  })

  it("takes a world with its file's name alone, and names the file where its command finds it", () => {
    expect(() => simulate({ ...SPEC, world: "no-such-file.json" })).toThrow("give what readWorld made of it")
    const world = surveyed(simulatedExport(SPEC).events)
    expect(() => simulate(SPEC, undefined, world)).toThrow("give it as world of the specification")
    const violation = { invariant: "own/two", detail: "", seq: 1, at: 0 }
    expect(() => shrink(SPEC, violation, impatient, world)).toThrow("give it as world of the specification")
    expect(() => shrink({ ...SPEC, world: "world.json" }, violation, impatient)).toThrow("The world of world.json")
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "emporion package-")))
    try {
      mkdirSync(join(folder, "node_modules"))
      symlinkSync(ROOT, join(folder, "node_modules/emporion"))
      writeFileSync(join(folder, "world.json"), worldText(world))
      writeFileSync(join(folder, "check.ts"), BROKEN)
      const { stderr, stdout } = Bun.spawnSync([process.execPath, "check.ts"], { cwd: folder, stdin: "ignore" })
      expect(stderr.toString()).toBe("")
      expect(stdout.toString()).toContain(` --world '${folder}/world.json' `)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it("is a package for programs outside the project: that of the page runs", () => {
    const folder = mkdtempSync(join(tmpdir(), "emporion-package-"))
    try {
      mkdirSync(join(folder, "node_modules"))
      symlinkSync(ROOT, join(folder, "node_modules/emporion"))
      writeFileSync(join(folder, "mine.ts"), MINE)
      writeFileSync(join(folder, "check.ts"), `${PROGRAM.replace("seed < 100", "seed < 4")}\nconsole.log("kept")\n`)
      const { exitCode, stderr, stdout } = Bun.spawnSync([process.execPath, "check.ts"], {
        cwd: folder,
        stdin: "ignore"
      })
      expect([exitCode, stderr.toString(), stdout.toString()]).toEqual([0, "", "kept\n"])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
