import { afterAll, expect, it } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { watch } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { worldText } from "../../../engine/simulation/ExportedWorld.ts"
import { BLOCKS_FILE, CAMPAIGN_FILE, PAGE_FILE } from "../../../scripts/campaign/CampaignFolder.ts"
import { sim } from "../../lib/SimCommand.ts"
import { simulatedExport, surveyed } from "../../lib/SimulatedExport.ts"

const ROOT = join(import.meta.dir, "../../..")
const parent = mkdtempSync(join(tmpdir(), "campaign-"))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

const SETTINGS = [
  "--seed",
  "9",
  "--seeds",
  "16",
  "--block",
  "2",
  "--orders",
  "1",
  "--traders",
  "3",
  "--faults",
  "--vary"
]

const campaign = (folder: string, ...more: ReadonlyArray<string>) =>
  Bun.spawn([process.execPath, join(ROOT, "scripts/sim.ts"), "campaign", join(parent, folder), ...SETTINGS, ...more], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"]
  })

const linesIn = (folder: string): number => {
  const file = join(parent, folder, BLOCKS_FILE)
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0
}

const page = (folder: string): string => readFileSync(join(parent, folder, PAGE_FILE), "utf8")

it("A campaign that is killed goes on, and writes the page of one that is not", async () => {
  mkdirSync(join(parent, "killed"))
  const killed = campaign("killed", "--jobs", "2")
  for await (const _ of watch(join(parent, "killed"))) if (linesIn("killed") > 0) break
  killed.kill("SIGKILL")
  await killed.exited
  const before = linesIn("killed")
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(8)

  const [again, whole] = [campaign("killed", "--jobs", "1"), campaign("whole", "--jobs", "1")]
  expect(await Promise.all([again.exited, whole.exited])).toEqual([0, 0])
  expect(await new Response(again.stdout).text()).toContain(
    `seeds         16, ${2 * before} of them before, 0 failed\n`
  )
  expect(page("killed")).toBe(page("whole"))
  expect(page("whole")).toContain("| seeds | 16: 9 to 24 |")
}, 60_000)

it("A campaign in a world writes the same evidence wherever its file is, and takes none of what the world has itself", () => {
  const world = worldText(surveyed(simulatedExport({ seed: 8, orders: 4, traders: 4, faults: false, bots: 1 }).events))
  const files = ["one", "other"].map((name) => join(parent, `${name} world.json`))
  for (const file of files) writeFileSync(file, world)
  const [one = "", other = ""] = files
  const run = (folder: string, ...given: ReadonlyArray<string>) =>
    sim("campaign", join(parent, folder), "--seeds", "2", "--block", "2", "--orders", "2", ...given)
  for (const given of ["--traders", "--bots"]) {
    const refused = run("refused", "--world", one, given, "3")
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(`${given} is what a world has itself: leave out ${given} or --world`)
  }
  expect(existsSync(join(parent, "refused"))).toBe(false)
  expect(run("world", "--world", one)).toMatchObject({ code: 0 })
  expect(page("world")).toContain("--orders 2 --world FILE`")
  expect(page("world")).not.toContain(parent)
  expect(readFileSync(join(parent, "world", CAMPAIGN_FILE), "utf8")).not.toContain(parent)
  const again = run("world", "--world", other)
  expect([again.code, again.out]).toEqual([0, expect.stringContaining("2, 2 of them before")])
}, 60_000)

it("A campaign that is to be complete fails with the names of what companies did not reach", async () => {
  const never = campaign("never", "--complete")
  expect(await never.exited).toBe(2)
  expect(await new Response(never.stderr).text()).toContain("only comes with --bots, --companies: give them too")
  expect(existsSync(join(parent, "never"))).toBe(false)
  const short = campaign("short", "--bots", "1", "--companies", "2", "--complete")
  expect(await short.exited).toBe(1)
  const said = await new Response(short.stderr).text()
  expect(said).toContain("were not reached: ")
  expect(said).toContain("restart before PaymentDisputeLost")
}, 60_000)
