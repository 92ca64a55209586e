import { describe, expect } from "bun:test"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { whenAnswered } from "../../../engine/actor/WhenAnswered.ts"
import { itEffect } from "../../lib/Effects.ts"

const ANSWERS: ReadonlyArray<Effect.Effect<number, string>> = [
  Effect.succeed(1),
  Effect.fail("refused"),
  Effect.die("a fault"),
  Effect.sync(() => 2)
]

/** Whoever hears the answer, and what came of hearing it. */
const listener = (reply: Deferred.Deferred<number, string>, hear: () => void = () => {}) => {
  const heard: Array<Exit.Exit<number, string>> = []
  const faults: Array<unknown> = []
  const listen = () =>
    whenAnswered(
      reply,
      (answer) => {
        heard.push(answer)
        hear()
      },
      (fault) => faults.push(fault)
    )
  return { heard, faults, listen }
}

describe("Whoever is told an answer", () => {
  itEffect("hears it once, as those do who wait in a fiber, whether it comes before or later", () =>
    Effect.gen(function* () {
      for (const answer of ANSWERS) {
        const reply = Deferred.makeUnsafe<number, string>()
        const [early, late] = [listener(reply), listener(reply)]
        const waiting = yield* Effect.forkChild(Effect.exit(Deferred.await(reply)), { startImmediately: true })
        early.listen()
        expect(early.heard).toEqual([])
        Deferred.doneUnsafe(reply, answer)
        late.listen()
        const exit = yield* Fiber.join(waiting)
        expect([early.heard, late.heard, early.faults, late.faults]).toEqual([[exit], [exit], [], []])
      }
    })
  )

  itEffect("costs nobody else the answer, whatever it does with it", () =>
    Effect.gen(function* () {
      const reply = Deferred.makeUnsafe<number, string>()
      const first = listener(reply, () => {
        throw new Error("a fault")
      })
      const last = listener(reply)
      first.listen()
      last.listen()
      Deferred.doneUnsafe(reply, Effect.succeed(1))
      first.listen()
      expect([first.faults, last.heard]).toEqual([[new Error("a fault"), new Error("a fault")], [Exit.succeed(1)]])
    })
  )
})
