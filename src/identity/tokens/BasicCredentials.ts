import { Redacted, Result } from "effect"
import type { ClientCredentials } from "./TokenGrants.ts"

const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i

/** RFC 6749, section 2.3.1: both parts are form-encoded before they are joined. */
const formDecoded = (part: string): string =>
  Result.getOrElse(
    Result.try(() => decodeURIComponent(part.replaceAll("+", " "))),
    () => part
  )

/** Whether an `Authorization` header is of the Basic scheme, well formed or not. */
export const isBasic = (header: string | undefined): boolean => /^basic\b/i.test(header ?? "")

/** The client id and secret of an `Authorization` header of the Basic scheme; undefined when it holds none. */
export const parse = (header: string): ClientCredentials | undefined => {
  const encoded = BASIC.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, "base64").toString("utf8")
  const colon = text.indexOf(":")
  if (colon < 1) return undefined
  return {
    clientId: formDecoded(text.slice(0, colon)),
    secret: Redacted.make(formDecoded(text.slice(colon + 1)))
  }
}
