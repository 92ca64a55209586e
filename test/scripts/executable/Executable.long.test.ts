import { describe, expect, it } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { buildExecutable, type ExecutableTarget, TARGETS } from "../../../scripts/executable/ExecutableBuild.ts"
import { currentBundle } from "../../../scripts/launch/Launch.ts"
import { freePort } from "../../lib/FreePort.ts"
import { TEST_PROGRAMS } from "../../lib/Programs.ts"

const LIMIT = 180_000
const POLL = 50

/** How long a start may take beside other tests, in milliseconds. */
const START_LIMIT = 60_000

const target = `${process.platform}-${process.arch}`
const isTarget = (name: string): name is ExecutableTarget => name in TARGETS

/** Nothing of the project is in the environment or the folder of what runs. */
const spawn = (executable: string, args: ReadonlyArray<string>, cwd: string, env: Record<string, string> = {}) =>
  Bun.spawn([executable, ...args], { cwd, env: { PATH: "/usr/bin:/bin", ...env }, stdio: ["ignore", "pipe", "pipe"] })

const ran = async (...given: Parameters<typeof spawn>) => {
  const child = spawn(...given)
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, stdout, stderr }
}

const untilReady = async (url: string): Promise<void> => {
  const until = performance.now() + START_LIMIT
  while (performance.now() < until) {
    const isReady = await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false
    )
    if (isReady) return
    await Bun.sleep(POLL)
  }
  throw new Error(`nothing was ready at ${url}`)
}

const textOf = async (url: string): Promise<string> => {
  const response = await fetch(url)
  expect([url, response.status]).toEqual([url, 200])
  return response.text()
}

/** What it says where it runs: its pages and documents, and what its commands make of its database. */
const served = async (executable: string, cwd: string, url: string): Promise<void> => {
  const dashboard = await textOf(`${url}/dashboard`)
  const [, script = ""] = /src="([^"]+\.js)"/.exec(dashboard) ?? []
  expect((await textOf(url + script)).length).toBeGreaterThan(100_000)
  expect(JSON.parse(await textOf(`${url}/openapi.json`))).toHaveProperty("paths")
  const backup = await ran(executable, ["backup", join(cwd, "backups")], cwd)
  expect([backup.code, backup.stdout]).toEqual([0, expect.stringMatching(/^full +to event \d+/)])
}

describe("The executable", () => {
  it(
    "serves, simulates and operates in an empty folder, with nothing but PostgreSQL beside it",
    async () => {
      if (!isTarget(target)) throw new Error(`there is no executable for ${target}`)
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "emporion-executable-")))
      const cwd = join(folder, "empty")
      mkdirSync(cwd)
      try {
        const bundle = process.env[TEST_PROGRAMS] ?? (await currentBundle())
        const executable = await buildExecutable(target, bundle, join(folder, "release"))
        const doctor = await ran(executable, ["doctor"], cwd)
        expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining("the embedded one can be started")])
        const port = await Effect.runPromise(freePort)
        const server = spawn(executable, ["demo"], cwd, { PORT: String(port), HOST: "127.0.0.1" })
        const said = new Response(server.stderr).text()
        try {
          await untilReady(`http://127.0.0.1:${port}`)
          await served(executable, cwd, `http://127.0.0.1:${port}`)
        } finally {
          server.kill("SIGTERM")
          await server.exited
        }
        expect([server.exitCode, await said]).toEqual([0, expect.stringContaining("Migrations applied")])
        expect(existsSync(join(cwd, ".data", "postgres", "postmaster.pid"))).toBe(false)
        const seeds = await ran(executable, ["sim", "--seeds", "2", "--jobs", "2", "--orders", "3"], cwd)
        expect([seeds.code, seeds.stdout]).toEqual([0, expect.stringMatching(/^sweep hash +[0-9a-f]{64}$/m)])
        const report = await ran(executable, ["sim", "--report", "page.html"], cwd)
        expect([report.code, report.stderr]).toEqual([2, expect.stringContaining("need the project's sources")])
        rmSync(join(folder, "release", "postgresql"), { recursive: true })
        expect((await ran(executable, ["start"], cwd, { PORT: String(port) })).stderr).toContain(
          "keep the folder postgresql of the release beside the executable"
        )
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    LIMIT
  )
})
