import { describe, expect, it } from "bun:test"
import { cutSentence, deadlineOf, lateSentence } from "../../../src/http/RequestDeadline.ts"

const never = () => {}
const given = (answer: (value: string) => void) => answer("given")

describe("the deadline of a request", () => {
  it("answers in the place of what gives no answer", async () => {
    expect(await deadlineOf(1)<string>(never, () => "late")).toBe("late")
  })

  it("holds for each by itself, also when all before it were answered", async () => {
    const inTime = deadlineOf(1)
    const late = () => inTime<string>(never, () => "late")
    expect(await inTime(given, () => "late")).toBe("given")
    expect(await Promise.all([late(), inTime(given, () => "late"), late()])).toEqual(["late", "given", "late"])
    expect(await late()).toBe("late")
  })

  it("leaves an answer, and a failure, as they are", async () => {
    const inTime = deadlineOf(1_000)
    expect(await inTime(given, () => "late")).toBe("given")
    expect(
      await inTime(
        (_, fail) => fail(new Error("failed")),
        () => "late"
      ).catch(String)
    ).toBe("Error: failed")
  })

  it("says how to go on, by what the request may have done", () => {
    expect(lateSentence("GET")).not.toContain("Idempotency-Key")
    for (const sentence of [lateSentence, cutSentence]) {
      expect(sentence("POST")).toContain("is unknown: repeat it with the same Idempotency-Key after Retry-After")
      expect(sentence("DELETE")).toContain("is unknown: repeat it after Retry-After")
    }
  })
})
