/** What nodes ask of each other. */

import { Effect, type Schema } from "effect"
import type { RequestCarriers } from "../../engine/cluster/RequestCarriers.ts"
import { connectionOf } from "../../engine/cluster/RequestName.ts"
import type { Peer, RuntimeServer } from "../runtime/ServerRuntime.ts"
import { admit, AWAY } from "./Admission.ts"
import { carrierSocket } from "./CarrierSocket.ts"
import type { Answers, Followers } from "./Followers.ts"
import {
  ALIVE,
  answered,
  type Asking,
  askingFrom,
  callerOf,
  askingOf,
  CALLERS,
  CONNECTION,
  elsewhere,
  FOLLOW,
  HAND_OVER,
  HELD,
  isAdmission,
  isForwarded,
  LAG,
  QUOTA,
  READS,
  REQUESTS,
  restored
} from "./ForwardedRequest.ts"
import type { HeldSockets } from "./HeldSockets.ts"
import type { LocalApp } from "./LocalApp.ts"
import type { NodeCredential } from "./NodeCredential.ts"

/** What the other nodes are answered with. */
export interface NodeParts {
  readonly app: LocalApp
  readonly followers: Followers
  /** The other nodes' connections for their callers' requests. */
  readonly carriers: RequestCarriers
  readonly credential: NodeCredential
  /** Events that this node heard of and does not have; undefined where it follows none. */
  readonly lag: () => number | undefined
  /** Connections that other nodes hold for their callers. */
  readonly held: HeldSockets
  /** Lets another node write. */
  readonly handOver: () => void
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly run: <A>(effect: Effect.Effect<A>) => Promise<A>
}

type Answered = Response | Promise<Response | undefined>

const follow = ({ followers }: NodeParts, request: Request, server: RuntimeServer<unknown>): Answered => {
  const isFollowed = followers.answers !== undefined && server.upgrade(request, { data: followers.socket, headers: {} })
  return isFollowed ? Promise.resolve(undefined) : elsewhere()
}

/** Each of a connection's requests is answered as if it had come by itself. */
const carry = (parts: NodeParts, request: Request, server: RuntimeServer<unknown>): Answered => {
  const connection = request.headers.get(CONNECTION) ?? ""
  if (connectionOf(connection) === undefined) return new Response(null, { status: 400 })
  const { app, carriers } = parts
  const data = carrierSocket({ carriers, connection }, (carried, caller, give) =>
    app.isListening ? app.answerCarried(carried, caller, give) : give(elsewhere())
  )
  return server.upgrade(request, { data, headers: {} }) ? Promise.resolve(undefined) : elsewhere()
}

const answerText = async (
  { followers, run }: NodeParts,
  request: Request,
  of: (answers: Answers) => (text: string) => Effect.Effect<string, Schema.SchemaError>
): Promise<Response> => {
  const text = await request.text()
  const { answers } = followers
  if (answers === undefined) return elsewhere()
  return run(
    Effect.match(of(answers)(text), {
      onSuccess: (given) => new Response(given),
      onFailure: () => new Response(null, { status: 400 })
    })
  )
}

/** Connections that a node's callers ask for end with the node, where its release says which one it is. */
const heldBy = (
  { held }: NodeParts,
  asking: Asking | undefined,
  server: RuntimeServer<unknown>
): RuntimeServer<unknown> =>
  asking === undefined
    ? server
    : {
        ...AWAY,
        upgrade: (request, { data, headers }) => server.upgrade(request, { data: held.hold(asking, data), headers })
      }

const forwarded = (parts: NodeParts, request: Request, caller: Peer, server: RuntimeServer<unknown>): Answered => {
  const { app, followers, now } = parts
  const asking = askingOf(request)
  const response = isAdmission(request)
    ? admit({ app, now, asking, quotas: followers.answers?.quotas }, restored(request), caller)
    : app.answer(restored(request), caller, heldBy(parts, asking, server), elsewhere)
  return response instanceof Promise
    ? response.then((given) => (given === undefined ? undefined : answered(given)))
    : answered(response)
}

const renewed = async ({ held }: NodeParts, request: Request): Promise<Response> => {
  const asking = askingFrom(await request.text())
  if (asking !== undefined) held.renew(asking)
  return new Response(null, { status: 204 })
}

/** Answers what a node asks for itself. */
const answerOwn = (parts: NodeParts, request: Request, path: string, server: RuntimeServer<unknown>): Answered => {
  if (request.method === "POST" && path === HAND_OVER) {
    parts.handOver()
    return new Response(null, { status: 202 })
  }
  if (path === LAG) return Response.json(parts.lag() ?? null)
  if (!parts.app.isListening) return elsewhere()
  if (path === ALIVE) return new Response(null, { status: 204 })
  if (path === FOLLOW) return follow(parts, request, server)
  if (path === REQUESTS) return carry(parts, request, server)
  if (path === HELD) return renewed(parts, request)
  if (path === CALLERS) return answerText(parts, request, ({ check }) => check)
  if (path === QUOTA) return answerText(parts, request, ({ quotas }) => quotas.hear)
  if (path === READS) return answerText(parts, request, ({ admit }) => admit)
  return new Response(null, { status: 404 })
}

/** Answers another node, for itself or for its caller. */
export const answerNode = (
  parts: NodeParts,
  request: Request,
  path: string,
  server: RuntimeServer<unknown>
): Answered => {
  const caller = callerOf(request, parts.credential)
  if (caller === undefined) return new Response(null, { status: 403 })
  if (!isForwarded(request)) return answerOwn(parts, request, path, server)
  return parts.app.isListening ? forwarded(parts, request, caller, server) : elsewhere()
}
