import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unavailableOrDie } from "../database/DatabaseError.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { Scope } from "../api/Authorization.ts"
import * as GrantedScope from "./Scope.ts"

/** A program that may get tokens of its own. */
export interface ApiClient {
  readonly clientId: string
  readonly name: string
  readonly companyId: string
  /** The user with role service that its tokens speak for. */
  readonly principalId: string
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: number
  /** The principal's when the client was read. */
  readonly tokenEpoch: number
}

export interface StoredClient {
  readonly client: ApiClient
  /** SHA-256 of the secret, which is random enough to need no slower hash. */
  readonly secretHash: Uint8Array
}

interface Row {
  readonly client_id: string
  readonly name: string
  readonly company_id: string
  readonly principal_id: string
  readonly scopes: ReadonlyArray<string>
  readonly created_at: bigint
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
    tokenEpoch: row.token_epoch
  },
  secretHash: row.secret_hash
})

/** API clients in the database. */
export class ApiClientRepository extends Context.Service<
  ApiClientRepository,
  {
    readonly find: (clientId: string) => Effect.Effect<StoredClient | undefined, Unavailable>
    readonly add: (stored: StoredClient) => Effect.Effect<void, Unavailable>
    readonly setSecret: (clientId: string, secretHash: Uint8Array) => Effect.Effect<void, Unavailable>
  }
>()("emporion/identity/ApiClientRepository") {
  static readonly layer: Layer.Layer<ApiClientRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      ApiClientRepository.of({
        find: (clientId) =>
          sql<Row>`
            SELECT c.client_id, c.name, c.company_id, c.principal_id, c.scopes, c.created_at, c.secret_hash, u.token_epoch
            FROM api_clients c JOIN users u ON u.id = c.principal_id WHERE c.client_id = ${clientId}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            unavailableOrDie
          ),
        add: ({ client, secretHash }) =>
          sql`
            INSERT INTO api_clients (client_id, secret_hash, name, company_id, principal_id, scopes, created_at)
            VALUES (${client.clientId}, ${secretHash}, ${client.name}, ${client.companyId}, ${client.principalId},
              ${client.scopes}::text[], ${BigInt(client.createdAt)})`.pipe(Effect.asVoid, unavailableOrDie),
        setSecret: (clientId, secretHash) =>
          sql`UPDATE api_clients SET secret_hash = ${secretHash} WHERE client_id = ${clientId}`.pipe(
            Effect.asVoid,
            unavailableOrDie
          )
      })
    )
  )
}
