import { Clock, Effect } from "effect"
import { BREAKER_SCOPES } from "../../engine/arena/CircuitBreaker.ts"
import { Api } from "../api/Api.ts"
import { refuse } from "../api/ApiError.ts"
import { MAX_TRANSITIONS } from "../api/Breakers.ts"
import { LedgerAudit } from "../funds/LedgerAudit.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { AuditLog } from "../identity/audit/AuditLog.ts"
import { Breakers } from "./Breakers.ts"

/** The circuit breakers over HTTP. */
export const BreakerHandlers = HandlerGroup.group(
  Api,
  "breakers",
  Effect.fnUntraced(function* (handlers) {
    const audit = yield* AuditLog
    const breakers = yield* Breakers
    const ledger = yield* LedgerAudit
    const shown = () => {
      const scopes = breakers.scopes()
      return {
        breakers: BREAKER_SCOPES.map((scope) => {
          const { latched, since, state } = scopes[scope]
          return { scope, status: state, since: since ?? null, latched }
        }),
        transitions: breakers
          .transitions()
          .slice(-MAX_TRANSITIONS)
          .map(({ at, reason, scope, state }) => ({ scope, status: state, reason, at }))
          .toReversed()
      }
    }
    return handlers.handleAll({
      listBreakers: () => Effect.sync(shown),
      resetBreakers: Effect.fnUntraced(function* () {
        if (!breakers.isLatched()) {
          return yield* refuse("conflict", "Nothing is latched: a breaker that is open closes by itself.")
        }
        const { balanced } = yield* ledger.check
        if (!balanced) {
          return yield* refuse("conflict", "The ledger still does not add up: find out why with emporion verify first.")
        }
        yield* audit.recordRequest({ act: "breaker.reset", subjectId: "global" })
        yield* breakers.reset("global", yield* Clock.currentTimeMillis)
        return shown()
      })
    })
  })
)
