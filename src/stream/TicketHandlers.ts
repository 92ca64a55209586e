import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { Api } from "../api/Api.ts"
import { refuse } from "../api/ApiError.ts"
import { StreamAuthentication } from "./StreamAuthentication.ts"
import { Tickets } from "./Tickets.ts"

/** The arena stream group's handlers. */
export const TicketHandlers = HandlerGroup.group(
  Api,
  "arenaStream",
  Effect.fnUntraced(function* (handlers) {
    const authentication = yield* StreamAuthentication
    const tickets = yield* Tickets
    return handlers.handleAll({
      streamTicket: Effect.fn("ArenaStream.ticket")(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const caller = yield* authentication.callerOf(new Headers(Object.entries(headers)))
        if (caller === undefined) return yield* refuse("unauthorized")
        const { expiresAt, ticket } = yield* tickets.issue(caller)
        return { success: true as const, ticket, expires_at: expiresAt }
      })
    })
  })
)
