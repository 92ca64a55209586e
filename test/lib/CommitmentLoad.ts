import { Effect } from "effect"
import { type Answer, post, sendAsync } from "./Requests.ts"
import type { ServerProcess } from "./ServerProcess.ts"

/** Milliseconds until a refused sender looks for orders that take commitments, and sends again. */
const POLL = 20

/** One request in this many mints money instead of committing. */
const MINT_EVERY = 20

/** Settings under which orders open, close and settle all the time. */
export const QUICK_ARENA = {
  ARENA_SLOT_SECONDS: "4",
  ARENA_COMMIT_WINDOW_SECONDS: "6",
  ARENA_SETTLEMENT_DELAY_SECONDS: "2",
  ARENA_PRICE_INTERVAL_SECONDS: "1"
}

/** Who sends: a person or a service with a token and money. */
export interface Trader {
  readonly token: string
  readonly userId: string
}

/** A request with a key of its own, and what came of it. */
export interface Attempt {
  readonly trader: Trader
  readonly path: string
  readonly key: string
  readonly body: unknown
  /** Undefined while there is none: the connection was lost. */
  answer: Answer | undefined
  /** How long the last answer took. */
  millis?: number
}

interface ListedOrder {
  readonly order_id: string
  readonly entry_price: number
  readonly status: string
}

const sent = (url: string, init: RequestInit): Effect.Effect<Answer | undefined> =>
  Effect.promise(() => sendAsync(url, init).catch(() => undefined))

const answered = (url: string, init: RequestInit): Effect.Effect<Answer> =>
  Effect.flatMap(sent(url, init), (answer) =>
    answer?.status === 200 ? Effect.succeed(answer) : Effect.die(new Error(`${url} answered ${answer?.text}`))
  )

const traderOf = ({ json }: Answer): Trader => {
  const { access_token: token } = json as { access_token: string }
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sub: string }
  return { token, userId: claims.sub }
}

/** Signs in as the sandbox's service and as the demo's person. */
export const signIn = ({
  url,
  client,
  person
}: Pick<ServerProcess, "url" | "client" | "person">): Effect.Effect<ReadonlyArray<Trader>> =>
  Effect.map(
    Effect.all([
      answered(
        `${url}/api/v1/auth/token`,
        post({ grant_type: "client_credentials", client_id: client.name, client_secret: client.secret })
      ),
      answered(`${url}/api/v1/auth/login`, post({ email: person.name, password: person.secret }))
    ]),
    (answers) => answers.map(traderOf)
  )

/** Sends the attempt, again with its key if it was sent before, and keeps the answer. */
export const attempt = (url: string, one: Attempt): Effect.Effect<Answer | undefined> =>
  Effect.suspend(() => {
    const began = performance.now()
    return Effect.map(
      sent(url + one.path, post(one.body, { "idempotency-key": one.key }, one.trader.token)),
      (answer) => {
        one.millis = performance.now() - began
        one.answer = answer
        return answer
      }
    )
  })

const openOrders = (url: string, { token }: Trader): Effect.Effect<ReadonlyArray<ListedOrder>> =>
  Effect.map(sent(`${url}/api/arena/orders?limit=20`, { headers: { authorization: `Bearer ${token}` } }), (answer) => {
    if (answer?.status !== 200) return []
    const { orders } = answer.json as { orders: ReadonlyArray<ListedOrder> }
    return orders.filter(({ status }) => status === "open" || status === "competing")
  })

const commitment = (trader: Trader, order: ListedOrder, key: string, number: number): Attempt => ({
  trader,
  path: "/api/arena/commitments",
  key,
  body: {
    order_id: order.order_id,
    proposed_entry_price: order.entry_price,
    expected_exit_price: Number((order.entry_price * 1.05).toFixed(6)),
    quantity: Number((0.001 + number * 0.000001).toFixed(6))
  },
  answer: undefined
})

const mint = (trader: Trader, key: string): Attempt => ({
  trader,
  path: "/v1/funds",
  key,
  body: { owner: trader.userId, type: "USD", symbol: "1.5" },
  answer: undefined
})

interface LoadOptions {
  readonly url: string
  readonly traders: ReadonlyArray<Trader>
  /** The prefix of its keys. */
  readonly name: string
  /** Requests under way at the same time. */
  readonly workers: number
  /** Most requests that it sends. */
  readonly limit: number
  /** Told of every attempt once it was answered or lost. */
  readonly onEnd: (attempt: Attempt) => void
  /** Asked before every request. */
  readonly isOver: () => boolean
}

/** Commits to the open orders, and mints now and then, until it is told to stop. Answers every attempt. */
export const load = (options: LoadOptions): Effect.Effect<ReadonlyArray<Attempt>> =>
  Effect.gen(function* () {
    const { url, traders, name, workers, limit, onEnd, isOver } = options
    const attempts: Array<Attempt> = []
    let orders: ReadonlyArray<ListedOrder> = []

    const next = (number: number): Attempt | undefined => {
      const trader = traders[number % traders.length]
      const order = orders[number % orders.length]
      if (trader === undefined) return undefined
      const key = `${name}-${number}`
      if (number % MINT_EVERY === MINT_EVERY - 1) return mint(trader, key)
      return order === undefined ? undefined : commitment(trader, order, key, number)
    }

    const worker = Effect.gen(function* () {
      while (!isOver() && attempts.length < limit) {
        const one = next(attempts.length)
        if (one === undefined) {
          yield* Effect.sleep(POLL)
          orders = yield* openOrders(url, traders[0]!)
          continue
        }
        attempts.push(one)
        const answer = yield* attempt(url, one)
        onEnd(one)
        if (answer === undefined || answer.status === 200) continue
        yield* Effect.sleep(POLL)
        orders = yield* openOrders(url, one.trader)
      }
    })

    yield* Effect.all(
      Array.from({ length: workers }, () => worker),
      { concurrency: "unbounded", discard: true }
    )
    return attempts
  })
