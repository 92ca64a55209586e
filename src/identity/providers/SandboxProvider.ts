import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Settings } from "../../Config.ts"
import { issuer } from "../tokens/Issuer.ts"
import { Secrets } from "../secrets/Secrets.ts"
import type { Pending } from "./PendingSignIns.ts"
import { CodeRefused } from "./ProviderClaims.ts"
import type { ProviderClaims } from "./ProviderClaims.ts"

/** How long a code may be exchanged, in milliseconds. */
const CODE_LIFE = 60_000

const PURPOSE = "sandbox-code"
const MAX_CODE_LENGTH = 2_048

const Code = Schema.fromJsonString(
  Schema.Struct({
    email: Schema.String,
    name: Schema.optionalKey(Schema.String),
    state: Schema.String,
    expiresAt: Schema.Int
  })
)
const encode = Schema.encodeEffect(Code)
const decode = Schema.decodeUnknownEffect(Code)

/** Who somebody says to be. */
export interface SandboxPerson {
  readonly email: string
  readonly name: string | undefined
}

const refused = (reason: string) => new CodeRefused({ reason })

const make = Effect.gen(function* () {
  const { mode, server } = yield* Settings
  const secrets = yield* Secrets
  if (mode === "production") return SandboxProvider.of({ open: undefined })
  const iss = `${issuer(server)}/api/auth/google`
  const read = Effect.fnUntraced(
    function* (code: string) {
      if (code.length > MAX_CODE_LENGTH) return yield* refused("too long")
      const plain = yield* secrets.open(PURPOSE, Buffer.from(code, "base64url"))
      return yield* decode(Buffer.from(plain).toString())
    },
    Effect.catchTags({
      Unsealable: () => Effect.fail(refused("not a code of the sandbox")),
      SchemaError: () => Effect.fail(refused("not a code of the sandbox"))
    })
  )
  return SandboxProvider.of({
    open: {
      codeFor: Effect.fn("SandboxProvider.codeFor")(function* ({ email, name }, { state }) {
        const expiresAt = (yield* Clock.currentTimeMillis) + CODE_LIFE
        const text = yield* Effect.orDie(encode({ email, state, expiresAt, ...(name === undefined ? {} : { name }) }))
        return Buffer.from(yield* secrets.seal(PURPOSE, Buffer.from(text))).toString("base64url")
      }),
      exchange: Effect.fn("SandboxProvider.exchange")(function* (code, { state }) {
        const person = yield* read(code)
        if ((yield* Clock.currentTimeMillis) >= person.expiresAt) return yield* refused("expired")
        if (person.state !== state) return yield* refused("of another sign-in")
        return {
          issuer: iss,
          subject: person.email.toLowerCase(),
          email: person.email,
          emailVerified: true,
          name: person.name,
          mayLink: false,
          shop: undefined
        } satisfies ProviderClaims
      })
    }
  })
})

/**
 * The sandbox's own identity provider: it believes what it is told, so nobody gets into an account by it that it did
 * not make itself. There is none in production.
 */
export class SandboxProvider extends Context.Service<
  SandboxProvider,
  {
    /** Undefined in production. */
    readonly open:
      | {
          readonly codeFor: (person: SandboxPerson, pending: Pending) => Effect.Effect<string>
          readonly exchange: (code: string, pending: Pending) => Effect.Effect<ProviderClaims, CodeRefused>
        }
      | undefined
  }
>()("emporion/identity/SandboxProvider") {
  static readonly layer: Layer.Layer<SandboxProvider, never, Settings | Secrets> = Layer.effect(this, make)
}
