import { describe, expect } from "bun:test"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { Breakers } from "../../../src/arena/Breakers.ts"
import { SafePrices } from "../../../src/arena/SafePrices.ts"
import { BotActors } from "../../../src/bots/BotActors.ts"
import { BotRecallRepository } from "../../../src/bots/BotRecallRepository.ts"
import { BotScheduler } from "../../../src/bots/BotScheduler.ts"
import { Unavailable } from "../../../src/database/DatabaseError.ts"
import type { CommitListener } from "../../../engine/journal/GroupWriter.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { BotFixture, offered, paused, resumed, trading } from "../../lib/BotFixture.ts"
import { itEffect } from "../../lib/Effects.ts"
import { NO_ACCOUNTS } from "../../lib/NoAccounts.ts"

const unasked = (): never => {
  throw new Error("nobody asks")
}

const NO_BREAKER = {
  globalHalt: () => null,
  halt: () => null,
  wasHalted: () => false,
  isLatched: () => false,
  statuses: unasked,
  scopes: unasked,
  transitions: unasked
}

/** One active bot, and what it was woken with. */
class Watched {
  readonly fixture = new BotFixture()
  readonly woken: Array<boolean> = []
  isAway = false
  turn = (): void => {}
  price = (): void => {}
  readonly #listeners: Array<CommitListener> = []

  readonly layer = BotScheduler.layer.pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.mock(BotActors, {
          size: () => 0,
          wake: (_, reload) =>
            Effect.suspend(() => {
              this.woken.push(reload)
              return this.isAway ? Effect.fail(new Unavailable({ reason: "away" })) : Effect.void
            })
        }),
        Layer.mock(Breakers, {
          ...NO_BREAKER,
          onTurned: (listener) =>
            Effect.sync(() => {
              this.turn = listener
            })
        }),
        Layer.mock(SafePrices, {
          of: () => [],
          onPriced: (listener) =>
            Effect.sync(() => {
              this.price = listener
            })
        }),
        Layer.mock(UnitOfWork, {
          isCertain: () => true,
          tell: () => {},
          writes: Effect.void,
          onCommit: (listener) => Effect.sync(() => void this.#listeners.push(listener))
        }),
        Layer.mock(BotRecallRepository, { living: Effect.succeed([this.fixture.bot]) })
      )
    )
  )

  tell(event: PlatformEvent): void {
    const recorded = { seq: 1, stream: "", version: 1, event, hash: "" }
    for (const listener of this.#listeners) listener([recorded], NO_ACCOUNTS)
  }
}

const opened: PlatformEvent = { _tag: "OrderOpened", at: 0, terms: offered("ord_1") }

const watch = (watched: Watched) =>
  Effect.flatMap(Layer.build(watched.layer), (context) => Effect.provideContext(BotScheduler, context))

describe("BotScheduler", () => {
  itEffect("wakes the active bots at its start, and then by what happens", () =>
    Effect.gen(function* () {
      const watched = new Watched()
      const { called, round } = yield* watch(watched)
      yield* called
      expect(yield* round).toBe(0)
      expect(watched.woken).toEqual([false])
      watched.tell(opened)
      watched.tell(trading(watched.fixture, ["fx"]))
      watched.tell(opened)
      yield* called
      yield* round
      expect(watched.woken).toEqual([false, true])
      watched.turn()
      yield* round
      watched.tell(paused)
      watched.tell(opened)
      watched.turn()
      yield* round
      expect(watched.woken).toEqual([false, true, false])
      watched.tell(resumed)
      yield* round
      expect(watched.woken).toEqual([false, true, false, true])
      watched.price()
      yield* round
      expect(watched.woken).toEqual([false, true, false, true, false])
    })
  )

  itEffect("wakes again whom it could not wake, later and later, and keeps nobody else waiting", () =>
    Effect.gen(function* () {
      const watched = new Watched()
      watched.isAway = true
      const running = BotScheduler.running.pipe(Layer.provide(watched.layer))
      const fiber = yield* Effect.forkChild(Layer.launch(running))
      yield* TestClock.adjust(0)
      yield* TestClock.adjust(999)
      expect(watched.woken).toEqual([false])
      yield* TestClock.adjust(1)
      expect(watched.woken).toEqual([false, false])
      watched.tell(trading(watched.fixture, ["fx"]))
      yield* TestClock.adjust(0)
      expect(watched.woken).toEqual([false, false, true])
      yield* TestClock.adjust(3_999)
      expect(watched.woken).toHaveLength(3)
      watched.isAway = false
      yield* TestClock.adjust(1)
      expect(watched.woken).toEqual([false, false, true, true])
      yield* TestClock.adjust(600_000)
      expect(watched.woken).toHaveLength(4)
      yield* Fiber.interrupt(fiber)
    })
  )
})
