import { describe, expect } from "bun:test"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Batch } from "../../../engine/actor/Journal.ts"
import { JournalWalk } from "../../../engine/journal/JournalWalk.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { type Amount, fromUnits, MAX } from "../../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { JournalRepository } from "../../../src/database/JournalRepository.ts"
import { Projection } from "../../../src/database/Projection.ts"
import { steady } from "../../../engine/journal/SteadyClock.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { WriteSession } from "../../../src/database/WriteSession.ts"
import { withLayer } from "../../lib/Effects.ts"
import { rowFold } from "../../lib/journal/RowTables.ts"
import { plannedActs, plannedBatch } from "../../lib/LedgerPlans.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const MINUTES = 60_000
const REQUESTS = 100_000
const AT_ONCE = 400

const projection = Layer.succeed(Projection, {
  begin: () => Effect.succeed({ statements: () => [], written: () => {} }),
  answers: { of: ({ seq }) => ({ status: 200, body: String(seq) }), follows: () => false },
  projected: () => {}
})

const random = new SeededRandom(1, "requests")

/** A clock that steps back and forth by seconds. */
const stepping = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (clock) =>
    steady(
      {
        ...clock,
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + random.below(20_000) - 10_000,
        sleep: (duration) => clock.sleep(duration),
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe()
      },
      0
    )
  )
)

const layer = UnitOfWork.layer.pipe(
  Layer.provide(Layer.mergeAll(projection, WriteSession.layer)),
  Layer.provideMerge(JournalRepository.layer),
  Layer.provide(stepping),
  Layer.provideMerge(TestDatabase.layer)
)

const it = withLayer(layer)

/** Amounts at the bounds and between them. */
const amount = (): Amount =>
  random.pick([fromUnits(1n), fromUnits(3n), fromUnits(1_000_000n), MAX, fromUnits(MAX - 1n)])

const bounded = (command: Command): Command => {
  if (command._tag === "PlaceMultiHold")
    return { ...command, parts: command.parts.map((part) => ({ ...part, amount: amount() })) }
  return "amount" in command ? { ...command, amount: amount() } : command
}

const placed: Array<string> = []

/** Mostly new, sometimes under an id or a key that was used before. */
const request = (): Batch<PlatformEvent> => {
  const isDoubled = random.chance(80) && placed.length > 0
  const planned = {
    owner: random.below(3),
    stream: random.below(40),
    act: plannedActs[random.below(plannedActs.length)] ?? "mint",
    of: random.below(1_000_000)
  }
  const known = isDoubled ? placed.slice(0, random.below(placed.length)) : placed
  const batch = plannedBatch(planned, known)
  const key = random.chance(50) ? placed[random.below(placed.length)] : undefined
  return {
    ...batch,
    entries: batch.entries.map((entry) => ({
      ...entry,
      commands: entry.commands.map(bounded),
      ...(key === undefined ? {} : { idempotency: { key, fingerprint: "f" } })
    }))
  }
}

/** What the whole journal leaves, and what is wrong with it. */
const folded = Effect.gen(function* () {
  const { after } = yield* JournalRepository
  const fold = rowFold()
  const walk = new JournalWalk(link)
  for (;;) {
    const rows = yield* after(fold.tables.seq)
    for (const row of rows) {
      expect(walk.take(row)).toBeUndefined()
      fold.take(row)
    }
    if (rows.length === 0) return fold.tables
  }
})

describe("UnitOfWork", () => {
  it(
    "accepts nothing that the tables do not take",
    () =>
      Effect.gen(function* () {
        const journal = yield* UnitOfWork
        for (let asked = 0; asked < REQUESTS; asked += AT_ONCE) {
          const batches = Array.from({ length: AT_ONCE }, request)
          yield* Effect.forEach(batches, (one) => Effect.exit(journal.append(one)), { concurrency: "unbounded" })
        }
        const sql = yield* SqlClient
        const tables = yield* folded
        expect(tables.seq).toBeGreaterThan(REQUESTS / 10)
        expect([...(yield* sql`SELECT seq::integer AS seq FROM projection`)]).toEqual([{ seq: tables.seq }])
        const accounts = yield* sql<{ id: string; balance: string; held: string; closed: boolean }>`
          SELECT id, balance::text AS balance, held::text AS held, closed FROM ledger_accounts ORDER BY id COLLATE "C"`
        expect(accounts.map((row) => ({ ...row }))).toEqual(
          [...tables.accounts.values()]
            .map(({ balance, closed, held, id }) => ({ id, balance: `${balance}`, held: `${held}`, closed }))
            .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        )
        const [counts] = yield* sql`SELECT (SELECT count(*)::integer FROM events) AS events,
          (SELECT count(*)::integer FROM ledger_holds) AS holds, (SELECT count(*)::integer FROM ledger_baskets) AS "multiHolds",
          (SELECT count(*)::integer FROM ledger_transfers) AS transfers, (SELECT count(*)::integer FROM claims) AS claims,
          (SELECT count(*)::integer FROM idempotency_keys) AS keys,
          (SELECT count(*)::integer FROM ledger_receivables) AS receivables`
        expect({ ...counts }).toEqual({
          events: tables.events.length,
          holds: tables.holds.size,
          multiHolds: tables.multiHolds.size,
          transfers: tables.transfers.size,
          claims: tables.claims.size,
          keys: tables.keys.size,
          receivables: tables.receivables.size
        })
      }),
    10 * MINUTES
  )
})
