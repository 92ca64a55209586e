import { Effect, type Scope } from "effect"
import * as Worker from "../Worker.ts"
import { type Asking, askingText, HELD } from "./ForwardedRequest.ts"
import { type ForwardedSocket, WRITER_GONE } from "./ForwardedSocket.ts"
import type { NodeCredential } from "./NodeCredential.ts"
import type { Nodes } from "./Nodes.ts"
import { makeWriterInquiry } from "./WriterInquiry.ts"

/** How often a node says that it is there. */
const INTERVAL = "1 second"

/** How long that may take. */
const LIMIT = "1 second"

/** Times in a row that the node that writes is out of reach, after which connections to it end. */
const MAX_MISSED = 3

/** What a node holds. */
export interface Holding {
  readonly nodes: Nodes["Service"]
  readonly credential: NodeCredential
  /** This node. */
  readonly asking: Asking
  /** Connections of callers, by the address of the node that they lead to. */
  readonly sockets: ReadonlyMap<ForwardedSocket, string>
}

/**
 * Says to the node that writes that this one is there, for all its callers' connections at once, and ends those that lead
 * nowhere any more.
 */
export const holdSockets = Effect.fnUntraced(function* (
  { asking, credential, nodes, sockets }: Holding,
  reaches: () => boolean
): Effect.fn.Return<void, never, Scope.Scope> {
  const renew = makeWriterInquiry(nodes, credential, HELD)
  let missed = 0
  const hold = Effect.sync(() => {
    const writer = nodes.servingNow()?.address
    missed = sockets.size === 0 || reaches() ? 0 : missed + 1
    for (const [socket, address] of sockets) {
      const isReplaced = writer !== undefined && address !== writer
      if (isReplaced || missed > MAX_MISSED) socket.lose(WRITER_GONE)
    }
  })
  const say = Effect.suspend(() =>
    sockets.size === 0 ? Effect.void : Effect.timeoutOption(renew(askingText(asking)), LIMIT)
  )
  yield* Worker.every(INTERVAL, "Connections that this node holds", hold)
  // By itself: a node that waits for an answer still sees in time that its connections lead nowhere.
  yield* Worker.every(INTERVAL, "The word that this node is there", say)
})
