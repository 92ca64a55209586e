import { describe, expect, it } from "bun:test"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Layer, Logger, References } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import fc from "fast-check"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { clockFinding, factFindings } from "../../../src/checks/DatabaseCheck.ts"
import type { CheckRow, Finding } from "../../../src/checks/Finding.ts"
import { certificateFinding, diskFinding, machineFindings } from "../../../src/checks/MachineCheck.ts"
import { holdingNear, tooWide } from "../../../src/checks/NetworkBreadth.ts"
import { settingsChecks } from "../../../src/checks/SettingsCheck.ts"
import * as StartCheck from "../../../src/checks/StartCheck.ts"
import { Settings } from "../../../src/Config.ts"
import { itLive } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { emptyDatabase, testDatabase } from "../../lib/TestDatabase.ts"

type Variables = Readonly<Record<string, string>>

/** Production as it should be: nothing is found. */
const GOOD: Variables = {
  APP_MODE: "production",
  SECRET_KEY: "6f1d0a9c4be27835d1f04c6ea8b3925710e7c6d43f8a2b5914e0d7c3a6f98b21",
  DATABASE_URL: "postgresql://emporion@database.internal/emporion?sslmode=require",
  PUBLIC_URL: "https://emporion.example",
  TRUSTED_PROXIES: "10.0.0.0/8",
  SMTP_URL: "smtps://127.0.0.1:9",
  MAIL_FROM: "emporion@example.com",
  ORACLE_FX_URL: "https://rates.example"
}

/** What trips each check of the settings, by what it is about and how it stands, in the list's order. */
const TRIPPED: Readonly<Record<string, ReadonlyArray<Variables>>> = {
  "HOST fail": [
    { HOST: "0.0.0.0", PUBLIC_URL: "" },
    { HOST: "0.0.0.0", TRUSTED_PROXIES: "" },
    { HOST: "::", PUBLIC_URL: "", TRUSTED_PROXIES: "" },
    { HOST: "emporion.internal", TRUSTED_PROXIES: "" }
  ],
  "RATE_LIMITS fail": [{ RATE_LIMITS: "off" }],
  "TRUSTED_PROXIES fail": [
    { TRUSTED_PROXIES: "0.0.0.0/0" },
    { TRUSTED_PROXIES: "10.0.0.0/8, ::/0" },
    { TRUSTED_PROXIES: "0.0.0.0/1, 128.0.0.0/1" },
    { TRUSTED_PROXIES: "2000::/3" }
  ],
  "WEBHOOK_ALLOWED_NETWORKS fail": [
    { WEBHOOK_ALLOWED_NETWORKS: "0.0.0.0/0" },
    { WEBHOOK_ALLOWED_NETWORKS: "::/0" },
    { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1" },
    { WEBHOOK_ALLOWED_NETWORKS: "127.3.0.0/16" },
    { WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/8, 169.254.0.0/16" },
    { WEBHOOK_ALLOWED_NETWORKS: "100.64.0.0/10" }
  ],
  "SECRET_KEY fail": [
    { SECRET_KEY: "00".repeat(32) },
    { SECRET_KEY: "0123456789abcdef".repeat(4) },
    { SECRET_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString("hex") },
    { SECRET_KEY: Buffer.from("the quick brown fox jumps over!!").toString("base64") }
  ],
  "PUBLIC_URL warn": [{ PUBLIC_URL: "" }],
  "TLS_CERT warn": [{ HOST: "0.0.0.0" }],
  "TRUSTED_PROXIES warn": [{ TRUSTED_PROXIES: "" }],
  "CORS_ORIGINS warn": [{ CORS_ORIGINS: "https://one.example, http://other.example" }],
  "WEBHOOK_ALLOWED_NETWORKS warn": [{ WEBHOOK_ALLOWED_NETWORKS: "10.1.2.0/24" }],
  "SMTP_URL warn": [{ SMTP_URL: "", MAIL_FROM: "" }],
  "DATABASE_URL warn": [
    { DATABASE_URL: "" },
    { DATABASE_URL: "postgresql://emporion@database.internal/emporion" },
    { DATABASE_URL: "postgresql://emporion@database.internal/emporion?sslmode=prefer" }
  ],
  "ORACLE_FX_URL warn": [{ ORACLE_FX_URL: "" }, { ORACLE_FX_URL: "http://rates.example" }],
  "GPU_PRICES_URL warn": [{ GPU_PRICES_URL: "http://prices.example" }],
  "ARENA_PROFILE warn": [{ ARENA_PROFILE: "demo" }],
  "LOG_LEVEL warn": [{ LOG_LEVEL: "none" }, { LOG_LEVEL: "fatal" }]
}

const nameOf = ({ about, standing }: Pick<Finding, "about" | "standing">): string => `${about} ${standing}`

/** What a start refuses with, and what it logs meanwhile. */
const starting = <R>(layer: Layer.Layer<never, StartCheck.StartRefused | SqlError, R>) =>
  Effect.gen(function* () {
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => void logged.push(String(message)))
    const log = Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, "Warn"))
    const exit = yield* Effect.exit(Layer.build(layer).pipe(Effect.scoped, Effect.provide(log)))
    const refusal = Exit.isSuccess(exit) ? undefined : Exit.findErrorOption(exit)
    return { logged, refusal: refusal?._tag === "Some" ? refusal.value.message : undefined }
  })

const withSettings = (variables: Variables) =>
  Effect.gen(function* () {
    const settings = Settings.layerOf({ ...GOOD, DATA_DIR: yield* temporaryFolder, PORT: "0", ...variables })
    const { logged, refusal } = yield* starting(Layer.provide(StartCheck.machine, Layer.orDie(settings)))
    const found = (yield* Effect.provide(machineFindings, settings)).filter(({ standing }) => standing !== "ok")
    return { found, logged, refusal }
  })

describe("A start in production", () => {
  itLive("goes on in silence where nothing is found", () =>
    Effect.gen(function* () {
      expect(yield* withSettings({ PORT: "0" })).toEqual({ found: [], logged: [], refusal: undefined })
    })
  )

  itLive("refuses what doctor calls a failure and logs what it warns of, for each of the settings", () =>
    Effect.gen(function* () {
      expect([...new Set(settingsChecks.map(nameOf))].toSorted()).toEqual(Object.keys(TRIPPED).toSorted())
      for (const [name, ways] of Object.entries(TRIPPED)) {
        for (const variables of ways) {
          const { found, logged, refusal } = yield* withSettings(variables)
          const tripped = found.find((one) => nameOf(one) === name)
          expect([name, variables, tripped?.text]).toEqual([name, variables, expect.stringMatching(/^.+: .+\.$/)])
          const line = `${tripped?.about}: ${tripped?.text}`
          if (tripped?.standing === "fail") expect(refusal).toContain(line)
          else expect([refusal, logged]).toEqual([undefined, expect.arrayContaining([line])])
        }
      }
    })
  )

  itLive("tells every failure at once, and lets the sandbox have them", () =>
    Effect.gen(function* () {
      const unsafe = { HOST: "0.0.0.0", PUBLIC_URL: "", RATE_LIMITS: "off", SECRET_KEY: "11".repeat(32) }
      const { refusal } = yield* withSettings(unsafe)
      expect(refusal?.split("\n  ").map((line) => line.split(":")[0])).toEqual([
        "Production does not start like this.",
        "HOST",
        "RATE_LIMITS",
        "SECRET_KEY"
      ])
      const sandbox = yield* withSettings({ ...unsafe, APP_MODE: "sandbox" })
      expect([sandbox.found, sandbox.refusal]).toEqual([[], undefined])
    })
  )

  itLive("refuses a database that may lose what it acknowledged", () =>
    Effect.gen(function* () {
      const { config } = yield* testDatabase
      const client = PgClient.layerFrom(PgClient.make({ ...config, minConnections: 1, maxConnections: 1 }))
      const on = (mode: string) =>
        starting(
          Layer.provide(StartCheck.server, [
            Layer.orDie(client),
            Layer.orDie(Settings.layerOf({ ...GOOD, APP_MODE: mode }))
          ])
        )
      const [production, sandbox] = [yield* on("production"), yield* on("sandbox")]
      expect(production.refusal).toContain("durability: fsync and synchronous_commit off: a crash loses")
      expect(production.logged).toEqual([expect.stringContaining("durability: full_page_writes off: ")])
      expect(sandbox).toEqual({ logged: [], refusal: undefined })
      const tables = yield* starting(
        Layer.provide(StartCheck.tables, [Layer.orDie(client), Layer.orDie(Settings.layerOf(GOOD))])
      )
      expect(tables).toEqual({ logged: [], refusal: undefined })
    })
  )
})

describe("A start of a node", () => {
  itLive("refuses a database whose clock was set forward, also in a sandbox, and knows one that is empty", () =>
    Effect.gen(function* () {
      const node = {
        CLUSTER: "on",
        NODE_ADDRESS: "127.0.0.1:7001",
        CLUSTER_SECRET: "5d".repeat(32),
        DATABASE_URL: "postgresql://emporion@database.internal/emporion",
        SECRET_KEY: "5d".repeat(32),
        PUBLIC_URL: "http://emporion.example"
      }
      const on = (config: Effect.Success<typeof testDatabase>["config"], statement: string) =>
        Effect.gen(function* () {
          const client = PgClient.layerFrom(PgClient.make({ ...config, minConnections: 1, maxConnections: 1 }))
          yield* Effect.provide(
            Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement)),
            client
          )
          const settings = Settings.layerOf({ ...node, APP_MODE: "sandbox" })
          return yield* starting(Layer.provide(StartCheck.node, [Layer.orDie(client), Layer.orDie(settings)]))
        })
      const { config } = yield* testDatabase
      expect(yield* on(config, "SELECT 1")).toEqual({ logged: [], refusal: undefined })
      expect(yield* on(config, "UPDATE sandbox_clock SET until = 1800000000000")).toEqual({
        logged: ["sandbox clock: to be set to 2027-01-15T08:00:00.000Z: run emporion time stop."],
        refusal: undefined
      })
      const { refusal } = yield* on(config, "UPDATE sandbox_clock SET lead = 1000")
      expect(refusal).toContain("A node of a cluster does not start like this.\n  sandbox clock: 1 s ahead of")
      const empty = yield* emptyDatabase
      expect(yield* on(empty.config, "SELECT 1")).toEqual({ logged: [], refusal: undefined })
    })
  )
})

describe("The table of checks", () => {
  const isRow = (found: Finding): boolean => StartCheck.checks.some((row) => nameOf(row) === nameOf(found))

  it("has a row for whatever is found", () => {
    const now = Date.UTC(2026, 10, 21)
    const gib = 1024 ** 3
    const day = 86_400_000
    const clock = { before: now, database: now, after: now }
    const facts = { version: "18.4", notDurable: [], mayCreate: true, clock, workedOnSince: undefined }
    const off = (notDurable: ReadonlyArray<string>) => ({ ...facts, notDurable })
    const found = [
      diskFinding(gib / 8, "x"),
      diskFinding(gib, "x"),
      certificateFinding(new Date(now - day).toUTCString(), now),
      certificateFinding(new Date(now + day).toUTCString(), now),
      clockFinding({ ...clock, after: 0 }),
      clockFinding({ ...clock, database: now + 31_000 }),
      clockFinding({ ...clock, database: now + 2_000 }),
      ...factFindings({ ...facts, mayCreate: false }, false),
      ...factFindings(off(["fsync"]), true),
      ...factFindings(off(["synchronous_commit"]), true),
      ...factFindings(off(["full_page_writes"]), true),
      ...factFindings(off(["fsync"]), false)
    ].filter(({ standing }) => standing !== "ok")
    expect(found.map(nameOf)).toEqual([
      "disk fail",
      "disk warn",
      "certificate fail",
      "certificate warn",
      "clock fail",
      "clock fail",
      "clock warn",
      "database fail",
      "durability fail",
      "durability fail",
      "durability warn",
      "durability warn"
    ])
    expect(found.filter((one) => !isRow(one))).toEqual([])
  })

  it("stands in the documentation, and says what to set", () => {
    const page = readFileSync(join(import.meta.dir, "../../../docs/operating/checks.md"), "utf8")
    const rows = page.split("\n").filter((line) => /^\| (?!what|---)/.test(line))
    expect(rows.length).toBe(StartCheck.checks.length)
    for (const { todo } of StartCheck.checks as ReadonlyArray<CheckRow>) expect(todo).toMatch(/\.$/)
  })
})

describe("Networks", () => {
  const octet = fc.integer({ min: 0, max: 255 })
  const v4 = fc
    .tuple(octet, octet, octet, octet, fc.integer({ min: 0, max: 32 }))
    .map(([a, b, c, d, bits]) => ({ start: ((a << 24) | (b << 16) | (c << 8) | d) >>> 0, bits }))
  const text = ({ bits, start }: { readonly bits: number; readonly start: number }): string =>
    `${[24, 16, 8, 0].map((shift) => (start >>> shift) & 255).join(".")}/${bits}`
  const holds = (network: { readonly bits: number; readonly start: number }, address: number): boolean =>
    Math.floor(network.start / 2 ** (32 - network.bits)) === Math.floor(address / 2 ** (32 - network.bits))

  it("hold this machine's own or a metadata address, as plain arithmetic says", () => {
    const near = [0, 0x7f000001, 0x7fffffff, 0xa9fea9fe, 0xa9fe0001, 0x6464_64c8, 0xa83f8110, 0xc00000c0]
    const ranges = [
      { start: 0, bits: 8 },
      { start: 0x7f000000, bits: 8 },
      { start: 0xa9fe0000, bits: 16 }
    ]
    fc.assert(
      fc.property(v4, (network) => {
        const naive = near.some((one) => holds(network, one)) || ranges.some((range) => holds(range, network.start))
        expect(holdingNear([text(network)]).length === 1).toBe(naive)
      }),
      property()
    )
  })

  it("are too wide by their sum, private ones aside", () => {
    const operators = ["173.245.48.0/20", "104.16.0.0/13", "172.64.0.0/13", "2400:cb00::/32", "2a06:98c0::/29"]
    expect(tooWide([...operators, "10.0.0.0/8", "172.16.0.0/12", "127.0.0.1", "fc00::/7"])).toEqual([])
    expect(tooWide(["8.0.0.0/8"])).toEqual(["8.0.0.0/8"])
    expect(tooWide(["10.0.0.0/7"])).toEqual(["10.0.0.0/7"])
    const halves = Array.from({ length: 256 }, (_, at) => `${at}.0.0.0/9`)
    expect(tooWide(halves).length).toBeGreaterThan(200)
  })
})
