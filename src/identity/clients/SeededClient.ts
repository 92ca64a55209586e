import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { SCOPES } from "../../api/Authorization.ts"
import { Settings } from "../../Config.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { ApiClients } from "./ApiClients.ts"
import * as Identifier from "../../Identifier.ts"
import { Secrets } from "../secrets/Secrets.ts"
import { UserRepository } from "../users/UserRepository.ts"

const CLIENT_ID = "sandbox-client"
const COMPANY = { name: "Sandbox Client", kind: "normal", label: CLIENT_ID, taxId: undefined } as const

export interface SandboxCredentials {
  readonly clientId: string
  readonly secret: Redacted.Redacted
  /** The user that it acts as. */
  readonly principalId: string
}

const ensured = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
  const { ensure } = yield* ApiClients
  const users = yield* UserRepository
  const createdAt = yield* Clock.currentTimeMillis
  const companyId = yield* users.addCompany({ ...COMPANY, id: yield* Identifier.make("cmp"), createdAt })
  return yield* ensure({ companyId, name: COMPANY.name, clientId: CLIENT_ID, secret, scopes: SCOPES })
})

const seed = Effect.fn("SeededClient.seed")(function* () {
  if ((yield* Settings).mode === "production") return undefined
  const { derive } = yield* Secrets
  const { authenticate } = yield* ApiClients
  const secret = Redacted.make(Buffer.from(derive(`client/${CLIENT_ID}`)).toString("base64url"))
  // A start that finds it as it should be writes nothing.
  const { principalId } = yield* Effect.catchTag(authenticate(CLIENT_ID, secret), "InvalidClient", () =>
    ensured(secret)
  )
  return { clientId: CLIENT_ID, secret, principalId } satisfies SandboxCredentials
})

/** The sandbox's one API client, with a secret derived from `SECRET_KEY`, so that every start can show it. */
export class SeededClient extends Context.Service<
  SeededClient,
  {
    /** Undefined in production, which has no such client. */
    readonly credentials: SandboxCredentials | undefined
  }
>()("emporion/identity/SeededClient") {
  static readonly layer: Layer.Layer<
    SeededClient,
    Unavailable,
    Settings | Secrets | ApiClients | UserRepository | SecureRandom
  > = Layer.effect(
    this,
    Effect.map(seed(), (credentials) => SeededClient.of({ credentials }))
  )
}
