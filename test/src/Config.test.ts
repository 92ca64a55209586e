import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { join } from "node:path"
import type { Amount } from "../../engine/money/Amount.ts"
import { Settings } from "../../src/Config.ts"
import { itEffect } from "../lib/Effects.ts"

const read = (variables: Record<string, string> = {}) => Effect.provide(Settings, Settings.layerOf(variables))

const refusal = (variables: Record<string, string>) =>
  Effect.map(Effect.flip(read(variables)), (error) => error.message)

const KEY = "ab".repeat(32)

describe("Settings", () => {
  itEffect("has the documented defaults", () =>
    Effect.gen(function* () {
      const settings = yield* read()
      expect(settings.mode).toBe("sandbox")
      expect(settings.dataDir).toBe(join(process.cwd(), ".data"))
      expect(settings.server).toEqual({
        port: 3000,
        host: "127.0.0.1",
        publicUrl: undefined,
        trustedProxies: [],
        corsOrigins: [],
        tls: undefined,
        rateLimits: true
      })
      expect(settings.admin).toEqual({ email: "admin@emporion.local", password: undefined })
      expect(settings.arena).toEqual({
        profile: "default",
        slotSeconds: 900,
        commitWindowSeconds: 900,
        settlementDelaySeconds: 900,
        priceIntervalSeconds: 5,
        walkSpeed: 1,
        fairnessRule: "weighted",
        makerDiscount: 500n as Amount,
        sealedBids: false,
        vaultDeposits: "open",
        houseTraders: 6
      })
      expect(settings.observability).toEqual({
        otlpEndpoint: undefined,
        traceShare: 1,
        logLevel: "Info",
        requestLog: "changes"
      })
    })
  )

  itEffect("shortens times in the demo, where single settings still win", () =>
    Effect.gen(function* () {
      const { arena } = yield* read({ ARENA_PROFILE: "demo", ARENA_SLOT_SECONDS: "45" })
      expect(arena).toMatchObject({
        slotSeconds: 45,
        commitWindowSeconds: 30,
        settlementDelaySeconds: 12,
        priceIntervalSeconds: 1,
        walkSpeed: 60
      })
    })
  )

  itEffect("takes an empty or blank variable as unset", () =>
    Effect.gen(function* () {
      const settings = yield* read({ PORT: "", DATABASE_URL: "  ", APP_MODE: "" })
      expect(settings.server.port).toBe(3000)
      expect(settings.database.url).toBeUndefined()
    })
  )

  itEffect("reads every kind of value", () =>
    Effect.gen(function* () {
      const settings = yield* read({
        APP_MODE: "production",
        DATABASE_URL: "postgres://me:pass@db.example:6543/shop",
        SECRET_KEY: KEY,
        PORT: "0",
        PUBLIC_URL: "https://api.example.com",
        TRUSTED_PROXIES: "10.0.0.0/8, ::1",
        TLS_CERT: "/etc/cert.pem",
        TLS_KEY: "/etc/key.pem",
        RATE_LIMITS: "OFF",
        LOG_LEVEL: "warn",
        ADMIN_PASSWORD: "long enough to be one"
      })
      expect(Redacted.value(settings.database.url ?? Redacted.make(""))).toBe("postgres://me:pass@db.example:6543/shop")
      expect(Redacted.value(settings.secretKey)).toEqual(new Uint8Array(32).fill(0xab))
      expect(settings.server.publicUrl?.host).toBe("api.example.com")
      expect(settings.server.trustedProxies).toEqual(["10.0.0.0/8", "::1"])
      expect(settings.server.tls).toEqual({ certificateFile: "/etc/cert.pem", keyFile: "/etc/key.pem" })
      expect(settings.server.rateLimits).toBe(false)
      expect(settings.admin.email).toBeUndefined()
      expect(settings.arena.houseTraders).toBe(0)
      expect(settings.observability.logLevel).toBe("Warn")
    })
  )

  itEffect("takes a secret key in base64", () =>
    Effect.gen(function* () {
      const settings = yield* read({ SECRET_KEY: Buffer.alloc(32, 0xab).toString("base64") })
      expect(Redacted.value(settings.secretKey)).toEqual(new Uint8Array(32).fill(0xab))
    })
  )
})

const PRODUCTION = { APP_MODE: "production", SECRET_KEY: KEY }

const refused: ReadonlyArray<readonly [Record<string, string>, string]> = [
  [{ PORT: "80a" }, 'PORT: expected a port from 0 (any free one) to 65535, not "80a".'],
  [{ PORT: "65536" }, 'PORT: expected a port from 0 (any free one) to 65535, not "65536".'],
  [{ APP_MODE: "prod" }, 'APP_MODE: expected one of sandbox, production, not "prod".'],
  [
    { DATABASE_URL: "postgres://localhost/x" },
    "APP_MODE: expected sandbox or production, which must be said when DATABASE_URL is given."
  ],
  [
    { DATABASE_URL: "mysql://u:hidden@localhost/x", APP_MODE: "sandbox" },
    "DATABASE_URL: expected a URL that starts with postgres:// or postgresql://."
  ],
  [
    { SECRET_KEY: "hidden" },
    "SECRET_KEY: expected 32 random bytes, as 64 hexadecimal digits or in base64 (openssl rand -hex 32)."
  ],
  [
    { SECRET_KEY: "", APP_MODE: "production" },
    "SECRET_KEY: expected 32 random bytes, as 64 hexadecimal digits or in base64 (openssl rand -hex 32), which production requires."
  ],
  [{ ...PRODUCTION, PUBLIC_URL: "http://x.example" }, "PUBLIC_URL: expected a URL that starts with https://."],
  [
    { ...PRODUCTION, SANDBOX_TRADERS: "3" },
    'SANDBOX_TRADERS: expected 0, because house traders trade with sandbox money, not "3".'
  ],
  [
    { ...PRODUCTION, STRATEGY_MODULES: "/tmp" },
    'STRATEGY_MODULES: expected nothing, because only a sandbox runs modules of bots, not "/tmp".'
  ],
  [{ STRATEGY_MODULES: "/nowhere" }, 'STRATEGY_MODULES: expected a folder that is there, not "/nowhere".'],
  [{ ADMIN_PASSWORD: "hidden" }, "ADMIN_PASSWORD: expected at least 12 characters."],
  [{ ADMIN_EMAIL: "nobody" }, 'ADMIN_EMAIL: expected a mail address such as admin@example.com, not "nobody".'],
  [{ TLS_CERT: "/c.pem" }, "TLS_KEY: expected a PEM file, because TLS_CERT is given."],
  [
    { ARENA_SETTLEMENT_DELAY_SECONDS: "0" },
    'ARENA_SETTLEMENT_DELAY_SECONDS: expected a whole number of seconds from 1 to 86400, not "0".'
  ],
  [{ ARENA_SLOT_SECONDS: "1.5" }, 'ARENA_SLOT_SECONDS: expected a whole number of seconds from 1 to 86400, not "1.5".'],
  [{ ARENA_FAIRNESS_RULE: "fair" }, 'ARENA_FAIRNESS_RULE: expected one of weighted, quorum, turnout, not "fair".'],
  [{ RATE_LIMITS: "no" }, 'RATE_LIMITS: expected on or off, not "no".'],
  [
    { WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/33" },
    'WEBHOOK_ALLOWED_NETWORKS: expected addresses or networks with commas between, such as 10.0.0.0/8, 192.168.1.7, not "10.0.0.0/33".'
  ],
  [{ ORACLE_FX_URL: "ftp://x" }, "ORACLE_FX_URL: expected a URL that starts with http:// or https://."],
  [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, none, not "loud".']
]

describe("Settings refuses", () => {
  for (const [variables, message] of refused) {
    itEffect(JSON.stringify(variables), () =>
      Effect.gen(function* () {
        expect(yield* refusal(variables)).toBe(message)
      })
    )
  }
})
