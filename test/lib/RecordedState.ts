import { Effect, Redacted } from "effect"
import { replayLog } from "../../src/cli/Replaying.ts"
import type { TestServer } from "./TestServer.ts"

/** What a replay of all that a server recorded finds: nothing, where its tables are what its events make of them. */
export const replayFindings = (server: TestServer) =>
  Effect.map(
    Effect.orDie(replayLog({ _tag: "Database", url: Redacted.make(server.databaseUrl) })),
    ({ differences, finding }) => ({ differences, finding })
  )

/** That nothing was found. */
export const NO_FINDINGS = { differences: [], finding: undefined } as const
