import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { Settings } from "../../Config.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { PasswordsBusy } from "../sessions/HashingTurns.ts"
import type { EmailTaken } from "../users/UserError.ts"
import { UserRepository } from "../users/UserRepository.ts"
import { Users } from "../users/Users.ts"

/** The company of the platform's own people. */
export const COMPANY = { companyName: "Emporion", label: "operator" } as const

/** 18 random bytes are 24 characters of base64. */
const PASSWORD_BYTES = 18

/** The administrator that this start has made. */
export interface MadeAdmin {
  readonly email: string
  /** Only when it was made here, to be shown once: it is kept nowhere else. */
  readonly password: Redacted.Redacted | undefined
}

const makeAdmin = Effect.fn("FirstAdmin.make")(function* () {
  const { admin } = yield* Settings
  const random = yield* SecureRandom
  const { hasAdmin } = yield* UserRepository
  const { register } = yield* Users
  const { email, password: given } = admin
  if (email === undefined || (yield* hasAdmin)) return undefined
  const made = Redacted.make(Buffer.from(yield* random.randomBytes(PASSWORD_BYTES)).toString("base64url"))
  yield* register({ ...COMPANY, email, password: given ?? made, role: "admin", status: "active" })
  return { email, password: given === undefined ? made : undefined } satisfies MadeAdmin
})

/** The first administrator, from `ADMIN_EMAIL` and `ADMIN_PASSWORD`. Made once: a database with an admin is left alone. */
export class FirstAdmin extends Context.Service<
  FirstAdmin,
  {
    /** What this start has made: undefined when there was an administrator before, or none is wanted. */
    readonly made: MadeAdmin | undefined
  }
>()("emporion/identity/FirstAdmin") {
  static readonly layer: Layer.Layer<
    FirstAdmin,
    EmailTaken | PasswordsBusy | Unavailable,
    Settings | Users | UserRepository | SecureRandom
  > = Layer.effect(
    this,
    Effect.map(makeAdmin(), (made) => FirstAdmin.of({ made }))
  )
}
