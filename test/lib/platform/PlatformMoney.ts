import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import fc from "fast-check"
import { replayLog } from "../../../src/cli/Replaying.ts"
import { verify } from "../../../src/cli/Verifying.ts"
import { LedgerAudit } from "../../../src/funds/LedgerAudit.ts"
import { TestServer } from "../TestServer.ts"
import { fundDesk } from "./PlatformActors.ts"
import { EVERY_KIND, OPENING, platformCommands } from "./PlatformCommands.ts"
import { PlatformModelComparison } from "./PlatformModelComparison.ts"

/** Runs from which a failure is shrunk: each step of that plays a whole sequence anew. */
const SHRUNK_FROM = 50

/** A server with an arena that is open and a desk that can exchange. */
export const platformServer = Effect.gen(function* () {
  const server = yield* TestServer.make()
  yield* server.tick()
  yield* fundDesk(server)
  return server
})

/** Whether balances are the sums of all that moved, and the log makes the very rows that the database holds. */
export const checkRecords = (server: TestServer) =>
  Effect.gen(function* () {
    const history = yield* server.run(Effect.flatMap(LedgerAudit, ({ checkHistory }) => checkHistory))
    expect(history).toEqual({ balanced: true, findings: [] })
    const source = { _tag: "Database", url: Redacted.make(server.databaseUrl) } as const
    const report = yield* Effect.orDie(replayLog(source))
    expect(report).toMatchObject({ ok: true, finding: undefined, differences: [] })
    expect(report.state.derived).toBe(report.state.stored!)
    expect(yield* Effect.orDie(verify(source))).toMatchObject({ ok: true, finding: undefined })
  })

/** Plays so many sequences of what companies do, each by companies of its own; answers how often each kind of move was taken. */
export const playPlatform = (server: TestServer, numRuns: number, maxLength: number) =>
  Effect.gen(function* () {
    const taken = new Map<string, number>()
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    const check = fc.asyncProperty(platformCommands(maxLength), (commands) =>
      run(
        Effect.gen(function* () {
          const comparison = yield* PlatformModelComparison.make(server)
          for (const command of [...OPENING, ...commands]) yield* comparison.do(command)
          for (const [act, count] of comparison.taken) taken.set(act, (taken.get(act) ?? 0) + count)
        })
      )
    )
    yield* Effect.promise(() =>
      fc.assert(check, { numRuns, examples: [[EVERY_KIND]], endOnFailure: numRuns < SHRUNK_FROM })
    )
    yield* checkRecords(server)
    return taken
  })
