import {
  ArenaStreamClient,
  type ArenaStreamOptions,
  type StreamItem
} from "../../packages/client/src/ArenaStreamClient.ts"
import type { ClientSocket } from "../../packages/client/src/ClientPlatform.ts"

type Listener = (event: never) => void

/** A connection on which the same is said whatever the client sends. */
class PlayedSocket implements ClientSocket {
  readonly #listeners = new Map<string, Listener>()

  send(): void {}

  close(): void {}

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener)
  }

  emit(type: string, event: object): void {
    this.#listeners.get(type)?.(event as never)
  }
}

/** What a client made of a conversation. */
interface Played {
  readonly items: ReadonlyArray<StreamItem>
  /** How often it noticed that something is missing. */
  readonly breaches: number
  /** How often it would have connected again. */
  readonly retries: number
}

/** Plays the server's side of a recorded conversation to a client of its own. Nothing follows it. */
export const played = (
  texts: ReadonlyArray<string>,
  options: Pick<ArenaStreamOptions, "from" | "snapshot">
): Played => {
  const sockets: Array<PlayedSocket> = []
  const items: Array<StreamItem> = []
  let retries = 0
  const client = new ArenaStreamClient({
    ...options,
    url: "http://arena.example",
    onItem: (item) => void items.push(item),
    onStatus: (status) => {
      if (status === "waiting") retries += 1
    },
    platform: {
      WebSocket: class extends PlayedSocket {
        constructor() {
          super()
          sockets.push(this)
        }
      },
      now: () => 0,
      random: () => 0.5,
      after: () => () => {}
    }
  })
  client.start()
  sockets[0]?.emit("open", {})
  for (const data of texts) sockets[0]?.emit("message", { data })
  const { breaches } = client
  client.close()
  return { items, breaches, retries }
}
