import { Effect } from "effect"
import type { Scope } from "effect"
import { eventually } from "./ServerProcess.ts"

const OPEN_LIMIT = 5_000

/** A client of the arena's stream. */
export interface StreamListener {
  /** The ids of the commitments it was told of. */
  readonly commitments: ReadonlySet<string>
  /** The code it was closed with; undefined while it is open. */
  readonly closedWith: () => number | undefined
}

interface Message {
  readonly type: string
  readonly data: { readonly commitment_id: string }
}

/** Connects to the arena's stream until the scope closes. */
export const listen = Effect.fnUntraced(function* (
  serverUrl: string
): Effect.fn.Return<StreamListener, never, Scope.Scope> {
  const commitments = new Set<string>()
  let code: number | undefined
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => new WebSocket(`${serverUrl.replace(/^http/, "ws")}/ws/arena`)),
    (socket) => Effect.sync(() => socket.close())
  )
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.type === "commitment_submitted") commitments.add(message.data.commitment_id)
  })
  socket.addEventListener("close", (event) => {
    code = event.code
  })
  yield* eventually("an open stream", OPEN_LIMIT, () => (socket.readyState === WebSocket.OPEN ? true : undefined))
  return { commitments, closedWith: () => code }
})
