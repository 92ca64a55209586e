import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { ActivityRecorder } from "../../../src/analytics/ActivityRecorder.ts"
import { ActivityRepository } from "../../../src/analytics/ActivityRepository.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { withLayer } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const DAY = 86_400_000

/** Writes that a user withdrew, as nothing but this counts it. */
const withdraw = Effect.fnUntraced(function* (owner: string, withdrawalId: string, whole: bigint) {
  const server = yield* Server
  const event = {
    _tag: "MoneyWithdrawn",
    at: server.world.now,
    withdrawalId,
    owner,
    fundId: `fnd_${owner}`,
    asset: "USD",
    quantity: fromUnits(whole * ONE)
  } as const
  const batch = { stream: `test/${withdrawalId}`, version: 0, entries: [{ commands: [], event }] }
  yield* Effect.orDie(server.service(UnitOfWork).append(batch))
})

const withdrawals = (companyId: string) =>
  Effect.gen(function* () {
    const server = yield* Server
    const today = Math.floor(server.world.now / DAY)
    const days = yield* server.service(ActivityRepository).read({ companyId, from: today, to: today })
    return days.map(({ activity, times, volume }) => [activity, times, volume / ONE])
  })

const flushed = Effect.flatMap(Server, (server) => server.service(ActivityRecorder).flush)

describe("ActivityRecorder", () => {
  it("counts each event once, over flushes and restarts", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { companyId, id } = yield* server.user()
      yield* withdraw(id, "one", 1n)
      yield* flushed
      yield* flushed
      expect(yield* withdrawals(companyId)).toEqual([["withdrawals", 1, 1n]])
      yield* withdraw(id, "two", 10n)
      yield* server.restart()
      yield* withdraw(id, "three", 100n)
      yield* flushed
      yield* withdraw(id, "four", 1_000n)
      yield* Effect.all([flushed, flushed], { concurrency: "unbounded" })
      expect(yield* withdrawals(companyId)).toEqual([["withdrawals", 4, 1_111n]])
    }))

  it("answers what was done with what was asked", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      yield* withdraw(id, "five", 3n)
      yield* withdraw("usr_nobody", "six", 3n)
      yield* flushed
      const { json } = yield* server.get("/v1/analytics/usage", id)
      const activities = [{ activity: "withdrawals", count: 1, volume_usd: "3" }]
      expect(json).toMatchObject({ totals: { activities } })
    }))
})
