import { percentile } from "./Sample.ts"

/** Batches of commitments over sockets to `/rpc`, in turns over the orders. */
export interface FastLanePlan {
  readonly port: number
  readonly connections: number
  /** Commitments in one message. */
  readonly batch: number
  readonly millis: number
  readonly orderIds: ReadonlyArray<string>
  /** One caller a connection. */
  readonly tokens: ReadonlyArray<string>
  /** What every commitment asks for beside its order, as JSON fields. */
  readonly terms: string
  /**
   * Commitments a second, planned whatever becomes of those before. Without it each connection sends its next batch
   * when the answer to the one before is there.
   */
  readonly rate?: number
  /** Which caller is the first. */
  readonly seed: number
}

/** Latencies are milliseconds from when a batch was planned to its answer. */
export interface FastLaneResult {
  /** Commitments that were accepted within the time. */
  readonly answered: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
  /** The first answer that holds a refusal. */
  readonly refusal: string
}

/** How long answers are awaited beyond the time, in milliseconds, and how often is looked. */
const PATIENCE = 10_000
const POLL = 5

const TICK = 1

/** The messages without their ids: as many as it takes until they repeat. */
const messagesOf = ({ batch, orderIds, terms }: FastLanePlan): ReadonlyArray<string> =>
  orderIds.map((_, turn) => {
    const items = Array.from({ length: batch }, (_, index) => {
      const orderId = orderIds[(turn * batch + index) % orderIds.length]
      return `{"order_id":"${orderId}",${terms}}`
    })
    return `"tag":"commitBatch","headers":[],"payload":{"items":[${items.join(",")}]}}`
  })

interface Client {
  readonly socket: WebSocket
  /** When what has no answer yet was planned, in the order of sending: a connection's answers may overtake. */
  readonly underWay: Map<string, number>
}

/** A connection that has said for whom it speaks. */
const connect = (port: number, token: string): Promise<Client> => {
  const named = Promise.withResolvers<Client>()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc?format=json`)
  const client: Client = { socket, underWay: new Map() }
  const payload = { access_token: token }
  const message = { _tag: "Request", id: "0", tag: "authenticate", headers: [], payload }
  socket.addEventListener("open", () => socket.send(JSON.stringify(message)))
  socket.addEventListener("message", () => named.resolve(client), { once: true })
  socket.addEventListener("close", ({ reason }) => named.reject(new Error(`the server closed a connection: ${reason}`)))
  return named.promise
}

const REQUEST_ID = /"requestId":"?(\d+)/

class Run {
  readonly latencies: Array<number> = []
  refusal = ""
  isOver = false
  #sent = 0
  readonly #messages: ReadonlyArray<string>

  constructor(plan: FastLanePlan) {
    this.#messages = messagesOf(plan)
  }

  send({ socket, underWay }: Client, planned: number): void {
    this.#sent += 1
    const id = String(this.#sent)
    underWay.set(id, planned)
    socket.send(`{"_tag":"Request","id":"${id}",${this.#messages[this.#sent % this.#messages.length]}`)
  }

  /** Whether it was an answer. */
  take({ underWay }: Client, frame: string): boolean {
    const [, id = ""] = REQUEST_ID.exec(frame.slice(0, 200)) ?? REQUEST_ID.exec(frame) ?? []
    const planned = underWay.get(id)
    if (planned === undefined) return false
    underWay.delete(id)
    if (!frame.includes('"Accepted"') || frame.includes('"Refused"')) this.refusal ||= frame.slice(0, 1_000)
    if (!this.isOver) this.latencies.push(performance.now() - planned)
    return true
  }
}

const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

const eventually = async (isSo: () => boolean): Promise<void> => {
  const until = performance.now() + PATIENCE
  while (!isSo() && performance.now() < until) await sleep(POLL)
}

/** Each connection's next batch follows the answer to the one before. */
const inTurn = async (run: Run, clients: ReadonlyArray<Client>, { millis }: FastLanePlan): Promise<void> => {
  for (const client of clients) {
    client.socket.addEventListener("message", ({ data }) => {
      if (run.take(client, String(data)) && !run.isOver) run.send(client, performance.now())
    })
    run.send(client, performance.now())
  }
  await sleep(millis)
  await eventually(() => run.latencies.length > 0)
}

/** Batches leave at their times, on one connection after the other. */
const atRate = async (run: Run, clients: ReadonlyArray<Client>, plan: FastLanePlan, rate: number): Promise<void> => {
  for (const client of clients) {
    client.socket.addEventListener("message", ({ data }) => void run.take(client, String(data)))
  }
  const every = (plan.batch / rate) * 1_000
  const begun = performance.now()
  let batches = 0
  // All that was planned within the time is sent, however late the timer comes.
  while (batches * every < plan.millis) {
    while (batches * every < plan.millis && begun + batches * every <= performance.now()) {
      const client = clients[batches % clients.length]
      if (client !== undefined) run.send(client, begun + batches * every)
      batches += 1
    }
    await sleep(TICK)
  }
  // What was sent in time counts, however long it takes.
  await eventually(() => clients.every(({ underWay }) => underWay.size === 0))
}

/** Loads the fast lane of this machine, and answers when the time is over. */
export const loadFastLane = async (plan: FastLanePlan): Promise<FastLaneResult> => {
  const run = new Run(plan)
  const clients = await Promise.all(
    Array.from({ length: plan.connections }, (_, index) =>
      connect(plan.port, plan.tokens[(plan.seed + index) % plan.tokens.length] ?? "")
    )
  )
  const begun = performance.now()
  await (plan.rate === undefined ? inTurn(run, clients, plan) : atRate(run, clients, plan, plan.rate))
  run.isOver = true
  const seconds = (performance.now() - begun) / 1_000
  await eventually(() => clients.every(({ underWay }) => underWay.size === 0))
  for (const { socket } of clients) socket.close()
  const ascending = Float64Array.from(run.latencies).sort()
  const answered = ascending.length * plan.batch
  return {
    answered,
    perSecond: answered / seconds,
    p50: percentile(ascending, 0.5),
    p99: percentile(ascending, 0.99),
    p999: percentile(ascending, 0.999),
    refusal: run.refusal
  }
}
