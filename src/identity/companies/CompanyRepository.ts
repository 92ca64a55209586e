import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  type CompanyEvent,
  companyStream,
  managedStream,
  type CompanyPlan
} from "../../../engine/company/CompanyEvent.ts"
import type { Page } from "../../api/Paging.ts"
import { texts } from "../../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../../database/DatabaseError.ts"
import * as Keyset from "../../database/Keyset.ts"
import type { Company } from "./Company.ts"
import type { PostalAddress } from "../users/User.ts"

/** Which companies are listed. */
export interface CompanyFilter {
  /** Only this one and those that it manages. */
  readonly within: string | undefined
  /** Only those whose name has this part, in whatever case. */
  readonly name: string | undefined
}

/** What other contexts ask about a company. */
export interface CompanyStanding {
  readonly plan: CompanyPlan
  /** The company that manages it; null: nobody does. It never changes. */
  readonly managedBy: string | null
}

/** A company and the version of its stream, of one moment. */
export interface CompanySituation {
  readonly company: Company
  readonly version: number
}

interface Row {
  readonly id: string
  readonly name: string
  readonly plan: CompanyPlan
  readonly managed_by: string | null
  readonly tax_id: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly country: string | null
  readonly address: PostalAddress | null
  readonly created_at: bigint
  readonly verified_at: bigint | null
  readonly machine_trader_withdrawn: boolean
}

const toCompany = (row: Row): Company => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  managedBy: row.managed_by ?? undefined,
  taxId: row.tax_id ?? undefined,
  email: row.email ?? undefined,
  phone: row.phone ?? undefined,
  country: row.country ?? undefined,
  address: row.address ?? undefined,
  createdAt: Number(row.created_at),
  verifiedAt: row.verified_at === null ? undefined : Number(row.verified_at),
  botsWithdrawn: row.machine_trader_withdrawn
})

const columns = (sql: SqlClient) =>
  sql.literal(`id, name, plan, managed_by, tax_id, email, phone, country, address, created_at,
    coalesce(verified_at, (SELECT at FROM company_verifications WHERE company_id = companies.id)) AS verified_at,
    machine_trader_withdrawn`)

const reads = (sql: SqlClient) => ({
  find: (id: string) =>
    sql<Row & { readonly version: number }>`
      SELECT ${columns(sql)},
        coalesce((SELECT version FROM event_streams WHERE event_streams.id = ${companyStream(id)}), 0) AS version
      FROM companies WHERE id = ${id}`.pipe(
      Effect.map(([row]) => (row === undefined ? undefined : { company: toCompany(row), version: row.version })),
      unavailableOrDie
    ),
  isRecorded: (id: string, type: CompanyEvent["_tag"]) =>
    sql`SELECT FROM events WHERE stream = ${companyStream(id)} AND type = ${type} LIMIT 1`.pipe(
      Effect.map((rows) => rows.length > 0),
      unavailableOrDie
    ),
  managed: (managedBy: string | null) =>
    sql<{ readonly version: number }>`SELECT version FROM event_streams WHERE id = ${managedStream(managedBy)}`.pipe(
      Effect.map(([row]) => row?.version ?? 0),
      unavailableOrDie
    ),
  isManagedBy: (id: string, managedBy: string) =>
    sql`SELECT FROM companies WHERE id = ${id} AND managed_by = ${managedBy}`.pipe(
      Effect.map((rows) => rows.length === 1),
      unavailableOrDie
    ),
  standings: (ids: ReadonlyArray<string>) =>
    sql<Pick<Row, "id" | "plan" | "managed_by">>`
      SELECT id, plan, managed_by FROM companies WHERE id = ANY(${texts(ids)}::text[])`.pipe(
      Effect.map(
        (rows) => new Map(rows.map((row) => [row.id, { plan: row.plan, managedBy: row.managed_by }] as const))
      ),
      unavailableOrDie
    ),
  list: Effect.fnUntraced(function* ({ name, within }: CompanyFilter, page: Page) {
    const listed: Keyset.Listed<Row> = {
      select: sql`SELECT ${columns(sql)} FROM companies`,
      from: sql`companies`,
      scope: within === undefined ? sql`true` : sql`(id = ${within} OR managed_by = ${within})`,
      wanted: name === undefined ? undefined : sql`position(lower(${name}) IN lower(name)) > 0`,
      order: [{ column: "created_at" }, { column: "id" }],
      id: "id",
      idOf: ({ id }) => id
    }
    const { next, rows, total } = yield* Keyset.page(sql, listed, page)
    return { companies: rows.map(toCompany), total, next }
  }, unavailableOrDie)
})

/** Reads companies. Registration writes them, and what is recorded of them. */
export class CompanyRepository extends Context.Service<
  CompanyRepository,
  {
    readonly find: (id: string) => Effect.Effect<CompanySituation | undefined, Unavailable>
    /** Whether such an event of a company is in the journal. */
    readonly isRecorded: (id: string, type: CompanyEvent["_tag"]) => Effect.Effect<boolean, Unavailable>
    /** How many companies one manages; null: how many administrators made for nobody. */
    readonly managed: (managedBy: string | null) => Effect.Effect<number, Unavailable>
    readonly isManagedBy: (id: string, managedBy: string) => Effect.Effect<boolean, Unavailable>
    /** Of those that there are, by their ids. */
    readonly standings: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, CompanyStanding>, Unavailable>
    /** Oldest first. */
    readonly list: (
      filter: CompanyFilter,
      page: Page
    ) => Effect.Effect<
      { readonly companies: ReadonlyArray<Company>; readonly total: number; readonly next: string | undefined },
      Unavailable | Keyset.UnknownCursor
    >
  }
>()("emporion/identity/CompanyRepository") {
  static readonly layer: Layer.Layer<CompanyRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => CompanyRepository.of(reads(sql)))
  )
}
