import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHmac } from "node:crypto"
import { Settings } from "../../Config.ts"
import type { SecretKey } from "../../SecretKey.ts"
import * as Seal from "./Seal.ts"

/** What `SECRET_KEY` is for: keys derived from it by label, and boxes that only it opens. */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** A 32-byte key for one label: HMAC-SHA256 of the label under `SECRET_KEY`. The same label, the same key. */
    readonly derive: (label: string) => Uint8Array
    /** Encrypts under a key derived for the purpose. */
    readonly seal: (purpose: string, plain: Uint8Array) => Effect.Effect<Uint8Array>
    /** Opens what was sealed for the same purpose. */
    readonly open: (purpose: string, box: Uint8Array) => Effect.Effect<Uint8Array, Seal.Unsealable>
  }
>()("emporion/identity/Secrets") {
  /** What a key is for, which need not be the settings' own. */
  static readonly under = Effect.fnUntraced(function* (
    secretKey: SecretKey
  ): Effect.fn.Return<Secrets["Service"], never, SecureRandom> {
    const random = yield* SecureRandom
    const derive = (label: string): Uint8Array =>
      new Uint8Array(createHmac("sha256", Redacted.value(secretKey)).update(label).digest())
    const keyOf = (purpose: string) => derive(`seal/${purpose}`)
    return Secrets.of({
      derive,
      seal: Effect.fnUntraced(function* (purpose, plain) {
        return Seal.seal(keyOf(purpose), yield* random.randomBytes(Seal.NONCE_LENGTH), purpose, plain)
      }),
      open: (purpose, box) => Effect.fromResult(Seal.open(keyOf(purpose), purpose, box))
    })
  })

  static readonly layer: Layer.Layer<Secrets, never, Settings | SecureRandom> = Layer.effect(
    this,
    Effect.flatMap(Settings, ({ secretKey }) => Secrets.under(secretKey))
  )
}
