import { Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import * as Setting from "../Setting.ts"
import { CommandFailed } from "./CommandFailed.ts"
import type { Source } from "./EventLog.ts"

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

/** Where a database is. */
export const databaseFlags = { database, dataDir }

/** Where events are. */
export const sourceFlags = { database, dataDir, file }

export interface DatabaseFlags {
  readonly database: Option.Option<string>
  readonly dataDir: Option.Option<string>
}

const atUrl = (url: string): Effect.Effect<Source, CommandFailed> =>
  /^postgres(ql)?:\/\//.test(url) && URL.canParse(url)
    ? Effect.succeed({ _tag: "Database", url: Redacted.make(url) })
    : Effect.fail(new CommandFailed({ message: "--database: expected a URL that starts with postgresql://" }))

const fromEnvironment = Effect.gen(function* (): Effect.fn.Return<Source, CommandFailed | Setting.SettingRefused> {
  const url = yield* Setting.optional("DATABASE_URL", { ...Setting.text, secret: true })
  if (url !== undefined) return yield* atUrl(url)
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
    return yield* new CommandFailed({ message: "Give one of --database, --data-dir and --file, not several." })
  }
  if (url !== undefined) return yield* atUrl(url)
  if (folder !== undefined) return { _tag: "DataDir", folder }
  return path === undefined ? yield* fromEnvironment : { _tag: "File", path }
})
