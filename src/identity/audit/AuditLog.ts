import { Clock, Context, Effect, Layer } from "effect"
import type { CurrentPrincipal } from "../../api/Authorization.ts"
import type { Page } from "../../api/Paging.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { UnknownCursor } from "../../database/Keyset.ts"
import * as ActingUser from "../users/ActingUser.ts"
import { AuditLogRepository } from "./AuditLogRepository.ts"
import type { AuditEntry, AuditFacts, AuditFilter } from "./AuditLogRepository.ts"

/** What was done, to whom, and what it changed. */
export interface Act {
  /** Such as `user.suspend`. */
  readonly act: string
  readonly subjectId: string
  readonly before?: AuditFacts
  readonly after?: AuditFacts
}

/** Who does something. */
export type Who = Pick<ActingUser.ActingUser, "userId" | "requestId">

/** Who asks by the request being served. */
export const asking: Effect.Effect<Who, never, CurrentPrincipal> = ActingUser.current

/** What administrators did, for good: the database refuses to change or remove an entry. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Writes an act down. To be run in the act's own transaction, so that neither is there without the other. */
    readonly record: (by: Who, act: Act) => Effect.Effect<void, Unavailable>
    /** The same for who asks by the request being served, before it is done elsewhere. A refused act stays written down. */
    readonly recordRequest: (act: Act) => Effect.Effect<void, Unavailable, CurrentPrincipal>
    /** The newest first. */
    readonly list: (
      filter: AuditFilter,
      page: Page
    ) => Effect.Effect<
      { readonly entries: ReadonlyArray<AuditEntry>; readonly total: number; readonly next: string | undefined },
      Unavailable | UnknownCursor
    >
  }
>()("emporion/identity/AuditLog") {
  static readonly layer: Layer.Layer<AuditLog, never, AuditLogRepository> = Layer.effect(
    this,
    Effect.map(AuditLogRepository, (repository) => {
      const record = Effect.fn("AuditLog.record")(function* (by: Who, { act, after, before, subjectId }: Act) {
        const at = yield* Clock.currentTimeMillis
        yield* repository.add({ at, actorId: by.userId, act, subjectId, before, after, requestId: by.requestId })
      })
      return AuditLog.of({
        record,
        recordRequest: (act) => Effect.flatMap(ActingUser.current, (by) => record(by, act)),
        list: repository.list
      })
    })
  )
}
