import * as packaged from "@node-rs/argon2"
import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import * as own from "../../../scripts/executable/Argon2.ts"

/** As cheap as it can be: here it is not about guessing. */
const CHEAP = { memoryCost: 64, timeCost: 2, parallelism: 1 }

const WAYS = [
  [own, packaged],
  [packaged, own]
] as const

describe("Argon2id of the executable", () => {
  it("verifies what the package hashed, and the other way round, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: "grapheme" }), fc.string(), async (password, other) => {
        for (const [one, another] of WAYS) {
          const encoded = await one.hash(password, CHEAP)
          expect(encoded).toStartWith("$argon2id$v=19$m=64,t=2,p=1$")
          expect(await another.verify(encoded, password)).toBe(true)
          expect(await another.verify(encoded, other)).toBe(other === password)
        }
      }),
      { numRuns: 20 }
    )
  })
})
