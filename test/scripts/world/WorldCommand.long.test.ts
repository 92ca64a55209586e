import { afterAll, describe, expect, it } from "bun:test"
import { Effect, Redacted } from "effect"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exportEvents } from "../../../src/cli/Exporting.ts"
import { layerOf } from "../../../src/database/Database.ts"
import { migrate } from "../../../src/database/Migrations.ts"
import { itLive } from "../../lib/Effects.ts"
import { loadVersion } from "../../lib/FilledVersion.ts"
import { writeArchive } from "../../lib/MarketArchive.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"
import { requireRuntime, RUNTIMES } from "../../lib/Runtimes.ts"
import { sim } from "../../lib/SimCommand.ts"
import { exportText, simulatedExport } from "../../lib/SimulatedExport.ts"

const ROOT = join(import.meta.dir, "../../..")
const FIXTURE = join(ROOT, "test/fixtures/versions/0061.jsonl.gz")

const folder = mkdtempSync(join(tmpdir(), "world-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SEEDS = ["--orders", "8", "--faults", "--seeds", "4", "--json"]

/** What the command tells on a runtime, but for its speed. */
const told = (program: ReadonlyArray<string>, world: string): object => {
  const child = Bun.spawnSync([...program, join(ROOT, "scripts/sim.ts"), "--world", world, ...SEEDS], {
    stdin: "ignore",
    cwd: ROOT
  })
  expect([child.stderr.toString(), child.exitCode]).toEqual(["", 0])
  const { speed: _, ...rest } = JSON.parse(child.stdout.toString())
  return rest
}

describe("The export of a server's database", () => {
  itLive("begins simulations that are the same on every runtime, and is a world without names", () =>
    Effect.gen(function* () {
      const path = join(folder, "export.jsonl")
      const { database } = yield* loadVersion(FIXTURE)
      yield* Effect.provide(migrate(), layerOf(database.config))
      const { events, finding } = yield* exportEvents({ _tag: "Database", url: Redacted.make(database.url) }, path)
      expect(finding).toBeUndefined()
      expect(events).toBeGreaterThan(300)

      const made = sim("world", path, "--out", join(folder, "world.json"), "--json")
      expect([made.err, made.code]).toEqual(["", 0])
      const world = JSON.parse(made.out)
      expect(world).toMatchObject({ types: ["commodity", "fx", "options", "gpu"], leftOut: { bids: 0 } })
      expect(world.traders).toBeGreaterThan(2)
      expect(world.machines).toBeGreaterThan(0)
      expect(world.bids).toBe(27)
      expect(world.bots).toBe(13)
      expect(readFileSync(join(folder, "world.json"), "utf8")).not.toMatch(/usr_|cmp_|bot_|0x|@/)

      const here = told([process.execPath], path)
      expect(here).toMatchObject({ world: world.world, seeds: 4, failures: [] })
      for (const runtime of RUNTIMES) {
        requireRuntime(runtime)
        const { command, name } = runtime
        const [program = "", ...options] = command
        const deno = [program, "run", "--allow-all", "--no-check", "--no-lock", "--node-modules-dir=manual"]
        expect(told(name === "Deno" ? deno : [program, ...options], join(folder, "world.json"))).toEqual({
          ...here,
          spec: { ...(here as { readonly spec: object }).spec, world: join(folder, "world.json") }
        })
      }
    }).pipe(Effect.orDie)
  )

  it("has the recorded prices of an archive first", () => {
    const spec = { seed: 8, orders: 12, traders: 5, faults: false }
    const path = join(folder, "simulated.jsonl")
    writeFileSync(path, exportText(simulatedExport(spec).events))
    const market = recordedMarket(spec)
    writeArchive(join(folder, "history"), market)
    // A day before all that a path can look at is not even read.
    mkdirSync(join(folder, "history/2001-02-03"))
    const out = join(folder, "priced.json")
    const { code, out: text } = sim("world", path, "--history", join(folder, "history"), "--out", out)
    expect(code).toBe(0)
    const { path: prices } = JSON.parse(readFileSync(out, "utf8"))
    expect(prices.assets).toEqual([...new Set(market.medians.map(({ asset }) => asset))].toSorted())
    expect(text).toContain(`path       ${prices.prices.length} looks at ${prices.assets.length} recorded prices`)
    const first = market.medians.find(({ safe }) => safe)
    expect(prices.prices[0][prices.assets.indexOf(first?.asset)]).toBe(String(first?.price))
    const run = sim("--world", out, "--orders", "4", "--json")
    expect(JSON.parse(run.out)).toMatchObject({ violation: null })
    expect(sim("world", path, "--history", join(folder, "nowhere")).err).toContain("nowhere cannot be read")
  }, 60_000)
})
