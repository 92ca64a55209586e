import { describe, expect, it } from "bun:test"
import { cutSentence, inTime, lateSentence } from "../../../src/http/RequestDeadline.ts"

describe("the deadline of a request", () => {
  it("answers in the place of what gives no answer", async () => {
    expect(await inTime(new Promise<string>(() => {}), 1, () => "late")).toBe("late")
  })

  it("leaves an answer, and a failure, as they are", async () => {
    expect(await inTime(Promise.resolve("given"), 1_000, () => "late")).toBe("given")
    expect(await inTime(Promise.reject(new Error("failed")), 1_000, () => "late").catch(String)).toBe("Error: failed")
  })

  it("says how to go on, by what the request may have done", () => {
    expect(lateSentence("GET")).not.toContain("Idempotency-Key")
    for (const sentence of [lateSentence, cutSentence]) {
      expect(sentence("POST")).toContain("is unknown: repeat it with the same Idempotency-Key after Retry-After")
      expect(sentence("DELETE")).toContain("is unknown: repeat it after Retry-After")
    }
  })
})
