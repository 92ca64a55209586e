/** What the conventions of HTTP are made of. */

import { Clock, Effect, Random } from "effect"
import { TimeLead } from "../../engine/journal/TimeLead.ts"
import { phaseMeter } from "../CommitPhases.ts"
import { Settings } from "../Config.ts"
import { DiskGuard } from "../database/DiskGuard.ts"
import { AnswerPosition, PositionHeader } from "./AnswerPosition.ts"
import { AnsweredRequests } from "./AnsweredRequests.ts"
import { Callers } from "./Callers.ts"
import * as CrossOrigin from "./CrossOrigin.ts"
import type { EndpointTable } from "./EndpointTable.ts"
import { Idempotency } from "./Idempotency.ts"
import { deadlineOf, RequestLimit } from "./RequestDeadline.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import * as RequestRules from "./RequestRules.ts"
import { sampling } from "./RequestTracing.ts"
import { RequestUsage } from "./RequestUsage.ts"
import { securityHeaders } from "./ResponseHeaders.ts"
import { SessionVerifier } from "./SessionVerifier.ts"
import { SocketLimits } from "./SocketLimits.ts"
import { UpgradeDispatcher } from "./UpgradeDispatcher.ts"
import { WebSocketRoutes } from "./WebSocketRoutes.ts"

/** Gathers it, for the endpoints of a table. */
export const conventionParts = Effect.fnUntraced(function* (table: EndpointTable) {
  const { observability, server } = yield* Settings
  const callers = yield* Callers.make
  const journal = yield* AnswerPosition
  const random = yield* Random.Random
  const routes = yield* WebSocketRoutes
  return {
    table,
    callers,
    position: journal === undefined ? undefined : new PositionHeader(journal),
    sessions: yield* SessionVerifier,
    idempotency: yield* Idempotency,
    rules: new RequestRules.RequestRules(server, table, routes, (yield* DiskGuard).isFull),
    upgrades: new UpgradeDispatcher(callers, new SocketLimits(server.rateLimits), routes),
    crossOrigin: CrossOrigin.make(server.corsOrigins),
    fixedHeaders: securityHeaders(server),
    record: RequestMetrics.make(yield* RequestUsage),
    note: yield* AnsweredRequests,
    meter: yield* phaseMeter("http"),
    clock: yield* Clock.Clock,
    lead: yield* TimeLead,
    inTime: deadlineOf(yield* RequestLimit),
    /** Undefined where no trace is made at all. */
    isSampled:
      observability.otlpEndpoint === undefined
        ? undefined
        : sampling(observability.traceShare, () => random.nextDoubleUnsafe())
  }
})

export type ConventionParts = Effect.Success<ReturnType<typeof conventionParts>>
