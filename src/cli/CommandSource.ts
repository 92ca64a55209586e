import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { Settings } from "../Config.ts"
import { atUrl, inDataDir } from "../database/CommandDatabase.ts"
import type { Connected } from "../database/Database.ts"
import * as RecordClock from "../database/RecordClock.ts"
import type { ReadingFailed } from "../database/ReadOnlyDatabase.ts"
import { keptKeyFile } from "../SecretKey.ts"
import * as Setting from "../Setting.ts"
import { CommandFailed } from "./CommandFailed.ts"
import type { Source } from "./EventLog.ts"
import { type DatabaseFlags, sourceOf } from "./SourceFlags.ts"

/** Stands for a key that nobody has made yet. */
const NO_KEY = "00".repeat(32)

export type DatabaseSource = Exclude<Source, { readonly _tag: "File" }>

/** The database that was named, else that of the environment. */
export const databaseSource = (
  given: DatabaseFlags
): Effect.Effect<DatabaseSource, CommandFailed | Setting.SettingRefused> =>
  Effect.flatMap(sourceOf(given), (source) =>
    source._tag === "File" ? Effect.die(new Error("a file is no database")) : Effect.succeed(source)
  )

/** A database to work on, beside its server or alone. */
export const workingOn = (source: DatabaseSource): Layer.Layer<Connected, ReadingFailed> =>
  Layer.provideMerge(RecordClock.ofCommand, source._tag === "Database" ? atUrl(source.url) : inDataDir(source.folder))

/** The environment's variables, with the named database in the place of its own. */
const withDatabase = (source: DatabaseSource): Effect.Effect<ConfigProvider.ConfigProvider> => {
  const named =
    source._tag === "Database"
      ? { DATABASE_URL: Redacted.value(source.url) }
      : { DATABASE_URL: "", DATA_DIR: source.folder }
  return Effect.map(ConfigProvider.ConfigProvider, (environment) =>
    ConfigProvider.orElse(ConfigProvider.fromEnvRecord(named), environment)
  )
}

/** Where the sandbox's key would be kept that a start would make; undefined where there is a key, or none is made. */
const missingKey = Effect.gen(function* (): Effect.fn.Return<string | undefined, Setting.SettingRefused> {
  const given = yield* Setting.optional("SECRET_KEY", { ...Setting.text, secret: true })
  const mode = yield* Setting.optional("APP_MODE", Setting.text)
  const file = keptKeyFile(resolve(yield* Setting.withDefault("DATA_DIR", Setting.text, ".data")))
  return given !== undefined || mode === "production" || existsSync(file) ? undefined : file
})

type SettingsThere = Layer.Layer<Settings, CommandFailed | Setting.SettingRefused>

/** The server's settings, as far as the environment and the flags tell them. A key that is missing is not made. */
export const settingsOn = (source: DatabaseSource): SettingsThere =>
  Layer.unwrap(
    Effect.flatMap(missingKey, (file) =>
      file === undefined
        ? Effect.succeed(Settings.layer)
        : new CommandFailed({
            message: `There is no ${file}: name the DATA_DIR, or set the SECRET_KEY, that the server was started with, or copy its file there.`
          })
    )
  ).pipe(Layer.provide(ConfigProvider.layer(withDatabase(source))))

/** The same before a first start: where the key is missing that it will make, nothing stands for it. */
export const settingsBefore = (source: DatabaseSource): SettingsThere =>
  Layer.unwrap(
    Effect.map(missingKey, (file) =>
      file === undefined
        ? Settings.layer
        : Settings.layer.pipe(
            Layer.provide(
              ConfigProvider.layer(
                Effect.map(withDatabase(source), (variables) =>
                  ConfigProvider.orElse(ConfigProvider.fromEnvRecord({ SECRET_KEY: NO_KEY }), variables)
                )
              )
            )
          )
    )
  ).pipe(Layer.provide(ConfigProvider.layer(withDatabase(source))))
