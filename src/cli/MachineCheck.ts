import { Effect, Exit, Layer, Option, Redacted, Scope } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { X509Certificate } from "node:crypto"
import { accessSync, constants, existsSync, readFileSync, statfsSync } from "node:fs"
import { dirname } from "node:path"
import { Settings } from "../Config.ts"
import { findPostgresBinaries } from "../database/PostgresBinaries.ts"
import { findIsolation } from "../database/PostgresProcess.ts"
import * as BunServer from "../http/BunServer.ts"
import { issuer } from "../identity/tokens/Issuer.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { type Finding, finding, orFail, sentence } from "./Finding.ts"

const MIB = 1024 * 1024

/** Free bytes below which the disk is worth a look, and in the way. */
const DISK_WARNED = 2_048 * MIB
const DISK_REFUSED = 256 * MIB

/** How long before its end a certificate is worth a look: two weeks, in milliseconds. */
const CERTIFICATE_WARNED = 14 * 86_400_000

/** Longest wait for a server that may be ours, in milliseconds. */
const ANSWER_LIMIT = 2_000

/** The nearest folder that is there. */
const existing = (folder: string): string => {
  const parent = dirname(folder)
  return existsSync(folder) || parent === folder ? folder : existing(parent)
}

const folder = (dataDir: string): Finding => {
  const there = existing(dataDir)
  try {
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return finding("data folder", "fail", `${there} cannot be written by this user: change its owner, or set DATA_DIR.`)
  }
  return finding("data folder", "ok", there === dataDir ? dataDir : `${dataDir}, which the first start makes`)
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 / MIB).toFixed(1)} GiB`

/** What so many free bytes are worth. */
export const diskFinding = (free: number, where: string): Finding => {
  const text = `${gigabytes(free)} free for ${where}`
  if (free >= DISK_WARNED) return finding("disk", "ok", text)
  return finding("disk", free < DISK_REFUSED ? "fail" : "warn", `${text}: make room, the database stops without it.`)
}

const disk = (dataDir: string): Finding => {
  const { bavail, bsize } = statfsSync(existing(dataDir))
  return diskFinding(bavail * bsize, dataDir)
}

/** How long a certificate is still good. */
const certificate = (file: string, now: number): Finding => {
  const { validTo } = new X509Certificate(readFileSync(file))
  const left = Date.parse(validTo) - now
  if (left > CERTIFICATE_WARNED) return finding("certificate", "ok", `good until ${validTo}`)
  return left > 0
    ? finding("certificate", "warn", `ends ${validTo}: renew it and start the server again.`)
    : finding("certificate", "fail", `ended ${validTo}: renew ${file}.`)
}

const isEmporion = (url: string): Effect.Effect<boolean> =>
  HttpClient.get(`${url}/health/live`).pipe(
    Effect.map(({ status }) => status === 200),
    Effect.timeoutOption(ANSWER_LIMIT),
    Effect.map(Option.getOrElse(() => false)),
    Effect.orElseSucceed(() => false),
    Effect.provide(FetchHttpClient.layer)
  )

const port = Effect.gen(function* () {
  const settings = yield* Settings
  const { server } = settings
  const url = issuer({ ...server, publicUrl: undefined })
  const scope = yield* Scope.make()
  const tried = yield* Effect.exit(Layer.buildWithScope(BunServer.addressIsFree, scope))
  yield* Scope.close(scope, Exit.void)
  if (Exit.isSuccess(tried)) return finding("address", "ok", `${url} is free`)
  if (yield* isEmporion(url)) return finding("address", "ok", `${url} is taken, by an Emporion that runs`)
  return yield* Effect.failCause(tried.cause)
})

const embedded = Effect.gen(function* () {
  yield* findPostgresBinaries()
  return (yield* findIsolation) === undefined
    ? finding("PostgreSQL", "fail", "It does not run as root here: start as another user, or set DATABASE_URL.")
    : finding("PostgreSQL", "ok", "the embedded one can be started here")
})

/** Settings that are right one by one, and together not what production should have. */
const advice = ({ database, mail, mode, oracles, secretKey, server }: Settings["Service"]): ReadonlyArray<Finding> => {
  if (mode !== "production") return []
  const warn = (about: string, text: string): Finding => finding(about, "warn", text)
  const isLocal = /^(127\.|::1$|localhost$)/.test(server.host)
  const bytes = new Set(Redacted.value(secretKey))
  return [
    ...(bytes.size < 8 ? [finding("SECRET_KEY", "fail", "It is not random: make one with openssl rand -hex 32.")] : []),
    ...(server.publicUrl === undefined
      ? [warn("PUBLIC_URL", "unset: tokens and cookies name the local address.")]
      : []),
    ...(server.tls === undefined && !isLocal
      ? [warn("TLS_CERT", "unset: whoever reaches HOST speaks to it in the clear.")]
      : []),
    ...(server.tls === undefined && server.trustedProxies.length === 0
      ? [warn("TRUSTED_PROXIES", "unset: behind a proxy every caller has the proxy's address and shares its limits.")]
      : []),
    ...(server.rateLimits ? [] : [warn("RATE_LIMITS", "off: that is for benchmarks.")]),
    ...(mail.smtpUrl === undefined ? [warn("SMTP_URL", "unset: nobody can reset a password or verify an email.")] : []),
    ...(database.url === undefined ? [warn("DATABASE_URL", "unset: the embedded database has no replica.")] : []),
    ...(oracles.fxUrl === undefined ? [warn("ORACLE_FX_URL", "unset: no fx and metals orders are made.")] : [])
  ]
}

/** Looks at the machine and the settings together, and changes nothing. */
export const machineFindings: Effect.Effect<ReadonlyArray<Finding>, never, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const { database, dataDir, mode, server } = settings
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  const look = (about: string, one: () => Finding) =>
    orFail(about, Effect.try({ try: one, catch: (error) => new CommandFailed({ message: sentence(error) }) }))
  const { tls } = server
  return [
    finding("settings", "ok", `${mode}, ${database.url === undefined ? "embedded database" : "DATABASE_URL"}`),
    ...advice(settings),
    yield* look("data folder", () => folder(dataDir)),
    yield* look("disk", () => disk(dataDir)),
    yield* orFail("address", port),
    ...(tls === undefined ? [] : [yield* look("certificate", () => certificate(tls.certificateFile, now))]),
    ...(database.url === undefined ? [yield* orFail("PostgreSQL", embedded)] : [])
  ]
})
