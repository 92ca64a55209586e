import { Clock, Context, Data, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHash, timingSafeEqual } from "node:crypto"
import type { Scope } from "../api/Authorization.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { ApiClientRepository } from "./ApiClientRepository.ts"
import type { ApiClient } from "./ApiClientRepository.ts"
import * as Identifier from "./Identifier.ts"
import { UserRepository } from "./UserRepository.ts"

/** No client has this id and secret. */
export class InvalidClient extends Data.TaggedError("InvalidClient")<Record<never, never>> {}

export interface NewClient {
  readonly companyId: string
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  /** Default: a random one. */
  readonly clientId?: string | undefined
  /** Default: a random one of 32 bytes. */
  readonly secret?: Redacted.Redacted | undefined
}

const SECRET_BYTES = 32

const hashOf = (secret: Redacted.Redacted): Uint8Array =>
  new Uint8Array(createHash("sha256").update(Redacted.value(secret)).digest())

const NO_HASH = new Uint8Array(32)

const newSecret = Effect.fnUntraced(function* () {
  const random = yield* SecureRandom
  return Redacted.make(`sec_${Buffer.from(yield* random.randomBytes(SECRET_BYTES)).toString("base64url")}`)
})

const create = Effect.fnUntraced(function* (asked: NewClient) {
  const clients = yield* ApiClientRepository
  const users = yield* UserRepository
  const secret = asked.secret ?? (yield* newSecret())
  const createdAt = yield* Clock.currentTimeMillis
  const principalId = yield* Identifier.make("usr")
  const { companyId, name, scopes } = asked
  const client = {
    clientId: asked.clientId ?? (yield* Identifier.make("cli")),
    name,
    companyId,
    principalId,
    scopes,
    createdAt,
    tokenEpoch: 0
  }
  const principal = {
    id: principalId,
    companyId,
    role: "service",
    status: "active",
    contactName: name,
    createdAt
  } as const
  yield* users
    .addUser(principal)
    .pipe(
      Effect.catchTag(["EmailTaken", "WalletTaken"], Effect.die),
      Effect.andThen(clients.add({ client, secretHash: hashOf(secret) })),
      users.transaction
    )
  return { client, secret }
})

/** Programs that authenticate with an id and a secret, each with a principal of its own in its company. */
export class ApiClients extends Context.Service<
  ApiClients,
  {
    /** Makes a client and its principal. The secret is known to the caller alone: only its hash is kept. */
    readonly create: (
      client: NewClient
    ) => Effect.Effect<{ readonly client: ApiClient; readonly secret: Redacted.Redacted }, Unavailable>
    /** The client with this id and secret. */
    readonly authenticate: (
      clientId: string,
      secret: Redacted.Redacted
    ) => Effect.Effect<ApiClient, InvalidClient | Unavailable>
    /** Makes the client unless one has its id, and gives it the secret either way. */
    readonly ensure: (
      client: NewClient & { readonly clientId: string; readonly secret: Redacted.Redacted }
    ) => Effect.Effect<ApiClient, Unavailable>
  }
>()("emporion/identity/ApiClients") {
  static readonly layer: Layer.Layer<ApiClients, never, ApiClientRepository | UserRepository | SecureRandom> =
    Layer.effect(
      this,
      Effect.gen(function* () {
        const repository = yield* ApiClientRepository
        const context = yield* Effect.context<ApiClientRepository | UserRepository | SecureRandom>()
        const add = (client: NewClient) => Effect.provideContext(create(client), context)
        return ApiClients.of({
          create: Effect.fn("ApiClients.create")(add),
          authenticate: Effect.fn("ApiClients.authenticate")(function* (clientId, secret) {
            const stored = yield* repository.find(clientId)
            const matches = timingSafeEqual(hashOf(secret), stored?.secretHash ?? NO_HASH)
            return stored !== undefined && matches ? stored.client : yield* new InvalidClient()
          }),
          ensure: Effect.fn("ApiClients.ensure")(function* (client) {
            const stored = yield* repository.find(client.clientId)
            if (stored === undefined) return (yield* add(client)).client
            yield* repository.setSecret(client.clientId, hashOf(client.secret))
            return stored.client
          })
        })
      })
    )
}
