import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { type Code, refuse } from "../api/ApiError.ts"
import { isoUtc } from "../api/Timestamp.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { AuditLog } from "../identity/audit/AuditLog.ts"
import { type ClockKept, SandboxClock, type ShownClock } from "./SandboxClock.ts"

const CODES = {
  production: "access_denied",
  several_nodes: "access_denied",
  time: "invalid_request",
  going: "conflict"
} as const satisfies Readonly<Record<ClockKept["reason"], Code>>

const view = ({ lead, now, until }: ShownClock) => ({
  now,
  ahead_seconds: Math.floor(lead / 1_000),
  status: until === null ? ("ready" as const) : ("advancing" as const),
  until
})

/** The clock of a sandbox over HTTP. */
export const layer = HandlerGroup.group(
  Api,
  "sandbox",
  Effect.fnUntraced(function* (handlers) {
    const audit = yield* AuditLog
    const clock = yield* SandboxClock
    return handlers.handleAll({
      sandboxClock: () => Effect.map(clock.show, view),
      advanceSandboxClock: Effect.fnUntraced(function* ({ payload: { until } }) {
        const shown = yield* Effect.catchTag(clock.setForward(until), "ClockKept", ({ message, reason }) =>
          refuse(CODES[reason], message)
        )
        yield* audit.recordRequest({ act: "sandbox.set_clock", subjectId: "clock", after: { until: isoUtc(until) } })
        return view(shown)
      })
    })
  })
)
