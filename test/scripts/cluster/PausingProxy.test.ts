import { afterEach, describe, expect, it } from "bun:test"
import { connect, createServer, type Socket } from "node:net"
import { PausingProxy } from "../../../scripts/cluster/PausingProxy.ts"

const opened: Array<() => void> = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

/** A server that answers what it is sent, and says how much it got. */
const echo = async () => {
  const got = { bytes: 0 }
  const server = createServer((socket) => {
    socket.on("data", (data) => {
      got.bytes += data.length
      socket.write(data)
    })
    socket.on("error", () => undefined)
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()))
  opened.push(() => server.close())
  return { got, port: portOf(server.address()) }
}

const portOf = (address: unknown): number => (address as { readonly port: number }).port

const dialled = async (port: number): Promise<Socket> => {
  const socket = connect({ host: "127.0.0.1", port })
  await new Promise((resolve) => socket.once("connect", resolve))
  opened.push(() => void socket.destroy())
  return socket
}

const text = (socket: Socket, length: number): Promise<string> =>
  new Promise((resolve) => {
    let all = ""
    socket.on("data", (data) => {
      all += data.toString()
      if (all.length >= length) resolve(all)
    })
  })

const proxied = async () => {
  const server = await echo()
  const proxy = await PausingProxy.listen(0, { host: "127.0.0.1", port: server.port })
  opened.push(() => proxy.close())
  return { ...server, proxy, port: proxy.port }
}

describe("PausingProxy", () => {
  it("passes on all bytes in order, and the end", async () => {
    const { port } = await proxied()
    const socket = await dialled(port)
    const sent = Array.from({ length: 100_000 }, (_, index) => `${index}\n`).join("")
    const heard = text(socket, sent.length)
    const ended = new Promise((resolve) => socket.once("close", resolve))
    socket.write(sent)
    expect(await heard).toBe(sent)
    socket.end()
    await ended
  })

  it("lets nothing through while it is paused, also on new connections, and loses nothing", async () => {
    const { got, port, proxy } = await proxied()
    const old = await dialled(port)
    const before = text(old, 1)
    old.write("a")
    expect(await before).toBe("a")
    proxy.pause()
    proxy.pause()
    const young = await dialled(port)
    const heard = [text(old, 2), text(young, 1)]
    old.write("bc")
    young.write("d")
    proxy.goOn()
    // A round trip past the proxy takes longer than one through it.
    const other = await proxied()
    const witness = await dialled(other.port)
    const seen = text(witness, 1)
    witness.write("e")
    await seen
    expect(got.bytes).toBe(1)
    proxy.goOn()
    expect(await Promise.all(heard)).toEqual(["bc", "d"])
    expect(got.bytes).toBe(4)
  })

  it("loses answers alone", async () => {
    const { got, port, proxy } = await proxied()
    const socket = await dialled(port)
    const before = text(socket, 1)
    socket.write("a")
    expect(await before).toBe("a")
    proxy.loseAnswers()
    let heard = 0
    socket.on("data", ({ length }) => void (heard += length))
    const young = await dialled(port)
    young.write("b")
    socket.write("c")
    while (got.bytes < 3) await new Promise(setImmediate)
    expect(heard).toBe(0)
  })

  it("ends a connection where nobody listens behind it", async () => {
    const { proxy } = await proxied()
    const nobody = await PausingProxy.listen(0, { host: "127.0.0.1", port: 1 })
    opened.push(() => nobody.close())
    const socket = await dialled(nobody.port)
    socket.on("error", () => undefined)
    await new Promise((resolve) => socket.once("close", resolve))
    expect(proxy.port).not.toBe(nobody.port)
  })
})
