import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Unavailable } from "../database/DatabaseError.ts"
import { OPERATOR } from "../identity/accounts/AdminAccount.ts"
import { type Act, AuditLog } from "../identity/audit/AuditLog.ts"
import { AuditLogRepository } from "../identity/audit/AuditLogRepository.ts"

/** The audit log of a database that a command works on. */
export const auditLog = AuditLog.layer.pipe(Layer.provide(AuditLogRepository.layer))

/** Writes into the audit log what was done on the database itself, by whoever may do that. */
export const recorded = (act: Act): Effect.Effect<void, Unavailable, SqlClient> =>
  Effect.provide(
    Effect.flatMap(AuditLog, ({ record }) => record(OPERATOR, act)),
    auditLog
  )
