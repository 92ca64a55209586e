/** Runs a request whose answer may be kept at most once under its key, or under the name that another node gave it. */

import { Effect } from "effect"
import type { Exchange } from "./Exchange.ts"
import type { Answering } from "./FastEndpoints.ts"
import type { Begun, Idempotency, ReadRequest } from "./Idempotency.ts"
import { type KeyedRequest, IdempotencyScope } from "./IdempotencyScope.ts"
import type { PlainResponse } from "./PlainResponse.ts"
import { type Inner, isDirect, isPending, type Outcome, toPending } from "./ResponseWays.ts"
import type { RequestServices } from "./RouterPath.ts"

/** Turns every failure and defect into its response. */
export type Tell = (exchange: Exchange, pending: Answering) => Effect.Effect<PlainResponse, never, RequestServices>

/** Asks a way for its response. From here on a request that changes something may have taken effect. */
export const begin = (exchange: Exchange, inner: Inner): Outcome => {
  exchange.facts.begun = exchange.request.method
  return inner(exchange)
}

/** The key of a request, with all that it covers but the body. */
const sentOf = ({ facts, request, target }: Exchange, key: string): Omit<ReadRequest, "body"> => ({
  method: request.method,
  key,
  contentType: request.headers.get("content-type") ?? "",
  query: target.slice(facts.path.length)
})

/** Goes on with a request that has begun, to the end of what its response has to wait for. Whoever is given the outcome asks for it. */
const goOn = (tell: Tell, exchange: Exchange, inner: Inner, begun: Begun): Outcome => {
  const { end, keeping, scope } = begun
  exchange.keyed = scope
  const ended = (pending: Answering): Answering => Effect.ensuring(pending, Effect.sync(end))
  const kept = (response: PlainResponse): PlainResponse | Answering => {
    const waiting = keeping(response)
    if (waiting !== undefined) return ended(waiting)
    end()
    return response
  }
  const told = (pending: Answering): Answering =>
    ended(
      Effect.flatMap(Effect.provideService(tell(exchange, pending), IdempotencyScope, scope), (response) =>
        toPending(kept(response))
      )
    )
  const fault = (error: unknown): Answering => told(Effect.die(error))
  const given = (outcome: PlainResponse | Answering): PlainResponse | Answering => {
    if (isPending(outcome)) return told(outcome)
    try {
      return kept(outcome)
    } catch (error) {
      return fault(error)
    }
  }
  const asked = (): Outcome => {
    const outcome = begin(exchange, inner)
    if (isPending(outcome) || !isDirect(outcome)) return given(outcome)
    return {
      answering: told(outcome.answering),
      begin: (give) => {
        try {
          return outcome.begin((told) => give(given(told)))
        } catch (error) {
          end()
          throw error
        }
      }
    }
  }
  try {
    return asked()
  } catch (error) {
    return fault(error)
  }
}

/** Answers requests whose answer may be kept, where their caller or another node asks for that. */
export const keyedAnswering = (
  idempotency: Idempotency["Service"],
  tell: Tell
): ((exchange: Exchange, inner: Inner) => Outcome) => {
  const answering = (exchange: Exchange, inner: Inner) => {
    const answer = Effect.suspend(() => tell(exchange, toPending(begin(exchange, inner))))
    return (keyed: KeyedRequest) =>
      Effect.suspend(() => {
        exchange.keyed = keyed
        return Effect.provideService(answer, IdempotencyScope, keyed)
      })
  }
  /** Of who asks nobody before, a fault is answered as every other one. */
  const answeringFaults = (way: () => Outcome): Outcome => {
    try {
      return way()
    } catch (error) {
      return Effect.die(error)
    }
  }
  const underKey = (exchange: Exchange, key: string, inner: Inner): Outcome => {
    const { facts, now, server, text } = exchange
    const sent = sentOf(exchange, key)
    const begun = text === undefined ? undefined : idempotency.begin(facts, { ...sent, body: text }, now)
    if (begun !== undefined) return goOn(tell, exchange, inner, begun)
    return Effect.flatMap(server.text, (body) =>
      idempotency.serve(facts, { ...sent, body }, answering(exchange, inner))
    )
  }
  return (exchange, inner) => {
    const key = exchange.request.headers.get("idempotency-key")
    if (key !== null) return answeringFaults(() => underKey(exchange, key, inner))
    const sending = exchange.carried?.sending
    if (sending === undefined) return begin(exchange, inner)
    const begun = idempotency.beginNamed(sending)
    if (begun !== undefined) return goOn(tell, exchange, inner, begun)
    return idempotency.serveNamed(sending, answering(exchange, inner))
  }
}
