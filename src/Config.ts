import { ConfigProvider, Context, Effect, Layer, Redacted } from "effect"
import type { LogLevel } from "effect"
import { resolve } from "node:path"
import { DEFAULT_MAKER_DISCOUNT, MAX_MAKER_DISCOUNT } from "../engine/arena/BidPricing.ts"
import type { Amount } from "../engine/money/Amount.ts"
import { readCluster } from "./ClusterSettings.ts"
import type { ClusterSettings } from "./ClusterSettings.ts"
import { readMail } from "./MailSettings.ts"
import type { MailSettings } from "./MailSettings.ts"
import { readPayments } from "./PaymentSettings.ts"
import type { PaymentSettings } from "./PaymentSettings.ts"
import { readRetention } from "./RetentionSettings.ts"
import type { RetentionSettings } from "./RetentionSettings.ts"
import { keptSecretKey, secretKey } from "./SecretKey.ts"
import type { SecretKey } from "./SecretKey.ts"
import * as Setting from "./Setting.ts"
import { SettingRefused } from "./Setting.ts"
import { readSignIn } from "./SignInSettings.ts"
import type { SignInSettings } from "./SignInSettings.ts"

/** Where and how the server listens. */
export interface ServerSettings {
  /** `PORT`, default 3000. 0 takes any free port. */
  readonly port: number
  /** `HOST`, default 127.0.0.1: the address to listen on. */
  readonly host: string
  /** `PUBLIC_URL`: the address callers use, https in production. Undefined: the address listened on. */
  readonly publicUrl: URL | undefined
  /** `TRUSTED_PROXIES`: networks whose forwarded address is believed. Default none. */
  readonly trustedProxies: ReadonlyArray<string>
  /** `CORS_ORIGINS`: origins whose pages may call the API with tokens. Default none. */
  readonly corsOrigins: ReadonlyArray<string>
  /** `TLS_CERT` and `TLS_KEY`: files in PEM, both or neither. */
  readonly tls: { readonly certificateFile: string; readonly keyFile: string } | undefined
  /** `RATE_LIMITS`, default on. Off is for benchmarks. */
  readonly rateLimits: boolean
}

export interface DatabaseSettings {
  /** `DATABASE_URL`: a PostgreSQL to use. Undefined: an embedded one in the data folder. */
  readonly url: Redacted.Redacted | undefined
}

/** The first administrator. */
export interface AdminSettings {
  /** `ADMIN_EMAIL`, in the sandbox admin@emporion.local by default. Undefined: none is made. */
  readonly email: string | undefined
  /** `ADMIN_PASSWORD`. Undefined: one is made and printed once. */
  readonly password: Redacted.Redacted | undefined
}

/** Times are in seconds. */
export interface ArenaSettings {
  /** `ARENA_PROFILE`: `default`, or `demo` for short slots, windows and delays. */
  readonly profile: "default" | "demo"
  /** `ARENA_SLOT_SECONDS`, default 900 (demo 30): an order per asset type each slot. */
  readonly slotSeconds: number
  /** `ARENA_COMMIT_WINDOW_SECONDS`, default 900 (demo 30): from an order's opening to its expiry. */
  readonly commitWindowSeconds: number
  /** `ARENA_SETTLEMENT_DELAY_SECONDS`, default 900 (demo 12), at least 1: from expiry to settlement. */
  readonly settlementDelaySeconds: number
  /** `ARENA_PRICE_INTERVAL_SECONDS`, default 5 (demo 1): how often prices are asked for. */
  readonly priceIntervalSeconds: number
  /** `ARENA_WALK_SPEED`, default 1 (demo 60): market seconds that the simulated prices walk in a second. */
  readonly walkSpeed: number
  /** `ARENA_FAIRNESS_RULE`, default `weighted`: the reading of the 3/4 rule. */
  readonly fairnessRule: "weighted" | "quorum" | "turnout"
  /** `ARENA_MAKER_DISCOUNT`, default 0.0005, at most 0.01: how far below the reference the maker sells, in 10⁻⁶. */
  readonly makerDiscount: Amount
  /** `ARENA_SEALED_BIDS`, default off: whether the prices of others' bids are shown only after the choice. */
  readonly sealedBids: boolean
  /** `ARENA_VAULT_DEPOSITS`, default open: whether the vault takes new collateral. */
  readonly vaultDeposits: "open" | "closed"
  /** `SANDBOX_TRADERS`, default 6 (production 0, and no other): house traders that keep the arena alive. */
  readonly houseTraders: number
}

export interface OracleSettings {
  /** `ORACLE_FX_URL`: a live source of fx and metal rates. Undefined: none. */
  readonly fxUrl: URL | undefined
  /** `GPU_PRICES_URL`: a source of GPU prices. Undefined: none. */
  readonly gpuPricesUrl: URL | undefined
}

export interface WebhookSettings {
  /** `WEBHOOK_ALLOWED_NETWORKS`: private networks that deliveries may go to. Default none. */
  readonly allowedNetworks: ReadonlyArray<string>
}

export interface ObservabilitySettings {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`: where traces go, over HTTP. Undefined: nowhere. */
  readonly otlpEndpoint: URL | undefined
  /** `OTEL_TRACES_SAMPLER_ARG`, default 1: the share of requests that a trace is made of, from 0 to 1. */
  readonly traceShare: number
  /** `LOG_LEVEL`, default info: trace, debug, info, warn, error, fatal or none. */
  readonly logLevel: LogLevel.LogLevel
  /** `REQUEST_LOG`, default changes: which requests are logged beside those that are refused. */
  readonly requestLog: "all" | "changes" | "refused" | "off"
}

/** Every setting of the program, read once at the start. A variable that is empty counts as unset. */
export class Settings extends Context.Service<
  Settings,
  {
    /** `APP_MODE`: must be said when `DATABASE_URL` is given, else `sandbox`. */
    readonly mode: "sandbox" | "production"
    /** `DATA_DIR`, default .data, as an absolute path: the embedded database and the sandbox's key. */
    readonly dataDir: string
    /** `SECRET_KEY`: required in production; made and kept in the data folder in the sandbox. */
    readonly secretKey: SecretKey
    readonly server: ServerSettings
    readonly database: DatabaseSettings
    /** `CLUSTER`, default off: how this process is one of several nodes. Undefined: it is alone. */
    readonly cluster: ClusterSettings | undefined
    readonly admin: AdminSettings
    readonly signIn: SignInSettings
    readonly arena: ArenaSettings
    /** `STRATEGY_MODULES`, in the sandbox alone: the folder of modules that bots may name. Undefined: bots have none. */
    readonly strategyModules: string | undefined
    readonly oracles: OracleSettings
    readonly webhooks: WebhookSettings
    readonly mail: MailSettings
    readonly payments: PaymentSettings
    readonly retention: RetentionSettings
    readonly observability: ObservabilitySettings
  }
>()("emporion/Config/Settings") {
  /** Reads the settings from the current `ConfigProvider`, which is the environment by default. */
  static readonly layer: Layer.Layer<Settings, SettingRefused> = Layer.effect(
    this,
    Effect.suspend(() => read)
  )

  /** Settings from the given variables alone, with a fixed secret key unless one is among them. For tests. */
  static readonly layerOf = (variables: Readonly<Record<string, string>> = {}): Layer.Layer<Settings, SettingRefused> =>
    Layer.effect(this, read).pipe(
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ SECRET_KEY: TEST_KEY, ...variables })))
    )
}

const TEST_KEY = "00".repeat(32)

/** Longest slot, window or delay of the arena: a day. */
const MAX_SECONDS = 86_400
const MAX_WALK_SPEED = 3_600
const MAX_HOUSE_TRADERS = 100
const MIN_PASSWORD = 12

type Mode = "sandbox" | "production"

const postgresUrl = Setting.url("postgres:", "postgresql:")

/** As it is written: PostgreSQL's clients read it by rules of their own. */
const databaseUrl: Setting.Reading<string> = {
  ...postgresUrl,
  parse: (text) => (postgresUrl.parse(text) === undefined ? undefined : text)
}

const readMode = Effect.fnUntraced(function* (hasDatabase: boolean) {
  const mode = yield* Setting.optional("APP_MODE", Setting.oneOf("sandbox", "production"))
  if (mode === undefined && hasDatabase) {
    const expected = "sandbox or production, which must be said when DATABASE_URL is given"
    return yield* new SettingRefused({ variable: "APP_MODE", given: undefined, expected })
  }
  return mode ?? "sandbox"
})

const readSecretKey = Effect.fnUntraced(function* (mode: Mode, dataDir: string) {
  const key = yield* Setting.optional("SECRET_KEY", secretKey)
  if (key !== undefined) return key
  if (mode === "sandbox") return yield* keptSecretKey(dataDir)
  const expected = `${secretKey.expected}, which production requires`
  return yield* new SettingRefused({ variable: "SECRET_KEY", given: undefined, expected })
})

const readTls = Effect.fnUntraced(function* () {
  const certificateFile = yield* Setting.optional("TLS_CERT", Setting.text)
  const keyFile = yield* Setting.optional("TLS_KEY", Setting.text)
  if (certificateFile !== undefined && keyFile !== undefined) return { certificateFile, keyFile }
  if (certificateFile === undefined && keyFile === undefined) return undefined
  const [variable, other] = certificateFile === undefined ? ["TLS_CERT", "TLS_KEY"] : ["TLS_KEY", "TLS_CERT"]
  return yield* new SettingRefused({ variable, given: undefined, expected: `a PEM file, because ${other} is given` })
})

const readServer = Effect.fnUntraced(function* (mode: Mode) {
  const protocols = mode === "production" ? ["https:"] : ["http:", "https:"]
  return {
    port: yield* Setting.withDefault(
      "PORT",
      { ...Setting.integer(0, 65_535, ""), expected: "a port from 0 (any free one) to 65535" },
      3000
    ),
    host: yield* Setting.withDefault("HOST", Setting.text, "127.0.0.1"),
    publicUrl: yield* Setting.optional("PUBLIC_URL", Setting.url(...protocols)),
    trustedProxies: yield* Setting.withDefault("TRUSTED_PROXIES", Setting.networks, []),
    corsOrigins: yield* Setting.withDefault("CORS_ORIGINS", Setting.origins, []),
    tls: yield* readTls(),
    rateLimits: yield* Setting.withDefault("RATE_LIMITS", Setting.onOff, true)
  }
})

const readAdmin = Effect.fnUntraced(function* (mode: Mode) {
  const email = yield* Setting.optional("ADMIN_EMAIL", Setting.email)
  const password = yield* Setting.optional("ADMIN_PASSWORD", Setting.secretText(MIN_PASSWORD))
  return {
    email: email ?? (mode === "sandbox" ? "admin@emporion.local" : undefined),
    password: password === undefined ? undefined : Redacted.make(password)
  }
})

const PROFILES = {
  default: { slot: 900, window: 900, delay: 900, price: 5, speed: 1 },
  demo: { slot: 30, window: 30, delay: 12, price: 1, speed: 60 }
} as const

const readArena = Effect.fnUntraced(function* (mode: Mode) {
  const seconds = Setting.integer(1, MAX_SECONDS, "seconds")
  const profile = yield* Setting.withDefault("ARENA_PROFILE", Setting.oneOf("default", "demo"), "default")
  const defaults = PROFILES[profile]
  const traders =
    mode === "sandbox"
      ? Setting.integer(0, MAX_HOUSE_TRADERS, "house traders")
      : { ...Setting.integer(0, 0, ""), expected: "0, because house traders trade with sandbox money" }
  return {
    profile,
    slotSeconds: yield* Setting.withDefault("ARENA_SLOT_SECONDS", seconds, defaults.slot),
    commitWindowSeconds: yield* Setting.withDefault("ARENA_COMMIT_WINDOW_SECONDS", seconds, defaults.window),
    settlementDelaySeconds: yield* Setting.withDefault("ARENA_SETTLEMENT_DELAY_SECONDS", seconds, defaults.delay),
    priceIntervalSeconds: yield* Setting.withDefault("ARENA_PRICE_INTERVAL_SECONDS", seconds, defaults.price),
    walkSpeed: yield* Setting.withDefault(
      "ARENA_WALK_SPEED",
      Setting.integer(1, MAX_WALK_SPEED, "market seconds a second"),
      defaults.speed
    ),
    fairnessRule: yield* Setting.withDefault(
      "ARENA_FAIRNESS_RULE",
      Setting.oneOf("weighted", "quorum", "turnout"),
      "weighted"
    ),
    makerDiscount: yield* Setting.withDefault(
      "ARENA_MAKER_DISCOUNT",
      Setting.fraction(MAX_MAKER_DISCOUNT),
      DEFAULT_MAKER_DISCOUNT
    ),
    sealedBids: yield* Setting.withDefault("ARENA_SEALED_BIDS", Setting.onOff, false),
    vaultDeposits: yield* Setting.withDefault("ARENA_VAULT_DEPOSITS", Setting.oneOf("open", "closed"), "open"),
    houseTraders: yield* Setting.withDefault("SANDBOX_TRADERS", traders, mode === "sandbox" ? 6 : 0)
  }
})

const readStrategyModules = (mode: Mode) =>
  Setting.optional(
    "STRATEGY_MODULES",
    mode === "sandbox"
      ? Setting.folder
      : { ...Setting.text, expected: "nothing, because only a sandbox runs modules of bots", parse: () => undefined }
  )

const LOG_LEVELS = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const

const readObservability = Effect.fnUntraced(function* () {
  const levels = Setting.oneOf("trace", "debug", "info", "warn", "error", "fatal", "none")
  return {
    otlpEndpoint: yield* Setting.optional("OTEL_EXPORTER_OTLP_ENDPOINT", Setting.url("http:", "https:")),
    traceShare: yield* Setting.withDefault("OTEL_TRACES_SAMPLER_ARG", Setting.share, 1),
    logLevel: LOG_LEVELS[yield* Setting.withDefault("LOG_LEVEL", levels, "info")],
    requestLog: yield* Setting.withDefault("REQUEST_LOG", Setting.oneOf("all", "changes", "refused", "off"), "changes")
  }
})

const read: Effect.Effect<Settings["Service"], SettingRefused> = Effect.gen(function* () {
  const url = yield* Setting.optional("DATABASE_URL", databaseUrl)
  const mode = yield* readMode(url !== undefined)
  const dataDir = resolve(yield* Setting.withDefault("DATA_DIR", Setting.text, ".data"))
  return Settings.of({
    mode,
    dataDir,
    server: yield* readServer(mode),
    database: { url: url === undefined ? undefined : Redacted.make(url) },
    cluster: yield* readCluster(),
    admin: yield* readAdmin(mode),
    signIn: yield* readSignIn(mode),
    arena: yield* readArena(mode),
    strategyModules: yield* readStrategyModules(mode),
    oracles: {
      fxUrl: yield* Setting.optional("ORACLE_FX_URL", Setting.url("http:", "https:")),
      gpuPricesUrl: yield* Setting.optional("GPU_PRICES_URL", Setting.url("http:", "https:"))
    },
    webhooks: {
      allowedNetworks: yield* Setting.withDefault("WEBHOOK_ALLOWED_NETWORKS", Setting.networks, [])
    },
    mail: yield* readMail,
    payments: yield* readPayments(mode),
    retention: yield* readRetention,
    observability: yield* readObservability(),
    secretKey: yield* readSecretKey(mode, dataDir)
  })
}).pipe(Effect.withSpan("Settings.read"))
