import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHash } from "node:crypto"
import type { Unavailable } from "../../database/DatabaseError.ts"
import * as Worker from "../../Worker.ts"
import { MailTokenRepository, PRUNE_BATCH } from "./MailTokenRepository.ts"
import type { MailPurpose } from "./MailTokenRepository.ts"
import { InvalidMailToken } from "../users/UserError.ts"

/** How long a token is good for, in milliseconds. */
export const LIFETIME: Readonly<Record<MailPurpose, number>> = {
  password_reset: 30 * 60_000,
  email_verification: 24 * 3_600_000
}

/** Tokens of one purpose that a user can have at a time: nobody's mailbox is filled by strangers. */
export const MAX_TOKENS = 5

const TOKEN_BYTES = 32

const hashOf = (token: string): Uint8Array => new Uint8Array(createHash("sha256").update(token).digest())

/** Tokens that show that somebody reads a user's mails: random, stored as hashes, good once. */
export class MailTokens extends Context.Service<
  MailTokens,
  {
    /** A new token. Undefined: the user has as many as one may have. */
    readonly issue: (userId: string, purpose: MailPurpose) => Effect.Effect<string | undefined, Unavailable>
    /** Whose token it is. */
    readonly userOf: (token: string, purpose: MailPurpose) => Effect.Effect<string, InvalidMailToken | Unavailable>
    /** The same, and the token is used up, with the transaction that is open. */
    readonly use: (token: string, purpose: MailPurpose) => Effect.Effect<string, InvalidMailToken | Unavailable>
    /** Voids every token of a user for a purpose. */
    readonly voidAll: (userId: string, purpose: MailPurpose) => Effect.Effect<void, Unavailable>
  }
>()("emporion/identity/MailTokens") {
  static readonly layer: Layer.Layer<MailTokens, never, MailTokenRepository | SecureRandom> = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* MailTokenRepository
      const random = yield* SecureRandom
      yield* Worker.pruning("Expired mail tokens", PRUNE_BATCH, repository.prune)
      const orInvalid = (userId: string | undefined) =>
        userId === undefined ? Effect.fail(new InvalidMailToken()) : Effect.succeed(userId)
      return MailTokens.of({
        issue: Effect.fn("MailTokens.issue")(function* (userId, purpose) {
          const token = `mt_${Buffer.from(yield* random.randomBytes(TOKEN_BYTES)).toString("base64url")}`
          const createdAt = yield* Clock.currentTimeMillis
          const expiresAt = createdAt + LIFETIME[purpose]
          const stored = { hash: hashOf(token), userId, purpose, createdAt, expiresAt }
          return (yield* repository.add(stored, MAX_TOKENS)) ? token : undefined
        }),
        userOf: Effect.fn("MailTokens.userOf")(function* (token, purpose) {
          return yield* orInvalid(yield* repository.find(hashOf(token), purpose, yield* Clock.currentTimeMillis))
        }),
        use: Effect.fn("MailTokens.use")(function* (token, purpose) {
          return yield* orInvalid(yield* repository.use(hashOf(token), purpose, yield* Clock.currentTimeMillis))
        }),
        voidAll: Effect.fn("MailTokens.voidAll")(repository.removeAll)
      })
    })
  )
}
