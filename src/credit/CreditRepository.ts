import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { GivenCard, Profile } from "../../engine/credit/CreditObject.ts"
import { type Arrears, foundPrefix, lastFound } from "../../engine/commerce/Arrears.ts"
import { creditLimitOf } from "../../engine/commerce/PurchaseOrder.ts"
import type { CreditSituation } from "../../engine/credit/CreditDecision.ts"
import type { Band } from "../../engine/credit/CreditPolicy.ts"
import { ASSESSMENT_WINDOW, creditStream, type PastAssessment } from "../../engine/credit/CreditStanding.ts"
import type { ScoreCard } from "../../engine/credit/ScoreCard.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"

/** Users whose limit is taken back in one round. */
const TRIM_BATCH = 100

interface CardRow {
  readonly event_seq: bigint
  readonly user_id: string
  readonly assessed_at: bigint
  readonly score: number
  readonly probability: number
  readonly band: Band
  readonly assessed_limit: bigint
  readonly granted: bigint
  readonly apr: number
  readonly points: string
  readonly reasons: string
  readonly model_version: string
}

interface SituationRow {
  readonly version: number
  readonly users: ReadonlyArray<string> | null
  readonly granted: ReadonlyArray<string> | null
  readonly posted: ReadonlyArray<string> | null
  readonly assessed: ReadonlyArray<string> | null
  readonly assessed_at: ReadonlyArray<string> | null
  readonly used: string
}

interface LimitRow {
  readonly limit_company: string
  readonly limit_granted: bigint
  readonly limit_posted: bigint
  readonly used: string
}

interface ArrearsRow {
  readonly last: string | null
  readonly owed: string
  readonly orders: number
  readonly first: string | null
}

export interface CardPage {
  readonly cards: ReadonlyArray<GivenCard>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

/** A profile, and whose company's it is. */
export interface CompanyProfile extends Profile {
  readonly companyId: string
}

/** A user whose account is above its limit. */
export interface Overhang {
  readonly userId: string
  readonly companyId: string
}

const toCard = (row: CardRow): GivenCard => ({
  userId: row.user_id,
  granted: fromUnits(row.granted),
  card: {
    score: row.score,
    defaultProbability: row.probability,
    band: row.band,
    limit: fromUnits(row.assessed_limit),
    apr: row.apr,
    points: JSON.parse(row.points) as ScoreCard["points"],
    reasons: JSON.parse(row.reasons) as ScoreCard["reasons"],
    modelVersion: row.model_version,
    assessedAt: Number(row.assessed_at)
  }
})

const units = (text: string | undefined) => fromUnits(BigInt(text ?? "0"))

const toSituation = (companyId: string, row: SituationRow | undefined): CreditSituation => ({
  standing: {
    companyId,
    version: row?.version ?? 0,
    users: new Map(
      (row?.users ?? []).map((userId, index) => [
        userId,
        { granted: units(row?.granted?.[index]), posted: units(row?.posted?.[index]) }
      ])
    ),
    assessments: (row?.assessed ?? []).map((userId, index): PastAssessment => ({
      userId,
      at: Number(row?.assessed_at?.[index] ?? 0)
    }))
  },
  used: units(row?.used)
})

/** Score cards and limits in the database. */
export class CreditRepository extends Context.Service<
  CreditRepository,
  {
    /** What a decision on a user's limit is made on, all of one moment. */
    readonly situation: (companyId: string, userId: string, now: number) => Effect.Effect<CreditSituation, Unavailable>
    readonly profile: (userId: string) => Effect.Effect<CompanyProfile | undefined, Unavailable>
    /** What of the orders that concern a company is overdue, all of one moment. */
    readonly arrears: (companyId: string) => Effect.Effect<Arrears, Unavailable>
    /** The number of the last instalment that was found overdue of these, paid since or not; 0 before the first. */
    readonly lastFound: (companyId: string) => Effect.Effect<number, Unavailable>
    /** A user's cards, newest first. */
    readonly cards: (userId: string, page: Page) => Effect.Effect<CardPage, Unavailable | Keyset.UnknownCursor>
    /** Whether a user's account is above its limit though less is used. */
    readonly overhangOf: (userId: string) => Effect.Effect<Overhang | undefined, Unavailable>
    /** Some users with such accounts. */
    readonly overhangs: Effect.Effect<ReadonlyArray<Overhang>, Unavailable>
  }
>()("emporion/credit/CreditRepository") {
  static readonly layer: Layer.Layer<CreditRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => CreditRepository.of({ ...reads(sql), ...overhanging(sql) }))
  )
}

/** The last of the names that were taken of what was found overdue of a company. */
const lastName = (sql: SqlClient, companyId: string) => {
  const prefix = foundPrefix(companyId)
  return sql`
    SELECT max(name COLLATE "C") FROM claims WHERE starts_with(name, 'overdue/')
      AND name COLLATE "C" >= ${prefix} AND name COLLATE "C" < ${`${prefix}:`}`
}

/**
 * What of the orders that concern a company is overdue, and the last of the names that were taken of it, all of one moment.
 * The numbers are those of the names: whatever becomes of rows, a name that was taken is not the next one.
 */
export const arrearsRows = (sql: SqlClient, companyId: string) => sql<ArrearsRow>`
  SELECT (${lastName(sql, companyId)}) AS last, coalesce(sum(overdue_amount), 0)::text AS owed, count(*)::int AS orders,
    (array_agg(id ORDER BY placed_at, id))[1] AS first
  FROM purchase_orders
  WHERE overdue_amount IS NOT NULL AND (buyer_company_id = ${companyId}
    OR buyer_user_id = ANY(ARRAY(SELECT id FROM users WHERE company_id = ${companyId})))`

const reads = (sql: SqlClient) => ({
  situation: (companyId: string, userId: string, now: number) =>
    sql<SituationRow>`
      SELECT coalesce((SELECT version FROM event_streams WHERE id = ${creditStream(companyId)}), 0) AS version,
        limits.users, limits.granted, limits.posted, recent.assessed, recent.assessed_at,
        coalesce((SELECT held FROM ledger_accounts WHERE id = ${creditLimitOf(userId)}), 0)::text AS used
      FROM (SELECT array_agg(user_id) AS users, array_agg(granted::text) AS granted,
          array_agg(posted::text) AS posted FROM credit_limits WHERE company_id = ${companyId}) AS limits,
        (SELECT array_agg(user_id ORDER BY event_seq) AS assessed,
          array_agg(assessed_at::text ORDER BY event_seq) AS assessed_at
          FROM credit_assessments
          WHERE company_id = ${companyId} AND assessed_at > ${BigInt(now - ASSESSMENT_WINDOW)}) AS recent`.pipe(
      unavailableOrDie,
      Effect.map(([row]) => toSituation(companyId, row))
    ),
  profile: (userId: string) =>
    sql<CardRow & LimitRow>`
      SELECT card.*, limits.company_id AS limit_company, limits.granted AS limit_granted, limits.posted AS limit_posted,
        coalesce((SELECT held FROM ledger_accounts WHERE id = ${creditLimitOf(userId)}), 0)::text AS used
      FROM credit_limits AS limits JOIN credit_assessments AS card ON card.event_seq = limits.assessed_by
      WHERE limits.user_id = ${userId}`.pipe(
      unavailableOrDie,
      Effect.map(([row]): CompanyProfile | undefined =>
        row === undefined
          ? undefined
          : {
              ...toCard(row),
              companyId: row.limit_company,
              posted: fromUnits(row.limit_posted),
              used: units(row.used)
            }
      )
    ),
  arrears: (companyId: string) =>
    arrearsRows(sql, companyId).pipe(
      unavailableOrDie,
      Effect.map(([row]): Arrears => ({
        companyId,
        last: lastFound(row?.last ?? null),
        owed: units(row?.owed),
        first: row?.first ?? undefined,
        others: Math.max(0, (row?.orders ?? 0) - 1)
      }))
    ),
  lastFound: (companyId: string) =>
    sql<Pick<ArrearsRow, "last">>`SELECT (${lastName(sql, companyId)}) AS last`.pipe(
      unavailableOrDie,
      Effect.map(([row]) => lastFound(row?.last ?? null))
    ),
  cards: Effect.fnUntraced(function* (userId: string, page: Page) {
    const listed: Keyset.Listed<CardRow> = {
      select: sql`SELECT * FROM credit_assessments`,
      from: sql`credit_assessments`,
      scope: sql`user_id = ${userId}`,
      order: [{ column: "event_seq", descending: true }],
      id: "event_seq",
      isNumber: true,
      idOf: (row) => String(row.event_seq)
    }
    const { next, rows, total } = yield* Keyset.page(sql, listed, page)
    return { cards: rows.map(toCard), total, next }
  }, unavailableOrDie)
})

const overhanging = (sql: SqlClient) => {
  const select = sql`
    SELECT limits.user_id, limits.company_id
    FROM credit_limits AS limits
    LEFT JOIN ledger_accounts AS account ON account.id = limits.user_id || '/USD-CREDIT/credit_limit'
    WHERE limits.posted > limits.granted AND limits.posted > coalesce(account.held, 0)`
  const toOverhang = (row: { readonly user_id: string; readonly company_id: string }): Overhang => ({
    userId: row.user_id,
    companyId: row.company_id
  })
  return {
    overhangOf: (userId: string) =>
      sql<{ user_id: string; company_id: string }>`${select} AND limits.user_id = ${userId}`.pipe(
        unavailableOrDie,
        Effect.map((rows) => rows.map(toOverhang)[0])
      ),
    overhangs: sql<{ user_id: string; company_id: string }>`${select} ORDER BY limits.user_id LIMIT ${TRIM_BATCH}`.pipe(
      unavailableOrDie,
      Effect.map((rows) => rows.map(toOverhang))
    )
  }
}
