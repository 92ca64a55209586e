import { expect } from "bun:test"
import { Effect } from "effect"
import { type Code, CATALOGUE, shapeOf } from "../../src/api/ApiError.ts"
import { type FieldError, MAX_FIELD_ERRORS, namedIn } from "../../src/api/FieldError.ts"
import { useExchange } from "./SecretMonitor.ts"

/** An HTTP answer with its body read; `json` is undefined where the body is no JSON. */
export interface Answer<T = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: T
}

const LEAKS = /\bat .*\.[jt]s:\d+|node_modules|\/src\/|"_tag"/

const KEYS = {
  platform: ["code", "message"],
  arena: ["code", "message", "success"],
  oauth: ["code", "error", "error_description", "message"]
}

interface Refusal {
  readonly code: Code
  readonly message: string
  readonly errors?: ReadonlyArray<FieldError>
  readonly request_id?: string
}

/** A message that names a field stands beside all of them, and beside the request's id. */
const expectFaults = ({ code, errors, message, request_id: id }: Refusal, headers: Headers): void => {
  if (code !== "invalid_request" && errors === undefined) return
  const [first] = namedIn(message)
  expect(errors?.[0]).toEqual(first)
  expect([errors?.length === 0, (errors?.length ?? 0) > MAX_FIELD_ERRORS]).toEqual([false, false])
  expect(id).toEqual(first === undefined ? undefined : (headers.get("x-request-id") ?? ""))
}

const expectRefusal = (path: string, { headers, json, status }: Answer): void => {
  const { errors: _, request_id: __, ...refusal } = json as Refusal
  const { code, message } = refusal
  expect(CATALOGUE[code]?.status as number).toBe(status)
  expect(message.length).toBeGreaterThan(0)
  expect(message.length).toBeLessThanOrEqual(1_000)
  expect(Object.keys(refusal).toSorted()).toEqual(KEYS[shapeOf(path)])
  if (headers.get("idempotency-replayed") === null) expectFaults(json as Refusal, headers)
  if (status === 401) expect(headers.get("www-authenticate")).not.toBeNull()
  if (status === 405) expect(headers.get("allow")).not.toBeNull()
  if (status === 429 || status === 503) expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
}

/** What every answer of the platform must be, whatever was asked. Specification 4.3, 7, 8. */
const expectOrderly = (method: string, path: string, answer: Answer): void => {
  for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
    expect(answer.headers.get(name)).toMatch(/^\d+$/)
  }
  expect(answer.text).not.toMatch(LEAKS)
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false
  if (method === "HEAD" || (answer.status < 400 && !isJson)) return
  expect(isJson).toBe(true)
  expect(answer.json).toBeInstanceOf(Object)
  if (shapeOf(path) === "arena") expect(answer.json).toMatchObject({ success: answer.status < 400 })
  if (answer.status >= 400) expectRefusal(path, answer)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends a request and reads its answer, outside of Effect. */
export const sendAsync = async (url: string, init: RequestInit): Promise<Answer> => {
  const response = await fetch(url, { redirect: "manual", ...init })
  const text = await response.text()
  const answer = { status: response.status, headers: response.headers, text, json: parsed(text) }
  useExchange(init, answer)
  return answer
}

/** Sends a request and reads its answer. */
export const send = (url: string, init: RequestInit = {}): Effect.Effect<Answer> =>
  Effect.promise((signal) => sendAsync(url, { signal, ...init }))

/** Sends a request, reads its answer, and expects of it what holds of every answer of the platform. */
export const ask = async (base: string, path: string, init: RequestInit = {}): Promise<Answer> => {
  const answer = await sendAsync(`${base}${path}`, init)
  expectOrderly(init.method ?? "GET", new URL(`${base}${path}`).pathname, answer)
  return answer
}

/** A POST of JSON, with a token and further headers. */
export const post = (body: unknown, headers: Readonly<Record<string, string>> = {}, token?: string): RequestInit => ({
  method: "POST",
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: {
    "content-type": "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...headers
  }
})
