import { hash, verify } from "@node-rs/argon2"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { availableParallelism } from "node:os"
import { HashingTurns, type PasswordsBusy } from "./HashingTurns.ts"

/** Strangers' hashes computed at once, each of which takes a core and 19 MiB: one core is left to everybody else's requests. */
const MAX_CONCURRENCY = 4
const CONCURRENCY = Math.max(1, Math.min(MAX_CONCURRENCY, availableParallelism() - 1))

/** What argon2id takes of whoever guesses. */
export interface HashCost {
  /** KiB. */
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** 19 MiB, 2 passes and 1 lane: the first recommendation of the OWASP password storage guide. No setting lowers it. */
export const PasswordCost = Context.Reference<HashCost>("emporion/identity/PasswordCost", {
  defaultValue: () => ({ memoryCost: 19_456, timeCost: 2, parallelism: 1 })
})

/** Hashes passwords with argon2id, a bounded number at once in the lane that is current, on the runtime's thread pool. */
export class Passwords extends Context.Service<
  Passwords,
  {
    /** The encoded hash, `$argon2id$…`. */
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, PasswordsBusy>
    /** Whether the password is the one that was hashed. Without a hash it is not, at the same cost. */
    readonly verify: (encoded: string | undefined, password: Redacted.Redacted) => Effect.Effect<boolean, PasswordsBusy>
  }
>()("emporion/identity/Passwords") {
  static readonly layer: Layer.Layer<Passwords, never, SecureRandom> = Layer.effect(
    this,
    Effect.gen(function* () {
      const random = yield* SecureRandom
      const cost = yield* PasswordCost
      const turns = new HashingTurns(CONCURRENCY)
      const bounded = <A>(work: () => Promise<A>) => turns.take(Effect.promise(work))
      const secret = yield* random.randomBytes(32)
      const unknown = yield* Effect.promise(() => hash(secret, cost))
      return Passwords.of({
        hash: (password) => bounded(() => hash(Redacted.value(password), cost)),
        verify: (encoded, password) =>
          bounded(() => verify(encoded ?? unknown, Redacted.value(password))).pipe(
            Effect.map((matches) => matches && encoded !== undefined)
          )
      })
    })
  )
}
