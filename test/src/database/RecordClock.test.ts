import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as RecordClock from "../../../src/database/RecordClock.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const itReads = withLayer(TestDatabase.layer)

const clockOf = (now: () => number): Clock.Clock => ({
  currentTimeMillisUnsafe: now,
  currentTimeMillis: Effect.sync(now),
  currentTimeNanosUnsafe: () => 0n,
  currentTimeNanos: Effect.succeed(0n),
  monotonicTimeNanosUnsafe: () => 0n,
  monotonicTimeNanos: Effect.succeed(0n),
  sleep: () => Effect.never
})

const noon = Effect.provideService(
  Clock.Clock,
  clockOf(() => 1_000)
)

const now = Effect.provide(Clock.currentTimeMillis, RecordClock.layer)

describe("RecordClock", () => {
  itReads("begins no earlier than the last record, the journal's or what is older", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      expect(yield* noon(now)).toBe(1_000)
      yield* sql`INSERT INTO event_streams (id, version, hash) VALUES ('s/1', 1, ${new Uint8Array(32)})`
      yield* sql`
        INSERT INTO events (seq, stream, version, type, data, hash)
        VALUES (1, 's/1', 1, 'FundsMinted', '{"_tag":"FundsMinted","at":5000}', ${new Uint8Array(32)})`
      expect(yield* noon(now)).toBe(5_000)
      yield* sql`
        INSERT INTO journal (first_seq, count, term, recorded_at, hash, answers_digest, body)
        VALUES (1, 1, 1, 7000, ${new Uint8Array(32)}, ${new Uint8Array(32)}, '')`
      expect(yield* noon(now)).toBe(7_000)
      yield* sql`DELETE FROM journal`
      yield* sql`DELETE FROM events`
      yield* sql`DELETE FROM event_streams`
      expect(yield* noon(now)).toBe(1_000)
      yield* sql`UPDATE sandbox_clock SET lead = 250`
      expect(yield* noon(now)).toBe(1_250)
    })
  )
})
