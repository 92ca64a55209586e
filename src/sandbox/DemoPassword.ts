import { Effect, Redacted } from "effect"
import { Passwords } from "../identity/sessions/Passwords.ts"
import type { Secrets } from "../identity/secrets/Secrets.ts"
import { UserRepository } from "../identity/users/UserRepository.ts"

/** Whom the demo account belongs to. */
export const EMAIL = "demo@emporion.local"

type Key = Secrets["Service"]

/** The demo account's password, which follows from `SECRET_KEY`, so that every start can show it. */
export const passwordUnder = ({ derive }: Key): Redacted.Redacted =>
  Redacted.make(Buffer.from(derive("demo/password")).toString("base64url").slice(0, 20))

/** Gives the demo account, where there is one, the password that follows from another key. */
export const renewPassword = Effect.fn("DemoPassword.renew")(function* (under: Key) {
  const users = yield* UserRepository
  const found = yield* users.credentials(EMAIL)
  if (found === undefined) return
  const hash = yield* Effect.flatMap(Passwords, (passwords) => passwords.hash(passwordUnder(under)))
  yield* users.setPassword(found.user.id, hash)
})
