import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { exportJWK, generateKeyPair, importJWK } from "jose"
import type { CryptoKey, JWK } from "jose"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { SettingRefused } from "../../Setting.ts"
import * as Identifier from "../../Identifier.ts"
import type { SealedColumn } from "../../database/SealedColumn.ts"
import { Secrets } from "../secrets/Secrets.ts"
import { SigningKeyRepository } from "./SigningKeyRepository.ts"
import type { StoredKey } from "./SigningKeyRepository.ts"

/** The only algorithm of access tokens. */
export const ALGORITHM = "EdDSA"

/** A retired key is published and trusted for an hour: twice the life of a token that it signed. */
const TRUSTED_AFTER_RETIREMENT = 3_600_000

/** How long a new key of another process may go unseen, in milliseconds. */
export const SEEN_WITHIN = 5_000

const PURPOSE = "signing-key"

/** Where the private keys are. */
export const sealedPrivateKeys: SealedColumn = {
  table: "signing_keys",
  key: "kid",
  column: "sealed_private_key",
  purpose: () => PURPOSE
}

/** The key that signs now. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey | Uint8Array
}

/** A public key as it is published. RFC 8037. */
export interface PublicJwk {
  readonly kty: "OKP"
  readonly crv: "Ed25519"
  /** The key's 32 bytes in base64url. */
  readonly x: string
  readonly kid: string
  readonly alg: "EdDSA"
  readonly use: "sig"
}

/** One key took the place of another. */
export interface Rotation {
  readonly from: string
  readonly to: string
  /** Until when the old key is published and trusted, in milliseconds since 1970. */
  readonly trustedUntil: number
}

interface Loaded {
  readonly current: SigningKey
  /** The current key as it is sealed. */
  readonly sealed: Uint8Array
  readonly trusted: ReadonlyMap<string, CryptoKey | Uint8Array>
  readonly published: ReadonlyArray<PublicJwk>
  readonly at: number
}

const unreadable = new SettingRefused({
  variable: "SECRET_KEY",
  given: undefined,
  expected: "the key under which this database's signing keys were encrypted"
})

const imported = (jwk: JWK) => Effect.promise(() => importJWK(jwk, ALGORITHM))

const publicPart = (key: StoredKey): PublicJwk => ({
  kty: "OKP",
  crv: "Ed25519",
  x: String(key.publicJwk["x"]),
  kid: key.kid,
  alg: ALGORITHM,
  use: "sig"
})

const openPrivate = Effect.fnUntraced(function* (key: StoredKey) {
  const secrets = yield* Secrets
  const plain = yield* Effect.mapError(secrets.open(PURPOSE, key.sealedPrivateKey), () => unreadable)
  const d = Buffer.from(plain).toString("base64url")
  return { kid: key.kid, privateKey: yield* imported({ ...publicPart(key), d }) }
})

/** The current key's id, if there is one; refused where another `SECRET_KEY` is needed to open it. */
export const currentKid = Effect.fnUntraced(function* () {
  const repository = yield* SigningKeyRepository
  const keys = yield* repository.since(yield* Clock.currentTimeMillis)
  const current = keys.find((key) => !key.retired)
  return current === undefined ? undefined : (yield* openPrivate(current)).kid
})

const generate = Effect.fnUntraced(function* () {
  const secrets = yield* Secrets
  const pair = yield* Effect.promise(() => generateKeyPair(ALGORITHM, { crv: "Ed25519", extractable: true }))
  const { d = "", ...publicJwk } = yield* Effect.promise(() => exportJWK(pair.privateKey))
  const sealedPrivateKey = yield* secrets.seal(PURPOSE, new Uint8Array(Buffer.from(d, "base64url")))
  return { kid: yield* Identifier.make("key"), publicJwk: { ...publicJwk }, sealedPrivateKey }
})

const load = Effect.fnUntraced(function* () {
  const repository = yield* SigningKeyRepository
  const at = yield* Clock.currentTimeMillis
  const keys = yield* repository.since(at - TRUSTED_AFTER_RETIREMENT)
  const current = keys.find((key) => !key.retired)
  if (current === undefined) return yield* Effect.die(new Error("The database has no current signing key."))
  const published = keys.map(publicPart)
  const verifiers = yield* Effect.forEach(published, (jwk) =>
    Effect.map(imported(jwk), (key) => [jwk.kid, key] as const)
  )
  return {
    current: yield* openPrivate(current),
    sealed: current.sealedPrivateKey,
    trusted: new Map(verifiers),
    published,
    at
  } satisfies Loaded
})

/** Ed25519 keys that sign access tokens: kept in the database with the private part sealed, published as JWKs. */
export class SigningKeys extends Context.Service<
  SigningKeys,
  {
    readonly current: Effect.Effect<SigningKey>
    /** The public key with this id, if it is current or not long retired. */
    readonly trusted: (kid: string) => Effect.Effect<CryptoKey | Uint8Array | undefined, Unavailable>
    /** The public keys as JWKs (RFC 8037), for `/.well-known/jwks.json`. */
    readonly published: Effect.Effect<ReadonlyArray<PublicJwk>>
    /**
     * Makes a new key current. Tokens of the old one stay good until they expire. A process that has not seen it yet
     * signs with the old one for some seconds more. Refused where the keys were sealed under another `SECRET_KEY` since.
     */
    readonly rotate: Effect.Effect<Rotation, SettingRefused | Unavailable>
  }
>()("emporion/identity/SigningKeys") {
  static readonly layer: Layer.Layer<
    SigningKeys,
    SettingRefused | Unavailable,
    SigningKeyRepository | Secrets | SecureRandom
  > = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* SigningKeyRepository
      const context = yield* Effect.context<SigningKeyRepository | Secrets | SecureRandom>()
      const now = yield* Clock.currentTimeMillis
      if ((yield* repository.since(now)).every((key) => key.retired)) {
        yield* repository.addFirst(yield* generate(), now)
      }
      let loaded: Loaded = yield* load()
      const reload = load().pipe(
        Effect.map((fresh) => void (loaded = fresh)),
        Effect.catchTag("SettingRefused", (refused) =>
          Effect.logError(`The new signing key is not used. ${refused.message}`)
        ),
        Effect.provideContext(context)
      )
      yield* reload.pipe(
        Effect.catchCause((cause) => Effect.logWarning("The signing keys were not read again.", cause)),
        Effect.delay(SEEN_WITHIN),
        Effect.forever,
        Effect.forkScoped
      )
      return SigningKeys.of({
        current: Effect.sync(() => loaded.current),
        published: Effect.sync(() => loaded.published),
        trusted: Effect.fnUntraced(function* (kid) {
          const found = loaded.trusted.get(kid)
          if (found !== undefined) return found
          if ((yield* Clock.currentTimeMillis) - loaded.at < SEEN_WITHIN) return undefined
          yield* reload
          return loaded.trusted.get(kid)
        }),
        rotate: Effect.gen(function* () {
          const key = yield* generate()
          let from = loaded
          let now = yield* Clock.currentTimeMillis
          while (!(yield* repository.replace(from.sealed, key, now))) {
            from = yield* load()
            now = yield* Clock.currentTimeMillis
          }
          yield* reload
          return { from: from.current.kid, to: key.kid, trustedUntil: now + TRUSTED_AFTER_RETIREMENT }
        }).pipe(Effect.provideContext(context), Effect.withSpan("SigningKeys.rotate"))
      })
    })
  )
}
