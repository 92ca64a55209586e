import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Median } from "../../engine/arena/Median.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import { bigints, texts } from "../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"

/** A median with the names of its sources. */
export interface SourcedMedian extends Median {
  readonly source: string
}

/** The most medians read for one order. */
const MAX_MEDIANS = 100_000

interface Row {
  readonly asset: string
  readonly at: bigint
  readonly price: bigint
  readonly safe: boolean
  readonly source: string
}

const toMedian = (row: Row): SourcedMedian => ({
  asset: row.asset,
  at: Number(row.at),
  price: fromUnits(row.price),
  safe: row.safe,
  source: row.source
})

/** All assets, and a null, found by leaps through the key's index: nothing reads the whole table. */
const ASSETS = `WITH RECURSIVE assets (asset) AS (
  (SELECT asset FROM arena_medians ORDER BY asset LIMIT 1)
  UNION ALL
  SELECT (SELECT asset FROM arena_medians WHERE asset > assets.asset ORDER BY asset LIMIT 1)
  FROM assets WHERE assets.asset IS NOT NULL)`

/** Milliseconds of which all assets' medians are read at once. */
const SPAN = 600_000

const next = (sql: SqlClient) => (from: number, before: number) =>
  sql<Row>`
    ${sql.literal(ASSETS)}, first AS (
      SELECT min(one.at) AS at FROM assets CROSS JOIN LATERAL (
        SELECT at FROM arena_medians
        WHERE asset = assets.asset AND at >= ${BigInt(from)} AND at < ${BigInt(before)} ORDER BY at LIMIT 1) AS one)
    SELECT median.* FROM first CROSS JOIN assets CROSS JOIN LATERAL (
      SELECT asset, at, price, safe, source FROM arena_medians
      WHERE asset = assets.asset AND at >= first.at AND at < least(first.at + ${BigInt(SPAN)}, ${BigInt(before)})
      ORDER BY at) AS median
    ORDER BY median.at, median.asset COLLATE "C"`.pipe(
    unavailableOrDie,
    Effect.map((rows) => rows.map(toMedian))
  )

const lastBefore = (sql: SqlClient) => (before: number) =>
  sql<Row>`
    ${sql.literal(ASSETS)}
    SELECT median.* FROM assets CROSS JOIN LATERAL (
      SELECT asset, at, price, safe, source FROM arena_medians
      WHERE asset = assets.asset AND at < ${BigInt(before)} ORDER BY at DESC LIMIT 1) AS median
    ORDER BY median.asset COLLATE "C"`.pipe(
    unavailableOrDie,
    Effect.map((rows) => rows.map(toMedian))
  )

const prune = (sql: SqlClient) =>
  Effect.fnUntraced(function* (before: number, limit: number) {
    const over = yield* sql<Pick<Row, "asset" | "at">>`
      ${sql.literal(ASSETS)}
      SELECT old.asset, old.at FROM assets CROSS JOIN LATERAL (
        SELECT asset, at FROM arena_medians
        WHERE asset = assets.asset AND at < ${BigInt(before)} ORDER BY at LIMIT ${BigInt(limit)}) AS old
      WHERE NOT EXISTS (SELECT FROM arena_orders WHERE asset = assets.asset AND status <> 'settled')
      LIMIT ${BigInt(limit)}`
    if (over.length > 0) {
      yield* sql`
        DELETE FROM arena_medians WHERE (asset, at) IN (
          SELECT * FROM unnest(
            ${texts(over.map(({ asset }) => asset))}::text[], ${bigints(over.map(({ at }) => at))}::bigint[]))`
    }
    return over.length
  }, unavailableOrDie)

/** The recorded medians. */
export class MedianRepository extends Context.Service<
  MedianRepository,
  {
    readonly insert: (medians: ReadonlyArray<SourcedMedian>) => Effect.Effect<void, Unavailable>
    /** One asset's medians from a time on, ascending. */
    readonly since: (asset: string, from: number) => Effect.Effect<ReadonlyArray<SourcedMedian>, Unavailable>
    /**
     * All medians of ten minutes, which begin with the first one from a time on and before another, by time and asset;
     * none at the end.
     */
    readonly next: (from: number, before: number) => Effect.Effect<ReadonlyArray<SourcedMedian>, Unavailable>
    /** Whether a median of an asset is recorded. */
    readonly has: (asset: string) => Effect.Effect<boolean, Unavailable>
    /** All assets' medians from a time on, ascending. */
    readonly recent: (from: number) => Effect.Effect<ReadonlyArray<SourcedMedian>, Unavailable>
    /** The last median of each asset before a time. */
    readonly lastBefore: (before: number) => Effect.Effect<ReadonlyArray<SourcedMedian>, Unavailable>
    /** The newest median of each asset. */
    readonly newest: Effect.Effect<ReadonlyArray<SourcedMedian>, Unavailable>
    /** The newest safe medians of each asset, so many of one at most, ascending. */
    readonly newestSafe: (limit: number) => Effect.Effect<ReadonlyArray<SourcedMedian>, Unavailable>
    /** Removes at most so many medians before a time, but none of assets with a live order; answers how many. */
    readonly prune: (before: number, limit: number) => Effect.Effect<number, Unavailable>
  }
>()("emporion/arena/MedianRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return MedianRepository.of({
        insert: (medians) =>
          sql`
            INSERT INTO arena_medians (asset, at, price, safe, source)
            SELECT * FROM unnest(
              ${medians.map(({ asset }) => asset)}::text[],
              ${medians.map(({ at }) => BigInt(at))}::bigint[],
              ${medians.map(({ price }) => price)}::bigint[],
              ${medians.map(({ safe }) => safe)}::boolean[],
              ${medians.map(({ source }) => source)}::text[])
            ON CONFLICT (asset, at) DO NOTHING`.pipe(unavailableOrDie, Effect.asVoid),
        since: (asset, from) =>
          sql<Row>`
            SELECT asset, at, price, safe, source FROM arena_medians
            WHERE asset = ${asset} AND at >= ${BigInt(from)} ORDER BY at LIMIT ${BigInt(MAX_MEDIANS)}`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map(toMedian))
          ),
        next: next(sql),
        has: (asset) =>
          sql`SELECT FROM arena_medians WHERE asset = ${asset} LIMIT 1`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.length > 0)
          ),
        recent: (from) =>
          sql<Row>`
            SELECT asset, at, price, safe, source FROM arena_medians
            WHERE at >= ${BigInt(from)} ORDER BY at LIMIT ${BigInt(MAX_MEDIANS)}`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map(toMedian))
          ),
        lastBefore: lastBefore(sql),
        newest: lastBefore(sql)(Number.MAX_SAFE_INTEGER),
        newestSafe: (limit) =>
          sql<Row>`
            SELECT median.* FROM (SELECT DISTINCT asset FROM arena_medians) AS priced
            CROSS JOIN LATERAL (
              SELECT asset, at, price, safe, source FROM arena_medians
              WHERE asset = priced.asset AND safe ORDER BY at DESC LIMIT ${BigInt(limit)}) AS median
            ORDER BY median.at`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map(toMedian))
          ),
        prune: prune(sql)
      })
    })
  )
}
