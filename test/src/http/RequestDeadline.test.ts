import { describe, expect, it } from "bun:test"
import { inTime, lateSentence } from "../../../src/http/RequestDeadline.ts"

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
    expect(lateSentence("POST")).toContain("repeat it with the same Idempotency-Key")
  })
})
