import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { isoUtc } from "../../../src/api/Timestamp.ts"
import { Sessions } from "../../../src/identity/sessions/Sessions.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { type Caller, StreamAuthentication } from "../../../src/stream/StreamAuthentication.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { openSocket } from "../../lib/StreamReader.ts"
import { TestServer } from "../../lib/TestServer.ts"

const callerOf = (server: TestServer, headers: Record<string, string>) =>
  server.run(Effect.flatMap(StreamAuthentication, (service) => service.callerOf(new Headers(headers))))

const isStillValid = (server: TestServer, caller: Caller | undefined) =>
  server.run(caller?.isStillValid ?? Effect.succeed(false))

/** What a connection that subscribes to its own commitments is told first: the type and code of a frame. */
const subscribed = (url: string, headers: Record<string, string>, protocols: ReadonlyArray<string> = []) =>
  Effect.promise(
    () =>
      new Promise<ReadonlyArray<unknown>>((resolve) => {
        const socket = openSocket(url, headers, protocols)
        socket.addEventListener("open", () =>
          socket.send(JSON.stringify({ type: "subscribe", data: { channels: ["my"] } }))
        )
        socket.addEventListener("message", ({ data }) => {
          const frame: { readonly type: string; readonly data: { readonly code?: string } } = JSON.parse(String(data))
          if (frame.type === "subscribed" || frame.type === "error") {
            resolve([frame.type, frame.data.code ?? "", socket.protocol])
            socket.close()
          }
        })
        socket.addEventListener("close", ({ code }) => resolve(["closed", code]))
      })
  )

/** Connects and subscribes to its own commitments; answers how to wait for the code that it is closed with. */
const listening = (url: string, headers: Record<string, string>) =>
  Effect.promise(
    () =>
      new Promise<Effect.Effect<number>>((resolve) => {
        const socket = openSocket(url, headers)
        const closed = new Promise<number>((done) => socket.addEventListener("close", ({ code }) => done(code)))
        socket.addEventListener("open", () =>
          socket.send(JSON.stringify({ type: "subscribe", data: { channels: ["my"] } }))
        )
        socket.addEventListener("message", ({ data }) => {
          if (String(data).includes('"subscribed"')) resolve(Effect.promise(() => closed))
        })
      })
  )

interface TicketJson {
  readonly success: boolean
  readonly ticket: string
  readonly expires_at: string
}

const cookieOf = (server: TestServer, userId: string) =>
  server
    .service(Users)
    .find(userId)
    .pipe(
      Effect.flatMap((user) => server.service(Sessions).begin(user)),
      Effect.map(({ name, value }) => `${name}=${value}`),
      Effect.orDie
    )

describe("StreamAuthentication", () => {
  itLive("takes a bearer token until it expires", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const authorization = `Bearer ${yield* server.token(trader.id)}`
      const caller = yield* callerOf(server, { authorization })
      expect(caller?.principal.userId).toBe(trader.id)
      expect(yield* isStillValid(server, caller)).toBe(true)
      expect(yield* subscribed(server.url, { authorization })).toEqual(["subscribed", "", ""])
      server.world.pass(30 * 60_000)
      expect(yield* isStillValid(server, caller)).toBe(false)
      expect(yield* subscribed(server.url, { authorization })).toEqual(["closed", 1006])
    })
  )

  itLive("ends with its user's sign-ins", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const authorization = `Bearer ${yield* server.token(trader.id)}`
      const caller = yield* callerOf(server, { authorization })
      yield* server.run(Effect.flatMap(Users, (users) => users.setRole(trader.id, "seller")))
      expect(yield* isStillValid(server, caller)).toBe(false)
    })
  )

  itLive("ends at once with a suspension, also on an open connection, by ticket as by token", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const authorization = `Bearer ${yield* server.token(trader.id)}`
      const caller = yield* callerOf(server, { authorization })
      const ticketed = yield* server.post<TicketJson>("/api/arena/stream/ticket", undefined, { as: trader.id })
      const protocols = ["emporion.v1", `ticket.${ticketed.json.ticket}`]
      const closed = yield* listening(server.url, { authorization })
      yield* server.run(Effect.flatMap(Users, (users) => users.setStatus(trader.id, "suspended")))
      expect(yield* closed).toBe(4401)
      expect(yield* isStillValid(server, caller)).toBe(false)
      expect(yield* subscribed(server.url, { authorization })).toEqual(["closed", 1006])
      expect(yield* subscribed(server.url, {}, protocols)).toEqual(["closed", 1006])
      expect((yield* server.post("/api/arena/stream/ticket", undefined, { as: trader.id })).status).toBe(403)
    })
  )

  itLive("takes a session's cookie on a page of the platform alone", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const cookie = yield* cookieOf(server, trader.id)
      const caller = yield* callerOf(server, { cookie, host: new URL(server.url).host, origin: server.url })
      expect(caller?.principal.userId).toBe(trader.id)
      expect(yield* isStillValid(server, caller)).toBe(true)
      expect(yield* subscribed(server.url, { cookie, origin: server.url })).toEqual(["subscribed", "", ""])
      for (const origin of ["https://evil.example", "null"]) {
        expect(yield* subscribed(server.url, { cookie, origin })).toEqual(["error", "unauthorized", ""])
      }
      expect(yield* subscribed(server.url, { cookie: "emporion_session=forged", origin: server.url })).toEqual([
        "error",
        "unauthorized",
        ""
      ])
      yield* Effect.orDie(server.service(Sessions).endAll(trader.id))
      expect(yield* isStillValid(server, caller)).toBe(false)
    })
  )

  itLive("gives out tickets, each for one connection, as the caller of either", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const cookie = yield* cookieOf(server, trader.id)
      const path = "/api/arena/stream/ticket"
      const anonymous = yield* server.post(path, {})
      expect(anonymous.status).toBe(401)
      const byToken = yield* server.post<TicketJson>(path, undefined, { as: trader.id })
      const bySession = yield* server.post<TicketJson>(path, undefined, { headers: { cookie, origin: server.url } })
      for (const { json, status } of [byToken, bySession]) {
        expect(status).toBe(200)
        expect(json).toEqual({
          success: true,
          ticket: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
          expires_at: isoUtc(server.world.now + 30_000)
        })
        const protocols = ["emporion.v1", `ticket.${json.ticket}`]
        expect(yield* subscribed(server.url, {}, protocols)).toEqual(["subscribed", "", "emporion.v1"])
        expect(yield* subscribed(server.url, {}, protocols)).toEqual(["closed", 1006])
      }
      expect(yield* subscribed(server.url, {}, ["emporion.v1"])).toEqual(["error", "unauthorized", "emporion.v1"])
    })
  )

  itLive("refuses what is not a bearer token", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (const authorization of ["Basic YTpi", "Bearer", "Bearer nonsense"]) {
        expect(yield* subscribed(server.url, { authorization })).toEqual(["closed", 1006])
      }
    })
  )
})
