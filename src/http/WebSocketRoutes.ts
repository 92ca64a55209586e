import { Context } from "effect"
import type { Effect } from "effect"
import type { ApiError } from "../api/ApiError.ts"
import type { Principal } from "../api/Authorization.ts"
import type { RuntimeServer, RuntimeSocket } from "../runtime/ServerRuntime.ts"
import type { RequestFacts } from "../RequestState.ts"
import type { SocketHolder, SocketPlace } from "./SocketLimits.ts"

/** The default for the largest message of a route, in bytes. */
export const USUAL_MESSAGE_BYTES = 65_536

/**
 * The code with which a connection ends whose client did not end it: the node between is gone. The client connects again, to
 * another one.
 */
export const NODE_LOST = 4499

/** What a connection carries for its route. */
export interface Attachment<State = unknown> {
  readonly path: string
  readonly state: State
  /** For whom it counts, and what it may still send. */
  readonly place: SocketPlace
  /** For whom it was let in. */
  readonly holder: SocketHolder
}

export type Socket<State = unknown> = RuntimeSocket<Attachment<State>>

/** What a route lets a connection become. */
export interface Upgrade<State = unknown> {
  readonly state: State
  /** Who connects; undefined if anonymous. */
  readonly principal: Principal | undefined
  /** Headers of the 101. `sec-websocket-protocol` is always set: without it the runtime echoes the first one offered. */
  readonly protocol?: string
}

/** One path that takes WebSocket connections. The callbacks run on the event loop and must not throw or wait. */
export interface WebSocketRoute<State = unknown> {
  readonly path: string
  /** Decides on an upgrade. A refusal is answered like every error. `facts` are the facts of the request. */
  readonly authorize: (request: Request, facts: RequestFacts) => Effect.Effect<Upgrade<State>, ApiError>
  readonly open: (socket: Socket<State>) => void
  /** The largest message that it takes, in bytes; {@link USUAL_MESSAGE_BYTES} by default. */
  readonly maxMessageBytes?: number
  readonly message: (socket: Socket<State>, message: string | Uint8Array) => void
  readonly close: (socket: Socket<State>, code: number, reason: string) => void
  /** The socket's buffer has room again. */
  readonly drain: (socket: Socket<State>) => void
  /** The client answered a ping, with the ping's payload. */
  readonly pong?: (socket: Socket<State>, data: string) => void
  /**
   * The server is going away: tell the clients. Running work ends after that, then the connections are closed with
   * 1001.
   */
  readonly shutdown: Effect.Effect<void>
  /** Once, when the server listens: `publish` reaches the subscribers of a topic. */
  readonly listening?: (server: RuntimeServer<Attachment>) => void
}

/** A route for {@link WebSocketRoutes}. A connection only meets the state that its own route gave it. */
export const make = <State>(route: WebSocketRoute<State>): WebSocketRoute => route as never

/** What becomes of a route's connections, once they are let in. */
export type SocketHandlers<State = unknown> = Omit<WebSocketRoute<State>, "authorize" | "path">

/** Handlers of connections that carry a state of theirs. */
export const handlers = <State>(own: SocketHandlers<State>): SocketHandlers => own as never

/** Every WebSocket route of the server. None by default. */
export const WebSocketRoutes = Context.Reference<ReadonlyArray<WebSocketRoute>>("emporion/http/WebSocketRoutes", {
  defaultValue: () => []
})
