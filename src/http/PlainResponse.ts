import { HttpServerResponse } from "effect/http"

type Routed = HttpServerResponse.HttpServerResponse

/** A response before it gets the headers that every response has. */
export interface PlainResponse {
  readonly status: number
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined if it has none, or if only {@link routed} has it. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** As the router made it: it may set cookies, and its body may be a stream. */
  readonly routed?: Routed
}

export const JSON_TYPE = "application/json"

const JSON_HEADERS = { "content-type": JSON_TYPE }

/** A response whose body is JSON. */
export const ofJson = (
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
  headers?: Readonly<Record<string, string>>
): PlainResponse => ({
  status,
  headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers },
  body
})

/** A response of the router, or of a handler alone. */
export const ofRouted = (routed: Routed): PlainResponse => {
  const { body, headers, status } = routed
  return { status, headers, body: body._tag === "Uint8Array" ? new Uint8Array(body.body) : undefined, routed }
}

/** The same, as code behind the router gives it. */
export const toRouted = ({ body, headers, routed, status }: PlainResponse): Routed => {
  if (routed !== undefined) return routed
  const { "content-type": contentType, ...others } = headers
  const options = { status, headers: others, ...(contentType !== undefined && { contentType }) }
  if (body === undefined) return HttpServerResponse.empty({ status, headers })
  return typeof body === "string"
    ? HttpServerResponse.text(body, options)
    : HttpServerResponse.uint8Array(body, options)
}
