import { Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import * as FilePlace from "../FilePlace.ts"
import * as Setting from "../Setting.ts"
import { CommandFailed, CommandMisused } from "./CommandFailed.ts"
import type { Source } from "./EventLog.ts"

type DatabaseSource = Exclude<Source, { readonly _tag: "File" }>

const database = Flag.String("database").pipe(
  Flag.withDescription("A PostgreSQL, such as postgresql://user@host/name. Default: DATABASE_URL"),
  Flag.withMetavar("URL"),
  Flag.optional
)

const dataDir = Flag.String("data-dir").pipe(
  Flag.withDescription(
    "The folder of an embedded database, whether a server runs on it or not. Default: DATA_DIR, else .data"
  ),
  Flag.withMetavar("DIR"),
  Flag.optional
)

const file = Flag.String("file").pipe(
  Flag.withDescription("A file that `emporion export` wrote"),
  Flag.withMetavar("FILE"),
  Flag.optional
)

const archive = Flag.String("archive").pipe(
  Flag.withDescription(
    "Where the journal's archive is: a folder, or s3://bucket/prefix. Default: JOURNAL_ARCHIVE. Read only if rows of the journal are there"
  ),
  Flag.withMetavar("PLACE"),
  Flag.filterMap(
    (place) => Option.fromUndefinedOr(FilePlace.typedPlace.parse(place)),
    () => `Expected ${FilePlace.typedPlace.expected}`
  ),
  Flag.optional
)

/** Where a database is. */
export const databaseFlags = { database, dataDir }

/** Where a database is, and the journal's older rows. */
export const journalFlags = { ...databaseFlags, archive }

/** Where events are. */
export const sourceFlags = { ...journalFlags, file }

export interface DatabaseFlags {
  readonly database: Option.Option<string>
  readonly dataDir: Option.Option<string>
  readonly archive?: Option.Option<string>
}

const EXPECTED_URL = "expected a URL that starts with postgresql://"

const atUrl = (url: string, refused: CommandFailed): Effect.Effect<DatabaseSource, CommandFailed> =>
  /^postgres(ql)?:\/\//.test(url) && URL.canParse(url)
    ? Effect.succeed({ _tag: "Database", url: Redacted.make(url) })
    : Effect.fail(refused)

const fromEnvironment = Effect.gen(function* (): Effect.fn.Return<
  DatabaseSource,
  CommandFailed | Setting.SettingRefused
> {
  const url = yield* Setting.optional("DATABASE_URL", { ...Setting.text, secret: true })
  if (url !== undefined) return yield* atUrl(url, new CommandFailed({ message: `DATABASE_URL: ${EXPECTED_URL}` }))
  return { _tag: "DataDir", folder: yield* Setting.withDefault("DATA_DIR", Setting.text, ".data") }
})

/** The one source that was named, else that of the environment's settings. */
export const sourceOf = Effect.fnUntraced(function* (
  given: DatabaseFlags & { readonly file?: Option.Option<string> }
): Effect.fn.Return<Source, CommandFailed | Setting.SettingRefused> {
  const url = Option.getOrUndefined(given.database)
  const folder = Option.getOrUndefined(given.dataDir)
  const path = Option.getOrUndefined(given.file ?? Option.none())
  if ([url, folder, path].filter((one) => one !== undefined).length > 1) {
    return yield* new CommandMisused({ message: "Give one of --database, --data-dir and --file, not several." })
  }
  if (path !== undefined) return { _tag: "File", path }
  const archive = Option.getOrUndefined(given.archive ?? Option.none())
  if (url !== undefined) {
    const refused = new CommandMisused({ message: `--database: ${EXPECTED_URL}` })
    return { ...(yield* atUrl(url, refused)), archive }
  }
  return folder === undefined ? { ...(yield* fromEnvironment), archive } : { _tag: "DataDir", folder, archive }
})
