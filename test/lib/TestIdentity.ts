import { Clock, Effect, Layer, Redacted } from "effect"
import { Settings } from "../../src/Config.ts"
import { servicesWith } from "../../src/identity/IdentityModule.ts"
import { KycRecords } from "../../src/identity/KycRecords.ts"
import type { Registration } from "../../src/identity/users/Users.ts"
import { cheapHashes } from "./CheapHashes.ts"
import { Mailbox } from "./Mailbox.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** Where the mails of every server of a test file arrive. */
export const mailbox = new Mailbox()

/** Stands for those who keep KYC records: in the sandbox everybody has a verified one, in production nobody any. */
const kycRecords = Layer.effect(
  KycRecords,
  Effect.map(Settings, ({ mode }) => {
    const inSandbox = () => Effect.succeed(mode === "sandbox")
    return { exists: inSandbox, isVerified: inSandbox, lock: () => Effect.void, decide: () => Effect.void }
  })
)

/** The identity context on a fresh database, without the first administrator and the seeded client. */
export const layerOf = (variables: Readonly<Record<string, string>> = {}) =>
  servicesWith(kycRecords).pipe(
    Layer.provideMerge(Layer.mergeAll(TestDatabase.layer, Settings.layerOf(variables), mailbox.layer, cheapHashes))
  )

/** Runs the effect as if it were so many milliseconds later. */
export const later =
  (milliseconds: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) => {
      const shifted: Clock.Clock = Object.assign(Object.create(clock), {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + milliseconds,
        currentTimeMillis: Effect.sync(() => clock.currentTimeMillisUnsafe() + milliseconds)
      })
      return Effect.provideService(effect, Clock.Clock, shifted)
    })

let registrations = 0

/** A registration with an email of its own. */
export const registration = (fields: Partial<Registration> = {}): Registration => {
  registrations += 1
  return {
    email: `buyer${registrations}@example.com`,
    password: Redacted.make("correct horse battery"),
    companyName: "Acme",
    ...fields
  }
}
