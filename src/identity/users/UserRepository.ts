import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { Scope } from "../../api/Authorization.ts"
import type { CompanyKind, Owner, PostalAddress, PostalAddressChange, Profile, Role, User, UserStatus } from "./User.ts"
import { EmailTaken, WalletTaken } from "./UserError.ts"
import { toOwner, toUser } from "./UserRow.ts"
import type { OwnerRow, UserRow } from "./UserRow.ts"

export interface NewCompany {
  readonly id: string
  readonly name: string
  readonly kind: CompanyKind
  readonly label: string | undefined
  readonly taxId: string | undefined
  readonly createdAt: number
}

export interface NewUser {
  readonly id: string
  readonly companyId: string
  readonly role: Role
  readonly status: UserStatus
  readonly email?: string | undefined
  readonly passwordHash?: string | undefined
  readonly contactName?: string | undefined
  readonly phone?: string | undefined
  readonly address?: PostalAddress | undefined
  readonly walletAddress?: string | undefined
  readonly profile?: Profile | undefined
  /** Undefined: everything. */
  readonly scopes?: ReadonlyArray<Scope> | undefined
  readonly createdAt: number
}

/** Undefined leaves a field as it is. */
export interface ProfileChange {
  readonly phone?: string | undefined
  readonly address?: PostalAddressChange | undefined
  readonly walletAddress?: string | undefined
}

/** A user with its password's hash, for login only. */
export interface Credentials {
  readonly user: User
  readonly passwordHash: Redacted.Redacted | undefined
}

const toCredentials = (row: UserRow): Credentials => ({
  user: toUser(row),
  passwordHash: row.password_hash === null ? undefined : Redacted.make(row.password_hash)
})

const json = (value: PostalAddress | PostalAddressChange | Profile | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value)

/** Turns the violation of a unique index into its own error. */
const claiming = <A, R>(
  effect: Effect.Effect<A, SqlError, R>
): Effect.Effect<void, EmailTaken | WalletTaken | Unavailable, R> =>
  effect.pipe(
    Effect.asVoid,
    Effect.catchTag("SqlError", (error): Effect.Effect<void, SqlError | EmailTaken | WalletTaken> => {
      const constraint = error.reason._tag === "UniqueViolation" ? error.reason.constraint : undefined
      if (constraint === "users_email") return Effect.fail(new EmailTaken())
      if (constraint === "users_wallet_address") return Effect.fail(new WalletTaken())
      return Effect.fail(error)
    }),
    unavailableOrDie
  )

const first = (rows: ReadonlyArray<UserRow>): User | undefined => (rows[0] === undefined ? undefined : toUser(rows[0]))

/** An API client stands and falls with the person behind it. */
const status = (sql: SqlClient) =>
  sql.literal("CASE WHEN u.status = 'active' THEN coalesce(m.status, u.status) ELSE u.status END AS status")

const joined = (sql: SqlClient) =>
  sql.literal(`FROM users u JOIN companies c ON c.id = u.company_id
      LEFT JOIN api_clients a ON a.principal_id = u.id LEFT JOIN users m ON m.id = a.created_by`)

/** Users as {@link UserRow} has them: the table `u`, with its company `c`. */
export const selectUsers = (sql: SqlClient) => sql`
    SELECT u.id, u.company_id, c.name AS company_name, c.tax_id, u.role, ${status(sql)}, u.email, u.contact_name, u.phone,
      u.address, u.wallet_address, u.ecommerce_company_id, u.email_verified_at, u.profile, u.scopes, u.created_at,
      u.token_epoch, u.password_hash
    ${joined(sql)}`

const reads = (sql: SqlClient) => {
  const select = selectUsers(sql)
  return {
    find: (id: string) => sql<UserRow>`${select} WHERE u.id = ${id}`.pipe(Effect.map(first), unavailableOrDie),
    findByWallet: (address: string) =>
      sql<UserRow>`${select} WHERE lower(u.wallet_address) = lower(${address})`.pipe(
        Effect.map(first),
        unavailableOrDie
      ),
    findFirstOf: (companyId: string, role: Role) =>
      sql<UserRow>`
        ${select} WHERE u.company_id = ${companyId} AND u.role = ${role} ORDER BY u.created_at, u.id LIMIT 1`.pipe(
        Effect.map(first),
        unavailableOrDie
      ),
    findFirstOfLabel: (label: string, role: Role) =>
      sql<UserRow>`
        ${select} WHERE c.label = ${label} AND u.role = ${role} ORDER BY u.created_at, u.id LIMIT 1`.pipe(
        Effect.map(first),
        unavailableOrDie
      ),
    findTrader: sql<{ readonly id: string }>`
      SELECT id FROM users WHERE status = 'active' AND role IN ('buyer', 'seller') ORDER BY id LIMIT 1`.pipe(
      Effect.map((rows) => rows[0]?.id),
      unavailableOrDie
    ),
    hasAdmin: sql<{ readonly found: boolean }>`SELECT EXISTS (SELECT FROM users WHERE role = 'admin') AS found`.pipe(
      Effect.map((rows) => rows[0]?.found === true),
      unavailableOrDie
    ),
    credentials: (email: string) =>
      sql<UserRow>`${select} WHERE lower(u.email) = lower(${email})`.pipe(
        Effect.map(([row]) => (row === undefined ? undefined : toCredentials(row))),
        unavailableOrDie
      ),
    owner: (id: string) =>
      sql<OwnerRow>`
        SELECT u.id, coalesce(m.id, u.id) AS person_id, u.company_id, c.kind, c.plan, c.machine_trader_withdrawn, u.role,
          ${status(sql)}, u.wallet_address, u.scopes, u.token_epoch
        ${joined(sql)} WHERE u.id = ${id}`.pipe(
        Effect.map(([row]) => (row === undefined ? undefined : toOwner(row))),
        unavailableOrDie
      )
  }
}

const additions = (sql: SqlClient) => ({
  addCompany: (company: NewCompany) =>
    sql<{ readonly id: string }>`
      INSERT INTO companies (id, name, kind, label, tax_id, created_at)
      VALUES (${company.id}, ${company.name}, ${company.kind}, ${company.label ?? null}, ${company.taxId ?? null},
        ${BigInt(company.createdAt)})
      ON CONFLICT (label) DO UPDATE SET label = excluded.label
      RETURNING id`.pipe(
      Effect.map((rows) => rows[0]?.id ?? company.id),
      unavailableOrDie
    ),
  addUser: (user: NewUser) =>
    claiming(sql`
      INSERT INTO users (id, company_id, role, status, email, password_hash, contact_name, phone, address,
        wallet_address, profile, scopes, created_at)
      VALUES (${user.id}, ${user.companyId}, ${user.role}, ${user.status}, ${user.email ?? null},
        ${user.passwordHash ?? null}, ${user.contactName ?? null}, ${user.phone ?? null},
        ${json(user.address)}::text::jsonb, ${user.walletAddress ?? null}, ${json(user.profile)}::text::jsonb,
        ${user.scopes ?? null}::text[], ${BigInt(user.createdAt)})`)
})

const changes = (sql: SqlClient) => ({
  change: (id: string, change: ProfileChange) =>
    claiming(sql`
      UPDATE users SET phone = coalesce(${change.phone ?? null}::text, phone),
        address = CASE WHEN ${json(change.address)}::text IS NULL THEN address ELSE
          nullif(jsonb_strip_nulls(coalesce(address, '{}') || ${json(change.address)}::text::jsonb), '{}') END,
        wallet_address = coalesce(${change.walletAddress ?? null}::text, wallet_address)
      WHERE id = ${id}`),
  releaseWallet: (address: string, label: string) =>
    sql<{ readonly id: string }>`
      UPDATE users SET wallet_address = NULL FROM companies
      WHERE companies.id = users.company_id AND companies.kind = 'house' AND companies.label = ${label}
        AND coalesce(users.wallet_address, ${address}) = ${address}
      RETURNING users.id`.pipe(
      Effect.map(([row]) => row?.id),
      unavailableOrDie
    ),
  setStatus: (id: string, status: UserStatus) =>
    sql`UPDATE users SET status = ${status} WHERE id = ${id}`.pipe(Effect.asVoid, unavailableOrDie),
  setPassword: (id: string, passwordHash: string) =>
    sql`UPDATE users SET password_hash = ${passwordHash}, token_epoch = token_epoch + 1 WHERE id = ${id}`.pipe(
      Effect.asVoid,
      unavailableOrDie
    ),
  setRole: (id: string, role: Role) =>
    sql`UPDATE users SET role = ${role}, token_epoch = token_epoch + 1 WHERE id = ${id}`.pipe(
      Effect.asVoid,
      unavailableOrDie
    )
})

/** Companies and users in the database. */
export class UserRepository extends Context.Service<
  UserRepository,
  {
    readonly transaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, Exclude<E, SqlError> | Unavailable, R>
    /** Runs the effect once the transaction that is open has committed, or now. */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
    /** Answers the id: the existing company's where the label is known. */
    readonly addCompany: (company: NewCompany) => Effect.Effect<string, Unavailable>
    readonly addUser: (user: NewUser) => Effect.Effect<void, EmailTaken | WalletTaken | Unavailable>
    readonly find: (id: string) => Effect.Effect<User | undefined, Unavailable>
    readonly findByWallet: (address: string) => Effect.Effect<User | undefined, Unavailable>
    /** The company's oldest user of the role. */
    readonly findFirstOf: (companyId: string, role: Role) => Effect.Effect<User | undefined, Unavailable>
    /** The oldest user of the role, of the company with the label. */
    readonly findFirstOfLabel: (label: string, role: Role) => Effect.Effect<User | undefined, Unavailable>
    /** The id of somebody active who buys or sells; undefined where nobody does. */
    readonly findTrader: Effect.Effect<string | undefined, Unavailable>
    readonly hasAdmin: Effect.Effect<boolean, Unavailable>
    readonly credentials: (email: string) => Effect.Effect<Credentials | undefined, Unavailable>
    readonly owner: (id: string) => Effect.Effect<Owner | undefined, Unavailable>
    readonly change: (id: string, change: ProfileChange) => Effect.Effect<void, EmailTaken | WalletTaken | Unavailable>
    /** Takes a wallet from the user of the company of this label, which stands for it; answers who that is. */
    readonly releaseWallet: (address: string, label: string) => Effect.Effect<string | undefined, Unavailable>
    readonly setStatus: (id: string, status: UserStatus) => Effect.Effect<void, Unavailable>
    /** Changes the password's hash and begins a new token epoch. */
    readonly setPassword: (id: string, passwordHash: string) => Effect.Effect<void, Unavailable>
    /** Changes the role and begins a new token epoch. */
    readonly setRole: (id: string, role: Role) => Effect.Effect<void, Unavailable>
  }
>()("emporion/identity/UserRepository") {
  static readonly layer: Layer.Layer<UserRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      UserRepository.of({
        transaction: (effect) => unavailableOrDie(sql.withTransaction(effect)),
        afterCommit: (effect) => sql.afterCommit(effect),
        ...reads(sql),
        ...additions(sql),
        ...changes(sql)
      })
    )
  )
}
