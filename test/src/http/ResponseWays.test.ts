import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { waysOf } from "../../lib/BothWays.ts"
import { itLive } from "../../lib/Effects.ts"
import { makeFixture } from "../../lib/OperationFixture.ts"
import { OPERATIONS } from "../../lib/Operations.ts"
import { compareWays } from "../../lib/ResponseWaysTests.ts"

compareWays(8)

describe("Who has spent all requests", () => {
  itLive("is refused the same on every way", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture({ RATE_LIMITS: "on" })
      const ways = yield* waysOf(fixture.server)
      const token = yield* fixture.server.token(fixture.mine.userId)
      const known = { headers: { authorization: `Bearer ${token}` } }
      for (const who of [undefined, fixture.mine.userId]) {
        while ((yield* fixture.server.get("/v1/funds", who)).status !== 429);
      }
      const counted = OPERATIONS.filter(({ path }) => !path.startsWith("/health/"))
      for (const operation of counted) {
        for (const variant of [{ sent: {} }, { sent: {}, ...known }]) {
          const one = yield* ways.shortest(operation, variant)
          expect([operation.name, one.status]).toEqual([operation.name, 429])
          expect(one).toEqual(yield* ways.routed(operation, variant))
        }
      }
    })
  )
})
