import { Effect } from "effect"
import type { Scope } from "effect"
import { stall } from "./PriceServer.ts"

/** What happens to the requests that come next, one each: they are carried out and not answered, or neither. */
export type Trouble = "stalls" | "stalls after" | "breaks" | "breaks after" | "limits"

interface Intent {
  readonly id: string
  readonly amount: number
  readonly paymentId: string
  status: string
  error: string | null
}

interface Stored {
  readonly status: number
  readonly body: string
}

/** A few calls of Stripe's API, as its documentation tells them, on a local port. */
export interface StripeServer {
  readonly url: URL
  readonly intents: ReadonlyMap<string, Intent>
  /** Cents refunded by intent. */
  readonly refunds: ReadonlyMap<string, number>
  /** Each request as `METHOD path key`. */
  readonly requests: ReadonlyArray<string>
  /** What the next requests run into. */
  readonly trouble: Array<Trouble>
  /** What a dispute of an intent says; none where it is not there. */
  readonly disputes: Map<string, string>
  /** Forgets all keys, as Stripe does after a day. */
  readonly forget: () => void
}

const json = (status: number, body: unknown): Stored => ({ status, body: JSON.stringify(body) })

const failure = (status: number, type: string, code: string, decline?: string): Stored =>
  json(status, {
    error: { type, code, message: "no", ...(decline === undefined ? {} : { decline_code: decline }) }
  })

const listOf = (data: ReadonlyArray<unknown>) => json(200, { object: "list", data, has_more: false, url: "/" })

class Ledger {
  readonly intents = new Map<string, Intent>()
  readonly refunds = new Map<string, number>()
  readonly refunded: Array<{ id: string; status: string; intent: string; metadata: Record<string, string> }> = []
  readonly disputes = new Map<string, string>()

  answer(method: string, path: string, form: URLSearchParams, query: URLSearchParams): Stored {
    const [, , kind, id = "", act] = path.split("/")
    if (kind === "refunds") return method === "POST" ? this.refund(form) : this.refundsOf(query)
    if (kind === "disputes") return this.disputesOf(query.get("payment_intent") ?? "")
    if (kind !== "payment_intents") return failure(404, "invalid_request_error", "resource_missing")
    if (id === "search") return this.search(query.get("query") ?? "")
    if (method === "POST" && id === "") return this.create(form)
    const intent = this.intents.get(id)
    if (intent === undefined) return failure(404, "invalid_request_error", "resource_missing")
    if (act === undefined) return this.show(intent)
    if (intent.status !== "requires_capture") {
      return failure(400, "invalid_request_error", "payment_intent_unexpected_state")
    }
    intent.status = act === "capture" ? "succeeded" : "canceled"
    return this.show(intent)
  }

  create(form: URLSearchParams): Stored {
    const method = form.get("payment_method") ?? ""
    const shape = [form.get("capture_method"), form.get("confirm"), form.get("currency")].join()
    if (shape !== "manual,true,usd") return failure(400, "invalid_request_error", "parameter_invalid")
    const intent: Intent = {
      id: `pi_${this.intents.size + 1}`,
      amount: Number(form.get("amount")),
      paymentId: form.get("metadata[payment_id]") ?? "",
      status: method === "pm_declined" ? "requires_payment_method" : "requires_capture",
      error: method === "pm_declined" ? "insufficient_funds" : null
    }
    this.intents.set(intent.id, intent)
    return intent.error === null ? this.show(intent) : failure(402, "card_error", "card_declined", intent.error)
  }

  refund(form: URLSearchParams): Stored {
    const intent = this.intents.get(form.get("payment_intent") ?? "")
    const amount = Number(form.get("amount"))
    if (intent === undefined) return failure(404, "invalid_request_error", "resource_missing")
    if (this.disputes.has(intent.id)) return failure(400, "invalid_request_error", "charge_disputed")
    const before = this.refunds.get(intent.id) ?? 0
    if (intent.status !== "succeeded" || before + amount > intent.amount) {
      return failure(400, "invalid_request_error", "charge_already_refunded")
    }
    this.refunds.set(intent.id, before + amount)
    const metadata = { key: form.get("metadata[key]") ?? "" }
    const made = { id: `re_${this.refunded.length + 1}`, status: "succeeded", intent: intent.id, metadata }
    this.refunded.push(made)
    return json(200, { object: "refund", ...made })
  }

  refundsOf(query: URLSearchParams): Stored {
    return listOf(this.refunded.filter(({ intent }) => intent === query.get("payment_intent")))
  }

  disputesOf(intent: string): Stored {
    const status = this.disputes.get(intent)
    const amount = this.intents.get(intent)?.amount
    return listOf(status === undefined ? [] : [{ id: `dp_${intent}`, object: "dispute", amount, status }])
  }

  search(query: string): Stored {
    const found = [...this.intents.values()].filter(({ paymentId }) => query.includes(`'${paymentId}'`))
    return listOf(found.map((intent) => this.shape(intent)))
  }

  show(intent: Intent): Stored {
    return json(200, this.shape(intent))
  }

  shape({ amount, error, id, status }: Intent) {
    const last_payment_error = error === null ? null : { code: "card_declined", decline_code: error }
    return { id, object: "payment_intent", amount, status, last_payment_error }
  }
}

const sent = ({ body, status }: Stored): Response =>
  new Response(body, { status, headers: { "content-type": "application/json" } })

/** Starts one, for as long as the scope lasts. Its key is `sk_test_stand_in`. */
export const stripeServer: Effect.Effect<StripeServer, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const ledger = new Ledger()
    const kept = new Map<string, Stored>()
    const requests: Array<string> = []
    const trouble: Array<Trouble> = []

    const carriedOut = (request: Request, form: URLSearchParams): Stored => {
      const { pathname, searchParams } = new URL(request.url)
      const key = request.headers.get("idempotency-key") ?? ""
      const before = key === "" ? undefined : kept.get(key)
      if (before !== undefined) return before
      const answer = ledger.answer(request.method, pathname, form, searchParams)
      if (key !== "") kept.set(key, answer)
      return answer
    }

    const respond = (request: Request, text: string): Response | Promise<Response> => {
      const { pathname } = new URL(request.url)
      requests.push(`${request.method} ${pathname} ${request.headers.get("idempotency-key") ?? ""}`.trim())
      if (request.headers.get("authorization") !== "Bearer sk_test_stand_in") {
        return sent(failure(401, "invalid_request_error", "api_key_invalid"))
      }
      const now = trouble.shift()
      if (now === "limits") return sent(failure(429, "invalid_request_error", "rate_limit"))
      if (now === "stalls") return stall(request)
      if (now === "breaks") return sent(failure(500, "api_error", "internal"))
      const answer = carriedOut(request, new URLSearchParams(text))
      if (now === "stalls after") return stall(request)
      return now === "breaks after" ? sent(failure(503, "api_error", "internal")) : sent(answer)
    }

    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => request.text().then((text) => respond(request, text))
    })
    return {
      stop: () => server.stop(true),
      url: new URL(server.url),
      intents: ledger.intents,
      refunds: ledger.refunds,
      disputes: ledger.disputes,
      requests,
      trouble,
      forget: () => kept.clear()
    }
  }),
  ({ stop }) => Effect.promise(stop)
)
