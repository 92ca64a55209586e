/** The steps of a restore: it reads all that it needs, writes it, verifies and replays it, and only then lets a server start there. */

import { Effect, Layer } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { existsSync } from "node:fs"
import { auditArchive } from "../backup/BackupArchive.ts"
import { auditPlan, auditStore } from "../backup/BackupAudit.ts"
import { loadKeys } from "../backup/BackupKeys.ts"
import { loadPlan } from "../backup/Restore.ts"
import { planRestore, type RestorePlan, type RestoreTarget } from "../backup/RestorePlan.ts"
import { RestoreRepository } from "../backup/RestoreRepository.ts"
import { restoringAtUrl, restoringInDataDir } from "../database/CommandDatabase.ts"
import { migrate } from "../database/Migrations.ts"
import { registry } from "../database/migrations/Registry.ts"
import { ProcessLock } from "../database/ProcessLock.ts"
import { placeIn } from "../database/PostgresCluster.ts"
import { WriterTerm } from "../database/WriterTerm.ts"
import { keyName } from "../identity/secrets/KeyRotation.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { type DatabaseSource, settingsOn } from "./CommandSource.ts"
import { findingText } from "./FindingText.ts"
import { replayLog } from "./Replaying.ts"
import { verify } from "./Verifying.ts"

/** What a restore makes, or would make. */
export interface RestoreReport {
  /** Whether it was done. */
  readonly done: boolean
  /** The last event, and when it was recorded, in milliseconds since 1970. */
  readonly seq: number
  readonly recordedAt: number
  /** Since when the tables beside the journal may have changed. */
  readonly besideAt: number
  /** When the full backup was made that it begins with. */
  readonly fullAt: number
  readonly rows: number
  readonly files: number
  /** The last event that the journal's archive has; 0 where the journal was never archived. */
  readonly archived: number
  /** The hash of the restored state, which is that of its events; undefined before it is done. */
  readonly state: string | undefined
}

const failed = (message: string) => new CommandFailed({ message })

/** What the key is for that the target's server will have. */
const secretsOf = (source: DatabaseSource) =>
  Secrets.layer.pipe(Layer.provide(Layer.merge(settingsOn(source), layerWebCrypto)))

const keyOf = (source: DatabaseSource) => Effect.provide(Effect.map(Secrets, keyName), secretsOf(source))

const rightKey = Effect.fnUntraced(function* (source: DatabaseSource, { base, beside }: RestorePlan) {
  const key = yield* keyOf(source)
  const needed = [base.key, beside.key].find((one) => one !== key)
  if (needed === undefined) return
  return yield* failed(
    `The backup needs the SECRET_KEY named ${needed}, and this one is ${key}: set the server's SECRET_KEY, or put its secret.key into the target's data folder.`
  )
})

const rightVersion = Effect.fnUntraced(function* ({ base }: RestorePlan) {
  const schema = registry.at(-1)?.id ?? 0
  if (base.schema === schema) return
  return yield* failed(
    `The backup has the schema ${base.schema} of version ${base.version}, this version's is ${schema}: restore with version ${base.version}, and start the newer one on it then.`
  )
})

const reportOf = (
  { base, beside }: RestorePlan,
  { archived, end, files, rows }: Effect.Success<ReturnType<typeof auditPlan>>
): RestoreReport => ({
  done: false,
  seq: end.seq,
  recordedAt: end.recordedAt,
  besideAt: beside.madeAt,
  fullAt: base.madeAt,
  rows,
  files,
  archived: archived.at(-1)?.last ?? 0,
  state: undefined
})

const target = (source: DatabaseSource) =>
  source._tag === "Database" ? restoringAtUrl(source.url) : restoringInDataDir(source.folder)

const refuseOther = (found: Effect.Success<RestoreRepository["Service"]["found"]>, source: DatabaseSource) =>
  found === "other"
    ? failed(
        `${source._tag === "Database" ? "The database" : `The database in ${source.folder}`} is not empty, so nothing was changed: name an empty one.`
      )
    : Effect.void

const lookAt = Effect.fnUntraced(function* (source: DatabaseSource) {
  if (source._tag === "DataDir" && !existsSync(placeIn(source.folder).cluster)) return
  const repository = RestoreRepository.layer.pipe(Layer.provide(target(source)))
  yield* refuseOther(
    yield* Effect.provide(
      Effect.flatMap(RestoreRepository, ({ found }) => found),
      repository
    ),
    source
  )
})

/** Reads every file of every backup, and says what a restore would make. Writes nothing. */
export const preview = Effect.fn("cli.previewRestore")(function* (source: DatabaseSource, to: RestoreTarget) {
  yield* auditStore
  const plan = yield* planRestore(to)
  yield* rightVersion(plan)
  yield* rightKey(source, plan)
  const audited = yield* auditPlan(plan)
  yield* auditArchive(audited.archived, source.archive)
  yield* lookAt(source)
  return reportOf(plan, audited)
})

/** The shipped recovery writes what the tables lack, under a term of its own. */
const follow = Effect.fnUntraced(function* (seq: number) {
  const { recovery } = yield* Effect.promise(() => import("../App.ts"))
  yield* Effect.provide(Effect.void, recovery.pipe(Layer.provide(WriterTerm.layer)))
  const projected = yield* Effect.flatMap(RestoreRepository, (repository) => repository.projected)
  if (projected !== seq) {
    return yield* failed(`The tables follow the journal to ${projected}, not to ${seq}: restore to ${projected}.`)
  }
})

/** What a server would find. Answers the state's hash. */
const proved = Effect.fnUntraced(function* (source: DatabaseSource) {
  const verified = yield* verify(source)
  if (verified.finding !== undefined) {
    return yield* failed(`What was restored is not what it was: ${findingText(verified.finding)}`)
  }
  const { differences, finding, ok, state } = yield* replayLog(source)
  if (ok && state.derived === state.stored) return state.stored
  const what =
    finding === undefined ? `${differences.length} rows are not what the events make of them` : findingText(finding)
  return yield* failed(`What was restored is not what its events make: ${what}`)
})

const write = Effect.fnUntraced(function* (source: DatabaseSource, plan: RestorePlan, seq: number) {
  const { begin, complete, finish, found } = yield* RestoreRepository
  yield* refuseOther(yield* found, source)
  yield* begin
  yield* migrate()
  const { PERSONAL_TABLES: tables } = yield* Effect.promise(() => import("../App.ts"))
  const people = { keys: yield* Effect.provide(loadKeys(), secretsOf(source)), tables }
  const keys = yield* loadPlan(plan, people)
  yield* follow(seq)
  yield* complete(keys)
  const state = yield* proved(source)
  yield* finish
  return state
})

/**
 * Makes an empty database what it was at a target: reads all that it needs, writes it, lets the tables follow the
 * journal, verifies and replays it, and only then lets a server start on it.
 */
export const restore = Effect.fn("cli.restore")(function* (source: DatabaseSource, to: RestoreTarget) {
  const plan = yield* planRestore(to)
  yield* rightVersion(plan)
  yield* rightKey(source, plan)
  const audited = yield* auditPlan(plan)
  yield* auditArchive(audited.archived, source.archive)
  // What is no target is refused at once: a restore that was killed a moment ago is waited for, until PostgreSQL notices.
  yield* lookAt(source)
  const alone = ProcessLock.layer()
  const work = write(source, plan, audited.end.seq)
  const state = yield* Effect.provide(
    work,
    Layer.merge(RestoreRepository.layer, alone).pipe(Layer.provideMerge(target(source)))
  )
  return { ...reportOf(plan, audited), done: true, state } satisfies RestoreReport
})
