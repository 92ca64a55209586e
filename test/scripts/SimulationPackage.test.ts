import { describe, expect, it } from "bun:test"
import { type ExtensionContext, fault, invariant, shrink, simulate, trader } from "emporion/simulation"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

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
