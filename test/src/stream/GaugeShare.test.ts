import { expect } from "bun:test"
import { Effect, Exit, Metric, Scope } from "effect"
import fc from "fast-check"
import { gaugeShare } from "../../../src/stream/GaugeShare.ts"
import { itEffect } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"

const gauge = Metric.gauge("test_gauge_share")

const shown = Effect.map(Metric.value(gauge), ({ value }) => Number(value))

itEffect("A gauge of several parts shows the sum of what each told last, without those that ended", () =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(0, 1), fc.nat({ max: 1_000 }))),
        fc.constantFrom(0, 1),
        (tellings, ended) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const scopes = [yield* Scope.make(), yield* Scope.make()] as const
              const tell = yield* Effect.forEach(scopes, (scope) => Scope.provide(gaugeShare(gauge), scope))
              const last = [0, 0]
              for (const [part, value] of tellings) {
                tell[part]?.(value)
                last[part] = value
                expect(yield* shown).toBe((last[0] ?? 0) + (last[1] ?? 0))
              }
              yield* Scope.close(scopes[ended], Exit.void)
              expect(yield* shown).toBe(last[1 - ended] ?? 0)
              yield* Scope.close(scopes[1 - ended] ?? scopes[0], Exit.void)
              expect(yield* shown).toBe(0)
            })
          )
      ),
      property()
    )
  )
)
