import { describe, expect, it } from "bun:test"
import { failureReason } from "../../../../../src/dashboard/app/webhooks/FailureReason.ts"

const answered = (status: number) => failureReason({ status, error: null })
const unanswered = (error: string | null) => failureReason({ status: null, error })

describe("Why an attempt failed", () => {
  it("names the receiver's status and what to do about it", () => {
    expect(answered(404).what).toBe("The receiver answered 404.")
    expect(answered(404).advice).toContain("path")
    expect(answered(301).advice).toContain("Redirects are not followed")
    expect(answered(418).advice).toContain("Its answer may say why")
    expect(answered(503).advice).toContain("Its own log")
  })

  it("says the sender's own error as a sentence", () => {
    expect(unanswered("the name resolves to 10.0.0.5, which is a private address").what).toBe(
      "The name resolves to 10.0.0.5, which is a private address."
    )
    expect(unanswered(null).what).toBe("No answer came.")
  })

  it.each([
    ["the name resolves to 10.0.0.5, which is a private address", "public addresses"],
    ["no answer within 5 s", "5 seconds"],
    ["expected a public address: 127.0.0.1 is a loopback address", "public addresses"],
    ["127.0.0.1 is a loopback address", "public addresses"],
    ["the name resolves to 100.64.0.1, which is an address of a carrier's own network", "public addresses"],
    ["the name has no address", "DNS"],
    ["the certificate has expired", "certificate"],
    ["TLS failed (EPROTO)", "TLS 1.2"],
    ["the connection was refused", "Nothing listens"],
    ["the connection was closed before an answer came", "ended the connection"],
    ["the answer is not HTTP", "web server"],
    ["expected a URL that starts with https://", "https address"],
    ["something new", "up and reachable"]
  ])("advises on: %s", (error, words) => {
    expect(unanswered(error).advice).toContain(words)
  })
})
