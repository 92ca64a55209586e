import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { sealed } from "../../../src/arena/history/HistoryDay.ts"
import { HistoryRepository } from "../../../src/arena/history/HistoryRepository.ts"
import { sealDue } from "../../../src/arena/history/HistorySealing.ts"
import { verify } from "../../../src/cli/Verifying.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { itLive } from "../../lib/Effects.ts"
import { playedLog } from "../../lib/PlayedLog.ts"

/** What somebody changes behind the platform's back, how it was, and what is said of it. */
const CHANGES: ReadonlyArray<readonly [change: string, back: string, problem: string]> = [
  [
    "UPDATE arena_orders SET entry_price = entry_price + 1 WHERE status = 'settled'",
    "UPDATE arena_orders SET entry_price = entry_price - 1 WHERE status = 'settled'",
    "whose auctions.jsonl now hashes to"
  ],
  [
    "UPDATE arena_commitments SET exit_price = exit_price + 1",
    "UPDATE arena_commitments SET exit_price = exit_price - 1",
    "whose auctions.jsonl now hashes to"
  ],
  [
    "UPDATE arena_medians SET price = price + 1",
    "UPDATE arena_medians SET price = price - 1",
    "whose medians.jsonl now hashes to"
  ],
  [
    "UPDATE arena_orders SET settlement_at = settlement_at + 86400000 WHERE opened_at = (SELECT min(opened_at) FROM arena_orders)",
    "UPDATE arena_orders SET settlement_at = settlement_at - 86400000 WHERE opened_at = (SELECT min(opened_at) FROM arena_orders)",
    "of which the tables have"
  ],
  [
    "UPDATE arena_history_files SET sha256 = set_byte(sha256, 0, get_byte(sha256, 0) # 1)",
    "UPDATE arena_history_files SET sha256 = set_byte(sha256, 0, get_byte(sha256, 0) # 1)",
    "that was altered: it hashes to"
  ],
  [
    "UPDATE arena_history_days SET orders = orders + 1",
    "UPDATE arena_history_days SET orders = orders - 1",
    "that was altered: it hashes to"
  ],
  [
    "UPDATE arena_history_days SET previous = set_byte(previous, 0, get_byte(previous, 0) # 1)",
    "UPDATE arena_history_days SET previous = set_byte(previous, 0, get_byte(previous, 0) # 1)",
    "behind "
  ],
  [
    "UPDATE arena_history_days SET journal_hash = set_byte(journal_hash, 0, get_byte(journal_hash, 0) # 1)",
    "UPDATE arena_history_days SET journal_hash = set_byte(journal_hash, 0, get_byte(journal_hash, 0) # 1)",
    "that was altered: it hashes to"
  ]
]

describe("verify, of the arena's history", () => {
  itLive(
    "makes each sealed day anew, and names the first that is not what was sealed",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        expect(yield* verify(log.source)).toMatchObject({ ok: true, days: 0 })
        yield* log.server.run(sealDue)
        const days = yield* log.sql<{ readonly day: number }>("SELECT day FROM arena_history_days ORDER BY day")
        expect(days.length).toBeGreaterThan(1)
        const sound = { ok: true, days: days.length, finding: undefined }
        expect(yield* verify(log.source)).toMatchObject(sound)
        for (const [change, back, problem] of CHANGES) {
          yield* log.sql(change)
          const { days: made, finding, ok } = yield* verify(log.source)
          expect([ok, made, finding?.problem]).toEqual([false, 0, expect.stringContaining(problem)])
          expect(finding?.problem).toContain("is where the history of 2026-09-30 was sealed")
          yield* log.sql(back)
        }
        expect(yield* verify(log.source)).toMatchObject(sound)

        yield* log.sql("INSERT INTO retention_horizons (class, horizon) VALUES ('medians', 4102444800000)")
        yield* log.sql("DELETE FROM arena_medians")
        expect(yield* verify(log.source)).toMatchObject({ ...sound, removed: 2 * days.length })

        yield* log.sql("DELETE FROM journal")
        expect(yield* verify(log.source)).toMatchObject(sound)
      }),
    120_000
  )

  itLive(
    "finds a row of the journal that is not the one a day was sealed at, though the day's own hash is right",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        yield* log.server.run(sealDue)
        const [row] = yield* log.sql<{ readonly seq: bigint }>(
          "SELECT first_seq + count - 1 AS seq FROM journal ORDER BY first_seq LIMIT 1"
        )
        const day = yield* log.server.run(Effect.flatMap(HistoryRepository, ({ after }) => after(-1)))
        if (day === undefined) return yield* Effect.die("no day is sealed")
        const forged = sealed({ ...day, journal: { ...day.journal, seq: Number(row?.seq) } }, undefined, link)
        yield* log.sql("UPDATE arena_history_days SET journal_seq = $1, hash = $2 WHERE day = $3", [
          row?.seq,
          forged.hash,
          BigInt(day.day)
        ])
        const { finding } = yield* verify(log.source)
        expect(finding?.problem).toContain("which it does not have there")
      }),
    120_000
  )
})
