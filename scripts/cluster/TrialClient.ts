import { type Position, positionOf, positionText } from "../../engine/cluster/Position.ts"
import { commitmentMark, mintMark } from "./JournalEvents.ts"
import type { Operation, Outcome, Read, Reply } from "./History.ts"

/** How long a client waits for an answer, in milliseconds, and between two requests that were not answered. */
const ANSWER_LIMIT = 25_000
const AGAIN = 50

/** How long a probe goes on, in milliseconds. */
const PROBE_LIMIT = 60_000

/** How often, at the end, a request is sent again that has no known outcome, and the pause between, in milliseconds. */
const LAST_RETRIES = 40
const LAST_PAUSE = 500

/** The pause between two reads, in milliseconds, and how many may wait: a node that is stopped keeps some for later. */
const READ_PAUSE = 300
const MAX_WAITING = 20

/** Commitments that a read lists. */
const READ_LIMIT = 5

/** How often half of the requests without an answer are sent again at once. The others wait until the end. */
const RETRIES = 4

/** One request in this many mints money, and one asks for more than anybody has. */
const MINT_EVERY = 20
const REFUSED_EVERY = 33

/** Of ten commitments so many are sent once, without a key. */
const KEYLESS_OF_TEN = 4

/** The least quantity of a commitment, of one that is refused, and the least amount of a mint, in 10⁻⁶. */
const QUANTITY = 1_000
const TOO_MUCH = 4_000_000_000_000
const MINTED = 1_000_000

const OK = 200
const CONFLICT = 409
const UNAUTHORIZED = 401
const UNAVAILABLE = 500
const BREAKER_OPEN = "ARENA_009"

/** Who a client acts as. */
export interface Account {
  readonly userId: string
  token: string
  /** Gets another token. */
  readonly signIn: () => Promise<string>
}

/** A node that is asked directly. */
interface Target {
  readonly name: string
  readonly url: string
}

interface OpenOrder {
  readonly order_id: string
  readonly entry_price: number
  readonly status: string
}

/** A request and its operation, of which the replies are still to come. */
interface Sending extends Operation {
  readonly replies: Array<Reply>
  readonly path: string
  readonly body: string
}

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly json: unknown
}

const decimal = (units: number): string => (units / 1_000_000).toFixed(6)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Undefined where the connection was lost, or nothing came in time. */
const ask = async (url: string, init: RequestInit): Promise<Answered | undefined> => {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_LIMIT) })
    return { status: response.status, headers: response.headers, json: parsed(await response.text()) }
  } catch {
    return undefined
  }
}

const codeOf = ({ json }: Answered): unknown => (json as { readonly code?: unknown } | undefined)?.code

/**
 * Whether an answer is the last word. While the first request under a key runs, another one under it is told so. An open
 * circuit breaker refuses with 503: whoever gets there under its key finds nothing executed.
 */
const outcomeOf = (answer: Answered | undefined): Outcome => {
  if (answer === undefined) return "unknown"
  if (codeOf(answer) === BREAKER_OPEN) return "refused"
  if (answer.status >= UNAVAILABLE) return "unknown"
  if (answer.status === OK) return "accepted"
  return answer.status === CONFLICT && answer.headers.has("retry-after") ? "unknown" : "refused"
}

const receiptOf = (answer: Answered | undefined): string | undefined => {
  if (answer?.status !== OK) return undefined
  const { data } = answer.json as { readonly data?: { readonly commitment_id?: string } }
  return data?.commitment_id
}

/** What all clients of a trial share. */
export interface TrialClock {
  /** Milliseconds since the trial began. */
  readonly now: () => number
  readonly isOver: () => boolean
  /** A number that nobody had before. */
  readonly next: () => number
  /** Between the answer to a client's request and its next one, in milliseconds. */
  readonly pause: number
}

/** A client that commits, mints, reads and notes what it saw. */
export class TrialClient {
  readonly operations: Array<Sending> = []
  readonly reads: Array<Read> = []
  /** Reads that were not answered with 200. */
  unanswered = 0
  readonly #name: string
  readonly #account: Account
  readonly #url: string
  readonly #clock: TrialClock
  #orders: ReadonlyArray<OpenOrder> = []
  #position: Position | undefined
  #readCount = 0

  constructor(name: string, account: Account, url: string, clock: TrialClock) {
    this.#name = name
    this.#account = account
    this.#url = url
    this.#clock = clock
  }

  /** Sends one request after another until the trial is over. */
  async write(): Promise<void> {
    while (!this.#clock.isOver()) {
      const one = this.#request(this.#clock.next())
      if (one === undefined) {
        await Bun.sleep(AGAIN)
        await this.#look()
        continue
      }
      const retries = this.operations.length % 2 === 0 && one.isKeyless !== true ? RETRIES : 0
      const outcome = await this.#insist(one, retries)
      if (this.#clock.pause > 0) await Bun.sleep(this.#clock.pause)
      if (outcome === "accepted") continue
      await Bun.sleep(AGAIN)
      await this.#look()
    }
  }

  /** Reads the newest commitments of its account on one node, on and on, until the trial is over. */
  async read(node: Target): Promise<void> {
    const waiting = new Set<Promise<void>>()
    while (!this.#clock.isOver()) {
      if (waiting.size < MAX_WAITING) {
        const one: Promise<void> = this.#readOnce(node).finally(() => waiting.delete(one))
        waiting.add(one)
      }
      await Bun.sleep(READ_PAUSE)
    }
    await Promise.all(waiting)
  }

  /** Every other read names the position of the client's last answer. The rest have to be as new without it. */
  async #readOnce({ name, url }: Target): Promise<void> {
    const began = this.#clock.now()
    this.#readCount += 1
    const position = this.#readCount % 2 === 0 ? this.#position : undefined
    const answer = await ask(`${url}/api/arena/commitments/my?limit=${READ_LIMIT}`, {
      headers: {
        authorization: `Bearer ${this.#account.token}`,
        ...(position !== undefined && { "emporion-position": positionText(position) })
      }
    })
    const shown = this.#shownBy(answer)
    if (answer?.status !== OK) {
      this.unanswered += 1
      return
    }
    const { commitments } = answer.json as { readonly commitments: ReadonlyArray<{ readonly commitment_id: string }> }
    const receipts = commitments.map(({ commitment_id: id }) => id)
    this.reads.push({
      client: this.#name,
      owner: this.#account.userId,
      node: name,
      began,
      named: position?.seq,
      shown: shown?.seq,
      receipts
    })
  }

  /** The position of an answer, which is the client's from now on. */
  #shownBy(answer: Answered | undefined): Position | undefined {
    const shown = positionOf(answer?.headers.get("emporion-position") ?? "")
    if (shown !== undefined) this.#position = shown
    return shown
  }

  /** Mints through one node, once, whatever comes of it: a node that is stopped finds the request later. */
  async knock(url: string): Promise<void> {
    const one = this.#mint(this.#clock.next(), true)
    this.operations.push(one)
    await this.#send(one, url)
  }

  /** Mints through one node until that is acknowledged. */
  async probe(url: string): Promise<void> {
    const one = this.#mint(this.#clock.next(), true)
    this.operations.push(one)
    const until = one.began + PROBE_LIMIT
    while ((await this.#send(one, url)) === "unknown" && this.#clock.now() < until) await Bun.sleep(AGAIN)
  }

  /** Sends again what has no known outcome, and one in so many of what was accepted. */
  async settle(acceptedEvery: number): Promise<void> {
    for (const [index, one] of this.operations.entries()) {
      if (one.isKeyless === true) continue
      const last = one.replies.at(-1)?.outcome
      if (last === "unknown") await this.#resend(one)
      else if (last === "accepted" && index % acceptedEvery === 0) await this.#resend(one)
    }
  }

  async #resend(one: Sending): Promise<void> {
    for (let tries = 0; tries < LAST_RETRIES; tries++) {
      if ((await this.#send(one, this.#url)) !== "unknown") return
      await Bun.sleep(LAST_PAUSE)
    }
  }

  async #insist(one: Sending, retries: number): Promise<Outcome> {
    this.operations.push(one)
    for (let tries = 0; ; tries++) {
      const outcome = await this.#send(one, this.#url)
      if (outcome !== "unknown" || tries >= retries) return outcome
      await Bun.sleep(AGAIN)
    }
  }

  async #send(one: Sending, url: string): Promise<Outcome> {
    const answer = await ask(url + one.path, {
      method: "POST",
      body: one.body,
      // The runtime would itself send a request again whose kept connection was closed.
      keepalive: one.isKeyless !== true,
      headers: {
        "content-type": "application/json",
        ...(one.isKeyless !== true && { "idempotency-key": one.key }),
        authorization: `Bearer ${this.#account.token}`
      }
    })
    this.#shownBy(answer)
    const outcome = outcomeOf(answer)
    one.replies.push({
      at: this.#clock.now(),
      outcome,
      status: answer?.status,
      receipt: receiptOf(answer),
      isReplayed: answer?.headers.get("idempotency-replayed") === "true"
    })
    if (answer?.status === UNAUTHORIZED) this.#account.token = await this.#account.signIn()
    return outcome
  }

  #request(number: number): Sending | undefined {
    if (number % MINT_EVERY === 0) return this.#mint(number, false)
    const order = this.#orders[number % Math.max(1, this.#orders.length)]
    if (order === undefined) return undefined
    const units = number + (number % REFUSED_EVERY === 0 ? TOO_MUCH : QUANTITY)
    const body = {
      order_id: order.order_id,
      proposed_entry_price: order.entry_price,
      expected_exit_price: Number((order.entry_price * 1.05).toFixed(6)),
      quantity: Number(decimal(units))
    }
    const isKeyless = number % 10 < KEYLESS_OF_TEN
    return { ...this.#sending(number, false, "/api/arena/commitments", commitmentMark(String(units)), body), isKeyless }
  }

  #mint(number: number, isDirect: boolean): Sending {
    const units = MINTED + number
    const body = { owner: this.#account.userId, type: "USD", symbol: decimal(units) }
    return this.#sending(number, isDirect, "/v1/funds", mintMark(String(units)), body)
  }

  #sending(number: number, isDirect: boolean, path: string, mark: string, body: object): Sending {
    return {
      client: this.#name,
      owner: this.#account.userId,
      key: `trial-${number}`,
      mark,
      isDirect,
      began: this.#clock.now(),
      replies: [],
      path,
      body: JSON.stringify(body)
    }
  }

  async #look(): Promise<void> {
    const answer = await ask(`${this.#url}/api/arena/orders?limit=20`, {
      headers: { authorization: `Bearer ${this.#account.token}` }
    })
    if (answer?.status !== OK) return
    const { orders } = answer.json as { readonly orders: ReadonlyArray<OpenOrder> }
    this.#orders = orders.filter(({ status }) => status === "open" || status === "competing")
  }
}
