import { Effect } from "effect"
import type { BenchPostgres } from "./BenchPostgres.ts"
import { processorMicros } from "./ProcessorTime.ts"
import type { Row, Target } from "./Row.ts"
import { ratioOf, spreadOf } from "./Sample.ts"

/** A process that works on a database of its own. */
export interface Side {
  readonly pid: number
  readonly database: string
}

/** What one of the things done took. */
export interface Cost {
  /** Microseconds of processor time in the process, and in PostgreSQL for it. */
  readonly program: number
  readonly postgres: number
  /** Microseconds of processor time in what runs beside the process, where something does. */
  readonly beside?: number
  /** Bytes of PostgreSQL's log, of all that happened meanwhile. */
  readonly logged: number
}

interface Reading {
  readonly program: number
  /** Microseconds of each process of PostgreSQL that may work for the side. */
  readonly backends: ReadonlyMap<number, number>
  readonly logged: number
}

/**
 * The side's own connections, and the process that writes the log for commits that do not wait for the disk. What is
 * written later for everybody (check points, vacuum) is nobody's.
 */
const backendsOf = (database: string): string => `
  SELECT pid, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS logged
  FROM pg_stat_activity WHERE datname = '${database}' OR backend_type = 'walwriter'`

const readingOf = Effect.fnUntraced(function* (postgres: BenchPostgres, { database, pid }: Side) {
  const found = yield* postgres.query<{ pid: number; logged: string }>("postgres", backendsOf(database))
  return {
    program: processorMicros([pid]) ?? Number.NaN,
    backends: new Map(found.map((one) => [one.pid, processorMicros([one.pid]) ?? 0])),
    logged: Number(found[0]?.logged)
  } satisfies Reading
})

/** A connection that was not there before used all of its time meanwhile. */
const difference = (before: Reading, after: Reading): Cost => ({
  program: after.program - before.program,
  postgres: Number.isNaN(after.program)
    ? Number.NaN
    : Array.from(after.backends, ([pid, micros]) => micros - (before.backends.get(pid) ?? 0)).reduce(
        (sum, micros) => sum + micros,
        0
      ),
  logged: after.logged - before.logged
})

/** Runs something with what each of the things it answers took in its process and in PostgreSQL. */
export const withCost = Effect.fnUntraced(function* <A extends { readonly answered: number }>(
  postgres: BenchPostgres,
  side: Side,
  run: Effect.Effect<A>
) {
  const before = yield* readingOf(postgres, side)
  const result = yield* run
  const all = difference(before, yield* readingOf(postgres, side))
  const each = (figure: number): number => figure / result.answered
  return {
    ...result,
    program: each(all.program),
    postgres: each(all.postgres),
    logged: each(all.logged)
  } satisfies A & Cost
})

interface Figure {
  readonly what: string
  readonly unit: string
  readonly of: (one: Cost) => number
  readonly target?: Target
}

/** How a case names the process, and what its things may cost. */
export interface Costing {
  readonly key: string
  readonly program: string
  readonly targets?: { readonly program: Target; readonly postgres: Target }
}

const rows = (
  key: string,
  figures: ReadonlyArray<Figure>,
  ours: ReadonlyArray<Cost>,
  peer: ReadonlyArray<Cost>
): ReadonlyArray<Row> =>
  figures
    .map(({ of, target, unit, what }): Row => ({
      key,
      what,
      unit,
      ours: spreadOf(ours.map(of)),
      peer: spreadOf(peer.map(of)),
      ...(target === undefined ? {} : { target })
    }))
    .filter(({ ours }) => Number.isFinite(ours.median))

/** Lines of processor time under a rate; none where the system does not tell it. */
export const costRows = (
  { key, program, targets }: Costing,
  ours: ReadonlyArray<Cost>,
  peer: ReadonlyArray<Cost>
): ReadonlyArray<Row> => {
  const [ofProgram, ofPostgres] = [targets?.program, targets?.postgres]
  const figures: ReadonlyArray<Figure> = [
    {
      what: `  processor time of one in the ${program}`,
      unit: "µs",
      of: (one) => one.program,
      ...(ofProgram === undefined ? {} : { target: ofProgram })
    },
    {
      what: "  processor time of one in PostgreSQL",
      unit: "µs",
      of: (one) => one.postgres,
      ...(ofPostgres === undefined ? {} : { target: ofPostgres })
    }
  ]
  return rows(key, figures, ours, peer)
}

const wholeOf = ({ beside = 0, postgres, program }: Cost): number => program + postgres + beside

/**
 * The line of the processor time that one takes wherever it is worked on, against the peer's: of rates, two cores that are
 * never idle leave too much to chance. None where the system does not tell it.
 */
export const wholeRows = (
  key: string,
  ours: ReadonlyArray<Cost>,
  peer: ReadonlyArray<Cost>,
  target?: Target
): ReadonlyArray<Row> =>
  rows(key, [{ what: "  processor time of one in all", unit: "µs", of: wholeOf }], ours, peer).map((row) => ({
    ...row,
    ratio: ratioOf(ours.map(wholeOf), peer.map(wholeOf)),
    ...(target === undefined ? {} : { target })
  }))

/** The line of what PostgreSQL's log takes for one. */
export const loggedRows = (key: string, ours: ReadonlyArray<Cost>, peer: ReadonlyArray<Cost>): ReadonlyArray<Row> =>
  rows(key, [{ what: "  bytes of PostgreSQL's log (WAL) for one", unit: "B", of: ({ logged }) => logged }], ours, peer)
