import { Clock, Context, Effect, Layer, Semaphore } from "effect"
import { randomUUID } from "node:crypto"
import { AcknowledgedPosition, positionOf } from "../../engine/cluster/Position.ts"
import {
  answeredAtOnce,
  type FirstSending,
  HOLD_LIMIT,
  resend,
  type SendingPorts,
  type Sent,
  UNKNOWN,
  UNSENT,
  writerWithin
} from "../../engine/cluster/Resending.ts"
import { body as errorBody, CATALOGUE, type Code, shapeOf } from "../api/ApiError.ts"
import { addressText } from "../ClusterSettings.ts"
import { Settings } from "../Config.ts"
import { POSITION } from "../http/AnswerPosition.ts"
import { MAX_BODY_BYTES, pathOf as withoutQuery } from "../http/RequestRules.ts"
import type { Peer, RuntimeServer } from "../runtime/ServerRuntime.ts"
import * as Worker from "../Worker.ts"
import { RequestOutlines } from "./CarriedRequest.ts"
import { ALIVE, type Asking, forwardedHeaders, nodeHeaders, sentOf } from "./ForwardedRequest.ts"
import { connect, type ForwardedSocket } from "./ForwardedSocket.ts"
import { type ForwardingPlan, planOf, type PlanParts, targetOf } from "./ForwardingPlan.ts"
import { holdSockets } from "./HoldSockets.ts"
import type { OwnSocket } from "./LocalApp.ts"
import { make as makeCredential } from "./NodeCredential.ts"
import { Nodes, type ServingWriter } from "./Nodes.ts"
import { makeWriterSocket, type WriterSocket } from "./WriterSocket.ts"

/** How often to ask the node that writes for a sign of life, and how long that may take. */
const SIGN_INTERVAL = "250 millis"
const SIGN_LIMIT = "1 second"

/** How long after its last sign a node counts as out of reach, in nanoseconds. */
const OUT_OF_REACH = 2_000_000_000n

/** The longest answer, in bytes, that is read whole before any of it is passed on. */
const MAX_READ_BYTES = 1_048_576

/**
 * Callers' requests that are sent by themselves at once; others wait. The runtime sends 256 of a process: the rest is for what
 * this node asks for itself, above all that it is there, which nobody's slow requests may hold up.
 */
export const MAX_SENDING = 192

/** RFC 6455, 7.4.1. */
const NORMAL = 1000

const NO_WRITER = "No node takes requests at the moment: try again."
const ENDED =
  "The node that served this request ended: whether it was carried out is unknown. Look before you send it again."

/** A body of a known length that is not too long. To ask for it as a stream would cost as much as to forward it. */
const shortBody = (request: Request): Promise<ArrayBuffer> | undefined => {
  const length = Number(request.headers.get("content-length") ?? Number.NaN)
  return length > 0 && length <= MAX_BODY_BYTES ? request.arrayBuffer() : undefined
}

/** A read may name a length: it has no body for that. */
const bodyOf = (bytes: ArrayBuffer): Uint8Array<ArrayBuffer> | undefined =>
  bytes.byteLength === 0 ? undefined : new Uint8Array(bytes)

/** Any other body, at least as much of it as shows that it is too long. */
const readBody = async (request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  if (request.body === null) return undefined
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_BODY_BYTES) break
  }
  return new Uint8Array(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES + 1))
}

/** What a node refuses by itself. */
export const refused = (path: string, message: string, code: Code = "unavailable"): Response =>
  Response.json(errorBody(shapeOf(withoutQuery(path)), code, message), {
    status: CATALOGUE[code].status,
    headers: { "retry-after": "1" }
  })

const UNSENT_CODES: ReadonlySet<unknown> = new Set(["ConnectionRefused", "FailedToOpenSocket", "ECONNREFUSED"])

const isUnsent = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && UNSENT_CODES.has(error.code)

/** Whether an answer can be read whole at once, so that nobody loses it if the other node dies on the way. */
const isShort = ({ headers }: Response): boolean =>
  Number(headers.get("content-length") ?? Number.NaN) <= MAX_READ_BYTES

const asked = async (signal: AbortSignal, address: string, plan: ForwardingPlan): Promise<Sent<Response>> => {
  const { body, headers, isKeyed, method, path } = plan
  const init = { method, headers: headers(), body: body ?? null, signal, redirect: "manual", decompress: false }
  const response = await fetch(`http://${address}${path}`, init as RequestInit)
  return sentOf(response, isShort(response) ? await response.arrayBuffer() : response.body, isKeyed)
}

const ask = (address: string, plan: ForwardingPlan): Effect.Effect<Sent<Response>> =>
  Effect.promise((signal) =>
    asked(signal, address, plan).catch((error: unknown) => (isUnsent(error) ? UNSENT : UNKNOWN))
  )

/** Forwards the requests of this node's callers to the node that writes. */
export class Forwarding extends Context.Service<
  Forwarding,
  {
    /** `undefined`: the request was upgraded. */
    readonly answer: (request: Request, peer: Peer, server: RuntimeServer<unknown>) => Promise<Response | undefined>
    /** Asks whether a caller may connect to this node by a WebSocket. */
    readonly admit: (request: Request, peer: Peer) => Promise<Response>
    /** Who asks: this node, until it ends. */
    readonly asking: Asking
    /** How far callers of this node were answered. */
    readonly acknowledged: AcknowledgedPosition
    /** Says how far this node follows the journal. */
    readonly follows: (lastSeq: () => number) => void
    /** Whether the node that writes answered this one a moment ago. */
    readonly reaches: () => boolean
    /** Requests that have no answer yet. */
    readonly pending: () => number
    /** Closes the connections that were forwarded, because this node goes away. */
    readonly loseSockets: (reason: string) => void
  }
>()("emporion/cluster/Forwarding") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

/** What forwarding needs. */
interface Parts extends PlanParts {
  readonly nodes: Nodes["Service"]
  readonly writer: WriterSocket
  /** Connections of callers, by the address of the node that they lead to. */
  readonly sockets: Map<ForwardedSocket, string>
  /** This node, until it ends. */
  readonly asking: Asking
  /** Places for requests that are sent by themselves. */
  readonly sending: Semaphore.Semaphore
  followed: () => number
  /** The position that was noted last. */
  noted: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const note = (parts: Parts, { headers }: Response): void => {
  const text = headers.get(POSITION)
  // The answers of one message have the same.
  if (text === null || text === parts.noted) return
  const shown = positionOf(text)
  if (shown === undefined) return
  parts.noted = text
  parts.acknowledged.note(shown)
}

const isUnavailable = ({ status }: Response): boolean => status === CATALOGUE.unavailable.status

/** Sends it together with others; undefined where it has to go by itself. */
const carry = (
  { writer }: Parts,
  { address }: ServingWriter,
  { carried, identity }: ForwardingPlan
): Effect.Effect<Sent<Response>> | undefined => {
  if (carried === undefined || identity?.hasKey === true || !writer.takes(address)) return undefined
  return Effect.callback((resume) => {
    const back = writer.ask(address, carried, (sent) => resume(Effect.succeed(sent)))
    if (back === undefined) return resume(Effect.succeed(UNSENT))
    return Effect.sync(back)
  })
}

/** Sends it by itself. What has a name waits for a connection: no other request carries one. */
const sendAlone = (
  { sending }: Parts,
  { address }: ServingWriter,
  plan: ForwardingPlan
): Effect.Effect<Sent<Response>> =>
  plan.identity?.name === undefined ? sending.withPermit(ask(address, plan)) : Effect.succeed(UNSENT)

const portsOf = (parts: Parts, plan: ForwardingPlan): SendingPorts<Response, ServingWriter> => ({
  serving: parts.nodes.serving,
  send: (writer) => carry(parts, writer, plan) ?? sendAlone(parts, writer, plan),
  isUnavailable,
  isRunning: ({ headers, status }) => status === CATALOGUE.conflict.status && headers.has("retry-after"),
  refused: (why) => refused(plan.path, why === "ended" ? ENDED : NO_WRITER)
})

const forward = (
  parts: Parts,
  plan: ForwardingPlan,
  first?: FirstSending<Response, ServingWriter>
): Effect.Effect<Response> =>
  resend(plan, portsOf(parts, plan), first).pipe(Effect.tap((response) => Effect.sync(() => note(parts, response))))

/** Who is told once of a response, or of its failure. */
interface Answering {
  readonly give: (response: Response | undefined) => void
  readonly fail: (error: unknown) => void
}

/**
 * Answers a request that shares a message with others, without a fiber of its own as long as its first answer is the
 * caller's. False where it cannot share one now.
 */
const answerCarried = (
  parts: Parts,
  plan: ForwardingPlan,
  { give }: Answering,
  goOn: (first: FirstSending<Response, ServingWriter>) => void
): boolean => {
  const { carried } = plan
  const writer = carried === undefined ? undefined : parts.nodes.servingNow()
  if (carried === undefined || writer === undefined) return false
  const since = parts.now()
  const given = (sent: Sent<Response>): void => {
    const response = answeredAtOnce(plan, { isUnavailable }, sent)
    if (response === undefined) return goOn({ writer, sent, since })
    note(parts, response)
    give(response)
  }
  return parts.writer.ask(writer.address, carried, given) !== undefined
}

/** The handshake's own headers: each connection has its own. */
const HANDSHAKE = ["sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions"]

/** Keeps a socket until both ends know that it is closed. */
const kept = (
  { sockets }: Parts,
  socket: ForwardedSocket,
  address: string
): OwnSocket & { readonly end: () => void } => {
  const { listener } = socket
  sockets.set(socket, address)
  return {
    end: () => {
      sockets.delete(socket)
      socket.end(NORMAL, "")
    },
    listener: {
      ...listener,
      close: (...closed) => {
        sockets.delete(socket)
        listener.close(...closed)
      }
    }
  }
}

const upgrade = Effect.fnUntraced(function* (
  parts: Parts,
  request: Request,
  peer: Peer,
  server: RuntimeServer<unknown>
): Effect.fn.Return<Response | undefined> {
  const path = targetOf(request.url)
  const writer = yield* writerWithin(parts.nodes.serving, HOLD_LIMIT)
  if (writer === undefined) return refused(path, NO_WRITER)
  const { asking, credential } = parts
  const headers = forwardedHeaders(request.headers, peer, credential, { asking })
  for (const name of HANDSHAKE) headers.delete(name)
  const upstream = yield* Effect.promise(() => connect(`ws://${writer.address}${path}`, headers))
  if (upstream === undefined) {
    // A WebSocket client does not learn the reason, so HTTP asks for it.
    const asked = forwardedHeaders(request.headers, peer, credential, { upgrade: "websocket" })
    return yield* forward(parts, { ...planOf(parts, request, peer, undefined), headers: () => asked })
  }
  const data = kept(parts, upstream, writer.address)
  if (server.upgrade(request, { data, headers: { "sec-websocket-protocol": upstream.protocol } })) return undefined
  data.end()
  return refused(path, "The WebSocket handshake is incomplete.")
})

const isThere = async (signal: AbortSignal, address: string, headers: Headers): Promise<boolean> =>
  (await fetch(`http://${address}${ALIVE}`, { headers, signal })).status === 204

/** Asks the node that writes for a sign of life, again and again. Answers whether there was one a moment ago. */
const signs = Effect.fnUntraced(function* ({ credential, nodes }: Parts) {
  const clock = yield* Clock.Clock
  const headers = nodeHeaders(credential)
  let last: bigint | undefined
  const look = Effect.gen(function* () {
    const writer = nodes.writer()
    if (writer?.isServing !== true) return
    // What it commits is a sign too, and costs nothing.
    if (nodes.hears()) {
      last = clock.monotonicTimeNanosUnsafe()
      return
    }
    const asked = Effect.promise((signal) => isThere(signal, writer.address, headers).catch(() => false))
    const isReached = yield* Effect.timeoutOrElse(asked, {
      duration: SIGN_LIMIT,
      orElse: () => Effect.succeed(false)
    })
    if (isReached) last = clock.monotonicTimeNanosUnsafe()
  })
  yield* Worker.every(SIGN_INTERVAL, "The look at the node that writes", look)
  return () => last !== undefined && clock.monotonicTimeNanosUnsafe() - last < OUT_OF_REACH
})

const make = Effect.gen(function* () {
  const { cluster } = yield* Settings
  if (cluster === undefined) return yield* Effect.die(new Error("CLUSTER is off"))
  const nodes = yield* Nodes
  const credential = makeCredential(cluster.secret)
  const clock = yield* Clock.Clock
  const asking = { node: addressText(cluster.address), run: randomUUID() }
  const parts: Parts = {
    nodes,
    now: () => clock.currentTimeMillisUnsafe(),
    credential,
    outlines: new RequestOutlines(),
    writer: yield* makeWriterSocket(nodes, credential),
    sockets: new Map(),
    asking,
    sending: Semaphore.makeUnsafe(MAX_SENDING),
    acknowledged: new AcknowledgedPosition(),
    followed: () => 0,
    noted: ""
  }
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const reaches = yield* signs(parts)
  yield* holdSockets(parts, reaches)
  let pending = 0

  const counted = <A extends Response | undefined>(begin: (answering: Answering) => void): Promise<A> => {
    pending += 1
    return new Promise((resolve, reject) => {
      const done =
        <Given>(give: (given: Given) => void) =>
        (given: Given): void => {
          pending -= 1
          give(given)
        }
      begin({ give: done(resolve as Answering["give"]), fail: done(reject) })
    })
  }

  /** Each promise on the way of what shares a message would be a tenth of it. */
  const answer = (request: Request, peer: Peer, server: RuntimeServer<unknown>, answering: Answering): void => {
    const { fail, give } = answering
    const told = (response: Effect.Effect<Response | undefined>): void => void run(response).then(give, fail)
    if (request.headers.get("upgrade")?.toLowerCase() === "websocket")
      return told(upgrade(parts, request, peer, server))
    const send = (body: Uint8Array<ArrayBuffer> | undefined): void => {
      const plan = planOf(parts, request, peer, body)
      const isCarried = answerCarried(parts, plan, answering, (first) => told(forward(parts, plan, first)))
      if (!isCarried) told(forward(parts, plan))
    }
    const short = shortBody(request)?.then((bytes) => send(bodyOf(bytes)))
    void (short ?? readBody(request).then(send)).catch(fail)
  }

  return Forwarding.of({
    answer: (...asked) => counted((answering) => answer(...asked, answering)),
    admit: (request, peer) => {
      const headers = forwardedHeaders(request.headers, peer, credential, { upgrade: "admission", asking })
      const plan = { ...planOf(parts, request, peer, undefined), headers: () => headers }
      return counted(({ fail, give }) => void run(forward(parts, plan)).then(give, fail))
    },
    asking,
    acknowledged: parts.acknowledged,
    follows: (lastSeq) => void (parts.followed = lastSeq),
    reaches,
    pending: () => pending,
    loseSockets: (reason) => {
      for (const socket of parts.sockets.keys()) socket.lose(reason)
    }
  })
})
