import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { arenaWire } from "./ApiError.ts"
import { Authorization, authenticated, Policy } from "./Authorization.ts"
import { AnswersSecret } from "./Conventions.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const StreamTicket = Schema.Struct({
  success: Schema.Literal(true),
  ticket: Schema.String,
  expires_at: UtcTimestamp
}).annotate({ identifier: "StreamTicket" })

const ticket = HttpApiEndpoint.post("streamTicket", "/stream/ticket", {
  success: StreamTicket,
  error: [arenaWire("unauthorized"), arenaWire("unavailable")]
})
  .annotate(AnswersSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Get a ticket for one connection to /ws/arena",
      description:
        "For pages, which cannot send a header with a WebSocket. Within 30 seconds, offer the subprotocols " +
        "emporion.v1 and ticket.<ticket>. The connection may then subscribe to the channel my."
    })
  )

/** Tickets for the arena's event stream. An extension of Specification 6.4, which does not show its authentication. */
export class ArenaStreamApi extends HttpApiGroup.make("arenaStream")
  .add(ticket)
  .middleware(Authorization)
  .prefix("/api/arena")
  .annotate(Policy, authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Arena stream", description: "Access to the event stream." })) {}
