import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "../../api/Paging.ts"
import { unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import * as Keyset from "../../database/Keyset.ts"

/** What an act changed: a few fields by name. */
export type AuditFacts = Readonly<Record<string, string | boolean | null>>

/** An act to be written down. */
export interface NewAuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Who. */
  readonly actorId: string
  /** What, such as `user.suspend`. */
  readonly act: string
  /** Whom or which: the id of a user, company or client. */
  readonly subjectId: string
  readonly before: AuditFacts | undefined
  readonly after: AuditFacts | undefined
  readonly requestId: string | undefined
}

export interface AuditEntry extends NewAuditEntry {
  readonly id: number
}

/** Which entries are listed. */
export interface AuditFilter {
  readonly actorId?: string | undefined
  readonly subjectId?: string | undefined
  readonly act?: string | undefined
}

interface Row {
  readonly id: bigint
  readonly at: bigint
  readonly actor_id: string
  readonly act: string
  readonly subject_id: string
  readonly before: AuditFacts | null
  readonly after: AuditFacts | null
  readonly request_id: string | null
}

const toEntry = (row: Row): AuditEntry => ({
  id: Number(row.id),
  at: Number(row.at),
  actorId: row.actor_id,
  act: row.act,
  subjectId: row.subject_id,
  before: row.before ?? undefined,
  after: row.after ?? undefined,
  requestId: row.request_id ?? undefined
})

const json = (facts: AuditFacts | undefined): string | null => (facts === undefined ? null : JSON.stringify(facts))

/** The audit log in the database, which takes new rows alone. */
export class AuditLogRepository extends Context.Service<
  AuditLogRepository,
  {
    readonly add: (entry: NewAuditEntry) => Effect.Effect<void, Unavailable>
    /** The newest first. */
    readonly list: (
      filter: AuditFilter,
      page: Page
    ) => Effect.Effect<
      { readonly entries: ReadonlyArray<AuditEntry>; readonly total: number; readonly next: string | undefined },
      Unavailable | Keyset.UnknownCursor
    >
  }
>()("emporion/identity/AuditLogRepository") {
  static readonly layer: Layer.Layer<AuditLogRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      AuditLogRepository.of({
        add: (entry) =>
          sql`
            INSERT INTO audit_log (at, actor_id, act, subject_id, before, after, request_id)
            VALUES (${BigInt(entry.at)}, ${entry.actorId}, ${entry.act}, ${entry.subjectId},
              ${json(entry.before)}::text::jsonb, ${json(entry.after)}::text::jsonb, ${entry.requestId ?? null})`.pipe(
            Effect.asVoid,
            unavailableOrDie
          ),
        list: Effect.fnUntraced(function* ({ act, actorId, subjectId }, page) {
          const listed: Keyset.Listed<Row> = {
            select: sql`SELECT * FROM audit_log`,
            from: sql`audit_log`,
            scope: sql`true`,
            wanted: sql.and([
              ...(actorId === undefined ? [] : [sql`actor_id = ${actorId}`]),
              ...(subjectId === undefined ? [] : [sql`subject_id = ${subjectId}`]),
              ...(act === undefined ? [] : [sql`act = ${act}`]),
              sql`true`
            ]),
            order: [{ column: "id", descending: true }],
            id: "id",
            isNumber: true,
            idOf: ({ id }) => String(id)
          }
          const { next, rows, total } = yield* Keyset.page(sql, listed, page)
          return { entries: rows.map(toEntry), total, next }
        }, unavailableOrDie)
      })
    )
  )
}
