import { describe, expect } from "bun:test"
import { Console, Context, Effect, Fiber, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { CommandFailed } from "../../../src/cli/CommandFailed.ts"
import { tail } from "../../../src/cli/LogsCommand.ts"
import { fromDatabase, fromPlatform, type ReadRequests, type TailedRequest } from "../../../src/cli/RequestReader.ts"
import { RequestLogRepository } from "../../../src/requests/RequestLogRepository.ts"
import { RequestRecorder } from "../../../src/requests/RequestRecorder.ts"
import { itEffect, withLayer } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

/** Runs an effect, and gives the lines that it printed and those on standard error. */
const printed = <A, E, R>(effect: Effect.Effect<A, E, R>, lines: { out: Array<string>; error: Array<string> }) =>
  Effect.provideService(effect, Console.Console, {
    ...console,
    log: (line: string) => void lines.out.push(line),
    error: (line: string) => void lines.error.push(line)
  })

/** An API client of a user with these scopes. */
const clientOf = (as: string, scopes: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const server = yield* Server
    const { json } = yield* server.post<{ readonly client_id: string; readonly client_secret: string }>(
      "/v1/clients",
      { name: "tail", scopes },
      { as }
    )
    return {
      server: new URL(server.url),
      clientId: json.client_id,
      clientSecret: Redacted.make(json.client_secret)
    }
  })

describe("emporion logs tail", () => {
  it("prints the same of a database and of a platform", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { companyId, id } = yield* server.user()
      const client = yield* clientOf(id, ["users:read"])
      for (let one = 0; one < 3; one++) yield* server.post("/v1/funds", { one }, { as: id })
      yield* server.service(RequestRecorder).flush
      const options = { lines: 50, follow: false, json: true }
      const asked = { out: [] as Array<string>, error: [] as Array<string> }
      yield* printed(tail(fromPlatform(client, true), options), asked).pipe(Effect.provide(FetchHttpClient.layer))
      const read = { out: [] as Array<string>, error: [] as Array<string> }
      yield* printed(tail(fromDatabase(true), options), read).pipe(
        Effect.provideService(RequestLogRepository, server.service(RequestLogRepository))
      )
      const rows = (lines: ReadonlyArray<string>) => lines.map((line) => JSON.parse(line) as TailedRequest)
      expect(rows(asked.out).map(({ operation, status }) => [operation, status])).toEqual([
        ["POST /v1/funds", 400],
        ["POST /v1/funds", 400],
        ["POST /v1/funds", 400]
      ])
      expect(rows(read.out).filter((row) => row["company_id"] === companyId)).toEqual(rows(asked.out))
    }))

  it("says why a platform refuses", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      const options = { lines: 5, follow: false, json: false }
      const told = (client: Parameters<typeof fromPlatform>[0]) =>
        Effect.flip(tail(fromPlatform(client, false), options)).pipe(
          Effect.map(({ message }) => message),
          Effect.provide(FetchHttpClient.layer)
        )
      expect(yield* told(yield* clientOf(id, ["orders:read"]))).toContain("lacks the scope users:read")
      const unknown = { server: new URL(server.url), clientId: "cli_none", clientSecret: Redacted.make("none") }
      expect(yield* told(unknown)).toContain("gives no token")
      expect(yield* told({ ...unknown, server: new URL("http://127.0.0.1:1") })).toContain("cannot be reached")
    }))

  itEffect("follows what comes, through a failure", () =>
    Effect.gen(function* () {
      const log: Array<TailedRequest> = []
      const state = { fails: false }
      const add = (id: number) =>
        log.unshift({
          id: String(id),
          request_id: `request-${id}`,
          at: "2026-01-02T03:04:05.000Z",
          user_id: null,
          address: "10.0.0.1",
          operation: "POST /v1/funds",
          path: "/v1/funds",
          status: 200,
          code: null,
          duration_ms: 1
        })
      const read: ReadRequests<never> = (limit) =>
        Effect.suspend(() =>
          state.fails ? Effect.fail(new CommandFailed({ message: "Away." })) : Effect.succeed(log.slice(0, limit))
        )
      const lines = { out: [] as Array<string>, error: [] as Array<string> }
      add(1)
      const following = yield* Effect.forkChild(printed(tail(read, { lines: 1, follow: true, json: false }), lines))
      yield* TestClock.adjust("1 second")
      add(2)
      yield* TestClock.adjust("1 second")
      state.fails = true
      add(3)
      yield* TestClock.adjust("1 second")
      state.fails = false
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(following)
      expect(lines.out.map((line) => /request-\d/.exec(line)?.[0])).toEqual(["request-1", "request-2", "request-3"])
      expect(lines.error).toEqual(["Away. Trying again."])
    })
  )
})
