import { Effect } from "effect"
import type { BenchPostgres } from "./BenchPostgres.ts"

/** How far a database's tables are behind its journal. */
export interface Lag {
  /** The sequence of the last entry that is durable, and of the last that the tables show. */
  readonly head: number
  readonly projected: number
}

/** Milliseconds between two looks, and how often is looked. */
const POLL = 20
const MAX_LOOKS = 3_000

const HAS_PROJECTION = "SELECT to_regclass('projection') IS NOT NULL AS found"

const LAG = `
  SELECT (SELECT seq FROM projection)::text AS projected,
    coalesce((SELECT first_seq + count - 1 FROM journal ORDER BY first_seq DESC LIMIT 1), 0)::text AS head`

/** Undefined where the tables are written with the journal, in one transaction: there is nothing to be behind. */
export const lagOf = Effect.fnUntraced(function* (postgres: BenchPostgres, database: string) {
  const [has] = yield* postgres.query<{ found: boolean }>(database, HAS_PROJECTION)
  if (has?.found !== true) return undefined
  const [lag] = yield* postgres.query<{ head: string; projected: string }>(database, LAG)
  return { head: Number(lag?.head), projected: Number(lag?.projected) } satisfies Lag
})

/** Milliseconds until the tables show what was durable before; undefined where they are written with it. */
export const untilProjected = Effect.fnUntraced(function* (postgres: BenchPostgres, database: string) {
  const first = yield* lagOf(postgres, database)
  if (first === undefined) return undefined
  const begun = performance.now()
  let { projected } = first
  for (let look = 0; projected < first.head; look++) {
    if (look === MAX_LOOKS) return yield* Effect.die(new Error("the tables do not follow the journal"))
    yield* Effect.sleep(POLL)
    projected = (yield* lagOf(postgres, database))?.projected ?? first.head
  }
  return performance.now() - begun
})
