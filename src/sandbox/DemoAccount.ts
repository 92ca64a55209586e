import { Context, Effect, Layer, Redacted } from "effect"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { Settings } from "../Config.ts"
import { Funds } from "../funds/Funds.ts"
import { OPERATOR } from "../identity/accounts/AdminAccount.ts"
import { KycRecords } from "../identity/KycRecords.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { type SandboxCredentials, SeededClient } from "../identity/clients/SeededClient.ts"
import { Users } from "../identity/users/Users.ts"
import { Kyc } from "../kyc/Kyc.ts"
import { EMAIL, passwordUnder } from "./DemoPassword.ts"

/** What the demo person and the sandbox's client start with, in USD. */
const STARTING_MONEY = fromUnits(100_000n * ONE)

const PERSON = {
  email: EMAIL,
  companyName: "Demo Company",
  contactName: "Demo Person",
  status: "active"
} as const

const DOCUMENTS = {
  fullnames: PERSON.contactName,
  address: "1 Market Square, 9000 Ghent",
  country: "BE",
  email: EMAIL,
  phoneNumber: Redacted.make("+32 470 00 00 00", { label: "phoneNumber" }),
  identityId: Redacted.make("DEMO-0000-0000", { label: "identityId" })
} as const

/** What a newcomer needs to look around. */
export interface Demo {
  readonly email: string
  /** Derived from `SECRET_KEY`, so that every start can show it. */
  readonly password: Redacted.Redacted
  readonly client: SandboxCredentials
}

/** A person and an API client with money, for trying things out. There is none in production. */
export class DemoAccount extends Context.Service<DemoAccount, { readonly demo: Demo | undefined }>()(
  "emporion/sandbox/DemoAccount"
) {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { mode } = yield* Settings
      const { credentials } = yield* SeededClient
      if (mode === "production" || credentials === undefined) return DemoAccount.of({ demo: undefined })
      const password = passwordUnder(yield* Secrets)
      yield* openAccount(password)
      yield* endow(credentials.principalId)
      return DemoAccount.of({ demo: { email: EMAIL, password, client: credentials } })
    })
  )
}

/** Money, and the verified KYC record that buying on credit needs. */
const endow = Effect.fnUntraced(function* (userId: string) {
  const funds = yield* Funds
  yield* funds.mintFor(userId, "USD", STARTING_MONEY)
  const { isVerified } = yield* KycRecords
  if (yield* isVerified(userId)) return
  const kyc = yield* Kyc
  const submitted = Effect.catchTag(kyc.submit(userId, DOCUMENTS), "KycOpen", ({ id }) => Effect.succeed({ id }))
  yield* submitted.pipe(
    Effect.flatMap(({ id }) => kyc.verify(OPERATOR, id)),
    Effect.catchIf((error) => error._tag !== "Unavailable", Effect.die)
  )
})

/** Each step is one that a start after an interrupted one takes again. */
const openAccount = Effect.fnUntraced(function* (password: Redacted.Redacted) {
  const users = yield* Users
  const user = (yield* users.findByEmail(EMAIL)) ?? (yield* users.register({ ...PERSON, password }))
  yield* endow(user.id)
})
