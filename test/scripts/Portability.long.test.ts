import { afterAll, beforeAll, describe, expect, it } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FAIRNESS_RULES } from "../../engine/arena/Fairness.ts"
import type { SimulationSpec } from "../../engine/simulation/Shrink.ts"
import { requireRuntime, RUNTIMES } from "../lib/Runtimes.ts"

const root = join(import.meta.dir, "../..")
const RATES = join(root, "data/daily-rates-per-usd.csv")

/** Ten seeds with faults, ten without, some with bots, in all readings of the 3/4 rule. */
const ARENAS: ReadonlyArray<SimulationSpec> = Array.from({ length: 20 }, (_, index) => ({
  seed: 100 + index,
  orders: 12,
  traders: 8,
  faults: index % 2 === 0,
  ...(index % 5 === 4 && { bots: 5 }),
  rule: FAIRNESS_RULES[index % FAIRNESS_RULES.length] ?? "weighted"
}))

/** Several nodes, and their adversary. */
const NODES: ReadonlyArray<SimulationSpec> = Array.from({ length: 5 }, (_, index) => ({
  seed: 200 + index,
  nodes: 2 + (index % 3),
  requests: 40
}))

const folder = mkdtempSync(join(tmpdir(), "emporion-portable-"))

/** The module of the page on simulations, and a scheduler with a bound. */
const page = readFileSync(join(root, "docs/concepts/simulation.md"), "utf8")
writeFileSync(join(folder, "mine.ts"), /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? "")
const OWN: ReadonlyArray<SimulationSpec> = Array.from({ length: 4 }, (_, index) => ({
  seed: 300 + index,
  orders: 8,
  traders: 4,
  faults: index % 2 === 0,
  ...(index < 2 && { depth: 3 }),
  with: join(folder, "mine.ts")
}))

const SPECS = [...ARENAS, ...NODES, ...OWN]

const bundle = join(folder, "simPortable.mjs")

const hashesOn = (command: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const child = Bun.spawnSync([...command, bundle, RATES, ...SPECS.map((spec) => JSON.stringify(spec))], {
    stdin: "ignore",
    env: { ...process.env, NO_COLOR: "1" }
  })
  expect(child.stderr.toString()).toBe("")
  return child.stdout
    .toString()
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line))
}

/** How a runtime takes the sources as they are. */
const fromSources = ({ command: [program = "", ...options], name }: (typeof RUNTIMES)[number]): ReadonlyArray<string> =>
  name === "Deno"
    ? [program, "run", "--allow-all", "--no-check", "--no-lock", "--node-modules-dir=manual"]
    : [program, ...options]

/** What the command tells of a few seeds with a module, but for its speed. */
const swept = (program: ReadonlyArray<string>): object => {
  const given = [
    "--with",
    join(folder, "mine.ts"),
    "--faults",
    "--orders",
    "6",
    "--traders",
    "4",
    "--seeds",
    "3",
    "--json"
  ]
  const child = Bun.spawnSync([...program, join(root, "scripts/sim.ts"), ...given], { stdin: "ignore", cwd: root })
  expect([child.stderr.toString(), child.exitCode]).toEqual(["", 0])
  const { speed: _, ...told } = JSON.parse(child.stdout.toString())
  return told
}

beforeAll(async () => {
  const built = await Bun.build({
    entrypoints: [join(root, "scripts/simPortable.ts")],
    target: "node",
    format: "esm",
    outdir: folder,
    naming: "simPortable.mjs"
  })
  expect(built.success).toBe(true)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

let onBun: ReadonlyArray<unknown> | undefined
let sweptOnBun: object | undefined

describe("A simulation on another runtime", () => {
  for (const runtime of RUNTIMES) {
    const { name, command } = runtime
    it(`gives the same two hashes on ${name} as on Bun, for ${SPECS.length} seeds`, () => {
      requireRuntime(runtime)
      onBun ??= hashesOn([process.execPath])
      const here = onBun
      expect(here.length).toBe(SPECS.length)
      expect(here.every((line) => JSON.stringify(line).includes(`"violation":null`))).toBe(true)
      expect(hashesOn(command)).toEqual(here)
    }, 120_000)

    it(`is the same command on ${name}, with a module and workers`, () => {
      requireRuntime(runtime)
      sweptOnBun ??= swept([process.execPath])
      expect(swept(fromSources(runtime))).toEqual(sweptOnBun)
    }, 120_000)
  }
})
