/** A node's own connection to the one that writes, on which the requests of many callers go together. */

import { Clock, Deferred, Effect, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { connectionName, requestName } from "../../engine/cluster/RequestName.ts"
import { type Sent, UNKNOWN, UNSENT } from "../../engine/cluster/Resending.ts"
import { ResponseOutline, sentOfCarried } from "./CarriedResponse.ts"
import {
  decodeResponses,
  encodeRequests,
  type HeardResponse,
  type SentName,
  type SentRequest
} from "./ForwardedFrame.ts"
import { CONNECTION, nodeHeaders, REQUESTS } from "./ForwardedRequest.ts"
import { GatheredSending } from "./GatheredSending.ts"
import type { NodeCredential } from "./NodeCredential.ts"
import type { Nodes } from "./Nodes.ts"
import { listen } from "./NodeSocket.ts"
import { HeardOutlines, SaidOutlines } from "./Outlines.ts"
import * as Worker from "../Worker.ts"

/** The pause before a node that still writes is connected to again. */
const RECONNECT = "1 second"

/** Nanoseconds without an answer after which a connection counts as lost: every request is answered or refused before. */
const OVERDUE = 10_000_000_000n

/** How often that is looked at. */
const LOOK = "1 second"

/** Bytes that may wait for the other node before requests take another way. */
const MAX_WAITING_BYTES = 1_048_576

/** What tells a request without its caller's key from all others. */
export interface Naming {
  /** An event that the node knew of before the request came. */
  readonly behind: number
  /** Its name from its first sending on, by which it is sent again. */
  name: string | undefined
}

/** A request as it goes over the connection, and whether its key or name is the node's own. */
export interface Carried extends Omit<SentRequest, "id" | "behind" | "name"> {
  readonly isKeyed: boolean
  readonly naming: Naming | undefined
}

interface Waiting {
  readonly isKeyed: boolean
  readonly since: bigint
  readonly give: Give
}

/** Is told once what became of a request. */
type Give = (sent: Sent<Response>) => void

interface ConnectionParts {
  /** Its name, which no other has. */
  readonly name: string
  readonly socket: WebSocket
  /** Nanoseconds of a clock that never steps back. */
  readonly now: () => bigint
  /** Done once it is given up: a peer that is gone may never answer that it closes. */
  readonly over: Deferred.Deferred<void>
}

/** A status or a header that is none is an answer that nobody knows. */
const read = (response: HeardResponse<ResponseOutline>, isKeyed: boolean): Sent<Response> => {
  try {
    return sentOfCarried(response, isKeyed)
  } catch {
    return UNKNOWN
  }
}

/** One connection while it is open: what waits for its answer on it. */
class OpenConnection {
  readonly address: string
  readonly #name: string
  readonly #socket: WebSocket
  readonly #now: () => bigint
  readonly #waiting = new Map<number, Waiting>()
  readonly #said = new SaidOutlines()
  readonly #heard = new HeardOutlines((outline) => new ResponseOutline(outline))
  readonly #gathered = new GatheredSending<SentRequest>((requests) =>
    this.#socket.send(encodeRequests(requests, this.#said))
  )
  #lastId = 0
  readonly #over: Deferred.Deferred<void>

  constructor(address: string, { name, now, over, socket }: ConnectionParts) {
    this.address = address
    this.#name = name
    this.#socket = socket
    this.#now = now
    this.#over = over
  }

  /** The other end may be gone without a word. */
  get isOverdue(): boolean {
    const [oldest] = this.#waiting.values()
    return oldest !== undefined && this.#now() - oldest.since > OVERDUE
  }

  get hasRoom(): boolean {
    return this.#socket.readyState === WebSocket.OPEN && this.#socket.bufferedAmount < MAX_WAITING_BYTES
  }

  /** Answers what takes it back: nobody is told then. */
  ask({ address, body, isKeyed, naming, outline, path, port, values }: Carried, give: Give): () => void {
    const id = (this.#lastId += 1)
    this.#waiting.set(id, { isKeyed, since: this.#now(), give })
    const sent = { id, path, address, port, outline, values, body }
    this.#gathered.add(naming === undefined ? sent : { ...sent, ...this.#named(id, naming) })
    return () => void this.#waiting.delete(id)
  }

  #named(id: number, naming: Naming): SentName {
    const { behind, name } = naming
    if (name !== undefined) return { name }
    naming.name = requestName({ connection: this.#name, number: id, behind })
    return { behind }
  }

  hear(text: string): void {
    const responses = decodeResponses(text, this.#heard)
    // Nobody knows then which of them were answered.
    if (responses === undefined) return this.#socket.close()
    for (const response of responses) this.#answered(response)
  }

  #answered(response: HeardResponse<ResponseOutline>): void {
    const waiting = this.#waiting.get(response.id)
    if (waiting === undefined) return
    this.#waiting.delete(response.id)
    waiting.give(read(response, waiting.isKeyed))
  }

  /** Whoever waits has no answer any more. */
  end(): void {
    this.#socket.close()
    const unsent = new Set(this.#gathered.take().map(({ id }) => id))
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const [id, { give }] of waiting) give(unsent.has(id) ? UNSENT : UNKNOWN)
    Deferred.doneUnsafe(this.#over, Effect.void)
  }
}

/** Names the connections of this process, one after another. */
const namesOfConnections = (): (() => string) => {
  const node = randomUUID()
  let count = 0
  return () => connectionName(node, (count += 1))
}

export interface WriterSocket {
  /** Whether there is such a connection to the node of an address, which has room. */
  readonly takes: (address: string) => boolean
  /**
   * Sends a request to the node of an address, has told what became of it, and answers what takes it back. Undefined
   * where that node takes none: nobody is told anything.
   */
  readonly ask: (address: string, request: Carried, give: Give) => (() => void) | undefined
}

/** Stays connected to whichever node writes, also if that is this one: what it has named before goes there, too. */
export const makeWriterSocket = Effect.fnUntraced(function* (
  { serving }: Nodes["Service"],
  credential: NodeCredential
): Effect.fn.Return<WriterSocket, never, Scope.Scope> {
  const nextName = namesOfConnections()
  const clock = yield* Clock.Clock
  const now = (): bigint => clock.monotonicTimeNanosUnsafe()
  let current: OpenConnection | undefined
  const connected = (address: string) =>
    Effect.suspend(() => {
      let connection: OpenConnection | undefined
      const name = nextName()
      const headers = nodeHeaders(credential)
      headers.set(CONNECTION, name)
      const over = Deferred.makeUnsafe<void>()
      const opened = (socket: WebSocket): void => {
        current = connection = new OpenConnection(address, { name, socket, now, over })
      }
      return Effect.ensuring(
        Effect.raceFirst(
          listen(`ws://${address}${REQUESTS}`, headers, { opened, hear: (text) => connection?.hear(text) }),
          Deferred.await(over)
        ),
        Effect.sync(() => {
          if (current === connection) current = undefined
          connection?.end()
        })
      )
    })
  const once = Effect.flatMap(serving, ({ address, replaced }) =>
    Effect.raceFirst(Effect.andThen(connected(address), Effect.sleep(RECONNECT)), replaced)
  )
  yield* Effect.forkScoped(Effect.forever(once))
  const giveUpOverdue = (): void => {
    if (current?.isOverdue !== true) return
    const overdue = current
    current = undefined
    overdue.end()
  }
  yield* Worker.every(LOOK, "A silent node", Effect.sync(giveUpOverdue))
  const takes = (address: string): boolean => {
    giveUpOverdue()
    return current?.address === address && current.hasRoom
  }
  return { takes, ask: (address, request, give) => (takes(address) ? current?.ask(request, give) : undefined) }
})
