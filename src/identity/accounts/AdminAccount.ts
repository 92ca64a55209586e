import { Clock, Effect, type Redacted } from "effect"
import { AuditLog } from "../audit/AuditLog.ts"
import { COMPANY } from "./FirstAdmin.ts"
import * as Identifier from "../../Identifier.ts"
import { Passwords } from "../sessions/Passwords.ts"
import { UserRepository } from "../users/UserRepository.ts"

/** Who the audit log names for what is done on the database itself. */
export const OPERATOR = { userId: "operator", requestId: undefined } as const

/** Makes an administrator in the platform's own company, for an operator who works on the database. Answers the id. */
export const addAdmin = Effect.fn("AdminAccount.add")(function* (email: string, password: Redacted.Redacted) {
  const repository = yield* UserRepository
  const audit = yield* AuditLog
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
    Effect.andThen(audit.record(OPERATOR, { act: "admin.create", subjectId: id, after: { role: user.role } })),
    repository.transaction,
    Effect.catchTag("WalletTaken", Effect.die)
  )
  return id
})
