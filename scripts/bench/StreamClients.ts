/** A process with many WebSocket clients that count what they are told, and look at the age of what a tenth is told. */
import type { Socket } from "bun"
import { connect as connectTo, type Socket as NodeSocket } from "node:net"
import { percentile } from "./Sample.ts"
import { MARK, microsNow } from "./StreamPublishing.ts"
import { serve } from "./Worker.ts"

export interface ConnectClients {
  readonly kind: "connect"
  readonly port: number
  readonly path: string
  readonly clients: number
  /** Looks at what is told rather than at its age. */
  readonly isCompared?: boolean
}

/** Connects clients that never read, beside whatever other ones come later. They go with the next collection. */
export interface StallClients {
  readonly kind: "stall"
  readonly port: number
  readonly path: string
  readonly clients: number
}

/** Waits until every client was told that many messages, at most for so long, and disconnects them. */
export interface CollectClients {
  readonly kind: "collect"
  readonly messages: number
  readonly millis: number
}

/** Latencies are milliseconds from the publishing to the client, of the clients that were looked at. */
export interface Collected {
  /** Of all messages to all clients. */
  readonly delivered: number
  readonly p50: number
  readonly p99: number
  /** Connections that the server closed. */
  readonly closed: number
  /** What clients that compare were told, in its order, as a digest of each account that differs. */
  readonly accounts: ReadonlyArray<string>
}

interface Client {
  readonly sampled: boolean
  /** Of all that it was told so far; undefined: it does not compare. */
  account: bigint | undefined
  isOpen: boolean
  told: number
  /** The begin of a frame whose end is still to come. */
  rest: Buffer
}

const SAMPLE = 10
const POLL = 5
const END_OF_HEAD = "\r\n\r\n"
const TEXT_FRAME = 0x81
const PING_FRAME = 0x89
const COMMITMENT = '{"type":"commitment_submitted"'

const state = { sockets: [] as Array<Socket<Client>>, latencies: [] as Array<number>, closed: 0, isEnding: false }

const stalled: Array<NodeSocket> = []

/** Where a frame's payload begins and ends; undefined while its head is not whole. RFC 6455, 5.2. */
const payloadOf = (bytes: Buffer, at: number): readonly [number, number] | undefined => {
  const short = (bytes[at + 1] ?? 0) & 0x7f
  if (bytes.length < at + 2) return undefined
  if (short < 126) return [at + 2, at + 2 + short]
  const wide = short === 126 ? 2 : 8
  if (bytes.length < at + 2 + wide) return undefined
  const length = wide === 2 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
  return [at + 2 + wide, at + 2 + wide + length]
}

const MARK_BYTES = Buffer.from(MARK)
const QUOTE = 0x22

const ageOf = (bytes: Buffer, begin: number, end: number, now: number): number => {
  const mark = bytes.indexOf(MARK_BYTES, begin) + MARK_BYTES.length
  let micros = 0
  for (let at = mark; at < end && bytes[at] !== QUOTE; at++) micros = micros * 10 + ((bytes[at] ?? 0) - 48)
  return (now - micros) / 1_000
}

const KIND_AT = COMMITMENT.indexOf("commitment")
const KIND = COMMITMENT.charCodeAt(KIND_AT)

/** Answers a ping. A client masks what it sends, here with zeros. */
const pong = (payload: Buffer): Buffer => Buffer.concat([Buffer.of(0x8a, 0x80 | payload.length, 0, 0, 0, 0), payload])

const take = (socket: Socket<Client>, chunk: Buffer): void => {
  const client = socket.data
  const bytes = client.rest.length === 0 ? chunk : Buffer.concat([client.rest, chunk])
  const now = microsNow()
  let at = 0
  for (;;) {
    const payload = payloadOf(bytes, at)
    if (payload === undefined || payload[1] > bytes.length) break
    const [begin, end] = payload
    if (bytes[at] === TEXT_FRAME && bytes[begin + KIND_AT] === KIND) {
      client.told += 1
      if (client.account !== undefined) client.account = Bun.hash.xxHash64(bytes.subarray(begin, end), client.account)
      if (client.sampled) state.latencies.push(ageOf(bytes, begin, end, now))
    }
    if (bytes[at] === PING_FRAME) socket.write(pong(bytes.subarray(begin, end)))
    at = end
  }
  client.rest = Buffer.from(bytes.subarray(at))
}

const received = (socket: Socket<Client>, chunk: Buffer, opened: () => void): void => {
  const client = socket.data
  if (client.isOpen) return take(socket, chunk)
  const bytes = Buffer.concat([client.rest, chunk])
  const head = bytes.indexOf(END_OF_HEAD)
  client.rest = bytes
  if (head === -1) return
  if (!bytes.toString("latin1", 0, head).startsWith("HTTP/1.1 101")) throw new Error(bytes.toString("latin1", 0, head))
  client.isOpen = true
  client.rest = Buffer.alloc(0)
  opened()
  take(socket, bytes.subarray(head + END_OF_HEAD.length))
}

const requestOf = (port: number, path: string, index: number): string => {
  const key = Buffer.from(`client ${index}`.padEnd(16)).toString("base64")
  return (
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
    `sec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`
  )
}

const stall = async ({ port, path, clients }: StallClients): Promise<undefined> => {
  for (let index = 0; index < clients; index++) {
    const socket = connectTo(port, "127.0.0.1")
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.once("data", () => {
      socket.pause()
      resolve()
    })
    socket.on("error", () => {})
    socket.write(requestOf(port, path, index))
    await promise
    stalled.push(socket)
  }
}

const open = async ({ isCompared = false, path, port }: ConnectClients, index: number): Promise<void> => {
  const opened = Promise.withResolvers<void>()
  const socket = await Bun.connect<Client>({
    hostname: "127.0.0.1",
    port,
    data: {
      sampled: !isCompared && index % SAMPLE === 0,
      account: isCompared ? 0n : undefined,
      isOpen: false,
      told: 0,
      rest: Buffer.alloc(0)
    },
    socket: {
      data: (socket, chunk) => received(socket, chunk, opened.resolve),
      close: () => {
        if (!state.isEnding) state.closed += 1
      },
      error: (_, error) => opened.reject(error)
    }
  })
  socket.write(requestOf(port, path, index))
  await opened.promise
  state.sockets.push(socket)
}

const connect = async (request: ConnectClients): Promise<undefined> => {
  Object.assign(state, { sockets: [], latencies: [], closed: 0, isEnding: false })
  for (let index = 0; index < request.clients; index++) await open(request, index)
}

const collect = async ({ messages, millis }: CollectClients): Promise<Collected> => {
  const until = performance.now() + millis
  while (performance.now() < until && state.sockets.some(({ data }) => data.told < messages)) await Bun.sleep(POLL)
  const told = state.sockets.reduce((sum, { data }) => sum + data.told, 0)
  const ascending = Float64Array.from(state.latencies).sort()
  const { closed } = state
  const accounts = new Set(state.sockets.flatMap(({ data: { account } }) => (account === undefined ? [] : [account])))
  state.isEnding = true
  for (const socket of state.sockets) socket.terminate()
  for (const socket of stalled.splice(0)) socket.destroy()
  return {
    delivered: told / (messages * state.sockets.length),
    p50: percentile(ascending, 0.5),
    p99: percentile(ascending, 0.99),
    closed,
    accounts: [...accounts].map(String)
  }
}

serve((request: ConnectClients | StallClients | CollectClients): Promise<Collected | undefined> => {
  if (request.kind === "collect") return collect(request)
  return request.kind === "stall" ? stall(request) : connect(request)
})
