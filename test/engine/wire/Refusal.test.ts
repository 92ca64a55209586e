import { describe, expect, it } from "bun:test"
import { Effect, Exit } from "effect"
import { isRefusal, refusal } from "../../../engine/wire/Refusal.ts"

class SeatTaken extends refusal("SeatTaken", "conflict", ({ seat }: { readonly seat: number }) => `Not ${seat}.`) {}
class Closed extends refusal("Closed", "unavailable", undefined, { retryAfterSeconds: 5 }) {}
class Busy extends refusal<"Busy", "rate_limited", { readonly retryAfterSeconds: number }>(
  "Busy",
  "rate_limited",
  () => "Wait."
) {}

describe("A refusal", () => {
  it("carries its code, its sentence and its fields", () => {
    const taken = new SeatTaken({ seat: 7 })
    expect(taken).toMatchObject({ _tag: "SeatTaken", code: "conflict", message: "Not 7.", seat: 7 })
    expect(taken).toBeInstanceOf(Error)
    expect(Object.keys(taken).toSorted()).toEqual(["_tag", "seat"].filter((key) => Object.hasOwn(taken, key)))
  })

  it("has no sentence of its own where the code has it", () => {
    expect(new Closed().message).toBe("")
  })

  it("says when to come back, always or this time", () => {
    expect(new Closed().retryAfterSeconds).toBe(5)
    expect(new Busy({ retryAfterSeconds: 3 }).retryAfterSeconds).toBe(3)
    expect(new SeatTaken({ seat: 7 }).retryAfterSeconds).toBeUndefined()
  })

  it("fails an effect, and is caught by its tag", () => {
    const caught = Effect.catchTag(Effect.fail(new SeatTaken({ seat: 7 })), "SeatTaken", ({ seat }) =>
      Effect.succeed(seat)
    )
    expect(Effect.runSync(caught)).toBe(7)
    expect(
      Exit.isFailure(
        Effect.runSyncExit(
          Effect.gen(function* () {
            return yield* new Closed()
          })
        )
      )
    ).toBe(true)
  })

  it("is told from other errors", () => {
    expect(isRefusal(new Closed())).toBe(true)
    expect(isRefusal(new Error("conflict"))).toBe(false)
    expect(isRefusal({ code: "conflict", message: "no" })).toBe(false)
    expect(isRefusal(undefined)).toBe(false)
  })
})
