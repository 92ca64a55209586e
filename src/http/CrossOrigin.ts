import type { PlainResponse } from "./PlainResponse.ts"

/** Seconds for which a browser may keep the answer of a preflight. */
const PREFLIGHT_SECONDS = 600

const TAKEN = "authorization, content-type, emporion-position, idempotency-key, x-request-id"

const EXPOSED =
  "allow, emporion-position, idempotency-replayed, link, retry-after, www-authenticate, x-ratelimit-limit, " +
  "x-ratelimit-remaining, x-ratelimit-reset, x-request-id, x-total-count"

/** What pages of other origins may read. They send tokens, never cookies, so no answer allows credentials. */
export interface CrossOrigin {
  /** Headers of every answer, whoever asks. */
  readonly fixedHeaders: Readonly<Record<string, string>>
  /** The `Origin` of a request, if its pages may read answers. */
  readonly allowed: (origin: string | undefined) => string | undefined
}

/** Allows the pages of the origins listed, such as `https://app.example.com`. With none, no answer mentions origins. */
export const make = (origins: ReadonlyArray<string>): CrossOrigin => {
  const listed = new Set(origins)
  return {
    fixedHeaders: listed.size === 0 ? {} : { vary: "Origin" },
    allowed: (origin) => (origin !== undefined && listed.has(origin) ? origin : undefined)
  }
}

/** The headers that let the pages of an allowed origin read an answer. */
export const headersOf = (origin: string): Record<string, string> => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": EXPOSED
})

/** The answer to a browser that asks whether it may send a request to a path that takes these methods. */
export const preflight = (methods: ReadonlyArray<string>): PlainResponse => ({
  status: 204,
  headers: {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": TAKEN,
    "access-control-max-age": String(PREFLIGHT_SECONDS)
  },
  body: undefined
})
