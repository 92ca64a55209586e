/** Since when an endpoint has failed, and when it is disabled for that. */

import { type AttemptOutcome, isSuccess } from "./Delivery.ts"

/** An endpoint that has failed for so long without one success is disabled, in milliseconds: 5 days. */
export const DISABLED_AFTER = 5 * 86_400_000

/** Since when an endpoint has failed; null where its last attempt succeeded, or none was made. */
export interface EndpointHealth {
  readonly failingSince: number | null
}

export const HEALTHY: EndpointHealth = { failingSince: null }

/** Takes the outcome of an attempt at any of the endpoint's deliveries. */
export const observed = (health: EndpointHealth, outcome: AttemptOutcome): EndpointHealth => {
  if (isSuccess(outcome)) return HEALTHY
  return health.failingSince === null ? { failingSince: outcome.endedAt } : health
}

/** Whether the endpoint is to be disabled: by a failed attempt, 5 days or more after the first failure. */
export const isToBeDisabled = ({ failingSince }: EndpointHealth, outcome: AttemptOutcome): boolean =>
  !isSuccess(outcome) && failingSince !== null && outcome.endedAt - failingSince >= DISABLED_AFTER
