import { describe, expect } from "bun:test"
import { Context, Effect, Layer, Metric } from "effect"
import fc from "fast-check"
import * as CommitTimes from "../../../src/database/CommitTimes.ts"
import { type ExemplarState, namesTraces } from "../../../src/ExemplarHistogram.ts"
import { Exchange } from "../../../src/http/Exchange.ts"
import { ofJson } from "../../../src/http/PlainResponse.ts"
import { commitDurations } from "../../../src/requests/CommitDurations.ts"
import { RequestFacts } from "../../../src/RequestState.ts"
import { itEffect } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"

const NOW = 1_764_155_000_123

/** Nanoseconds of a phase. */
const nanos = fc.integer({ min: 0, max: 5_000_000_000 })

const requests = fc.array(
  fc.record({
    writes: fc.boolean(),
    checks: nanos,
    decision: nanos,
    append: nanos,
    answer: nanos,
    trace: fc.option(fc.stringMatching(/^[0-9a-f]{32}$/), { nil: undefined })
  }),
  { maxLength: 12 }
)

type Asked = typeof requests extends fc.Arbitrary<ReadonlyArray<infer One>> ? One : never

const histograms = (context: Context.Context<never>): ReadonlyMap<string, ExemplarState> =>
  new Map(
    Metric.snapshotUnsafe(context).flatMap(({ attributes, state, type }) =>
      type === "Histogram" && namesTraces(state) ? [[String(attributes?.["phase"]), state] as const] : []
    )
  )

/** What `/metrics` shows once these were answered, one after another. */
const measured = (all: ReadonlyArray<Asked>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const times = yield* CommitTimes.RecentCommits
    const note = yield* commitDurations
    let at = 5n
    for (const [index, { answer, append, checks, decision, trace, writes }] of all.entries()) {
      const facts = new RequestFacts("10.0.0.1")
      facts.traceId = trace
      const exchange = new Exchange(new Request("http://localhost/", { method: "POST" }), facts, NOW, at)
      const askedAt = at + BigInt(checks)
      const sentAt = askedAt + BigInt(decision)
      const knownAt = sentAt + BigInt(append)
      if (writes) {
        times.sent(index + 1, index + 1, sentAt)
        facts.committed({ seq: index + 1, askedAt, knownAt })
      }
      const answeredAt = knownAt + BigInt(answer)
      note(exchange, ofJson(200, "{}"), answeredAt - at)
      at = answeredAt
    }
    return histograms(context)
  }).pipe(
    Effect.scoped,
    Effect.provide(CommitTimes.layer.pipe(Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map()))))
  )

describe("The phases of commits in the metrics", () => {
  itEffect("add up to the time of the requests that wrote, and name the traces of those alone", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(requests, async (all) => {
          const found = await Effect.runPromise(measured(all))
          const writing = all.filter(({ writes }) => writes)
          expect([...found.keys()]).toEqual(["checks", "decision", "append", "answer"])
          const total = writing.reduce((sum, one) => sum + one.checks + one.decision + one.append + one.answer, 0) / 1e9
          const sum = [...found.values()].reduce((all, state) => all + state.sum, 0)
          expect(Math.abs(sum - total)).toBeLessThanOrEqual(4e-6 * writing.length)
          const traces = new Set(writing.map(({ trace }) => trace))
          const last = writing.at(-1)
          for (const [phase, { count, exemplars, sum: seconds }] of found) {
            expect(count).toBe(writing.length)
            const asked = writing.reduce((all, one) => all + one[phase as "checks"], 0) / 1e9
            expect(Math.abs(seconds - asked)).toBeLessThanOrEqual(3e-6 * writing.length)
            for (const one of exemplars) if (one !== undefined) expect(traces.has(one.traceId)).toBe(true)
            if (last?.trace !== undefined) expect(exemplars.map((one) => one?.traceId)).toContain(last.trace)
          }
        }),
        property()
      )
    )
  )
})
