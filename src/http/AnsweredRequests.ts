import { Context } from "effect"
import type { Exchange } from "./Exchange.ts"
import type { PlainResponse } from "./PlainResponse.ts"

/**
 * Hears of every answer to an HTTP request, and the time from its arrival in nanoseconds. Must cost next to nothing, and
 * must not keep the exchange.
 */
export type NoteAnswer = (exchange: Exchange, response: PlainResponse, nanos: bigint) => void

/** Notes how requests were answered. Nobody does by default. */
export const AnsweredRequests = Context.Reference<NoteAnswer>("emporion/http/AnsweredRequests", {
  defaultValue: () => () => {}
})
