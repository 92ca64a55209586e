import { Duration } from "effect"
import { Cookies } from "effect/http"
import { SESSION_COOKIE } from "../../api/Authorization.ts"
import type { ServerSettings } from "../../Config.ts"

/** Browsers take such a cookie only over https, from this very host, and for all of it. RFC 6265bis, section 4.1.3.2. */
const HOST_PREFIX = "__Host-"

/** A cookie to be set. */
export interface SessionCookie {
  readonly name: string
  readonly value: string
  readonly options: NonNullable<Cookies.Cookie["options"]>
}

/** What a request says of itself that a page's script cannot forge. */
export interface BrowserHeaders {
  readonly cookie: string | undefined
  readonly origin: string | undefined
  readonly host: string | undefined
}

const isHttps = ({ publicUrl, tls }: ServerSettings): boolean =>
  publicUrl === undefined ? tls !== undefined : publicUrl.protocol === "https:"

/** The name where callers use the platform over https, or not. */
export const nameOf = (server: ServerSettings, name: string = SESSION_COOKIE): string =>
  `${isHttps(server) ? HOST_PREFIX : ""}${name}`

/**
 * The cookie with a value and so many milliseconds to live; none removes it from the browser. Another name makes a
 * cookie that is kept as the session's is.
 */
export const make = (
  server: ServerSettings,
  value: string,
  milliseconds: number,
  name: string = SESSION_COOKIE
): SessionCookie => ({
  name: nameOf(server, name),
  value,
  options: {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    maxAge: Duration.millis(milliseconds),
    ...(isHttps(server) ? { secure: true } : {})
  }
})

/** The value that a request carries. Undefined: it carries no such cookie. */
export const read = (
  server: ServerSettings,
  header: string | undefined,
  name: string = SESSION_COOKIE
): string | undefined => (header === undefined ? undefined : Cookies.parseHeader(header)[nameOf(server, name)])

/**
 * Whether a request was made by a page of the platform: its `Origin` is that of `PUBLIC_URL`, else that of the address
 * it was sent to. `null` and none at all are no page of ours.
 */
export const isSameOrigin = (server: ServerSettings, { host, origin }: BrowserHeaders): boolean => {
  if (origin === undefined) return false
  if (server.publicUrl !== undefined) return origin === server.publicUrl.origin
  return host !== undefined && origin === `${isHttps(server) ? "https" : "http"}://${host.toLowerCase()}`
}
