import { expect, test } from "bun:test"
import { Cause, Effect } from "effect"
import fc from "fast-check"
import { catching } from "../../src/FailureCatch.ts"
import { property } from "../lib/Property.ts"

const recover = (error: string): Effect.Effect<string, string> =>
  error.length % 2 === 0 ? Effect.succeed(`saved from ${error}`) : Effect.fail(`still ${error}`)

const caught = catching(recover)

const reason = fc.oneof(
  fc.string().map((error): Cause.Cause<string> => Cause.fail(error)),
  fc.string().map((defect): Cause.Cause<string> => Cause.die(defect)),
  fc.constant<Cause.Cause<string>>(Cause.interrupt(1))
)

const causes = fc
  .array(reason, { minLength: 1, maxLength: 4 })
  .map((all) => all.reduce((one, other) => Cause.combine(one, other)))

const ways = fc.oneof(
  fc.string().map((value): Effect.Effect<string, string> => Effect.succeed(value)),
  causes.map((cause): Effect.Effect<string, string> => Effect.failCause(cause))
)

test("every outcome becomes what Effect.catch makes of it", () => {
  fc.assert(
    fc.property(ways, (way) => {
      const [one, other] = [caught(way), way.pipe(Effect.catch(recover))].map((effect) => Effect.runSyncExit(effect))
      expect(one).toEqual(other)
    }),
    property()
  )
})
