import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { EVERYBODY } from "./UsageRepository.ts"

/** What a company did on a day. */
export interface ActivityDay {
  readonly companyId: string
  /** Days since 1970 in UTC. */
  readonly day: number
  readonly activity: string
  readonly times: number
  /** USD, in 10⁻⁶. */
  readonly volume: bigint
}

/** Of which days, both included, and of one company or all. */
export interface ActivityRange {
  readonly companyId: string | undefined
  readonly from: number
  readonly to: number
}

/** Another process counted these events meanwhile. */
export class AlreadyCounted extends Data.TaggedError("AlreadyCounted")<{ readonly from: number }> {}

const adding = (sql: SqlClient, days: ReadonlyArray<ActivityDay>) =>
  sql`
    INSERT INTO activity_days AS kept (company_id, day, activity, times, volume)
    SELECT company_id, day, activity, sum(times)::bigint, sum(volume) FROM unnest(
      ${days.map(({ companyId }) => companyId)}::text[],
      ${days.map(({ day }) => day)}::integer[],
      ${days.map(({ activity }) => activity)}::text[],
      ${days.map(({ times }) => BigInt(times))}::bigint[],
      ${days.map(({ volume }) => volume.toString())}::numeric[]
    ) AS done (company_id, day, activity, times, volume)
    GROUP BY company_id, day, activity
    ON CONFLICT (company_id, day, activity) DO UPDATE SET
      times = kept.times + excluded.times, volume = kept.volume + excluded.volume`

interface Row {
  readonly day: number
  readonly activity: string
  readonly times: bigint
  readonly volume: string
}

const reading = (sql: SqlClient, { companyId, from, to }: ActivityRange) =>
  sql<Row>`
    SELECT day, activity, times, volume::text AS volume FROM activity_days
    WHERE company_id = ${companyId ?? EVERYBODY} AND day BETWEEN ${from} AND ${to}
    ORDER BY day, activity`

/** What was done by day, in the database. */
export class ActivityRepository extends Context.Service<
  ActivityRepository,
  {
    /** The last event that is counted. */
    readonly position: Effect.Effect<number, Unavailable>
    /** Adds what the events after `from` up to `to` are counted as, unless they are counted already. */
    readonly add: (
      days: ReadonlyArray<ActivityDay>,
      from: number,
      to: number
    ) => Effect.Effect<void, AlreadyCounted | Unavailable>
    /** By day and activity. */
    readonly read: (range: ActivityRange) => Effect.Effect<ReadonlyArray<Omit<ActivityDay, "companyId">>, Unavailable>
    /** Removes at most so many rows of days before one; answers how many. */
    readonly prune: (day: number, limit: number) => Effect.Effect<number, Unavailable>
  }
>()("emporion/analytics/ActivityRepository") {
  static readonly layer: Layer.Layer<ActivityRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      ActivityRepository.of({
        position: sql<{ readonly seq: bigint }>`SELECT seq FROM activity_position`.pipe(
          Effect.map(([row]) => Number(row?.seq ?? 0n)),
          unavailableOrDie
        ),
        add: (days, from, to) =>
          Effect.gen(function* () {
            const moved = yield* sql`
              UPDATE activity_position SET seq = ${BigInt(to)} WHERE seq = ${BigInt(from)} RETURNING seq`
            if (moved.length === 0) return yield* new AlreadyCounted({ from })
            if (days.length > 0) yield* adding(sql, [...days, ...days.map((day) => ({ ...day, companyId: EVERYBODY }))])
          }).pipe(sql.withTransaction, unavailableOrDie),
        read: (range) =>
          reading(sql, range).pipe(
            Effect.map((rows) =>
              rows.map(({ activity, day, times, volume }) => ({
                day,
                activity,
                times: Number(times),
                volume: BigInt(volume)
              }))
            ),
            unavailableOrDie
          ),
        prune: (day, limit) =>
          sql`
            DELETE FROM activity_days WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM activity_days WHERE day < ${day} ORDER BY day LIMIT ${BigInt(limit)}))
            RETURNING day`.pipe(
            Effect.map((rows) => rows.length),
            unavailableOrDie
          )
      })
    )
  )
}
