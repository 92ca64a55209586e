import type { ServerSettings } from "../../Config.ts"

/** The `aud` of every access token. */
export const AUDIENCE = "emporion"

/** The `iss` of every access token: `PUBLIC_URL` without a last slash, else the address in the settings. */
export const issuer = (server: ServerSettings): string => {
  if (server.publicUrl !== undefined)
    return `${server.publicUrl.origin}${server.publicUrl.pathname}`.replace(/\/+$/, "")
  const host = server.host.includes(":") ? `[${server.host}]` : server.host
  return `${server.tls === undefined ? "http" : "https"}://${host}:${server.port}`
}
