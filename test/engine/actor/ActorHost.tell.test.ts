import { describe, expect } from "bun:test"
import { Effect, Exit } from "effect"
import { itEffect } from "../../lib/Effects.ts"
import { answers, brief, Recorders, rest, send } from "../../lib/Recorders.ts"

describe("an actor that is told where to give its answer", () => {
  itEffect("answers who has no fiber, each once", () =>
    Effect.gen(function* () {
      const host = yield* new Recorders().host()
      const heard: Array<string> = []
      const words = ["1", "refuse", "2"]
      for (const word of words) {
        host.tell("a", word, (answer) => heard.push(Exit.isSuccess(answer) ? answer.value.word : "Refused"))
      }
      host.tell("unknown", "3", (answer) => heard.push(Exit.isSuccess(answer) ? "3" : "Unknown"))
      yield* rest
      expect(heard.toSorted()).toEqual(["1", "2", "Refused", "Unknown"])
    })
  )

  itEffect("loses nobody else's answer where one is taken badly", () =>
    Effect.gen(function* () {
      const world = new Recorders()
      const host = yield* world.host()
      world.gate.closeUnsafe()
      const first = yield* send(host, "a", "1")
      host.tell("a", "2", () => {
        throw new Error("a fault")
      })
      const last = yield* send(host, "a", "3")
      world.gate.openUnsafe()
      expect(brief(yield* answers([...first, ...last]))).toEqual(["1", "3"])
      expect([world.store.get("a"), world.failures]).toEqual([["1", "2", "3"], []])
    })
  )
})
