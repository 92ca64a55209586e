import { describe, expect, it } from "bun:test"
import { MAX_SHOWN, UnknownFrame } from "../../../src/rpc/UnknownFrame.ts"

describe("UnknownFrame", () => {
  it("says what may be sent instead, and repeats no more of the kind than it must", () => {
    const { code, message } = new UnknownFrame("Hello").refusal
    expect(code).toBe("invalid_request")
    expect(message).toBe('There is no frame "Hello": send one of Request, Ack, Interrupt, Ping, Eof.')
    const long = new UnknownFrame("x".repeat(10_000)).refusal.message
    expect(long).toStartWith(`There is no frame "${"x".repeat(MAX_SHOWN)}": `)
  })
})
