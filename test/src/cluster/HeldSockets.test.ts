import { describe, expect, it } from "bun:test"
import { HeldSockets } from "../../../src/cluster/HeldSockets.ts"
import { NODE_LOST } from "../../../src/http/WebSocketRoutes.ts"
import type { RuntimeSocket } from "../../../src/runtime/ServerRuntime.ts"

const A = { node: "127.0.0.1:7100", run: "first" }
const B = { node: "127.0.0.1:7101", run: "first" }

/** Looks at which a node may be silent. */
const SILENT = 5

/** The end of a connection, as far as it comes, and what the app hears. */
const holding = () => {
  const heard: Array<readonly [name: unknown, code: number]> = []
  const messages: Array<unknown> = []
  const closed: Array<unknown> = []
  const nothing = () => undefined
  const held = new HeldSockets(() => ({
    open: nothing,
    message: ({ data }, message) => messages.push([(data as { readonly name: string }).name, message]),
    pong: nothing,
    drain: nothing,
    ended: nothing,
    close: ({ data }, code) => heard.push([(data as { readonly name: string }).name, code])
  }))
  /** A connection of a node's caller, which is open. */
  const open = (asking: typeof A, name: string) => {
    const data = held.hold(asking, { name })
    const socket = {
      data,
      readyState: WebSocket.OPEN,
      close: () => closed.push(name)
    } as unknown as RuntimeSocket<never>
    data.listener.open(socket)
    return { data, socket }
  }
  const look = (times: number) => {
    for (let n = 0; n < times; n++) held.look()
  }
  return { held, heard, messages, closed, open, look }
}

describe("Connections that other nodes hold", () => {
  it("end with a node that is silent, and with no other", () => {
    const { closed, heard, held, look, open } = holding()
    open(A, "one")
    open(A, "two")
    open(B, "three")
    for (let n = 0; n < SILENT; n++) {
      held.renew(B)
      look(1)
    }
    expect(heard).toEqual([])
    held.renew(B)
    look(1)
    expect(heard).toEqual([
      ["one", NODE_LOST],
      ["two", NODE_LOST]
    ])
    expect(closed).toEqual(["one", "two"])
    look(SILENT)
    expect(heard.at(-1)).toEqual(["three", NODE_LOST])
  })

  it("are held as long as the node says so, by what it is since its start", () => {
    const { heard, held, look, open } = holding()
    open(A, "one")
    for (let n = 0; n < 3 * SILENT; n++) {
      look(1)
      held.renew(A)
    }
    expect(heard).toEqual([])
    for (let n = 0; n <= SILENT; n++) {
      look(1)
      held.renew({ ...A, run: "second" })
    }
    expect(heard).toEqual([["one", NODE_LOST]])
  })

  it("are lost where they end without a word, and not where the caller closes them; each ends once", () => {
    const { heard, look, messages, open } = holding()
    const [one, two] = [open(A, "one"), open(A, "two")]
    one.data.listener.message(one.socket, "hello")
    one.data.listener.close(one.socket, 1006, "")
    two.data.listener.close(two.socket, 1005, "")
    one.data.listener.message(one.socket, "too late")
    look(SILENT + 1)
    one.data.listener.close(one.socket, 1006, "")
    expect(heard).toEqual([
      ["one", NODE_LOST],
      ["two", 1005]
    ])
    expect(messages).toEqual([["one", "hello"]])
  })
})
