import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { ask } from "../../lib/Requests.ts"
import { onDatabase, runEmporion, startEmporion } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { runToEnd } from "../../lib/ServerProcess.ts"
import { testDatabase } from "../../lib/TestDatabase.ts"

const ADDRESS = /^Emporion +(\S+)/m

const untilItSays = async (output: ReadableStream<Uint8Array>, what: RegExp): Promise<string> => {
  let said = ""
  for await (const chunk of output.pipeThrough(new TextDecoderStream() as never)) {
    said += String(chunk)
    const found = what.exec(said)?.[1]
    if (found !== undefined) return found
  }
  throw new Error(`it only said ${said}`)
}

describe("emporion serve", () => {
  itLive(
    "runs the platform until it is told to stop, and ends with 0",
    () =>
      Effect.gen(function* () {
        const { url } = yield* testDatabase
        const env = { ...onDatabase(url), PORT: "0", SANDBOX_TRADERS: "0", LOG_LEVEL: "warn" }
        const server = yield* startEmporion(["serve"], { env })
        const address = yield* Effect.promise(() => untilItSays(server.stdout, ADDRESS))
        const ready = yield* Effect.promise(() => ask(address, "/health/ready"))
        expect(ready.status).toBe(200)
        server.kill("SIGTERM")
        expect(yield* Effect.promise(() => server.exited)).toBe(0)
      }),
    60_000
  )

  itLive(
    "says why it cannot start as the program's own entry does",
    () =>
      Effect.gen(function* () {
        const env = { PORT: "99999" }
        const [served, started] = yield* Effect.all([runEmporion(["serve"], { env }), runToEnd(env)], {
          concurrency: "unbounded"
        })
        expect(served.stderr).toBe('emporion: PORT: expected a port from 0 (any free one) to 65535, not "99999".\n')
        expect([served.code, served.stderr]).toEqual([1, started.stderr])
      }),
    60_000
  )
})
