import { Data, Effect, Exit, Layer, Option, Scope } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { X509Certificate } from "node:crypto"
import { accessSync, constants, existsSync, readFileSync, statfsSync } from "node:fs"
import { dirname } from "node:path"
import { Settings } from "../Config.ts"
import { RESERVE } from "../database/DiskGuard.ts"
import { findPostgresBinaries } from "../database/PostgresBinaries.ts"
import { findIsolation } from "../database/PostgresProcess.ts"
import * as HttpServer from "../http/HttpServer.ts"
import type { ServerRuntime } from "../runtime/ServerRuntime.ts"
import { issuer } from "../identity/tokens/Issuer.ts"
import { type Check, type CheckRow, type Finding, finding, judged, orFail, sentence } from "./Finding.ts"
import { settingsFindings } from "./SettingsCheck.ts"

const MIB = 1024 * 1024

/** Free bytes below which the disk is worth a look, and in the way. */
const DISK_WARNED = 2_048 * MIB
const DISK_REFUSED = RESERVE

/** How long before its end a certificate is worth a look: two weeks, in milliseconds. */
const CERTIFICATE_WARNED = 14 * 86_400_000

/** Longest wait for a server that may be ours, in milliseconds. */
const ANSWER_LIMIT = 2_000

/** The nearest folder that is there. */
const existing = (folder: string): string => {
  const parent = dirname(folder)
  return existsSync(folder) || parent === folder ? folder : existing(parent)
}

const FOLDER: CheckRow = {
  about: "data folder",
  standing: "fail",
  when: "not readable and writable for this user",
  todo: "change its owner, or set DATA_DIR."
}

const folder = (dataDir: string): Finding => {
  const there = existing(dataDir)
  try {
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return finding(FOLDER.about, FOLDER.standing, `${there} cannot be written by this user: ${FOLDER.todo}`)
  }
  return finding(FOLDER.about, "ok", there === dataDir ? dataDir : `${dataDir}, which the first start makes`)
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 / MIB).toFixed(1)} GiB`

interface Room {
  readonly free: number
  readonly where: string
}

const room = ({ free, where }: Room): string => `${gigabytes(free)} free for ${where}`

const ROOM_TODO = "make room, the database stops without it."

const diskChecks: ReadonlyArray<Check<Room>> = [
  {
    about: "disk",
    standing: "fail",
    when: "less than 256 MiB free",
    todo: ROOM_TODO,
    found: (there) => (there.free < DISK_REFUSED ? room(there) : undefined)
  },
  {
    about: "disk",
    standing: "warn",
    when: "less than 2 GiB free",
    todo: ROOM_TODO,
    found: (there) => (there.free >= DISK_REFUSED && there.free < DISK_WARNED ? room(there) : undefined)
  }
]

/** What so many free bytes are worth. */
export const diskFinding = (free: number, where: string): Finding => {
  const [found = finding("disk", "ok", room({ free, where }))] = judged(diskChecks, { free, where })
  return found
}

const disk = (dataDir: string): Finding => {
  const { bavail, bsize } = statfsSync(existing(dataDir))
  return diskFinding(bavail * bsize, dataDir)
}

interface Validity {
  readonly until: string
  readonly now: number
}

const left = ({ now, until }: Validity): number => Date.parse(until) - now

const certificateChecks: ReadonlyArray<Check<Validity>> = [
  {
    about: "certificate",
    standing: "fail",
    when: "expired, or not readable",
    todo: "renew it, or set TLS_CERT to a valid one.",
    found: (validity) => (left(validity) > 0 ? undefined : `ended ${validity.until}`)
  },
  {
    about: "certificate",
    standing: "warn",
    when: "expires within two weeks",
    todo: "renew it and start the server again.",
    found: (validity) =>
      left(validity) > 0 && left(validity) <= CERTIFICATE_WARNED ? `ends ${validity.until}` : undefined
  }
]

/** What a certificate is worth that is good until then. */
export const certificateFinding = (until: string, now: number): Finding => {
  const [found = finding("certificate", "ok", `good until ${until}`)] = judged(certificateChecks, { until, now })
  return found
}

const certificate = (file: string, now: number): Finding =>
  certificateFinding(new X509Certificate(readFileSync(file)).validTo, now)

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
  const tried = yield* Effect.exit(Layer.buildWithScope(HttpServer.addressIsFree, scope))
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

/** What is looked at on the machine. */
export const machineChecks: ReadonlyArray<CheckRow> = [
  FOLDER,
  ...diskChecks,
  ...certificateChecks,
  {
    about: "address",
    standing: "fail",
    when: "the server cannot listen on `HOST` and `PORT`, or not with this certificate",
    todo: "set PORT and HOST to a free address, TLS_CERT and TLS_KEY to a certificate and its key."
  },
  {
    about: "PostgreSQL",
    standing: "fail",
    when: "without `DATABASE_URL`, if the embedded one cannot run",
    todo: "start as a user other than root, or set DATABASE_URL."
  }
]

/** A look at the machine that threw. */
class LookFailed extends Data.TaggedError("LookFailed")<{ readonly message: string }> {}

/** Looks at the settings and the machine but its address, and changes nothing. */
export const machineFindings: Effect.Effect<ReadonlyArray<Finding>, never, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const { database, dataDir, mode, server } = settings
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  const look = (about: string, one: () => Finding) =>
    orFail(about, Effect.try({ try: one, catch: (error) => new LookFailed({ message: sentence(error) }) }))
  const { tls } = server
  return [
    finding("settings", "ok", `${mode}, ${database.url === undefined ? "embedded database" : "DATABASE_URL"}`),
    ...settingsFindings(settings),
    yield* look("data folder", () => folder(dataDir)),
    yield* look("disk", () => disk(dataDir)),
    ...(tls === undefined ? [] : [yield* look("certificate", () => certificate(tls.certificateFile, now))]),
    ...(database.url === undefined ? [yield* orFail("PostgreSQL", embedded)] : [])
  ]
})

/** Looks whether the server could listen. A start finds that by itself. */
export const addressFinding: Effect.Effect<Finding, never, ServerRuntime | Settings> = orFail("address", port)
