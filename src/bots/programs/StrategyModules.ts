import { Context, Effect, Layer, Result } from "effect"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { join, sep } from "node:path"
import { refusal } from "../../../engine/wire/Refusal.ts"
import { Settings } from "../../Config.ts"

/** The largest file of a module, in bytes. */
export const MAX_MODULE_BYTES = 1_048_576

/** A file that a bot's module is loaded from. */
export interface ModuleFile {
  /** Its name in the folder. */
  readonly name: string
  readonly path: string
  readonly folder: string
  /** SHA-256 of what it has, in hex. */
  readonly digest: string
}

/** A bot can have no such module. */
export class InvalidStrategyModule extends refusal(
  "InvalidStrategyModule",
  "unprocessable",
  ({ why }: { readonly why: string }) => `payload.strategy_module: ${why}`
) {}

/** A bot cannot become active without its module. */
export class ModuleNotThere extends refusal(
  "ModuleNotThere",
  "conflict",
  ({ why }: { readonly why: string }) => `The bot's module cannot run. ${why}`
) {}

const CLOSED =
  "This server runs no modules of bots: leave it out, or have its operator name their folder by STRATEGY_MODULES, which only a sandbox takes."

/** The modules that an operator lets decide for bots: the files of one folder, none of which comes over HTTP. */
export class StrategyModules extends Context.Service<
  StrategyModules,
  {
    /** Whether there are any. */
    readonly isOpen: boolean
    /** One as it is now, or a sentence for the bot's owner. */
    readonly find: (name: string) => Result.Result<ModuleFile, string>
  }
>()("emporion/bots/programs/StrategyModules") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Settings, ({ strategyModules: folder }) =>
      StrategyModules.of({
        isOpen: folder !== undefined,
        find: (name) => (folder === undefined ? Result.fail(CLOSED) : fileIn(folder, name))
      })
    )
  )
}

/** SHA-256 of what a file has, in hex. Throws where it cannot be read. */
const digestOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex")

/** Whether a file still has what it was found with. */
export const isUnchanged = ({ digest, path }: ModuleFile): boolean =>
  Result.getOrElse(
    Result.try(() => digestOf(path) === digest),
    () => false
  )

/** Reads a file of a folder. What a link in it leads out to is none. A file may go at any time between two looks. */
const fileIn = (folder: string, name: string): Result.Result<ModuleFile, string> =>
  Result.flatMap(
    Result.try({ try: () => lookedAt(folder, name), catch: () => `${name} cannot be read by the server.` }),
    (found) => found
  )

const lookedAt = (folder: string, name: string): Result.Result<ModuleFile, string> => {
  const given = join(folder, name)
  if (!existsSync(given)) return Result.fail(`There is no file ${name} in the folder of STRATEGY_MODULES.`)
  const path = realpathSync(given)
  if (!path.startsWith(`${folder}${sep}`)) {
    return Result.fail(`${name} leads out of the folder of STRATEGY_MODULES: put the file itself there.`)
  }
  const facts = statSync(path)
  if (!facts.isFile()) return Result.fail(`${name} is no file.`)
  if (facts.size > MAX_MODULE_BYTES) return Result.fail(`${name} has more than ${MAX_MODULE_BYTES} bytes.`)
  return Result.succeed({ name, path, folder, digest: digestOf(path) })
}
