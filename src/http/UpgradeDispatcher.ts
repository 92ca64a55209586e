import { Effect } from "effect"
import { ApiError } from "../api/ApiError.ts"
import type { ArrivedRequest } from "../runtime/ServerRuntime.ts"
import { bearerOf, type Callers } from "./Callers.ts"
import type { Exchange } from "./Exchange.ts"
import { commonHeaders } from "./ResponseHeaders.ts"
import type { SocketHolder, SocketLimits, SocketPlace } from "./SocketLimits.ts"
import type { WebSocketRoute } from "./WebSocketRoutes.ts"

/** What an admitted connection becomes. */
export interface AcceptedUpgrade {
  readonly path: string
  readonly state: unknown
  readonly place: SocketPlace
  readonly holder: SocketHolder
  /** The headers of the 101. */
  readonly headers: Readonly<Record<string, string>>
}

/** Lets the runtime upgrade a request's connection; false if its handshake is incomplete. */
export type Upgrade = (accepted: AcceptedUpgrade) => boolean

/**
 * Whether a request without a token identifies its sender in another way: with a session's cookie, or a stream's
 * ticket.
 */
const isIdentified = ({ headers }: ArrivedRequest): boolean =>
  Boolean(headers.get("cookie")) || Boolean(headers.get("sec-websocket-protocol"))

const refuse = (code: "invalid_request" | "unavailable" | "rate_limited", message?: string) =>
  Effect.fail(new ApiError(code, message))

/** Decides on requests that want to become WebSockets, each for its principal, or else for its address. */
export class UpgradeDispatcher {
  readonly #callers: Callers
  /** Counts the connections. */
  readonly limits: SocketLimits
  readonly #routes: ReadonlyMap<string, WebSocketRoute>

  constructor(callers: Callers, limits: SocketLimits, routes: ReadonlyArray<WebSocketRoute>) {
    this.#callers = callers
    this.limits = limits
    this.#routes = new Map(routes.map((route) => [route.path, route]))
  }

  /** The route of a request to a path that takes WebSockets, which connect by GET alone. RFC 6455, section 4.1. */
  routeOf(method: string, path: string): WebSocketRoute | undefined {
    return method === "GET" ? this.#routes.get(path) : undefined
  }

  /** Whether the request is refused without asking anybody, because its known sender has spent all requests. */
  isSpent({ facts, now, request }: Exchange): boolean {
    const token = bearerOf(request.headers.get("authorization"))
    if (token === undefined && isIdentified(request)) return false
    if (token !== undefined) {
      const principal = this.#callers.known(token, now)
      if (principal === undefined) return !this.#callers.looksAt(token, facts, now)
      facts.identity = { _tag: "Verified", principal }
    }
    return this.#callers.peek(facts, now).remaining <= 0
  }

  /** Upgrades. A caller that is not admitted is refused, and counted by its address. */
  upgrade(exchange: Exchange, route: WebSocketRoute, upgrade: Upgrade): Effect.Effect<void, ApiError> {
    const { facts, now, request, web } = exchange
    facts.identity = { _tag: "Anonymous" }
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      return refuse("invalid_request", "Connect to this address with a WebSocket.")
    }
    if (this.limits.isFull) return refuse("unavailable")
    return Effect.flatMap(route.authorize(web, facts), ({ principal, protocol, state }) => {
      if (principal !== undefined) facts.identity = { _tag: "Verified", principal }
      const allowance = (exchange.allowance = this.#callers.take(facts, now))
      if (!allowance.allowed) return refuse("rate_limited")
      const holder = { caller: facts.caller, companyId: principal?.companyId }
      const place = this.limits.admit(holder, now)
      if (place instanceof ApiError) return Effect.fail(place)
      const headers = commonHeaders(facts, allowance)
      if (protocol !== undefined) headers["sec-websocket-protocol"] = protocol
      if (upgrade({ path: route.path, state, place, holder, headers })) return Effect.void
      place.leave(now)
      return refuse("invalid_request", "The WebSocket handshake is incomplete.")
    })
  }
}
