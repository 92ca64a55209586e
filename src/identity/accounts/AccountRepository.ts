import type { CompanyPlan } from "../../../engine/company/CompanyEvent.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "../../api/Paging.ts"
import { unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import * as Keyset from "../../database/Keyset.ts"
import type { CompanyKind, Role, User, UserStatus } from "../users/User.ts"
import { selectUsers } from "../users/UserRepository.ts"
import { toUser } from "../users/UserRow.ts"
import type { UserRow } from "../users/UserRow.ts"

/** A user whose row is locked. The status is its own. */
export interface LockedUser {
  readonly id: string
  readonly companyId: string
  readonly role: Role
  readonly status: UserStatus
  readonly hasEmail: boolean
  /** Whether a sign-in of the user may do less than its role. */
  readonly isLimited: boolean
  /** Whether who it was is forgotten. */
  readonly isErased: boolean
  /** Whether it is the principal of an API client that was deleted. */
  readonly isEnded: boolean
}

/** A company whose row is locked. */
export interface LockedCompany {
  readonly id: string
  readonly name: string
  readonly kind: CompanyKind
  readonly plan: CompanyPlan
  readonly createdAt: number
  /** People, API clients' principals not counted. */
  readonly people: number
  /** Whether it was forgotten with its last person. */
  readonly erased: boolean
}

/** Which users are listed. */
export interface UserFilter {
  readonly companyId?: string | undefined
  readonly status?: UserStatus | undefined
}

const reads = (sql: SqlClient) => ({
  lockUsers: (ids: ReadonlyArray<string>) =>
    sql<LockedUser>`
      SELECT id, company_id AS "companyId", role, status, email IS NOT NULL AS "hasEmail",
        scopes IS NOT NULL AS "isLimited", EXISTS (SELECT FROM erasures WHERE erasures.id = users.id) AS "isErased",
        EXISTS (SELECT FROM api_clients WHERE principal_id = users.id AND deleted_at IS NOT NULL) AS "isEnded"
      FROM users WHERE id = ANY(${ids}::text[]) ORDER BY id FOR UPDATE`.pipe(
      Effect.map((rows) => new Map(rows.map((row) => [row.id, row]))),
      unavailableOrDie
    ),
  lockCompany: (id: string) =>
    Effect.gen(function* () {
      const [row] = yield* sql<
        Omit<LockedCompany, "createdAt" | "people" | "erased"> & { readonly created_at: bigint }
      >`
        SELECT id, name, kind, plan, created_at FROM companies WHERE id = ${id} FOR UPDATE`
      if (row === undefined) return undefined
      const { created_at: createdAt, ...company } = row
      // A statement of its own: one that waits for a lock counts what was there before.
      const [counted] = yield* sql<{ readonly people: bigint; readonly erased: boolean }>`
        SELECT count(*) AS people, EXISTS (SELECT FROM erasures WHERE id = ${id}) AS erased
        FROM users WHERE company_id = ${id} AND role <> 'service'`
      const { erased = false, people = 0n } = counted ?? {}
      return { ...company, createdAt: Number(createdAt), people: Number(people), erased }
    }).pipe(unavailableOrDie),
  list: Effect.fnUntraced(function* ({ companyId, status }: UserFilter, page: Page) {
    const listed: Keyset.Listed<UserRow> = {
      select: selectUsers(sql),
      from: sql`users u`,
      scope: sql`u.role <> 'service' AND ${companyId === undefined ? sql`true` : sql`u.company_id = ${companyId}`}`,
      wanted: status === undefined ? undefined : sql`u.status = ${status}`,
      order: [{ column: "u.created_at" }, { column: "u.id" }],
      id: "u.id",
      idOf: ({ id }) => id
    }
    const { next, rows, total } = yield* Keyset.page(sql, listed, page)
    return { users: rows.map(toUser), total, next }
  }, unavailableOrDie)
})

const changes = (sql: SqlClient) => ({
  grantRole: (id: string, role: Role) =>
    sql`UPDATE users SET role = ${role}, scopes = NULL, token_epoch = token_epoch + 1 WHERE id = ${id}`.pipe(
      Effect.asVoid,
      unavailableOrDie
    ),
  changePassword: (id: string, passwordHash: string, epoch: number | undefined) =>
    sql`
      UPDATE users SET password_hash = ${passwordHash}, token_epoch = token_epoch + 1
      WHERE id = ${id} AND status <> 'suspended' AND token_epoch = coalesce(${epoch ?? null}::integer, token_epoch)
      RETURNING id`.pipe(
      Effect.map((rows) => rows.length === 1),
      unavailableOrDie
    ),
  verifyEmail: (id: string, now: number) =>
    sql`
      UPDATE users SET email_verified_at = ${BigInt(now)} WHERE id = ${id} AND email_verified_at IS NULL
      RETURNING id`.pipe(
      Effect.map((rows) => rows.length > 0),
      unavailableOrDie
    ),
  withdrawTokens: (id: string) =>
    sql<{ readonly token_epoch: number }>`
      UPDATE users SET token_epoch = token_epoch + 1 WHERE id = ${id} RETURNING token_epoch`.pipe(
      Effect.map(([row]) => row?.token_epoch),
      unavailableOrDie
    )
})

/** What is done to users and companies beyond their own profile, in the database. */
export class AccountRepository extends Context.Service<
  AccountRepository,
  {
    /** Those of the users that exist, by id, locked in the order of their ids until the transaction ends. */
    readonly lockUsers: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, LockedUser>, Unavailable>
    readonly lockCompany: (id: string) => Effect.Effect<LockedCompany | undefined, Unavailable>
    /** People, oldest first. */
    readonly list: (
      filter: UserFilter,
      page: Page
    ) => Effect.Effect<
      { readonly users: ReadonlyArray<User>; readonly total: number; readonly next: string | undefined },
      Unavailable | Keyset.UnknownCursor
    >
    /** Gives a role whole, without a limit on scopes, and begins a new token epoch. */
    readonly grantRole: (id: string, role: Role) => Effect.Effect<void, Unavailable>
    /**
     * Changes the password's hash and begins a new token epoch, unless the user is suspended or, where an epoch is
     * named, no longer in it. Answers whether it did.
     */
    readonly changePassword: (
      id: string,
      passwordHash: string,
      epoch: number | undefined
    ) => Effect.Effect<boolean, Unavailable>
    /** Answers whether it was not verified before. */
    readonly verifyEmail: (id: string, now: number) => Effect.Effect<boolean, Unavailable>
    /** Begins a new token epoch, and answers it. Undefined: there is no such user. */
    readonly withdrawTokens: (id: string) => Effect.Effect<number | undefined, Unavailable>
  }
>()("emporion/identity/AccountRepository") {
  static readonly layer: Layer.Layer<AccountRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => AccountRepository.of({ ...reads(sql), ...changes(sql) }))
  )
}
