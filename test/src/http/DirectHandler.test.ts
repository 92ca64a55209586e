import { describe, expect } from "bun:test"
import { Effect, Exit } from "effect"
import { authenticated } from "../../../src/api/Authorization.ts"
import { directly } from "../../../src/http/DirectHandler.ts"
import { itLive } from "../../lib/Effects.ts"
import { asked, faced } from "../../lib/FastFixture.ts"

describe("A fast endpoint that is asked without a fiber", () => {
  const faults: ReadonlyArray<readonly [string, typeof asked]> = [
    [
      "throws before it begins",
      (_, handler) =>
        directly(handler, () => {
          throw new Error("a fault")
        })
    ],
    [
      "answers what cannot be written",
      (_, handler) =>
        directly(handler, (_request, _call, give) => {
          give(() => Exit.succeed({ userId: 1n } as never))
          return true
        })
    ],
    [
      "waits for an answer that there never is",
      (_, handler) =>
        directly(handler, (_request, _call, give) => {
          give(() => Effect.die("a fault"))
          return true
        })
    ],
    [
      "waits for what cannot be written",
      (_, handler) =>
        directly(handler, (_request, _call, give) => {
          give(() => Effect.as(Effect.yieldNow, { userId: 1n } as never))
          return true
        })
    ],
    [
      "throws as it makes its answer",
      (_, handler) =>
        directly(handler, (_request, _call, give) => {
          give(() => {
            throw new Error("a fault")
          })
          return true
        })
    ]
  ]
  for (const [what, asking] of faults) {
    itLive(`and ${what} is a fault of ours, and holds no key`, () =>
      Effect.gen(function* () {
        const { send, textOf } = yield* faced({}, authenticated, "without a fiber", asking)
        const key = { "idempotency-key": "mine" }
        for (const headers of [{}, key, key]) {
          const answer = yield* send("{}", headers)
          expect([answer.status, JSON.parse(yield* textOf(answer)).code]).toEqual([500, "internal"])
        }
      })
    )
  }
})
