import { Effect } from "effect"
import type { BenchPostgres } from "./BenchPostgres.ts"
import { processorMicros } from "./ProcessorTime.ts"

/** A process that works on a database of its own. */
export interface Side {
  readonly pid: number
  readonly database: string
}

/** What one of the things done took, in microseconds of processor time. */
export interface Cost {
  readonly program: number
  readonly postgres: number
}

const backendsOf = (postgres: BenchPostgres, database: string) =>
  Effect.map(
    postgres.query<{ pid: number }>("postgres", `SELECT pid FROM pg_stat_activity WHERE datname = '${database}'`),
    (rows) => rows.map(({ pid }) => pid)
  )

/** Runs something with what each of the things it answers took in its process and in PostgreSQL. */
export const withCost = Effect.fnUntraced(function* <A extends { readonly answered: number }>(
  postgres: BenchPostgres,
  { database, pid }: Side,
  run: Effect.Effect<A>
) {
  const backends = yield* backendsOf(postgres, database)
  const before = [processorMicros([pid]), processorMicros(backends)]
  const result = yield* run
  const after = [processorMicros([pid]), processorMicros(backends)]
  const [program = Number.NaN, inPostgres = Number.NaN] = after.map(
    (micros, which) => ((micros ?? Number.NaN) - (before[which] ?? Number.NaN)) / result.answered
  )
  return { ...result, program, postgres: inPostgres } satisfies A & Cost
})
