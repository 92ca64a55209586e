import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unavailableOrDie } from "../../database/DatabaseError.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import * as Keyset from "../../database/Keyset.ts"
import type { Scope } from "../../api/Authorization.ts"
import type { Page } from "../../api/Paging.ts"
import * as GrantedScope from "../tokens/Scope.ts"
import { type Obligations, obligationsOf } from "../users/ObligationRepository.ts"

/** A program that may get tokens of its own. */
export interface ApiClient {
  readonly clientId: string
  readonly name: string
  readonly companyId: string
  /** The user with role service that its tokens speak for. */
  readonly principalId: string
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: number
  /** The person it stands and falls with. Undefined: the platform's own. */
  readonly createdBy: string | undefined
  /** The principal's when the client was read. */
  readonly tokenEpoch: number
}

export interface StoredClient {
  readonly client: ApiClient
  /** SHA-256 of the secret, which is random enough to need no slower hash. */
  readonly secretHash: Uint8Array
}

/** That a client's tokens ended. */
export interface TokensEnded {
  /** Milliseconds since 1970. */
  readonly at: number
  /** The first of the client's epochs whose tokens count. Undefined: the client was deleted, so none does. */
  readonly since: number | undefined
}

interface Row {
  readonly client_id: string
  readonly name: string
  readonly company_id: string
  readonly principal_id: string
  readonly scopes: ReadonlyArray<string>
  readonly created_at: bigint
  readonly created_by: string | null
  readonly token_epoch: number
  readonly secret_hash: Uint8Array
}

const fromRow = (row: Row): StoredClient => ({
  client: {
    clientId: row.client_id,
    name: row.name,
    companyId: row.company_id,
    principalId: row.principal_id,
    scopes: GrantedScope.known(row.scopes),
    createdAt: Number(row.created_at),
    createdBy: row.created_by ?? undefined,
    tokenEpoch: row.token_epoch
  },
  secretHash: row.secret_hash
})

/** What ends a client's tokens. Clients that are deleted stay as rows, for what they made. */
const ends = (sql: SqlClient) => ({
  remove: (clientId: string, now: number) =>
    sql<{ readonly principal_id: string }>`
      UPDATE api_clients SET deleted_at = greatest(created_at, ${BigInt(now)})
      WHERE client_id = ${clientId} AND deleted_at IS NULL
      RETURNING principal_id`.pipe(
      Effect.map(([row]) => row?.principal_id),
      unavailableOrDie
    ),
  restore: (clientId: string) =>
    sql<{ readonly principal_id: string }>`
      UPDATE api_clients SET deleted_at = NULL WHERE client_id = ${clientId} AND deleted_at IS NOT NULL
      RETURNING principal_id`.pipe(
      Effect.map(([row]) => row?.principal_id),
      unavailableOrDie
    ),
  renew: (clientId: string, secretHash: Uint8Array, now: number) =>
    sql<{ readonly principal_id: string }>`
      UPDATE api_clients SET secret_hash = ${secretHash}, rotated_at = greatest(created_at, ${BigInt(now)})
      WHERE client_id = ${clientId} AND deleted_at IS NULL
      RETURNING principal_id`.pipe(
      Effect.map(([row]) => row?.principal_id),
      unavailableOrDie
    ),
  endedSince: (time: number) =>
    sql<{ readonly client_id: string; readonly at: bigint; readonly since: number | null }>`
      SELECT c.client_id, greatest(c.deleted_at, c.rotated_at) AS at,
        CASE WHEN c.deleted_at IS NULL THEN u.token_epoch END AS since
      FROM api_clients c JOIN users u ON u.id = c.principal_id
      WHERE c.deleted_at > ${BigInt(time)} OR (c.deleted_at IS NULL AND c.rotated_at > ${BigInt(time)})`.pipe(
      Effect.map(
        (rows) =>
          new Map(
            rows.map((row): [string, TokensEnded] => [
              row.client_id,
              { at: Number(row.at), since: row.since ?? undefined }
            ])
          )
      ),
      unavailableOrDie
    )
})

/** Nothing else of a client is its own: its bots and its KYC record are those of the person behind it. */
const leftOf =
  (sql: SqlClient) =>
  ({ companyId, principalId }: ApiClient) =>
    unavailableOrDie(obligationsOf(sql, { userIds: [principalId], companyId, withCompany: false }))

/** API clients in the database. */
export class ApiClientRepository extends Context.Service<
  ApiClientRepository,
  {
    readonly find: (clientId: string) => Effect.Effect<StoredClient | undefined, Unavailable>
    readonly add: (stored: StoredClient) => Effect.Effect<void, Unavailable>
    readonly setSecret: (clientId: string, secretHash: Uint8Array) => Effect.Effect<void, Unavailable>
    readonly countOf: (companyId: string) => Effect.Effect<number, Unavailable>
    /** The company's clients, oldest first. */
    readonly listOf: (
      companyId: string,
      page: Page
    ) => Effect.Effect<
      { readonly clients: ReadonlyArray<ApiClient>; readonly total: number; readonly next: string | undefined },
      Unavailable | Keyset.UnknownCursor
    >
    /** The person behind a user: of a client's principal the one who made the client, else the user. */
    readonly makerBehind: (userId: string) => Effect.Effect<string, Unavailable>
    /** The ids of the clients that a person made. */
    readonly madeBy: (userId: string) => Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** What is left to be ended of a client before nobody can act for it. */
    readonly leftOf: (client: ApiClient) => Effect.Effect<Obligations, Unavailable>
    /** Marks a client as deleted, and answers its principal. Undefined: none is there. */
    readonly remove: (clientId: string, now: number) => Effect.Effect<string | undefined, Unavailable>
    /** Takes a deletion back, and answers the principal. Undefined: there was none. */
    readonly restore: (clientId: string) => Effect.Effect<string | undefined, Unavailable>
    /** Gives a client that is not deleted another secret, and answers its principal. Undefined: none is there. */
    readonly renew: (
      clientId: string,
      secretHash: Uint8Array,
      now: number
    ) => Effect.Effect<string | undefined, Unavailable>
    /** Each client that was deleted, or got another secret, after a time. */
    readonly endedSince: (time: number) => Effect.Effect<ReadonlyMap<string, TokensEnded>, Unavailable>
  }
>()("emporion/identity/ApiClientRepository") {
  static readonly layer: Layer.Layer<ApiClientRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => {
      const select = sql`
        SELECT c.client_id, c.name, c.company_id, c.principal_id, c.scopes, c.created_at, c.created_by, c.secret_hash,
          u.token_epoch
        FROM api_clients c JOIN users u ON u.id = c.principal_id`
      return ApiClientRepository.of({
        find: (clientId) =>
          sql<Row>`
            ${select} WHERE c.client_id = ${clientId} AND c.deleted_at IS NULL`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            unavailableOrDie
          ),
        add: ({ client, secretHash }) =>
          sql`
            INSERT INTO api_clients
              (client_id, secret_hash, name, company_id, principal_id, scopes, created_at, created_by)
            VALUES (${client.clientId}, ${secretHash}, ${client.name}, ${client.companyId}, ${client.principalId},
              ${client.scopes}::text[], ${BigInt(client.createdAt)}, ${client.createdBy ?? null})`.pipe(
            Effect.asVoid,
            unavailableOrDie
          ),
        setSecret: (clientId, secretHash) =>
          sql`UPDATE api_clients SET secret_hash = ${secretHash} WHERE client_id = ${clientId}`.pipe(
            Effect.asVoid,
            unavailableOrDie
          ),
        countOf: (companyId) =>
          sql<{ readonly count: bigint }>`
            SELECT count(*) FROM api_clients WHERE company_id = ${companyId} AND deleted_at IS NULL`.pipe(
            Effect.map(([row]) => Number(row?.count ?? 0n)),
            unavailableOrDie
          ),
        listOf: Effect.fnUntraced(function* (companyId, page) {
          const listed: Keyset.Listed<Row> = {
            select,
            from: sql`api_clients c`,
            scope: sql`c.company_id = ${companyId}`,
            wanted: sql`c.deleted_at IS NULL`,
            order: [{ column: "c.created_at" }, { column: "c.client_id" }],
            id: "c.client_id",
            idOf: (row) => row.client_id
          }
          const { next, rows, total } = yield* Keyset.page(sql, listed, page)
          return { clients: rows.map((row) => fromRow(row).client), total, next }
        }, unavailableOrDie),
        makerBehind: (userId) =>
          sql<{ readonly created_by: string | null }>`
            SELECT created_by FROM api_clients WHERE principal_id = ${userId}`.pipe(
            Effect.map(([row]) => row?.created_by ?? userId),
            unavailableOrDie
          ),
        madeBy: (userId) =>
          sql<{ readonly client_id: string }>`
            SELECT client_id FROM api_clients WHERE created_by = ${userId} AND deleted_at IS NULL`.pipe(
            Effect.map((rows) => rows.map(({ client_id }) => client_id)),
            unavailableOrDie
          ),
        leftOf: leftOf(sql),
        ...ends(sql)
      })
    })
  )
}
