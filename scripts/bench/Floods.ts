import { type HeaderList, FloodSocket, frameOf, headOf, upgradeOf } from "./FloodSocket.ts"

/** One flood to be played against a server. */
export interface FloodPlan {
  readonly kind: FloodKind
  readonly port: number
  /** Of one user. */
  readonly token: string
  readonly orderId: string
  readonly millis: number
}

/** What became of it. */
export interface Flooded {
  /** Frames, requests or connections that were sent. */
  readonly sent: number
  /** Connections that the server ended. */
  readonly closed: number
  /** Bytes that the server answered. */
  readonly told: number
}

/** What a flood works with while its time lasts. */
class Flood {
  readonly plan: FloodPlan
  readonly #until: number
  readonly #sockets = new Set<FloodSocket>()
  sent = 0
  closed = 0
  told = 0

  constructor(plan: FloodPlan) {
    this.plan = plan
    this.#until = performance.now() + plan.millis
  }

  get goesOn(): boolean {
    return performance.now() < this.#until
  }

  open(isReading = true): FloodSocket {
    const socket = new FloodSocket(this.plan.port, isReading)
    this.#sockets.add(socket)
    void this.#countEnd(socket)
    return socket
  }

  /** So many at once, each again and again. A connection that was refused is not tried again at once. */
  async repeat(many: number, once: (index: number) => Promise<void>): Promise<void> {
    const one = async (index: number): Promise<void> => {
      while (this.goesOn) {
        await once(index)
        await Bun.sleep(1)
      }
    }
    await this.#timed(Promise.all(Array.from({ length: many }, (_, index) => one(index))))
  }

  async hold(): Promise<void> {
    while (this.goesOn) await Bun.sleep(10)
  }

  finish(): Flooded {
    for (const socket of this.#sockets) {
      this.told += socket.told
      socket.end()
    }
    this.#sockets.clear()
    return { sent: this.sent, closed: this.closed, told: this.told }
  }

  async #countEnd(socket: FloodSocket): Promise<void> {
    await socket.ended
    if (!this.#sockets.delete(socket)) return
    this.told += socket.told
    if (this.goesOn) this.closed += 1
  }

  async #timed(work: Promise<unknown>): Promise<void> {
    await Promise.race([work, Bun.sleep(this.plan.millis)])
  }
}

const from = (index: number): HeaderList => ({ "x-forwarded-for": `198.51.${100 + (index >> 8)}.${index & 255}` })

const bearer = (token: string): HeaderList => ({ authorization: `Bearer ${token}` })

const MIB = 1_048_576
const SMALL = '{"_tag":"Ping"}'

/** A frame of a mebibyte that says as much as fits. */
const smallMessages = (most = Number.POSITIVE_INFINITY): Buffer => {
  const many = Math.min(most, Math.floor((MIB - 2) / (SMALL.length + 1)))
  return frameOf(Buffer.from(`[${Array.from({ length: many }, () => SMALL).join(",")}]`))
}

const frames = async (flood: Flood, upgrade: Buffer, frame: Buffer): Promise<void> => {
  const socket = flood.open()
  await socket.send(upgrade)
  if (await socket.answered()) {
    while (socket.isOpen && flood.goesOn) {
      await socket.send(frame)
      flood.sent += 1
    }
  }
  socket.end()
}

const requests = (messages: number): Buffer => {
  const one = (id: number): string => JSON.stringify({ _tag: "Request", id, tag: "balances", payload: {}, headers: [] })
  return frameOf(Buffer.from(`[${Array.from({ length: messages }, (_, index) => one(index)).join(",")}]`))
}

/** As many requests as were seen to stall everybody, on one connection. */
const PIPELINED = 334_000

const pipeline = async (flood: Flood, line: string, headers: HeaderList): Promise<void> => {
  const one = headOf(line, headers)
  const many = Buffer.concat(Array.from({ length: 1_000 }, () => one))
  const socket = flood.open()
  for (let sent = 0; sent < PIPELINED && socket.isOpen && flood.goesOn; sent += 1_000) {
    await socket.send(many)
    flood.sent += 1_000
  }
  if (flood.goesOn && socket.isOpen) await Promise.race([socket.ended, flood.hold()])
  socket.end()
}

/** Requests one after the other on a connection, which is opened again when it was closed. */
const inTurn = async (flood: Flood, request: () => Buffer): Promise<void> => {
  const socket = flood.open()
  while (socket.isOpen && flood.goesOn) {
    socket.head = ""
    await socket.send(request())
    flood.sent += 1
    await socket.answered()
  }
  socket.end()
}

const CALLERS = 100_500

/** So many that none of them asks more than it may, however fast they are answered. */
const ORDINARY_CALLERS = 4_000

const addresses = (flood: Flood, callers: number): Promise<void> => {
  let caller = 0
  const next = (): Buffer => {
    caller = (caller + 1) % callers
    const address = `10.${caller >> 16}.${(caller >> 8) & 255}.${caller & 255}`
    return headOf("GET /v1/info", { "x-forwarded-for": address })
  }
  return flood.repeat(16, () => inTurn(flood, next))
}

const holding = async (flood: Flood, many: number, open: () => FloodSocket, first: Buffer): Promise<void> => {
  for (let index = 0; index < many && flood.goesOn; index++) {
    await open().send(first)
    flood.sent += 1
    if (index % 64 === 63) await Bun.sleep(1)
  }
  await flood.hold()
}

/** Streams that are opened and whose pieces nobody takes. */
const streams = async (flood: Flood): Promise<void> => {
  const one = (id: number): string =>
    JSON.stringify({ _tag: "Request", id, tag: "subscribe", payload: { snapshot: true }, headers: [] })
  const frame = frameOf(Buffer.from(`[${Array.from({ length: 256 }, (_, index) => one(index)).join(",")}]`))
  await flood.repeat(20, async () => {
    const socket = flood.open()
    await socket.send(upgradeOf("/rpc", bearer(flood.plan.token)))
    if (await socket.answered()) await socket.send(frame)
    flood.sent += 256
    await Promise.race([socket.ended, flood.hold()])
    socket.end()
  })
}

const slowBodies = async (flood: Flood): Promise<void> => {
  const head = headOf("POST /api/arena/commitments", {
    ...bearer(flood.plan.token),
    "content-type": "application/json",
    "content-length": "1000000"
  })
  await flood.repeat(300, async () => {
    const socket = flood.open()
    await socket.send(head)
    while (socket.isOpen && flood.goesOn) {
      await socket.send(Buffer.from("{"))
      flood.sent += 1
      await Bun.sleep(250)
    }
  })
}

const nested = (flood: Flood): Promise<void> => {
  const body = "[".repeat(MIB - 2)
  const request = Buffer.concat([
    headOf("POST /api/arena/commitments", {
      ...bearer(flood.plan.token),
      "content-type": "application/json",
      "content-length": String(body.length)
    }),
    Buffer.from(body)
  ])
  return flood.repeat(8, () => inTurn(flood, () => request))
}

/** A token of the right form whose signature is wrong, another each time. */
const forged = ({ plan }: Flood): Buffer => {
  const [head = "", body = "", signature = ""] = plan.token.split(".")
  const wrong = Buffer.from(crypto.getRandomValues(new Uint8Array(64))).toString("base64url")
  return headOf(`GET /api/arena/orders/${plan.orderId}`, bearer(`${head}.${body}.${wrong || signature}`))
}

const FLOODS = {
  /** Nothing is sent: what a client that is as busy takes from the machine alone. */
  "busy client": async (flood) => {
    while (flood.goesOn) if (Math.floor(performance.now()) % 16 === 0) await Bun.sleep(0)
  },
  /** No flood: as many requests as one connection after the other makes them, none of them too many. */
  "ordinary requests": (flood) => addresses(flood, ORDINARY_CALLERS),
  "strangers' frames of 1 MiB": (flood) =>
    flood.repeat(4, (index) => frames(flood, upgradeOf("/rpc", from(index)), smallMessages())),
  "a user's frames of 1 MiB": (flood) =>
    flood.repeat(8, () => frames(flood, upgradeOf("/rpc", bearer(flood.plan.token)), smallMessages())),
  "a user's frames of 256 messages": (flood) =>
    flood.repeat(8, () => frames(flood, upgradeOf("/rpc", bearer(flood.plan.token)), requests(256))),
  "pipelined requests": (flood) =>
    flood.repeat(1, () => pipeline(flood, `GET /api/arena/orders/${flood.plan.orderId}`, {})),
  "a user's pipelined requests": (flood) =>
    flood.repeat(1, () => pipeline(flood, `GET /api/arena/orders/${flood.plan.orderId}`, bearer(flood.plan.token))),
  "pipelined probes": (flood) => flood.repeat(1, () => pipeline(flood, "GET /health/live", {})),
  "100,500 addresses": (flood) => addresses(flood, CALLERS),
  "10,000 sockets of one address": (flood) =>
    holding(flood, 10_000, () => flood.open(), upgradeOf("/ws/arena", from(0))),
  "5,120 streams that nobody reads": streams,
  "300 readers that do not read": (flood) =>
    holding(flood, 300, () => flood.open(false), headOf("GET /openapi.json", from(1))),
  "frames to the arena's stream": (flood) => {
    const body = JSON.stringify({ type: "subscribe", data: { order_id: Array(600).fill("x".repeat(100)) } })
    return flood.repeat(64, () => frames(flood, upgradeOf("/ws/arena", from(0)), frameOf(Buffer.from(body))))
  },
  "bodies that come slowly": slowBodies,
  "JSON that nests": nested,
  "forged tokens": (flood) => flood.repeat(32, () => inTurn(flood, () => forged(flood)))
} as const satisfies Readonly<Record<string, (flood: Flood) => Promise<void>>>

export type FloodKind = keyof typeof FLOODS

export const FLOOD_KINDS = Object.keys(FLOODS) as ReadonlyArray<FloodKind>

/** Plays a flood as long as it is to last. */
export const play = async (plan: FloodPlan): Promise<Flooded> => {
  const flood = new Flood(plan)
  await FLOODS[plan.kind](flood)
  return flood.finish()
}
