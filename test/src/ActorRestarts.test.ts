import { describe, expect, it } from "bun:test"
import { Cause, Effect, Logger, Metric } from "effect"
import { counted } from "../../src/ActorRestarts.ts"

describe("ActorRestarts", () => {
  it("counts each failure, warns of what passes, and reports a fault", async () => {
    const failures = Metric.counter("emporion_test_restarts", { incremental: true })
    const lines: Array<unknown> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push([logLevel, [message].flat()[0]]))
    const onFailure = counted("Test", failures)
    const state = await Effect.runPromise(
      Effect.gen(function* () {
        yield* onFailure("one", Cause.fail(new Error("the journal is away")))
        yield* onFailure("two", Cause.die(new TypeError("a fault")))
        return yield* Metric.value(failures)
      }).pipe(Effect.provide(Logger.layer([logger])))
    )
    expect(state.count).toBe(2)
    expect(lines).toEqual([
      ["Warn", "Test actor one restarts: the journal is away"],
      ["Error", "Test actor two restarts"]
    ])
  })
})
