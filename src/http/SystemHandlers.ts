import { Clock, Effect } from "effect"
import * as HandlerGroup from "./HandlerGroup.ts"
import { Api } from "../api/Api.ts"
import manifest from "../../package.json" with { type: "json" }
import { Settings } from "../Config.ts"
import { Readiness } from "./Readiness.ts"

/** The system group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const readiness = yield* Readiness
    const { mode } = yield* Settings
    const ok = { status: "ok" as const }
    return handlers.handleAll({
      live: () => Effect.succeed(ok),
      ready: () => Effect.as(readiness.check, ok),
      info: () =>
        Effect.map(Clock.currentTimeMillis, (time) => ({
          name: "Emporion",
          version: "v1.0",
          release: manifest.version,
          mode,
          time,
          documentation: "/docs"
        }))
    })
  })
)
