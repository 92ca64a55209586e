import type { Socket } from "bun"
import { percentile } from "./Sample.ts"

/** One thing to ask for. */
export interface Call {
  /** Such as `GET /health`. */
  readonly line: string
  /** JSON, empty for none. */
  readonly body: string
  /** The caller's, where not any of the plan's will do. */
  readonly token?: string
}

/** Requests that are repeated in turns over keep-alive connections. */
export interface LoadPlan {
  readonly port: number
  readonly connections: number
  readonly millis: number
  readonly calls: ReadonlyArray<Call>
  /** Access tokens; empty for none. */
  readonly tokens: ReadonlyArray<string>
  /** Where the sequence of calls and tokens starts. */
  readonly seed: number
  /** Whether each request carries an `Idempotency-Key` of its own, which no other load's has. */
  readonly isKeyed?: boolean
  /** Also the rate of each so many milliseconds. */
  readonly sliceMillis?: number
  /**
   * Requests a second, planned whatever becomes of those before; one for which no connection is free waits for the next.
   * Without it a connection sends its next request when the answer to the one before is there.
   */
  readonly rate?: number
}

/** Latencies are milliseconds from when a request was planned, or sent where no rate is given, to its answer. */
export interface LoadResult {
  /** Answers with status 200 within the time. */
  readonly answered: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
  /** Answers with status 200 a second, of each whole slice that was asked for. */
  readonly slices: ReadonlyArray<number>
  /** The first of the other answers, and how many there were. */
  readonly refused: number
  readonly refusal: string
}

/** How much longer a load waits for its first answer, and how often it looks for it, in milliseconds. */
const FIRST_ANSWER = 20_000
const POLL = 20

/** Milliseconds between two looks whether a request is due. */
const TICK = 1

const HEADER_END = "\r\n\r\n"

/** A connection's request under way. */
interface Exchange {
  sentAt: number
  /** Bytes of the answer that are still to come; undefined before its head was read. */
  missing: number | undefined
  /** What has come of the answer's head, and of a refusal's body. */
  text: string
}

/** Requests as they go over the wire, picked by a fixed sequence. */
const requests = ({ calls, isKeyed = false, seed, tokens }: LoadPlan): (() => string) => {
  const headOf = (token: string) =>
    token === "" ? "host: bench\r\n" : `host: bench\r\nauthorization: Bearer ${token}\r\n`
  const heads = (tokens.length === 0 ? [""] : tokens).map(headOf)
  const ownHeads = calls.map(({ token }) => (token === undefined ? undefined : headOf(token)))
  const ends = calls.map(({ body }) =>
    body === "" ? "\r\n" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
  const keys = crypto.randomUUID()
  let sent = 0
  const keyed = (): string => (isKeyed ? `idempotency-key: ${keys}-${(sent += 1)}\r\n` : "")
  let state = seed % 2_147_483_647 || 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    const call = state % calls.length
    const head = ownHeads[call] ?? heads[Math.floor(state / calls.length) % heads.length]
    return `${calls[call]?.line} HTTP/1.1\r\n${head}${keyed()}${ends[call]}`
  }
}

const lengthOf = (head: string): number => {
  const found = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (found === null) throw new Error(`an answer without a length: ${head}`)
  return Number(found[1])
}

class Tally {
  readonly latencies: Array<number> = []
  refused = 0
  refusal = ""
  begun = 0
  readonly #sliceMillis: number
  readonly #slices: Array<number>

  constructor({ millis, sliceMillis = millis }: LoadPlan, isSliced: boolean) {
    this.#sliceMillis = sliceMillis
    this.#slices = Array.from({ length: isSliced ? Math.floor(millis / sliceMillis) : 0 }, () => 0)
  }

  /** Answers a second of each slice. */
  get slices(): ReadonlyArray<number> {
    return this.#slices.map((answered) => (answered * 1_000) / this.#sliceMillis)
  }

  count({ sentAt, text }: Exchange, now: number): void {
    if (text.startsWith("HTTP/1.1 200")) {
      this.latencies.push(now - sentAt)
      const slice = Math.floor((now - this.begun) / this.#sliceMillis)
      if (slice < this.#slices.length) this.#slices[slice] = (this.#slices[slice] ?? 0) + 1
    } else {
      this.refused += 1
      this.refusal ||= text.slice(0, 1_000)
    }
  }
}

/** Takes what came of an answer; true once all of it is there. */
const received = (exchange: Exchange, chunk: Buffer): boolean => {
  if (exchange.missing !== undefined) {
    exchange.missing -= chunk.length
    return exchange.missing <= 0
  }
  exchange.text += chunk.toString("latin1")
  const end = exchange.text.indexOf(HEADER_END)
  if (end === -1) return false
  exchange.missing = end + HEADER_END.length + lengthOf(exchange.text) - exchange.text.length
  return exchange.missing <= 0
}

/** Sends requests at their times, on connections that wait for no answer. */
class Pacing {
  readonly #idle: Array<Socket<Exchange>> = []
  readonly #every: number
  readonly #count: number
  readonly #send: (socket: Socket<Exchange>, at: number) => void
  #begun = 0
  #sent = 0

  constructor({ millis }: LoadPlan, rate: number, send: (socket: Socket<Exchange>, at: number) => void) {
    this.#every = 1_000 / rate
    this.#count = Math.ceil(millis / this.#every)
    this.#send = send
  }

  begin(at: number, sockets: ReadonlyArray<Socket<Exchange>>): void {
    this.#begun = at
    this.#idle.push(...sockets)
    this.#tick()
  }

  /** A connection has its answer. */
  free(socket: Socket<Exchange>): void {
    this.#idle.unshift(socket)
    this.#sendDue()
  }

  /** Whether all that was planned is sent and answered. */
  isDone(connections: number): boolean {
    return this.#sent === this.#count && this.#idle.length === connections
  }

  #tick(): void {
    this.#sendDue()
    if (this.#sent < this.#count) setTimeout(() => this.#tick(), TICK)
  }

  #sendDue(): void {
    while (this.#sent < this.#count) {
      const planned = this.#begun + this.#sent * this.#every
      if (planned > performance.now()) return
      const socket = this.#idle.pop()
      if (socket === undefined) return
      this.#sent += 1
      this.#send(socket, planned)
    }
  }
}

/** Loads a server of this machine, and answers when the time is over. */
export const load = async (plan: LoadPlan): Promise<LoadResult> => {
  const next = requests(plan)
  const tally = new Tally(plan, plan.sliceMillis !== undefined)
  const sockets: Array<Socket<Exchange>> = []
  const ended = Promise.withResolvers<void>()
  let isOver = false

  const send = (socket: Socket<Exchange>, at: number = performance.now()): void => {
    const exchange = socket.data
    exchange.missing = undefined
    exchange.text = ""
    exchange.sentAt = at
    socket.write(next())
  }
  const pacing = plan.rate === undefined ? undefined : new Pacing(plan, plan.rate, send)
  const open = () =>
    Bun.connect<Exchange>({
      hostname: "127.0.0.1",
      port: plan.port,
      data: { sentAt: 0, missing: undefined, text: "" },
      socket: {
        data: (socket, chunk) => {
          if (!received(socket.data, chunk)) return
          if (isOver) return
          tally.count(socket.data, performance.now())
          if (pacing === undefined) send(socket)
          else pacing.free(socket)
        },
        close: () => {
          if (!isOver) ended.reject(new Error("the server closed a connection"))
        },
        error: (_, error) => ended.reject(error)
      }
    })
  for (let index = 0; index < plan.connections; index++) sockets.push(await open())
  const begun = performance.now()
  tally.begun = begun
  if (pacing === undefined) for (const socket of sockets) send(socket)
  else pacing.begin(begun, sockets)
  const end = (): void => {
    const isAnswered = pacing === undefined ? tally.latencies.length + tally.refused > 0 : pacing.isDone(sockets.length)
    if (isAnswered || performance.now() - begun > plan.millis + FIRST_ANSWER) ended.resolve()
    else setTimeout(end, POLL)
  }
  setTimeout(end, plan.millis)
  await ended.promise
  isOver = true
  const seconds = (performance.now() - begun) / 1_000
  for (const socket of sockets) socket.end()
  const ascending = Float64Array.from(tally.latencies).sort()
  return {
    answered: ascending.length,
    perSecond: ascending.length / seconds,
    p50: percentile(ascending, 0.5),
    p99: percentile(ascending, 0.99),
    p999: percentile(ascending, 0.999),
    slices: tally.slices,
    refused: tally.refused,
    refusal: tally.refusal
  }
}
