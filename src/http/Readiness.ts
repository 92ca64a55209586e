import { Context, Effect, Layer } from "effect"
import { ApiError } from "../api/ApiError.ts"

/** The longest time that a probe waits for the services behind it. */
const PROBE_LIMIT = "2 seconds"

/** Whether the server can serve requests: the services behind it answer, and it does not drain. */
export class Readiness extends Context.Service<
  Readiness,
  {
    readonly check: Effect.Effect<void, ApiError<"unavailable">>
    /** From now on `check` fails. */
    readonly drain: Effect.Effect<void>
    readonly draining: () => boolean
  }
>()("emporion/http/Readiness") {
  /** `probe` asks the services that requests need, such as the database. */
  static readonly layer = <A, E>(probe: Effect.Effect<A, E>): Layer.Layer<Readiness> =>
    Layer.sync(this, () => {
      let draining = false
      const probed = Effect.matchCauseEffect(Effect.timeout(probe, PROBE_LIMIT), {
        onSuccess: () => Effect.void,
        onFailure: () => Effect.fail(new ApiError("unavailable"))
      })
      return {
        check: Effect.suspend(() =>
          draining ? Effect.fail(new ApiError("unavailable", "The server is shutting down.")) : probed
        ),
        drain: Effect.sync(() => {
          draining = true
        }),
        draining: () => draining
      }
    })
}
