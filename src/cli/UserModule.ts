import { Data, Effect, Predicate } from "effect"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"

/** A module that somebody named cannot be taken. */
export class ModuleFailed extends Data.TaggedError("ModuleFailed")<{ readonly message: string }> {}

/** What somebody's module threw, or what else is wrong with it, with its path. */
export const failedIn = (path: string) => (cause: unknown) =>
  new ModuleFailed({ message: `${path}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}` })

/** What a module of TypeScript or JavaScript exports by default; undefined where that is nothing. */
export const defaultExport = Effect.fn("cli.defaultExport")(function* (
  path: string
): Effect.fn.Return<unknown, ModuleFailed> {
  const file = resolve(path)
  if (!existsSync(file)) return yield* new ModuleFailed({ message: `There is no file ${file}.` })
  const loaded: unknown = yield* Effect.tryPromise({
    try: () => import(pathToFileURL(file).href),
    catch: failedIn(path)
  })
  return Predicate.isObject(loaded) && "default" in loaded ? loaded.default : undefined
})
