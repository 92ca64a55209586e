import { describe, expect } from "bun:test"
import { Effect, Exit, Layer, Scope } from "effect"
import { PgClient } from "@effect/sql-pg"
import { ProcessLock } from "../../../src/database/ProcessLock.ts"
import { registry } from "../../../src/database/migrations/Registry.ts"
import { label } from "../../../src/database/Migrations.ts"
import { onDatabase, runEmporion } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { emptyDatabase, testDatabase, type TestDatabase } from "../../lib/TestDatabase.ts"

const all = registry.map(label)
const last = all.at(-1) ?? ""

const on = ({ url }: TestDatabase) => {
  const env = onDatabase(url)
  return (...args: ReadonlyArray<string>) => runEmporion(["migrate", ...args], { env })
}

describe("emporion migrate", () => {
  itLive(
    "brings an empty database up, and says before what it would do",
    () =>
      Effect.gen(function* () {
        const migrate = on(yield* emptyDatabase)
        const would = yield* migrate("up", "--dry-run", "--json")
        expect(JSON.parse(would.stdout)).toEqual({ dryRun: true, applied: all })
        const before = yield* migrate("status", "--json")
        expect(JSON.parse(before.stdout)).toEqual({ applied: [], pending: all })
        const up = yield* migrate("up")
        expect(up).toEqual({ code: 0, stdout: all.map((name) => `applied  ${name}\n`).join(""), stderr: "" })
        expect((yield* migrate("up")).stdout).toBe("nothing is pending\n")
      }),
    60_000
  )

  itLive(
    "undoes the last ones only when told twice",
    () =>
      Effect.gen(function* () {
        const migrate = on(yield* testDatabase)
        const dry = yield* migrate("down", "2", "--dry-run")
        expect([dry.code, dry.stdout]).toEqual([0, `would undo  ${last}\nwould undo  ${all.at(-2)}\n`])
        const bare = yield* migrate("down", "1")
        expect([bare.code, bare.stdout]).toEqual([1, `would undo  ${last}\n`])
        expect(bare.stderr).toContain("Add --yes")
        const undone = yield* migrate("down", "1", "--yes")
        expect([undone.code, undone.stdout, undone.stderr]).toEqual([0, `undone  ${last}\n`, ""])
        expect((yield* migrate("status")).stdout).toContain(`pending  ${last}\n`)
        expect((yield* migrate("up", "--json")).stdout).toBe(`${JSON.stringify({ dryRun: false, applied: [last] })}\n`)
      }),
    60_000
  )

  itLive(
    "leaves the schema alone under a running server",
    () =>
      Effect.gen(function* () {
        const database = yield* testDatabase
        const migrate = on(database)
        const scope = yield* Scope.make()
        const held = ProcessLock.layer().pipe(Layer.provide(PgClient.layerFrom(PgClient.make(database.config))))
        yield* Layer.buildWithScope(held, scope)
        const [up, down, status] = yield* Effect.all(
          [migrate("up"), migrate("down", "1", "--yes"), migrate("status")],
          {
            concurrency: "unbounded"
          }
        )
        expect([up.code, down.code, status.code]).toEqual([1, 1, 0])
        expect(up.stderr).toContain("Another server works on this database")
        expect(down.stderr).toContain("stop it first")
        expect(status.stdout).toContain("nothing is pending")
        yield* Scope.close(scope, Exit.void)
      }),
    60_000
  )
})
