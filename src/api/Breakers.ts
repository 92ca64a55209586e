import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BREAKER_SCOPES } from "../../engine/arena/CircuitBreaker.ts"
import { wire } from "./ApiError.ts"
import { admin, Authorization, Policy } from "./Authorization.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Scope = Schema.Literals(BREAKER_SCOPES).annotate({ description: "global, or an asset type." })

const Status = Schema.Literals(["closed", "open", "half_open"]).annotate({
  description: "closed: trading. open: commitments are refused. half_open: trading on trial."
})

const Breaker = Schema.Struct({
  scope: Scope,
  status: Status,
  since: Schema.NullOr(UtcTimestamp).annotate({ description: "Null for one that has never changed." }),
  latched: Schema.Boolean.annotate({ description: "Only an administrator closes it." })
}).annotate({ identifier: "Breaker" })

const Transition = Schema.Struct({
  scope: Scope,
  status: Status.annotate({ description: "What it became." }),
  reason: Schema.String.annotate({ description: "What tripped it; clean; or operator_reset." }),
  at: UtcTimestamp
}).annotate({ identifier: "BreakerTransition" })

/** Most transitions that an answer has. */
export const MAX_TRANSITIONS = 100

const Answer = Schema.Struct({
  breakers: Schema.Array(Breaker),
  transitions: Schema.Array(Transition).annotate({
    description: `What they did, newest first, the last ${MAX_TRANSITIONS} times.`
  })
}).annotate({ identifier: "Breakers" })

const list = HttpApiEndpoint.get("listBreakers", "/v1/breakers", { success: Answer }).annotateMerge(
  OpenApi.annotations({ summary: "The arena's circuit breakers and what they did", description: "For administrators." })
)

const reset = HttpApiEndpoint.post("resetBreakers", "/v1/breakers/reset", {
  success: Answer,
  error: [wire("conflict"), wire("unavailable")]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Let trading go on after a ledger that did not add up",
    description:
      "For administrators, once the cause is found. The global breaker trades on trial. 409 where the ledger still does not add " +
      "up, and where nothing is latched: everything else closes by itself. Written to the audit log."
  })
)

/** Circuit breakers, for those who run the arena. An extension. */
export class BreakersApi extends HttpApiGroup.make("breakers")
  .add(list, reset)
  .middleware(Authorization)
  .annotate(Policy, admin)
  .annotateMerge(
    OpenApi.annotations({ title: "Circuit breakers", description: "What stops trading, and lets it go on." })
  ) {}
