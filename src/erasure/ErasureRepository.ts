import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { texts } from "../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import type { PersonalTable } from "../database/PersonalTable.ts"
import type { Who } from "../identity/audit/AuditLog.ts"
import type { Role } from "../identity/users/User.ts"
import { UserNotFound } from "../identity/users/UserError.ts"
import { ErasureRefused } from "./ErasureError.ts"
import { type Obligations, obligationsOf } from "../identity/users/ObligationRepository.ts"

/** That a user was forgotten. */
export interface Erased {
  readonly userId: string
  readonly companyId: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Whether the company was forgotten with its last person. */
  readonly companyErased: boolean
}

/** An erasure that is not in the journal yet. */
export interface UnrecordedErasure extends Erased {
  readonly by: string
  readonly requestId: string | null
}

interface Standing {
  readonly companyId: string
  readonly role: Role
  readonly isNormal: boolean
}

interface ErasureRow {
  readonly id: string
  readonly company_id: string
  readonly at: bigint
  readonly erased_by: string
  readonly request_id: string | null
  readonly company_erased: boolean
}

const toErasure = (row: ErasureRow): UnrecordedErasure => ({
  userId: row.id,
  companyId: row.company_id,
  at: Number(row.at),
  companyErased: row.company_erased,
  by: row.erased_by,
  requestId: row.request_id
})

/** What is to be done first, in the order in which it is asked for. */
const SENTENCES: Readonly<Record<keyof Obligations, string>> = {
  products: "The user, or an API client that goes with it, has products on sale: set the quantity of each to 0 first.",
  subscriptions:
    "Subscriptions run that the user, or an API client that goes with it, pays or is paid by: cancel them first.",
  orders:
    "The user, or an API client that goes with it, buys or sells in purchase orders that are not fulfilled and paid, or cancelled: end them first.",
  payments:
    "Payments of the user, or of an API client that goes with it, are under way, disputed or given back: let them end first.",
  bots: "The user, or an API client that goes with it, has bots that are not terminated: terminate them first.",
  money:
    "The user, or an API client that goes with it, has money, holds or debts: pay them out, or let them settle, first.",
  kyc: "A KYC record of the user awaits review: decide it first."
}

/** How often, and how far apart in milliseconds, the tables are looked at that have yet to follow the journal. */
const LOOKS = 10
const LOOK_INTERVAL = 100

/** What the tables do not have yet cannot stand against an erasure: waits for all that is in the journal now. */
const caughtUp = Effect.fnUntraced(function* (sql: SqlClient) {
  const [head] = yield* sql<{ readonly seq: bigint }>`
    SELECT first_seq + count - 1 AS seq FROM journal ORDER BY first_seq DESC LIMIT 1`
  const isThere = Effect.map(
    sql<{ readonly seq: bigint }>`SELECT seq FROM projection`,
    ([row]) => head === undefined || row === undefined || row.seq >= head.seq
  )
  for (let look = 0; look < LOOKS; look++) {
    if (yield* isThere) return
    yield* Effect.sleep(LOOK_INTERVAL)
  }
  return yield* new ErasureRefused({
    reason: "The tables are behind the journal: try again in a moment, or start the server first where none runs."
  })
})

const roleRefused = (role: Role): string | undefined => {
  if (role === "service") return "The user is an API client's principal: delete the client instead."
  return role === "admin" ? "The user is an administrator: give another role first." : undefined
}

/** The text as a literal of SQL. */
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const assignment = (column: string, value: string | null, subject: string): string =>
  value === null
    ? `"${column}" = NULL`
    : `"${column}" = CASE WHEN "${column}" IS NOT NULL THEN replace(${literal(value)}, '{subject}', ${subject}) END`

const statementOf = ({ columns, subject, table }: PersonalTable): string => {
  const where = `WHERE (${subject}) = ANY($1::text[])`
  if (columns === undefined) return `DELETE FROM "${table}" ${where}`
  const assignments = Object.entries(columns).map(([column, value]) => assignment(column, value, subject))
  return `UPDATE "${table}" SET ${assignments.join(", ")} ${where}`
}

const columns = (sql: SqlClient) =>
  sql.literal(`id, company_id, at, erased_by, request_id,
    EXISTS (SELECT FROM erasures AS company WHERE company.id = erasures.company_id) AS company_erased`)

const erasureOf = (sql: SqlClient, userId: string) =>
  sql<ErasureRow>`SELECT ${columns(sql)} FROM erasures WHERE id = ${userId}`.pipe(
    Effect.map(([row]) => (row === undefined ? undefined : toErasure(row)))
  )

const locked = Effect.fnUntraced(function* (sql: SqlClient, userId: string) {
  const [standing] = yield* sql<Standing>`
    SELECT company_id AS "companyId", role, kind = 'normal' AS "isNormal"
    FROM users JOIN companies ON companies.id = company_id
    WHERE users.id = ${userId} FOR UPDATE`
  return standing ?? (yield* new UserNotFound({ userId }))
})

/** Whether nobody else is left in a company. */
const isLast = Effect.fnUntraced(function* (sql: SqlClient, userId: string, companyId: string) {
  const others = yield* sql`
    SELECT FROM users WHERE company_id = ${companyId} AND id <> ${userId} AND role <> 'service'
      AND NOT EXISTS (SELECT FROM erasures WHERE erasures.id = users.id) LIMIT 1`
  return others.length === 0
})

/** The principals of a company's API clients, which have the clients' names. */
const principalsOf = (sql: SqlClient, companyId: string) =>
  Effect.map(
    sql<{ readonly id: string }>`SELECT id FROM users WHERE company_id = ${companyId} AND role = 'service' FOR UPDATE`,
    (rows) => rows.map(({ id }) => id)
  )

/** The principals of API clients that nobody can act for any more once a user is gone. Those of deleted clients are gone. */
const principalsWith = (sql: SqlClient, { companyErased, companyId, userId }: Omit<Erased, "at">) =>
  Effect.map(
    sql<{ readonly id: string }>`
      SELECT principal_id AS id FROM api_clients
      WHERE company_id = ${companyId} AND deleted_at IS NULL AND (${companyErased} OR created_by = ${userId})`,
    (rows) => rows.map(({ id }) => id)
  )

/** Refuses while something is left that nobody could end any more. */
const refuseObliged = Effect.fnUntraced(function* (sql: SqlClient, going: Omit<Erased, "at">) {
  const { companyErased, companyId, userId } = going
  const userIds = [userId, ...(yield* principalsWith(sql, going))]
  const found = yield* obligationsOf(sql, { userIds, companyId, withCompany: companyErased })
  for (const [obligation, reason] of Object.entries(SENTENCES)) {
    if (found[obligation as keyof Obligations]) return yield* new ErasureRefused({ reason })
  }
})

/** Who goes with a user. */
const idsOf = (sql: SqlClient, { companyErased, companyId, userId }: Erased) =>
  companyErased
    ? Effect.map(principalsOf(sql, companyId), (principals) => [userId, companyId, ...principals])
    : Effect.succeed([userId])

/** Sign-ins end, and what was answered about those who go is not answered again. */
const endSignIns = Effect.fnUntraced(function* (
  sql: SqlClient,
  userId: string,
  ids: ReadonlyArray<string>,
  at: number
) {
  yield* sql`UPDATE users SET status = 'suspended', token_epoch = token_epoch + 1 WHERE id = ${userId}`
  yield* sql`
    UPDATE refresh_families SET revoked_at = greatest(created_at, ${BigInt(at)})
    WHERE user_id = ${userId} AND revoked_at IS NULL`
  yield* sql`
    DELETE FROM idempotency_keys USING unnest(${texts(ids)}::text[]) AS id WHERE position(id IN body) > 0`
})

/** Nothing more is sent to a company: whoever writes an attempt down that is under way finds its delivery ended. */
const endDeliveries = (sql: SqlClient, ids: ReadonlyArray<string>) => sql`
  UPDATE webhook_deliveries SET status = 'failed', due_at = NULL
  WHERE company_id = ANY(${texts(ids)}::text[]) AND status IN ('pending', 'held')`

/** Keys that were drawn while an erasure was not visible yet. */
const forgetKeys = (sql: SqlClient, userId: string) => sql`
  DELETE FROM person_keys USING erasures WHERE person_keys.id = erasures.id
    AND (erasures.id = ${userId} OR erasures.company_id = (SELECT company_id FROM erasures WHERE id = ${userId}))`

/** Forgets also what was written since an earlier time. */
const forget = Effect.fnUntraced(function* (
  sql: SqlClient,
  tables: ReadonlyArray<PersonalTable>,
  erased: Erased,
  at: number
) {
  const ids = yield* idsOf(sql, erased)
  yield* endSignIns(sql, erased.userId, ids, at)
  yield* endDeliveries(sql, ids)
  for (const table of tables) yield* sql.unsafe(statementOf(table), [texts(ids)])
  return ids
})

const erase = (sql: SqlClient, tables: ReadonlyArray<PersonalTable>) =>
  Effect.fnUntraced(function* (by: Who, userId: string, at: number) {
    const { companyId, isNormal, role } = yield* locked(sql, userId)
    const before = yield* erasureOf(sql, userId)
    if (before !== undefined) {
      yield* forget(sql, tables, before, at)
      return before
    }
    const companyErased = isNormal && (yield* isLast(sql, userId, companyId))
    const refused = roleRefused(role)
    if (refused !== undefined) return yield* new ErasureRefused({ reason: refused })
    yield* refuseObliged(sql, { userId, companyId, companyErased })
    const erased: Erased = { userId, companyId, at, companyErased }
    const ids = yield* forget(sql, tables, erased, at)
    yield* sql`
      INSERT INTO erasures (id, company_id, at, erased_by, request_id, recorded)
      SELECT id, ${companyId}, ${BigInt(at)}, ${by.userId}, ${by.requestId ?? null}, id <> ${userId}
      FROM unnest(${texts(ids)}::text[]) AS id
      ON CONFLICT (id) DO NOTHING`
    return erased
  })

/** Forgets what identifies people, in every table that says it does. */
export class ErasureRepository extends Context.Service<
  ErasureRepository,
  {
    /** Forgets a user in one transaction, and the company with its last person. Answers an erasure of before as it was. */
    readonly erase: (
      by: Who,
      userId: string,
      at: number
    ) => Effect.Effect<Erased, UserNotFound | ErasureRefused | Unavailable>
    /** What the journal does not have yet, the oldest first. */
    readonly unrecorded: Effect.Effect<ReadonlyArray<UnrecordedErasure>, Unavailable>
    /** Notes that the journal has it, and forgets keys that were drawn beside the erasure. */
    readonly recorded: (userId: string) => Effect.Effect<void, Unavailable>
  }
>()("emporion/erasure/ErasureRepository") {
  static readonly layer = (tables: ReadonlyArray<PersonalTable>): Layer.Layer<ErasureRepository, never, SqlClient> =>
    Layer.effect(
      this,
      Effect.map(SqlClient, (sql) => {
        const within = erase(sql, tables)
        return ErasureRepository.of({
          erase: (by, userId, at) =>
            unavailableOrDie(Effect.andThen(caughtUp(sql), sql.withTransaction(within(by, userId, at)))),
          unrecorded: sql<ErasureRow>`SELECT ${columns(sql)} FROM erasures WHERE NOT recorded ORDER BY at, id`.pipe(
            Effect.map((rows) => rows.map(toErasure)),
            unavailableOrDie
          ),
          recorded: (userId) =>
            forgetKeys(sql, userId).pipe(
              Effect.andThen(sql`UPDATE erasures SET recorded = true WHERE id = ${userId}`),
              Effect.asVoid,
              unavailableOrDie
            )
        })
      })
    )
}
