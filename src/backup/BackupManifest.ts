import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { BackupFailed, BackupStore } from "./BackupStore.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Rows of a table, as they were at one moment. */
const CopiedTable = Schema.Struct({
  name: Schema.String,
  /** The columns of each line, in order. */
  columns: Schema.Array(Schema.String),
  rows: Count,
  /** When they were read, in milliseconds since 1970. */
  at: Count,
  /** The hashes of its chunks, in the order of the rows. */
  chunks: Schema.Array(Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)))
})

export type CopiedTable = typeof CopiedTable.Type

/**
 * One backup. A full one has every table and the whole journal, as far as that is not archived. An increment has the journal's rows behind the backup
 * before it, and the tables that do not follow from the journal.
 */
export const BackupManifest = Schema.Struct({
  format: Schema.Literal(1),
  kind: Schema.Literals(["full", "increment"]),
  /** The program's version. */
  version: Schema.String,
  /** The last migration of the database. */
  schema: Count,
  /** The name of the `SECRET_KEY` that sealed columns need. */
  key: Schema.String,
  /** The moment that it shows, in milliseconds since 1970. */
  madeAt: Count,
  /** The sequence behind which it has all rows of the journal: a full one has none before what the archive has. */
  after: Count,
  /** The end of the journal: sequence, hash of the last row, and when that was appended. */
  seq: Count,
  hash: Schema.String,
  recordedAt: Count,
  /** The last event that the tables have. */
  projected: Count,
  /** The writer's term, in decimal. */
  term: Schema.String,
  tables: Schema.Array(CopiedTable),
  journal: CopiedTable
})

export type BackupManifest = typeof BackupManifest.Type

const Text = Schema.fromJsonString(BackupManifest)
const encode = Schema.encodeSync(Text)
const decode = Schema.decodeUnknownEffect(Text)

const FOLDER = "backups"

/** Digits that hold any sequence and any time, so that names sort as they do. */
const DIGITS = 16

const padded = (value: number): string => String(value).padStart(DIGITS, "0")

/** What a backup's name says of it. */
export interface ManifestName extends Pick<BackupManifest, "kind" | "madeAt" | "seq"> {
  readonly name: string
}

/** Names sort by sequence, and then by time. */
export const manifestName = ({ kind, madeAt, seq }: Omit<ManifestName, "name">): string =>
  `${FOLDER}/${padded(seq)}-${padded(madeAt)}-${kind}.json`

const hashOf = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

/** Keeps a manifest: only now there is a backup. */
export const putManifest = Effect.fn("backup.putManifest")(function* (manifest: BackupManifest) {
  const text = encode(manifest)
  yield* (yield* BackupStore).put(manifestName(manifest), new TextEncoder().encode(`${hashOf(text)}\n${text}\n`))
})

const NAME = /^(\d{16})-(\d{16})-(full|increment)\.json$/

/** The names of all backups, or of those behind one, by sequence and time. */
export const manifestNames = Effect.fnUntraced(function* (after?: ManifestName) {
  const names = yield* (yield* BackupStore).list(FOLDER, after?.name.slice(FOLDER.length + 1))
  return names.flatMap((name): ManifestName | [] => {
    const [, seq, madeAt, kind] = NAME.exec(name) ?? []
    if (kind === undefined) return []
    return {
      name: `${FOLDER}/${name}`,
      kind: kind === "full" ? kind : "increment",
      seq: Number(seq),
      madeAt: Number(madeAt)
    }
  })
})

/** What is another one once a backup came or went; undefined where the place does not tell. */
export const manifestStamp = Effect.flatMap(BackupStore, ({ stamp }) => stamp(FOLDER))

/** A manifest; fails unless it is the one that was kept. */
export const getManifest = Effect.fnUntraced(function* (name: string) {
  const store = yield* BackupStore
  const content = new TextDecoder().decode(yield* store.get(name))
  const altered = new BackupFailed({
    message: `${name} of ${store.place} was altered, or is of another version. Use another copy of the backup.`
  })
  const [, hash, text = ""] = /^([0-9a-f]{64})\n(.+)\n$/.exec(content) ?? []
  if (hash !== hashOf(text)) return yield* altered
  const manifest = yield* Effect.mapError(decode(text), () => altered)
  if (manifestName(manifest) !== name) return yield* altered
  return manifest
})
