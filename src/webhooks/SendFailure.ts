import { AddressRefused } from "./GuardedLookup.ts"

const SENTENCES: Readonly<Record<string, string>> = {
  ENOTFOUND: "the name does not resolve",
  EAI_AGAIN: "the name could not be resolved just now",
  EAI_NODATA: "the name has no address",
  ENODATA: "the name has no address",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed before an answer came",
  EPIPE: "the connection was closed before an answer came",
  ECONNABORTED: "the connection was closed before an answer came",
  ETIMEDOUT: "the connection could not be made in time",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  EADDRNOTAVAIL: "the address cannot be connected to",
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  CERT_REVOKED: "the certificate was revoked",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is signed by itself, not by an authority",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate's authority is not a known one",
  UNABLE_TO_GET_ISSUER_CERT: "the certificate's authority is not a known one",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate's authority is not a known one",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate comes without those between it and its authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: "the server does not speak TLS on this port",
  HPE_HEADER_OVERFLOW: "the answer's headers are too large"
}

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "")

const byKind = (code: string): string | undefined => {
  if (code.startsWith("HPE_")) return "the answer is not HTTP"
  if (code.startsWith("ERR_SSL_") || code === "EPROTO") return `TLS failed (${code})`
  return undefined
}

/** Longest reason that is told of an unknown failure, in characters. */
const MAX_REASON = 200

/** Why no answer came, as a sentence for the endpoint's owner. */
export const failureText = (error: Error): string => {
  if (error instanceof AddressRefused) return error.message
  const code = codeOf(error)
  return SENTENCES[code] ?? byKind(code) ?? `the request failed: ${code || error.message}`.slice(0, MAX_REASON)
}

/** Whether a kept connection was closed meanwhile, so that the request may be sent again. */
export const isStale = (error: Error, reusedSocket: boolean): boolean =>
  reusedSocket && (codeOf(error) === "ECONNRESET" || codeOf(error) === "EPIPE")
