import { describe, expect } from "bun:test"
import { Clock, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { GrowingLead, TimeLead } from "../../../engine/journal/TimeLead.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { DueInstalments } from "../../../src/commerce/DueInstalments.ts"
import * as OverdueWorker from "../../../src/commerce/OverdueWorker.ts"
import { Unavailable } from "../../../src/database/DatabaseError.ts"
import { DueWork, DueWorks } from "../../../src/DueWork.ts"
import { SandboxClock, STEP } from "../../../src/sandbox/SandboxClock.ts"
import { itEffect, itLive } from "../../lib/Effects.ts"
import { Market } from "../../lib/Market.ts"
import type { TestWorld } from "../../lib/TestWorld.ts"

const DAY = 86_400_000

/** What a sandbox's clock is ahead of a world, which goes on with it. */
class WorldLead extends GrowingLead {
  readonly #world: TestWorld

  constructor(world: TestWorld) {
    super(0)
    this.#world = world
  }

  override grow(millis: number): void {
    this.#world.pass(Math.max(0, millis - this.millis))
    super.grow(millis)
  }
}

describe("OverdueWorker", () => {
  itEffect("looks again after any failure, and at each step of a clock that is set forward", () =>
    Effect.gen(function* () {
      const answers: Array<Effect.Effect<number, Unavailable>> = [
        Effect.fail(new Unavailable({ reason: "away" })),
        Effect.die(new Error("stumbled"))
      ]
      let looks = 0
      const look = Effect.suspend(() => answers[looks++] ?? Effect.succeed(0))
      const instalments = Layer.succeed(DueInstalments, DueInstalments.of({ look }))
      const works = new DueWorks()
      yield* Layer.build(
        OverdueWorker.layer.pipe(Layer.provide(instalments), Layer.provide(Layer.succeed(DueWork, works)))
      )
      const after = (seconds: number) => Effect.map(TestClock.adjust(Duration.seconds(seconds)), () => looks)
      expect([yield* after(1), yield* after(30), yield* after(30)]).toEqual([1, 2, 3])
      yield* Effect.forEach(works.all, (work) => work.look)
      expect(looks).toBe(4)
    })
  )

  itLive("finds first the reminder, then what is overdue, as a sandbox's clock is set forward past both", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const { server } = market
      const money = fromUnits(1_000n * ONE)
      const buyer = yield* market.trader(money, money)
      const product = yield* market.offer(yield* market.trader(), 20, 10)
      const buy = market.order(buyer, [[product.id, 1]], { type: "net_30" })
      const { json: order } = yield* buy
      const dueAt = Date.parse(order.payment_terms.schedule[0]?.due_at ?? "")
      server.world.pass(26 * DAY)
      const clock = Layer.fresh(SandboxClock.layer).pipe(Layer.provideMerge(OverdueWorker.layer))
      const running = Effect.gen(function* () {
        const { round, setForward } = yield* SandboxClock
        yield* setForward((yield* Clock.currentTimeMillis) + 5 * DAY)
        yield* round
      }).pipe(
        Effect.provide(clock),
        Effect.provideService(TimeLead, new WorldLead(server.world)),
        Effect.provideService(DueWork, new DueWorks())
      )
      yield* server.run(running)
      const { json: acts } = yield* server.get<ReadonlyArray<{ readonly type: string; readonly at: string }>>(
        `/v1/orders/${order.id}/history`,
        buyer.id
      )
      expect(acts.map(({ type }) => type)).toEqual(["order.created", "order.payment_due", "order.overdue"])
      const [, reminded, overdue] = acts.map(({ at }) => Date.parse(at) - dueAt)
      expect(reminded).toBeWithin(-3 * DAY, -3 * DAY + STEP)
      expect(overdue).toBeWithin(1, STEP + 1)
      expect((yield* buy).json.code).toBe("credit_frozen")
      yield* market.act(order, "pay", buyer)
      expect((yield* buy).status).toBe(200)
    })
  )
})
