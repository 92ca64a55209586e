/** Connections of callers that other nodes hold for them, where somebody writes: they end with the node that holds them. */

import { Effect, type Scope } from "effect"
import { NODE_LOST } from "../http/WebSocketRoutes.ts"
import type { RuntimeSocket, SocketListener } from "../runtime/ServerRuntime.ts"
import { type Asking, askingText } from "./ForwardedRequest.ts"
import * as Worker from "../Worker.ts"
import { GOING_AWAY } from "./ForwardedSocket.ts"
import type { OwnSocket } from "./LocalApp.ts"

/** How often a node that writes looks whether those are there that hold connections to it. */
const LOOK_INTERVAL = "1 second"

/** Looks in a row before which a node did not say that it is there. Its connections end with the last. */
const MAX_SILENT = 5

/** RFC 6455, 7.4.1: a connection ended without a word. */
const ABNORMAL = 1006

const LOST_REASON = "The node between is gone: connect again."

/** One connection. */
interface Held {
  readonly end: () => void
}

/** A node, from one start to its end. */
interface Holder {
  readonly held: Set<Held>
  /** Looks since it was heard. */
  silent: number
}

/** The leases of the other nodes: each holds its callers' connections as long as it says so. */
export class HeldSockets {
  readonly #holders = new Map<string, Holder>()
  readonly #listener: () => SocketListener<unknown> | undefined

  /** @param listener - what hears of the connections */
  constructor(listener: () => SocketListener<unknown> | undefined) {
    this.#listener = listener
  }

  /** What a node's connection carries, beside what the app gave it. */
  hold(asking: Asking, data: unknown): OwnSocket {
    const of = this.#listener
    let opened: { readonly socket: RuntimeSocket<unknown>; readonly held: Set<Held> } | undefined
    let isOver = false
    const over = (socket: RuntimeSocket<unknown>, code: number, reason: string): void => {
      if (isOver) return
      isOver = true
      opened?.held.delete(own)
      // The node closes in form what its callers end.
      of()?.close(socket, code === ABNORMAL ? NODE_LOST : code, reason)
    }
    const own: Held = {
      end: () => {
        if (opened === undefined) return
        const { socket } = opened
        over(socket, NODE_LOST, LOST_REASON)
        socket.close(GOING_AWAY, LOST_REASON)
      }
    }
    const listener: SocketListener<unknown> = {
      open: (socket) => {
        const { held } = this.#holderOf(asking)
        opened = { socket, held: held.add(own) }
        of()?.open(socket)
      },
      message: (socket, message) => {
        if (!isOver) of()?.message(socket, message)
      },
      pong: (socket, text) => of()?.pong(socket, text),
      drain: (socket) => of()?.drain(socket),
      close: over,
      ended: (socket) => of()?.ended(socket)
    }
    return Object.assign({}, data, { listener })
  }

  /** A node says that it is there. */
  renew(asking: Asking): void {
    const holder = this.#holders.get(askingText(asking))
    if (holder !== undefined) holder.silent = 0
  }

  /**
   * Ends the connections of nodes that are gone. Looks count, and not time: where this process stood still, it has not
   * heard anybody.
   */
  look(): void {
    for (const [key, holder] of this.#holders) {
      holder.silent += 1
      if (holder.silent > MAX_SILENT) for (const { end } of holder.held) end()
      if (holder.held.size === 0) this.#holders.delete(key)
    }
  }

  #holderOf(asking: Asking): Holder {
    const key = askingText(asking)
    const known = this.#holders.get(key)
    if (known !== undefined) return known
    const made: Holder = { held: new Set(), silent: 0 }
    this.#holders.set(key, made)
    return made
  }
}

/**
 * Those of this process, which looks after them.
 *
 * @param listener - what hears of the connections
 */
export const heldSockets = Effect.fnUntraced(function* (
  listener: () => SocketListener<unknown> | undefined
): Effect.fn.Return<HeldSockets, never, Scope.Scope> {
  const held = new HeldSockets(listener)
  const look = Effect.sync(() => held.look())
  yield* Worker.every(LOOK_INTERVAL, "The look at connections that other nodes hold", look)
  return held
})
