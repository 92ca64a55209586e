import { describe, expect } from "bun:test"
import { PgClient, PgConnection } from "@effect/sql-pg"
import { Context, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import * as BoundedClient from "../../../src/database/BoundedClient.ts"
import { Direct } from "../../../src/database/BoundedClient.ts"
import type { Connected } from "../../../src/database/Database.ts"
import type { KeyIndex } from "../../../src/database/StoredKeyIndex.ts"
import { WriterTerm } from "../../../src/database/WriterTerm.ts"
import { withLayer } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { type Fate, type RivalOptions, RivalWriter } from "../../lib/RivalWriters.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

const lastSeq = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ last: bigint; all: bigint }>`
    SELECT coalesce(max(seq), 0)::bigint AS last, count(*) AS all FROM events`
  expect(row?.all).toBe(row?.last)
  return Number(row?.last)
})

/** What happens next: a server starts, or one of those that run appends. */
type Step = "start" | { readonly writer: number; readonly fate: Fate; readonly start: boolean }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant("start" as const) },
  {
    weight: 4,
    arbitrary: fc.record({
      writer: fc.nat(9),
      fate: fc.constantFrom<Fate>("kept", "kept", "kept", "answer lost", "undone", "late"),
      // Another server starts while it appends.
      start: fc.integer({ min: 0, max: 7 }).map((drawn) => drawn === 0)
    })
  }
)

/** The property itself; a planted fault changes how writers read and write. */
const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, options?: RivalOptions) {
  const writers = [yield* RivalWriter.start(`${Math.round(performance.now() * 1e6)}/0`, options)]
  const start = Effect.gen(function* () {
    const begun = yield* RivalWriter.start(`${Math.round(performance.now() * 1e6)}/${writers.length}`, options)
    writers.push(begun)
  })
  const late: Array<number> = []
  for (const next of steps) {
    if (next === "start") {
      yield* start
      continue
    }
    const index = next.writer % writers.length
    const writer = writers[index]
    if (writer === undefined) continue
    writer.fate = next.fate
    const isLast = index === writers.length - 1
    const [isAcknowledged] = yield* Effect.all([writer.append, next.start ? start : Effect.void], {
      concurrency: "unbounded"
    })
    if (isAcknowledged && !isLast) late.push(index)
  }
  const survivor = writers.at(-1)
  if (survivor === undefined) return { late, lost: [], untold: [] }
  // The first append behind an unknown outcome tells what became of it.
  survivor.fate = "kept"
  const isWriting = yield* survivor.append
  // With a planted fault it may find what it did not write.
  if (options === undefined) expect(isWriting).toBe(true)
  const last = yield* lastSeq
  return {
    late,
    lost: writers.flatMap(({ acknowledged }) => acknowledged).filter((seq) => seq > last),
    untold: survivor.untold(last)
  }
})

const holds = { late: [], lost: [], untold: [] }

describe("the writer's term", () => {
  it("lets only the last server write, which reads or tells all that is there, whatever fails when", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Connected | KeyIndex>()
      const runPromise = Effect.runPromiseWith(context)
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 12 }), (steps) =>
            runPromise(Effect.scoped(play(steps))).then((found) => expect(found).toEqual(holds))
          ),
          property(10)
        )
      )
    }))

  it("finds an append whose term is not checked", () =>
    Effect.gen(function* () {
      const sql = yield* Direct
      const wrap: RivalOptions["wrap"] = (given) => ({
        ...given,
        append: (rows, hash) => {
          const [row] = rows
          return sql`
            INSERT INTO journal (first_seq, count, term, recorded_at, hash, answers_digest, body)
            SELECT ${BigInt(row?.firstSeq ?? 0)}, ${row?.count}, ${row?.term}, ${BigInt(row?.recordedAt ?? 0)},
              ${row?.hash}, ${row?.answersDigest}, ${row?.body}
            WHERE coalesce((SELECT hash FROM journal ORDER BY first_seq DESC LIMIT 1), ${GENESIS}) = ${hash}`
        }
      })
      const first = yield* RivalWriter.start("unchecked/1", { wrap })
      expect(yield* first.append).toBe(true)
      // The tables have it, so that nothing else tells the first writer of the second.
      yield* lastSeq
      yield* RivalWriter.start("unchecked/2", { wrap })
      expect(yield* first.append).toBe(true)
    }))

  it("finds a term that is taken after reading", () =>
    Effect.gen(function* () {
      const first = yield* RivalWriter.start("read/1")
      const second = yield* RivalWriter.start("read/2", { readsBefore: first.append })
      expect(yield* second.append).toBe(true)
      expect(second.untold(yield* lastSeq)).toEqual(first.acknowledged)
    }))

  it("tells of no commit that comes after the look for it, since there is none", () =>
    Effect.gen(function* () {
      const writer = yield* RivalWriter.start("late/1")
      const fates: ReadonlyArray<Fate> = ["kept", "late", "kept", "answer lost", "late", "kept"]
      const acknowledged = yield* Effect.forEach(fates, (fate) =>
        Effect.suspend(() => {
          writer.fate = fate
          return writer.append
        })
      )
      expect(acknowledged).toEqual(fates.map(() => true))
      expect(writer.untold(yield* lastSeq)).toEqual([])
    }))

  it("waits for what is on its way under the last one, so that nothing follows what it reads", () =>
    Effect.gen(function* () {
      const { config } = yield* PgClient.PgClient
      const first = yield* RivalWriter.start("waited/1")
      const [term] = [first.term.current()]
      const slow = yield* PgConnection.make({ ...config, multiplex: false })
      yield* slow.query("BEGIN")
      yield* slow.query("SELECT 1 FROM writer_term WHERE term = $1 FOR SHARE", [term])
      const second = yield* Effect.forkChild(RivalWriter.start("waited/2"), { startImmediately: true })
      const sql = yield* Direct
      const waiting = sql`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'
        AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`
      while ((yield* waiting).length === 0) yield* Effect.yieldNow
      expect(second.pollUnsafe()).toBeUndefined()
      yield* slow.query("COMMIT")
      expect((yield* Fiber.join(second)).term.current()).toBe(term + 1n)
    }))

  it("ends the server that another one replaced, and refuses all that it is asked then", () =>
    Effect.gen(function* () {
      const first = yield* RivalWriter.start("deposed/1")
      expect(yield* first.append).toBe(true)
      yield* RivalWriter.start("deposed/2")
      expect(yield* first.append).toBe(false)
      expect((yield* Effect.flip(first.term.deposed)).message).toMatch(/^Another server writes on this database/)
      expect(yield* first.append).toBe(false)
    }))

  it("ends a server whose last told event is gone", () =>
    Effect.gen(function* () {
      const sql = yield* Direct
      const writer = yield* RivalWriter.start("gone/1")
      expect(yield* writer.append).toBe(true)
      const seq = writer.told.at(-1)?.seq ?? 0
      yield* sql`UPDATE journal SET hash = ${new Uint8Array(32)} WHERE first_seq = ${BigInt(seq)}`
      writer.fate = "undone"
      expect(yield* writer.append).toBe(false)
      writer.fate = "kept"
      expect(yield* writer.append).toBe(false)
      expect((yield* Effect.flip(writer.term.deposed)).message).toMatch(
        new RegExp(`^The database lacks event ${seq}, which was told already`)
      )
    }))

  it("gives the log another name where the database is another one than at the last start", () =>
    Effect.gen(function* () {
      const sql = yield* Direct
      const epoch = Effect.map(sql<{ epoch: string }>`SELECT epoch FROM event_log`, ([row]) => row?.epoch)
      const start = Layer.build(Layer.fresh(TestDatabase.sharingTerm))
      yield* start
      const before = yield* epoch
      yield* start
      expect(yield* epoch).toBe(before)
      yield* sql`UPDATE writer_term SET timeline = timeline + 1`
      const term = Context.get(yield* start, WriterTerm)
      expect(yield* epoch).not.toBe(before)
      yield* term.renew
    }))

  it("leaves nothing for the next server to end where it ends in order, and what it left where it was replaced", () =>
    Effect.gen(function* () {
      const sql = yield* Direct
      const sessions = Effect.map(sql<{ sessions: string }>`SELECT sessions FROM writer_term`, ([row]) => row?.sessions)
      const { config } = yield* PgClient.PgClient
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(Layer.fresh(TestDatabase.sharingTerm))
          expect(yield* sessions).toBe(config.applicationName)
        })
      )
      expect(yield* sessions).toBe("")
      yield* Effect.scoped(
        Effect.andThen(
          Layer.build(Layer.fresh(TestDatabase.sharingTerm)),
          sql`UPDATE writer_term SET holder = 'another', sessions = 'of another'`
        )
      )
      expect(yield* sessions).toBe("of another")
    }))

  it("leaves what it gave up on for the next server to end, which holds what that one waits for", () =>
    Effect.gen(function* () {
      const { config } = yield* PgClient.PgClient
      const name = config.applicationName ?? ""
      const own = { ...config, multiplex: false, applicationName: `${name} writer` }
      const sql = yield* Direct
      const given = yield* PgConnection.make(own)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(Layer.fresh(TestDatabase.sharingTerm))
          yield* given.query("BEGIN")
          yield* given.query("SELECT 1 FROM projection FOR UPDATE")
        })
      )
      expect(yield* sql`SELECT sessions FROM writer_term`).toEqual([{ sessions: name }])
    }))

  it("leaves a read that has not ended to its end", () =>
    Effect.gen(function* () {
      const { config } = yield* PgClient.PgClient
      const sql = yield* Direct
      const reading = yield* PgConnection.make({ ...config, multiplex: false })
      const read = yield* Effect.forkChild(reading.query("SELECT pg_sleep(60)"))
      const underWay = sql`SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(60)'`
      yield* Effect.repeat(underWay, { until: ({ length }) => length > 0 })
      yield* Effect.scoped(Layer.build(Layer.fresh(WriterTerm.layer)))
      expect(yield* sql`SELECT sessions FROM writer_term`).toEqual([{ sessions: "" }])
      yield* sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'`
      yield* Fiber.await(read)
    }))

  it("ends the connections that the server before left behind, and no other", () =>
    Effect.gen(function* () {
      const { config } = yield* PgClient.PgClient
      const sql = yield* Direct
      const named = (applicationName: string) => PgConnection.make({ ...config, multiplex: false, applicationName })
      yield* sql`UPDATE writer_term SET sessions = 'emporion left'`
      const [left, writing, other] = [
        yield* named("emporion left"),
        yield* named("emporion left writer"),
        yield* named("emporion leftover")
      ]
      yield* Layer.build(Layer.fresh(TestDatabase.sharingTerm))
      const lives = (connection: PgConnection.PgConnection) =>
        Effect.map(Effect.exit(connection.query("SELECT 1")), Exit.isSuccess)
      expect(yield* Effect.all([lives(left), lives(writing), lives(other)])).toEqual([false, false, true])
    }))

  it("reads nothing on a connection that a server opens once another one has replaced it", () =>
    Effect.gen(function* () {
      const { config } = yield* PgClient.PgClient
      const server = (name: string) =>
        Layer.build(
          Layer.fresh(
            Layer.provideMerge(
              WriterTerm.layer,
              BoundedClient.layer(BoundedClient.make({ ...config, applicationName: `emporion ${name}` }))
            )
          )
        )
      const reading = (of: Context.Context<Direct | SqlClient>) => [
        Context.get(of, SqlClient)`SELECT 1 AS one`,
        Context.get(of, SqlClient).withTransaction(Context.get(of, SqlClient)`SELECT 1 AS one`),
        Context.get(of, Direct)`SELECT 1 AS one`
      ]
      const first = yield* server("stopped")
      expect(yield* Effect.all(reading(first))).toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]])
      const second = yield* server("next")
      // The first ones find their connections ended, those after them open others.
      for (let round = 0; round < 3; round += 1) {
        const found = yield* Effect.forEach(reading(first), Effect.exit)
        expect(found.map(Exit.isSuccess)).toEqual([false, false, false])
      }
      expect((yield* Effect.flip(Context.get(first, WriterTerm).deposed)).message).toContain("Another server writes")
      expect(yield* Effect.all(reading(second))).toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]])
    }))
})
