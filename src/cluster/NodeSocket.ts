/** A WebSocket from one node to another. */

import { Effect } from "effect"

/** What is done with one. */
export interface NodeSocketListener {
  readonly opened?: (socket: WebSocket) => void
  readonly hear: (text: string) => void
}

/** Connects to a node, and is told of its frames until either side ends it. */
export const listen = (url: string, headers: Headers, { hear, opened }: NodeSocketListener): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const socket = new WebSocket(url, { headers: Object.fromEntries(headers) } as never)
    if (opened !== undefined) socket.addEventListener("open", () => opened(socket))
    socket.addEventListener("message", ({ data }) => hear(String(data)))
    socket.addEventListener("close", () => resume(Effect.void))
    return Effect.sync(() => socket.close())
  })
