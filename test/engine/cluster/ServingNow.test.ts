import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { ServingNow } from "../../../engine/cluster/ServingNow.ts"
import { itEffect } from "../../lib/Effects.ts"

const found = (holder: string, isServing = true) => ({ holder, isServing })

describe("The node that takes requests", () => {
  itEffect("is waited for, and is the same until another process is found", () =>
    Effect.gen(function* () {
      const serving = new ServingNow()
      const waiting = yield* Effect.forkChild(serving.get, { startImmediately: true })
      serving.look(undefined)
      serving.look(found("a", false))
      serving.look(found("a"))
      const first = yield* Fiber.join(waiting)
      serving.look(found("a"))
      expect([(yield* serving.get) === first, serving.now === first]).toEqual([true, true])
      const replaced = yield* Effect.forkChild(first.replaced, { startImmediately: true })
      serving.look(found("b"))
      yield* Fiber.join(replaced)
      expect((yield* serving.get).holder).toBe("b")
    })
  )

  itEffect("is replaced once it takes none", () =>
    Effect.gen(function* () {
      const serving = new ServingNow()
      serving.look(found("a"))
      const { replaced } = yield* serving.get
      serving.look(found("a", false))
      yield* replaced
      const waiting = yield* Effect.forkChild(serving.get, { startImmediately: true })
      expect([waiting.pollUnsafe(), serving.now]).toEqual([undefined, undefined])
    })
  )
})
