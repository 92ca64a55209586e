import type { Context } from "effect"
import { Headers, HttpServerResponse } from "effect/http"
import type { CarriedResponse } from "../runtime/ServerRuntime.ts"
import type { Exchange } from "./Exchange.ts"
import type { PlainResponse } from "./PlainResponse.ts"

/** Makes of a response that has all its headers what is sent. */
export type Render<Sent> = (exchange: Exchange, response: PlainResponse, context: Context.Context<never>) => Sent

/** The runtime's own, for whoever asked by a request of its own. */
export const toWeb: Render<Response> = ({ request, web }, { body, headers, routed, status }, context) => {
  const withoutBody = request.method === "HEAD"
  if (routed === undefined) return new Response(withoutBody ? null : body, { status, headers })
  const response = HttpServerResponse.setHeaders(routed, Headers.fromRecordUnsafe(headers))
  return HttpServerResponse.toWeb(response, { withoutBody, context, signal: web.signal })
}

/** For a message. What the router answers may be more than headers and a text. */
export const toCarried: Render<CarriedResponse> = (exchange, response, context) =>
  response.routed === undefined ? response : toWeb(exchange, response, context)
