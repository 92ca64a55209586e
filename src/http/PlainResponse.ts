import { HttpServerResponse } from "effect/http"

type Routed = HttpServerResponse.HttpServerResponse

/** A response before it is given the headers that every one has. */
export interface PlainResponse {
  readonly status: number
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined where it has none, or only {@link routed} has it. */
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

/** What the router made, or a handler by itself. */
export const ofRouted = (routed: Routed): PlainResponse => {
  const { body, headers, status } = routed
  return { status, headers, body: body._tag === "Uint8Array" ? new Uint8Array(body.body) : undefined, routed }
}

/** The same as what runs behind the router gives it. */
export const toRouted = ({ body, headers, routed, status }: PlainResponse): Routed => {
  if (routed !== undefined) return routed
  const { "content-type": contentType, ...others } = headers
  const options = { status, headers: others, ...(contentType !== undefined && { contentType }) }
  if (body === undefined) return HttpServerResponse.empty({ status, headers })
  return typeof body === "string"
    ? HttpServerResponse.text(body, options)
    : HttpServerResponse.uint8Array(body, options)
}
