import { describe, expect, it } from "bun:test"
import { CATALOGUE } from "../../../../src/api/ApiError.ts"
import { refusalOf } from "../../../../src/dashboard/app/Refused.ts"

const told = (message: string, retryAfter?: string): string =>
  refusalOf(
    new Response(null, { status: 503, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } }),
    { code: "unavailable", message }
  ).message

describe("A refusal as a page shows it", () => {
  it("says the seconds in place of the header that has them, in every sentence that names it", () => {
    const sentences = Object.values(CATALOGUE).filter(({ sentence }) => sentence.includes("Retry-After"))
    expect(sentences.length).toBeGreaterThan(2)
    for (const { sentence } of sentences) {
      expect(told(sentence, "23")).toMatch(/ (wait for|try again after) 23 seconds\.$/)
      expect(told(sentence)).toBe(sentence)
    }
    expect(told(CATALOGUE.rate_limited.sentence, "1")).toBe("Too many requests: wait for 1 second.")
  })
})
