import { Clock, Effect, type Redacted } from "effect"
import { COMPANY } from "./FirstAdmin.ts"
import * as Identifier from "./Identifier.ts"
import { Passwords } from "./Passwords.ts"
import { UserRepository } from "./UserRepository.ts"

/** Makes an administrator in the platform's own company, for an operator who works on the database. Answers the id. */
export const addAdmin = Effect.fn("AdminAccount.add")(function* (email: string, password: Redacted.Redacted) {
  const repository = yield* UserRepository
  const passwordHash = yield* (yield* Passwords).hash(password)
  const createdAt = yield* Clock.currentTimeMillis
  const { companyName: name, label } = COMPANY
  const company = {
    id: yield* Identifier.make("cmp"),
    name,
    kind: "normal",
    label,
    taxId: undefined,
    createdAt
  } as const
  const id = yield* Identifier.make("usr")
  const user = { id, role: "admin", status: "active", email, passwordHash, createdAt } as const
  yield* repository.addCompany(company).pipe(
    Effect.flatMap((companyId) => repository.addUser({ ...user, companyId })),
    repository.transaction,
    Effect.catchTag("WalletTaken", Effect.die)
  )
  return id
})
