import { connect } from "node:net"
import { Effect } from "effect"
import type { Scope } from "effect"

/** A WebSocket client that keeps all it is told. */
export interface StreamClient {
  readonly socket: WebSocket
  /** The messages' texts, in order of arrival. */
  readonly messages: ReadonlyArray<string>
  /** Resolves once that many messages are there. */
  readonly received: (count: number) => Effect.Effect<ReadonlyArray<string>>
  /** The close code. */
  readonly closed: Effect.Effect<number>
}

/** Connects to an http address by WebSocket, until the scope ends. */
export const connectStream = (url: string): Effect.Effect<StreamClient, never, Scope.Scope> =>
  Effect.suspend(() => streamClientOf(new WebSocket(url.replace("http", "ws"))))

/** Keeps all that a socket which is connecting is told, until the scope ends. */
export const streamClientOf = (socket: WebSocket): Effect.Effect<StreamClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const messages: Array<string> = []
    const waiting = new Set<() => void>()
    socket.addEventListener("message", ({ data }) => {
      messages.push(String(data))
      for (const check of waiting) check()
    })
    const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)))
    const received = (count: number) =>
      Effect.promise(
        () =>
          new Promise<ReadonlyArray<string>>((resolve) => {
            const check = () => {
              if (messages.length < count) return
              waiting.delete(check)
              resolve(messages)
            }
            waiting.add(check)
            check()
          })
      )
    yield* Effect.addFinalizer(() => Effect.sync(() => socket.close()))
    const open = new Promise<void>((resolve) => socket.addEventListener("open", () => resolve()))
    if (socket.readyState === WebSocket.CONNECTING) yield* Effect.promise(() => open)
    return { socket, messages, received, closed: Effect.promise(() => closed) }
  })

/** The ids of the commitments that a client of the arena's stream was told of. */
export const commitmentsTold = ({ messages }: StreamClient): ReadonlySet<string> => {
  const told = messages.map(
    (text) => JSON.parse(text) as { readonly type: string; readonly data: { commitment_id: string } }
  )
  return new Set(told.flatMap(({ data, type }) => (type === "commitment_submitted" ? [data.commitment_id] : [])))
}

/** A client that completes the handshake and then reads nothing until it is told to. */
interface StalledClient {
  /** The server's answer to it. */
  readonly handshake: string
  /** Sends bytes, be they frames or not. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void>
  /** Reads what is there, to the end of the connection. */
  readonly drain: Effect.Effect<Buffer>
  /** Reads what is there, to some bytes that close it: not every runtime ends a connection whose client does not. */
  readonly drainTo: (end: Uint8Array) => Effect.Effect<Buffer>
}

/** Connects to an http address by WebSocket and stalls. */
export const connectStalled = (url: string, protocol = "ticket"): Effect.Effect<StalledClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { hostname, pathname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const chunks: Array<Buffer> = []
    const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()))
    socket.on("error", () => {})
    yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
    const handshake = yield* Effect.promise(
      () =>
        new Promise<string>((resolve) => {
          socket.once("data", (head) => {
            socket.pause()
            resolve(head.toString("latin1"))
          })
          socket.write(
            `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
              "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
              `Sec-WebSocket-Protocol: ${protocol}\r\n\r\n`
          )
        })
    )
    const drain = Effect.promise(async () => {
      socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)))
      socket.resume()
      await ended
      return Buffer.concat(chunks)
    })
    const write = (bytes: Uint8Array) => Effect.sync(() => void socket.write(bytes))
    const drainTo = (end: Uint8Array) =>
      Effect.promise(
        () =>
          new Promise<Buffer>((resolve) => {
            socket.on("data", (chunk) => {
              chunks.push(Buffer.from(chunk))
              const last = Buffer.concat(chunks.slice(-2))
              if (last.subarray(-256).includes(end)) resolve(Buffer.concat(chunks))
            })
            socket.resume()
          })
      )
    return { handshake, write, drain, drainTo }
  })
