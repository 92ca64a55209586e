import type { Answer, CallOf, Operation } from "./Contract.ts"
import { after, now, randomId } from "./Platform.ts"
import { Refused, refusalOf, refusedBy } from "./Refused.ts"

/** An answer with what its headers say. */
export interface Answered<A> {
  readonly body: A
  /** `X-Total-Count` of a list. */
  readonly total: number | undefined
  /** What `after` has for the next page, by the `Link` of a list; undefined on the last one. */
  readonly next: string | undefined
}

/** The caller's requests that are still allowed in this minute. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** Seconds since 1970 at which the next minute begins. */
  readonly reset: number
}

interface Sent {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly payload?: unknown
}

const NEXT = /[?&]after=([^&>]+)[^>]*>; rel="next"/

/** How long one request may take, in milliseconds. */
const PATIENCE = 30_000

/** A token that ends within so many milliseconds is replaced before it is used. */
const RENEW_BEFORE = 60_000

interface Token {
  readonly text: string
  readonly until: number
}

/** The one access token, in memory alone: nothing that a later page or another site could read. */
let token: Token | undefined
let renewal: Promise<boolean> | undefined
let allowance: Allowance | undefined
let onEnd: () => void = () => {}

/** Keeps the access token for the calls to come. */
export const keepToken = (text: string, seconds: number): void => {
  token = { text, until: now() + seconds * 1000 }
}

/** Forgets the access token. */
export const forgetToken = (): void => {
  token = undefined
}

/** Hears that the session has ended, so that the person is asked to sign in again. */
export const whenSignedOut = (listener: () => void): void => {
  onEnd = listener
}

/** What the newest answer said of the rate limit. */
export const allowanceNow = (): Allowance | undefined => allowance

const pathOf = (template: string, { params = {}, query = {} }: Sent): string => {
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]]
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

const noteAllowance = ({ headers }: Response): void => {
  const limit = Number(headers.get("x-ratelimit-limit"))
  if (limit > 0) {
    const [remaining, reset] = [headers.get("x-ratelimit-remaining"), headers.get("x-ratelimit-reset")].map(Number)
    allowance = { limit, remaining: remaining ?? 0, reset: reset ?? 0 }
  }
}

const bodyOf = (response: Response): Promise<unknown> =>
  response.headers.get("content-type")?.includes("json") === true
    ? response.json().catch(() => undefined)
    : response.text().catch(() => undefined)

const send = async (method: string, path: string, sent: Sent, key: string | undefined, bearer: string | undefined) => {
  const abort = new AbortController()
  const calledOff = after(PATIENCE, () => abort.abort())
  try {
    const response = await fetch(path, {
      method,
      signal: abort.signal,
      credentials: "same-origin",
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(sent.payload === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "idempotency-key": key })
      },
      ...(sent.payload === undefined ? {} : { body: JSON.stringify(sent.payload) })
    })
    const body = await bodyOf(response)
    return { response, body }
  } catch (error) {
    throw refusedBy(error)
  } finally {
    calledOff()
  }
}

/** A new access token for the browser's session. Several that ask at once share one answer. */
export const renew = (): Promise<boolean> => {
  renewal ??= send("POST", "/api/v1/auth/session", {}, undefined, undefined)
    .then(({ response, body }) => {
      if (response.status === 401 || response.status === 403) return false
      if (!response.ok) throw refusalOf(response, body)
      const { access_token, expires_in } = body as Answer<"POST /api/v1/auth/session">
      keepToken(access_token, expires_in)
      return true
    })
    .finally(() => {
      renewal = undefined
    })
  return renewal
}

const bearer = async (): Promise<string | undefined> => {
  if (token !== undefined && token.until - now() < RENEW_BEFORE) await renew()
  return token?.text
}

/**
 * Calls an operation of the contract with the person's token. A token that was refused is renewed once by the session's
 * cookie. Rejects with a {@link Refused}.
 */
export const call = async <O extends Operation>(operation: O, given: CallOf<O>): Promise<Answered<Answer<O>>> => {
  const [method = "", template = ""] = operation.split(" ")
  const sent = given as Sent
  const path = pathOf(template, sent)
  const key = method === "POST" ? randomId() : undefined
  const first = await send(method, path, sent, key, await bearer())
  const isStale = first.response.status === 401 && token !== undefined
  const renewed = isStale && (await renew())
  if (isStale && !renewed) {
    forgetToken()
    onEnd()
  }
  const { body, response } = renewed ? await send(method, path, sent, key, await bearer()) : first
  noteAllowance(response)
  if (!response.ok) throw refusalOf(response, body)
  const total = response.headers.get("x-total-count")
  const next = NEXT.exec(response.headers.get("link") ?? "")?.[1]
  return {
    body: body as Answer<O>,
    total: total === null ? undefined : Number(total),
    next: next === undefined ? undefined : decodeURIComponent(next)
  }
}

/** The access token for what cannot be called as an operation, such as a download. Rejects where there is none. */
export const currentToken = async (): Promise<string> => {
  const text = await bearer()
  if (text === undefined) throw new Refused(401, "unauthorized", "Sign in first.")
  return text
}
