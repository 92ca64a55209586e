import { describe, expect, it } from "bun:test"
import { AddressRefused } from "../../../src/webhooks/GuardedLookup.ts"
import { failureText, isStale } from "../../../src/webhooks/SendFailure.ts"

const failure = (code: string, message = "") => Object.assign(new Error(message), { code })

describe("SendFailure", () => {
  it("is told in a person's words", () => {
    expect(failureText(new AddressRefused("10.0.0.1 is a private address"))).toBe("10.0.0.1 is a private address")
    expect(failureText(failure("ENOTFOUND"))).toBe("the name does not resolve")
    expect(failureText(failure("ECONNREFUSED"))).toBe("the connection was refused")
    expect(failureText(failure("CERT_HAS_EXPIRED"))).toBe("the certificate has expired")
    expect(failureText(failure("HPE_INVALID_CONSTANT"))).toBe("the answer is not HTTP")
    expect(failureText(failure("ERR_SSL_NO_CIPHER_MATCH"))).toBe("TLS failed (ERR_SSL_NO_CIPHER_MATCH)")
    expect(failureText(failure("EPROTO"))).toBe("TLS failed (EPROTO)")
  })

  it("is told by its code, or else its message, where it is not known", () => {
    expect(failureText(failure("EWHATEVER", "odd"))).toBe("the request failed: EWHATEVER")
    expect(failureText(new Error("odd"))).toBe("the request failed: odd")
    expect(failureText(new Error("x".repeat(1_000))).length).toBe(200)
  })

  it("is a stale connection's only where one was used again", () => {
    expect(isStale(failure("ECONNRESET"), true)).toBe(true)
    expect(isStale(failure("EPIPE"), true)).toBe(true)
    expect(isStale(failure("ECONNRESET"), false)).toBe(false)
    expect(isStale(failure("ECONNREFUSED"), true)).toBe(false)
    expect(isStale(new AddressRefused("no"), true)).toBe(false)
  })
})
