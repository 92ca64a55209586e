import { describe, expect } from "bun:test"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Layer, Logger, References, Scope } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { Deposed } from "../../../engine/journal/Deposed.ts"
import { PROOF_AGE, TermProof, keepConnected } from "../../../src/database/TermProof.ts"
import { itEffect, itLive } from "../../lib/Effects.ts"
import { openedOn, SHORT_SLOTS } from "../../lib/OpenedArena.ts"
import { type TestDatabase, testDatabase } from "../../lib/TestDatabase.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { TestServer } from "../../lib/TestServer.ts"

/** How long a connection may take, in milliseconds. */
const LIMIT = 20_000

const becomes = (what: string, is: () => boolean) => eventually(what, LIMIT, () => is() || undefined)

const SECOND = 1_000_000_000n

describe("TermProof", () => {
  itEffect("holds while a connection stands and the term was looked at a moment ago, until another one writes", () =>
    Effect.sync(() => {
      const proof = new TermProof(SECOND)
      expect(proof.holds(SECOND)).toBe(false)
      proof.connected(true)
      expect(proof.holds(SECOND + PROOF_AGE)).toBe(true)
      expect(proof.holds(SECOND + PROOF_AGE + 1n)).toBe(false)
      proof.proved(3n * SECOND)
      // An answer that comes late says nothing newer.
      proof.proved(2n * SECOND)
      expect(proof.holds(3n * SECOND + PROOF_AGE)).toBe(true)
      proof.connected(false)
      expect(proof.holds(3n * SECOND)).toBe(false)
      proof.connected(true)
      proof.over()
      expect(proof.holds(3n * SECOND)).toBe(false)
    })
  )
})

const messageOf = (type: string, body: Uint8Array = new Uint8Array()): Uint8Array => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const READY = messageOf("Z", Buffer.from("I"))
const GREETING = Buffer.concat([messageOf("R", Buffer.alloc(4)), messageOf("K", Buffer.alloc(8)), READY])
const LISTENING = Buffer.concat([..."12n"].map((type) => messageOf(type)))
const LISTENED = Buffer.concat([LISTENING, messageOf("C", Buffer.from("LISTEN\0")), READY])

/** A PostgreSQL that takes connections, perhaps listens, and answers nothing else. */
const silentServer = (answers: "LISTEN" | "nothing") =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        Bun.listen<{ isBegun: boolean }>({
          hostname: "127.0.0.1",
          port: 0,
          socket: {
            open: (socket) => {
              socket.data = { isBegun: false }
            },
            data: (socket, bytes) => {
              const text = bytes.toString("latin1")
              if (!socket.data.isBegun) socket.write(GREETING)
              else if (answers === "LISTEN" && text.includes("LISTEN") && !text.includes("UNLISTEN"))
                socket.write(LISTENED)
              socket.data.isBegun = true
            }
          }
        })
      ),
      (server) => Effect.sync(() => server.stop(true))
    ),
    ({ port }) => ({ host: "127.0.0.1", port, username: "nobody", database: "none" })
  )

const ended = (database: TestDatabase, name: string) =>
  Effect.gen(function* () {
    const other = yield* PgConnection.make(database.config)
    yield* other.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [name])
  }).pipe(Effect.scoped, Effect.orDie)

describe("keepConnected", () => {
  itLive("connects again after its connection ended, and asks whether the term is still its own", () =>
    Effect.gen(function* () {
      const database = yield* Effect.orDie(testDatabase)
      const name = `watched ${database.config.database}`
      const proof = new TermProof(0n)
      let checks = 0
      const isDeposed = () => checks > 2
      const check = Effect.suspend(() => {
        checks += 1
        return isDeposed() ? Effect.fail(new Deposed({ message: "another one writes" })) : Effect.void
      })
      yield* keepConnected({ ...database.config, applicationName: name }, check, proof)
      expect([proof.holds(0n), checks]).toEqual([true, 1])
      yield* ended(database, name)
      yield* becomes("connected again", () => checks === 2 && proof.holds(0n))
      yield* ended(database, name)
      yield* becomes("refused", () => checks === 3)
      expect(proof.holds(0n)).toBe(false)
    })
  )

  itLive("keeps no start and no end where the database says nothing more", () =>
    Effect.gen(function* () {
      for (const answers of ["LISTEN", "nothing"] as const) {
        const config = yield* silentServer(answers)
        const scope = yield* Scope.make()
        const proof = new TermProof(0n)
        yield* Scope.provide(keepConnected(config, Effect.void, proof), scope)
        expect([answers, proof.holds(0n)]).toEqual([answers, answers === "LISTEN"])
        const closing = yield* Effect.forkDetach(Scope.close(scope, Exit.void))
        if (answers === "LISTEN") yield* becomes("the end", () => closing.pollUnsafe() !== undefined)
      }
    })
  )

  itLive("says nothing where the database cannot be reached", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const proof = new TermProof(0n)
      yield* Scope.provide(keepConnected({ path: "/nowhere/.s.PGSQL.1" }, Effect.void, proof), scope)
      expect(proof.holds(0n)).toBe(false)
      yield* Scope.close(scope, Exit.void)
    })
  )
})

/** A second of the virtual clock, in which others get on with what they wait for. */
const second = Effect.andThen(
  Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2))),
  TestClock.adjust("1 second")
)

const pass = (seconds: number) => Effect.repeat(second, { times: seconds - 1 })

const passUntil = (is: () => boolean) => Effect.repeat(second, { until: is, times: 1_000 })

const cut = () => new SqlError({ reason: new ConnectionError({ cause: new Error("cut off"), operation: "query" }) })

/** The level of what is logged, and whether the connection is missing or back. */
const logging = (told: Array<string>) => {
  const logger = Logger.make(({ logLevel, message }) => {
    const [, is, why] = /(is missing|is back)[^(:]*(\([^)]*\))?/.exec(String(message)) ?? []
    told.push(`${logLevel}: ${is}${why ?? ""}`)
  })
  return Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, "Info"))
}

describe("The log of a writer", () => {
  itEffect("tells once of a connection that is missing for long, and once of its return", () => {
    const told: Array<string> = []
    return Effect.gen(function* () {
      const running = yield* Scope.make()
      const config = yield* Scope.provide(silentServer("LISTEN"), running)
      let isCut = true
      const check = Effect.suspend(() => (isCut ? Effect.fail(cut()) : Effect.void))
      const proof = new TermProof(0n)
      yield* Effect.forkScoped(keepConnected(config, check, proof))
      yield* pass(29)
      expect(told).toEqual([])
      yield* pass(300)
      expect([proof.holds(0n), told.splice(0)]).toEqual([false, ["Warn: is missing(ConnectionError: cut off)"]])
      isCut = false
      yield* passUntil(() => proof.holds(0n))
      yield* pass(300)
      expect([proof.holds(0n), told.splice(0)]).toEqual([true, ["Info: is back"]])
      yield* Scope.close(running, Exit.void)
      yield* passUntil(() => !proof.holds(0n))
      yield* pass(300)
      expect(told.splice(0)).toEqual([expect.stringMatching(/^Warn: is missing\(.*ECONNREFUSED/)])
      proof.over()
    }).pipe(Effect.provide(logging(told)))
  })

  itEffect("says nothing of a connection that a successor ended", () => {
    const told: Array<string> = []
    return Effect.gen(function* () {
      const config = yield* silentServer("LISTEN")
      const proof = new TermProof(0n)
      const check = Effect.fail(new Deposed({ message: "another one writes" }))
      yield* Effect.forkScoped(keepConnected(config, check, proof))
      yield* pass(300)
      expect(told).toEqual([])
    }).pipe(Effect.provide(logging(told)))
  })
})

const statusOf = async (url: string, token: string, body?: object): Promise<number> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
  const response = await fetch(url, { headers, ...sent })
  await response.text()
  return response.status
}

describe("a server that was replaced", () => {
  itLive("answers nothing from memory that its successor may have changed", () =>
    Effect.gen(function* () {
      const database = yield* Effect.orDie(testDatabase)
      const named = (name: string): TestDatabase => ({
        ...database,
        config: { ...database.config, applicationName: `emporion ${name}` }
      })
      const replaced = yield* TestServer.makeOn(named("replaced"), SHORT_SLOTS)
      const { terms, trader } = yield* openedOn(replaced)
      const token = yield* replaced.token(trader.id)
      const ask = ({ url }: TestServer, path: string, body?: object) =>
        Effect.promise(() => statusOf(url + path, token, body))
      const reads = ["/api/arena/commitments/my", "/v1/funds", `/api/arena/orders/${terms.order_id}`]
      const readAll = Effect.forEach(reads, (path) => ask(replaced, path))
      expect([yield* readAll, yield* readAll]).toEqual([
        [200, 200, 200],
        [200, 200, 200]
      ])
      const successor = yield* TestServer.makeOn(named("successor"), SHORT_SLOTS)
      successor.world.now = replaced.world.now
      expect(yield* ask(successor, "/api/arena/commitments", terms)).toBe(200)
      expect(yield* readAll).toEqual([503, 503, 503])
    })
  )
})
