import { describe, expect, it } from "bun:test"
import { Cause, Effect, Exit } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { recoveryPoint, startBackup } from "../../../scripts/bench/BackupBeside.ts"
import type { BenchPostgres } from "../../../scripts/bench/BenchPostgres.ts"
import { itLive } from "../../lib/Effects.ts"

const unasked = () => Effect.die(new Error("nobody is to ask"))

const postgres: BenchPostgres = {
  path: "/nowhere/socket",
  version: "",
  durability: {},
  create: unasked,
  drop: unasked,
  query: unasked,
  script: unasked
}

/** A file that stands in for the command, removed with the scope. */
const command = (text: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "emporion-backup-beside-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => {
      const file = join(folder, "command.ts")
      writeFileSync(file, text)
      return file
    }
  )

describe("The recovery point", () => {
  it("is the age of the moment that the last backup has when the next one ends, or what one takes", () => {
    const made = [
      { madeAt: 1_000, endedAt: 1_900 },
      { madeAt: 2_000, endedAt: 2_100 },
      { madeAt: 3_100, endedAt: 3_250 }
    ]
    expect(recoveryPoint(made)).toBe(1_250)
    expect(recoveryPoint(made.slice(0, 1))).toBe(900)
  })
})

describe("A backup beside a measurement", () => {
  const why = (exit: Exit.Exit<unknown>) => (Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "it went on")

  itLive("is not waited for once its process has ended, before the first backup or later", () =>
    Effect.gen(function* () {
      const first = startBackup(postgres, "none", yield* command("process.exit(3)"))
      expect(why(yield* Effect.exit(first))).toContain("emporion backup ended with 3")
      const file = yield* command(`
        console.log('{"madeAt":1000,"millis":200}')
        setInterval(() => require("node:fs").existsSync(import.meta.dir + "/sign") && process.exit(4), 5)`)
      const { during } = yield* startBackup(postgres, "none", file)
      const ends = Effect.sync(() => writeFileSync(join(dirname(file), "sign"), ""))
      expect(why(yield* Effect.exit(during(ends)))).toContain("emporion backup ended with 4")
    })
  )
})
