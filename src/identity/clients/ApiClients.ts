import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHash, timingSafeEqual } from "node:crypto"
import { SCOPES } from "../../api/Authorization.ts"
import type { Scope } from "../../api/Authorization.ts"
import type { Page } from "../../api/Paging.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { UnknownCursor } from "../../database/Keyset.ts"
import { AccountRepository } from "../accounts/AccountRepository.ts"
import type { ActingUser } from "../users/ActingUser.ts"
import { ApiClientRepository } from "./ApiClientRepository.ts"
import type { ApiClient } from "./ApiClientRepository.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { ClientEpochs } from "./ClientEpochs.ts"
import * as Identifier from "../../Identifier.ts"
import type { Obligations } from "../users/ObligationRepository.ts"
import { Owners } from "../users/Owners.ts"
import { RefreshTokens } from "../tokens/RefreshTokens.ts"
import { ScopeNotGranted } from "../tokens/Scope.ts"
import { CompanyFull } from "../users/UserError.ts"
import { UserRepository } from "../users/UserRepository.ts"
import { refusal } from "../../../engine/wire/Refusal.ts"

/** No client has this id and secret. */
export class InvalidClient extends refusal("InvalidClient", "invalid_client") {}

/** No client has this id, or none that the caller may know of. */
export class ClientNotFound extends refusal(
  "ClientNotFound",
  "not_found",
  ({ clientId }: { readonly clientId: string }) => `There is no API client ${clientId} that you may see.`
) {}

/** Whoever has a client's secret has its money, which is its maker's. */
export class NotClientMaker extends refusal(
  "NotClientMaker",
  "access_denied",
  ({ clientId }: { readonly clientId: string }) =>
    `Only the person who made the API client ${clientId} gives it another secret: ask them, or an administrator to suspend its account.`
) {}

/** How what a client may have left ends. */
const ENDS: Readonly<Record<keyof Obligations, string>> = {
  products: "set the quantity of its products on sale to 0",
  subscriptions: "cancel the subscriptions that it pays or is paid by",
  orders: "fulfil and pay, or cancel, the open orders that it buys or sells in",
  payments: "let its payments, and what is disputed or given back of what it sold, end",
  bots: "terminate its bots",
  money: "move its money out and let its holds and debts settle",
  kyc: "have its KYC record decided"
}

/** Nobody could reach what is left of the client. */
export class ClientObliged extends refusal("ClientObliged", "conflict", ({ left }: { readonly left: Obligations }) => {
  const ends = Object.entries(ENDS).flatMap(([name, end]) => (left[name as keyof Obligations] ? [end] : []))
  return `The client cannot be deleted yet: ${ends.join(", ")} first; a lost secret ends at once by rotating it instead.`
}) {}

/** API clients that one company can have. */
export const MAX_CLIENTS = 100

export interface NewClient {
  readonly companyId: string
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  /** The person it stands and falls with. Undefined: nobody, as for the platform's own. */
  readonly createdBy?: string | undefined
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
    createdBy: asked.createdBy,
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

/** Who asks gives no more than what the request's own token may do. */
const add = Effect.fnUntraced(function* (by: ActingUser, name: string, asked: ReadonlyArray<Scope>) {
  const clients = yield* ApiClientRepository
  const scopes = SCOPES.filter((scope) => asked.includes(scope))
  const refused = scopes.find((scope) => !by.scopes.includes(scope))
  if (refused !== undefined) return yield* new ScopeNotGranted({ scope: refused })
  yield* Effect.flatMap(AccountRepository, ({ lockCompany }) => lockCompany(by.companyId))
  if ((yield* clients.countOf(by.companyId)) >= MAX_CLIENTS) {
    return yield* new CompanyFull({ what: "clients", limit: MAX_CLIENTS })
  }
  const createdBy = yield* clients.makerBehind(by.userId)
  return yield* create({ companyId: by.companyId, name, scopes, createdBy })
})

/** What the client's secret gave ends: the tokens of its principal, and those that people were given by it. */
const endTokens = Effect.fnUntraced(function* (clientId: string, principalId: string, end: "deleted" | "renewed") {
  const users = yield* UserRepository
  const epoch = yield* Effect.flatMap(AccountRepository, ({ withdrawTokens }) => withdrawTokens(principalId))
  yield* Effect.flatMap(RefreshTokens, ({ revokeClient }) => revokeClient(clientId))
  const owners = yield* Owners
  const epochs = yield* ClientEpochs
  const ended = epochs.end(clientId, end === "deleted" ? undefined : epoch)
  yield* users.afterCommit(Effect.andThen(ended, owners.forgetAll))
})

const remove = Effect.fnUntraced(function* (by: ActingUser, clientId: string) {
  const clients = yield* ApiClientRepository
  const client = (yield* clients.find(clientId))?.client
  if (client === undefined || !(by.isAdmin || client.companyId === by.companyId)) {
    return yield* new ClientNotFound({ clientId })
  }
  const left = yield* clients.leftOf(client)
  if (Object.values(left).includes(true)) return yield* new ClientObliged({ left })
  const principalId = yield* clients.remove(clientId, yield* Clock.currentTimeMillis)
  if (principalId === undefined) return yield* new ClientNotFound({ clientId })
  yield* Effect.flatMap(UserRepository, ({ setStatus }) => setStatus(principalId, "suspended"))
  yield* endTokens(clientId, principalId, "deleted")
  if (!by.isAdmin) return
  const audit = yield* AuditLog
  yield* audit.record(by, { act: "client.delete", subjectId: clientId, before: { principal: principalId } })
})

/** Another secret of the same client. Undefined: there is none, or it was deleted meanwhile. */
const renew = Effect.fnUntraced(function* (clientId: string) {
  const clients = yield* ApiClientRepository
  const secret = yield* newSecret()
  const principalId = yield* clients.renew(clientId, hashOf(secret), yield* Clock.currentTimeMillis)
  if (principalId === undefined) return undefined
  yield* endTokens(clientId, principalId, "renewed")
  return secret
})

/** Whoever has the secret may do what the client may, so neither colleagues nor administrators get it. */
const rotate = Effect.fnUntraced(function* (by: ActingUser, clientId: string) {
  const clients = yield* ApiClientRepository
  const client = (yield* clients.find(clientId))?.client
  if (client?.companyId !== by.companyId) return yield* new ClientNotFound({ clientId })
  if ((yield* clients.makerBehind(by.userId)) !== client.createdBy) return yield* new NotClientMaker({ clientId })
  const refused = client.scopes.find((scope) => !by.scopes.includes(scope))
  if (refused !== undefined) return yield* new ScopeNotGranted({ scope: refused })
  const secret = yield* renew(clientId)
  if (secret === undefined) return yield* new ClientNotFound({ clientId })
  if (by.isAdmin) {
    const audit = yield* AuditLog
    yield* audit.record(by, { act: "client.rotate", subjectId: clientId, before: { principal: client.principalId } })
  }
  return { client, secret }
})

const endSecretsMadeBy = Effect.fnUntraced(function* (userId: string) {
  const { madeBy } = yield* ApiClientRepository
  yield* Effect.forEach(yield* madeBy(userId), renew, { discard: true })
})

/** Gives a deleted client back its principal, for one that every start ensures. */
const restore = Effect.fnUntraced(function* (clientId: string) {
  const clients = yield* ApiClientRepository
  const users = yield* UserRepository
  const principalId = yield* clients.restore(clientId)
  if (principalId === undefined) return
  yield* users.setStatus(principalId, "active")
  const owners = yield* Owners
  const epochs = yield* ClientEpochs
  yield* users.afterCommit(Effect.andThen(epochs.restore(clientId), owners.forget(principalId)))
})

type Services =
  | AccountRepository
  | ApiClientRepository
  | AuditLog
  | ClientEpochs
  | Owners
  | RefreshTokens
  | SecureRandom
  | UserRepository

/** A client and its secret, which is known to the caller alone: only its hash is kept. */
export interface MadeClient {
  readonly client: ApiClient
  readonly secret: Redacted.Redacted
}

/** Programs that authenticate with an id and a secret, each with a principal of its own in its company. */
export class ApiClients extends Context.Service<
  ApiClients,
  {
    /** Makes a client and its principal. */
    readonly create: (client: NewClient) => Effect.Effect<MadeClient, Unavailable>
    /** The same for the actor's company, with no scope that the actor's own token lacks. */
    readonly add: (
      by: ActingUser,
      name: string,
      scopes: ReadonlyArray<Scope>
    ) => Effect.Effect<MadeClient, ScopeNotGranted | CompanyFull | Unavailable>
    /** The company's clients, oldest first, and how many there are. */
    readonly list: (
      companyId: string,
      page: Page
    ) => Effect.Effect<
      { readonly clients: ReadonlyArray<ApiClient>; readonly total: number; readonly next: string | undefined },
      Unavailable | UnknownCursor
    >
    /**
     * Deletes a client of the actor's company, an administrator any, which has nothing left that nobody could reach then.
     * Its tokens are refused at once.
     */
    readonly remove: (
      by: ActingUser,
      clientId: string
    ) => Effect.Effect<void, ClientNotFound | ClientObliged | Unavailable>
    /**
     * Gives a client that the actor made another secret, if the actor's own token has its scopes. The secret before, and
     * all tokens that it gave, are refused at once.
     */
    readonly rotate: (
      by: ActingUser,
      clientId: string
    ) => Effect.Effect<MadeClient, ClientNotFound | NotClientMaker | ScopeNotGranted | Unavailable>
    /** Ends the secrets and the tokens of every client that a person made, in the caller's transaction. */
    readonly endSecretsMadeBy: (userId: string) => Effect.Effect<void, Unavailable>
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
  static readonly layer: Layer.Layer<ApiClients, never, Services> = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* ApiClientRepository
      const { transaction } = yield* UserRepository
      const context = yield* Effect.context<Services>()
      const within = Effect.provideContext(context)
      return ApiClients.of({
        create: Effect.fn("ApiClients.create")((client) => within(create(client))),
        add: Effect.fn("ApiClients.add")((by, name, scopes) => transaction(within(add(by, name, scopes)))),
        list: repository.listOf,
        remove: Effect.fn("ApiClients.remove")((by, clientId) => transaction(within(remove(by, clientId)))),
        rotate: Effect.fn("ApiClients.rotate")((by, clientId) => transaction(within(rotate(by, clientId)))),
        endSecretsMadeBy: Effect.fn("ApiClients.endSecretsMadeBy")((userId) => within(endSecretsMadeBy(userId))),
        authenticate: Effect.fn("ApiClients.authenticate")(function* (clientId, secret) {
          const stored = yield* repository.find(clientId)
          const matches = timingSafeEqual(hashOf(secret), stored?.secretHash ?? NO_HASH)
          return stored !== undefined && matches ? stored.client : yield* new InvalidClient()
        }),
        ensure: Effect.fn("ApiClients.ensure")(function* (client) {
          yield* transaction(within(restore(client.clientId)))
          const stored = yield* repository.find(client.clientId)
          if (stored === undefined) return (yield* within(create(client))).client
          yield* repository.setSecret(client.clientId, hashOf(client.secret))
          return stored.client
        })
      })
    })
  )
}
