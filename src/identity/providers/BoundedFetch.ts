import type { CustomFetch } from "openid-client"

/** The largest body that is read from a provider, in bytes. */
export const BODY_LIMIT_BYTES = 1_048_576

const bounded = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
  let size = 0
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        size += bytes.length
        if (size > BODY_LIMIT_BYTES) controller.error(new TypeError(`the body is over ${BODY_LIMIT_BYTES} bytes`))
        else controller.enqueue(bytes)
      }
    })
  )
}

/** A fetch that follows no redirect and reads no endless body. */
export const boundedFetch: CustomFetch = (url, { body: sent, headers: fields, method, signal }) =>
  fetch(url, {
    method,
    headers: fields,
    body: sent instanceof Uint8Array ? new Uint8Array(sent) : (sent ?? null),
    redirect: "manual",
    signal: signal ?? null
  }).then(
    ({ body, headers, status, statusText }) =>
      new Response(body === null ? null : bounded(body), { headers, status, statusText })
  )
