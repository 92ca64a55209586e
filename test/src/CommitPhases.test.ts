import { describe, expect } from "bun:test"
import { Context, Effect, Metric } from "effect"
import fc from "fast-check"
import { phaseMeter } from "../../src/CommitPhases.ts"
import { itEffect } from "../lib/Effects.ts"

const shown = (context: Context.Context<never>) =>
  Metric.snapshotUnsafe(context).map(({ attributes, id, state }) => [id, attributes, state])

/** A registry of its own. */
const registry = () => Context.make(Metric.MetricRegistry, new Map())

const added = (amounts: ReadonlyArray<readonly [number, number]>, context: Context.Context<never>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const meter = yield* phaseMeter("http")
      for (const [nanos, passed] of amounts) meter.add(BigInt(nanos), passed)
      return shown(context)
    })
  ).pipe(Effect.provide(context))

describe("A phase of a commit", () => {
  itEffect("shows the sum of what was added, until its scope ends", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.nat(500))), async (amounts) => {
          const context = registry()
          const sum = (at: 0 | 1) => amounts.reduce((total, amount) => total + amount[at], 0)
          const state = (count: number) => ({ count, incremental: true })
          expect(await Effect.runPromise(added(amounts, context))).toEqual([
            ["emporion_commit_phase_seconds", { phase: "http" }, state(sum(0) / 1e9)],
            ["emporion_commit_phase_commits", { phase: "http" }, state(sum(1))]
          ])
          expect(shown(context)).toEqual([])
        })
      )
    )
  )

  itEffect("has a clock that does not step back", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { now } = yield* phaseMeter("decision")
        const first = now()
        expect(now()).toBeGreaterThanOrEqual(first)
      })
    )
  )
})
