import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { clockFinding } from "../../../src/checks/DatabaseCheck.ts"
import type { Finding } from "../../../src/checks/Finding.ts"
import { diskFinding } from "../../../src/checks/MachineCheck.ts"
import { onDatabase, runEmporion } from "../../lib/CliProcess.ts"
import { commandHere } from "../../lib/CommandLine.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { emptyDatabase, testDatabase } from "../../lib/TestDatabase.ts"
import { TestServer } from "../../lib/TestServer.ts"

type Variables = Readonly<Record<string, string>>

const examine = (variables: Variables, run: typeof commandHere = commandHere) =>
  Effect.gen(function* () {
    const dataDir = yield* temporaryFolder
    const env = { DATA_DIR: dataDir, PORT: "0", ...variables }
    const { code, stdout } = yield* run(["doctor", "--json"], env)
    const { findings, ok } = JSON.parse(stdout) as { readonly ok: boolean; readonly findings: ReadonlyArray<Finding> }
    expect(ok).toBe(code === 0)
    return {
      code,
      dataDir,
      standings: Object.fromEntries(findings.map(({ about, standing }) => [about, standing])),
      textOf: (about: string) => findings.find((one) => one.about === about)?.text
    }
  })

describe("emporion doctor", () => {
  itLive(
    "finds nothing wrong before a first start, and makes nothing",
    () =>
      Effect.gen(function* () {
        const inProcess: typeof commandHere = (args, env = {}) => runEmporion(args, { env })
        const { code, dataDir, standings } = yield* examine({}, inProcess)
        expect(code).toBe(0)
        expect(standings).toEqual({
          settings: "ok",
          "data folder": "ok",
          disk: "ok",
          address: "ok",
          PostgreSQL: "ok",
          database: "ok"
        })
        expect([existsSync(`${dataDir}/secret.key`), existsSync(`${dataDir}/postgres`)]).toEqual([false, false])
      }),
    60_000
  )

  itLive(
    "looks at a database in use, and knows the key that it needs",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const [right, wrong] = yield* Effect.all(
          [examine(onDatabase(server.databaseUrl)), examine(onDatabase(server.databaseUrl, "5d".repeat(32)))],
          { concurrency: "unbounded" }
        )
        expect(right.textOf("signing key")).toMatch(/^SECRET_KEY opens key_/)
        expect(right.standings).toMatchObject({ migrations: "ok", clock: "ok", server: "ok", breakers: "ok" })
        expect(right.textOf("durability")).toContain("fsync and full_page_writes and synchronous_commit off")
        expect([right.code, wrong.code]).toEqual([0, 1])
        expect(wrong.textOf("signing key")).toContain("expected the key under which")
      }),
    60_000
  )

  itLive(
    "says what is pending, what does not answer, what is taken and what is set wrongly",
    () =>
      Effect.gen(function* () {
        const { url } = yield* emptyDatabase
        const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("no", { status: 404 }) })
        const [pending, away, taken, setting] = yield* Effect.all(
          [
            examine(onDatabase(url)),
            examine(onDatabase("postgresql://nobody@127.0.0.1:9/none")),
            examine({ PORT: String(other.port) }),
            examine({ PORT: "99999" })
          ],
          { concurrency: "unbounded" }
        )
        yield* Effect.promise(() => other.stop(true))
        expect([pending.code, away.code, taken.code, setting.code]).toEqual([0, 1, 1, 1])
        expect(pending.standings).toMatchObject({ migrations: "warn" })
        expect(pending.textOf("migrations")).toContain("0001_ledger")
        expect(away.textOf("database")).toContain("No connection to DATABASE_URL (127.0.0.1:9/none)")
        expect(taken.textOf("address")).toContain("another program listens there")
        expect(setting.textOf("settings")).toContain(
          'PORT: expected a port from 0 (any free one) to 65535, not "99999"'
        )
      }),
    60_000
  )

  itLive(
    "wants more of production",
    () =>
      Effect.gen(function* () {
        const { url } = yield* testDatabase
        const production = { APP_MODE: "production", DATABASE_URL: url }
        const [none, zero, random] = yield* Effect.all(
          [
            examine(production),
            examine({ ...production, SECRET_KEY: "00".repeat(32), HOST: "0.0.0.0" }),
            examine({
              ...production,
              SECRET_KEY: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex"),
              PUBLIC_URL: "https://emporion.example",
              TRUSTED_PROXIES: "127.0.0.1",
              ORACLE_FX_URL: "https://rates.example"
            })
          ],
          { concurrency: "unbounded" }
        )
        expect(none.textOf("settings")).toContain("SECRET_KEY: expected 32 random bytes")
        expect(zero.code).toBe(1)
        expect(zero.standings).toMatchObject({
          SECRET_KEY: "fail",
          HOST: "fail",
          durability: "warn",
          PUBLIC_URL: "warn",
          TRUSTED_PROXIES: "warn",
          SMTP_URL: "warn",
          ORACLE_FX_URL: "warn"
        })
        expect(random.textOf("SECRET_KEY")).toBeUndefined()
        expect(Object.keys(random.standings)).not.toContain("PUBLIC_URL")
      }),
    60_000
  )

  it("judges clocks and disks", () => {
    const now = Date.UTC(2026, 10, 21)
    const standing = (database: number, before = now, after = now + 20) =>
      clockFinding({ before, database, after }).standing
    expect([standing(now), standing(now + 1_019), standing(now + 1_020), standing(now - 1_000)]).toEqual([
      "ok",
      "ok",
      "warn",
      "warn"
    ])
    expect([standing(now - 30_000), standing(now + 31_000), standing(0, 0, 10)]).toEqual(["fail", "fail", "fail"])
    const gib = 1024 ** 3
    expect([3 * gib, gib, gib / 8].map((free) => diskFinding(free, "x").standing)).toEqual(["ok", "warn", "fail"])
  })
})
