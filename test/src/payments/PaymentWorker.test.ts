import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { PaymentDriver } from "../../../src/payments/PaymentDriver.ts"
import { PaymentScheduleRepository } from "../../../src/payments/PaymentScheduleRepository.ts"
import { PaymentWorker } from "../../../src/payments/PaymentWorker.ts"
import { itEffect } from "../../lib/Effects.ts"

/** A worker on payments that are due once, of which some stumble; and what it did. */
const workerOn = (due: ReadonlyArray<string>, stumbling: ReadonlySet<string>) => {
  const done: Array<string> = []
  const leased: Array<readonly [string, number]> = []
  const schedule = {
    due: () => Effect.succeed(due.filter((id) => !done.includes(id))),
    lease: (id: string, until: number) => Effect.sync(() => void leased.push([id, until]))
  } as unknown as PaymentScheduleRepository["Service"]
  const driver = PaymentDriver.of({
    drive: () => Effect.void,
    resume: (id) =>
      Effect.suspend(() => {
        done.push(id)
        return stumbling.has(id) ? Effect.die("stumbled") : Effect.void
      })
  })
  const layer = PaymentWorker.layer.pipe(
    Layer.provide(Layer.merge(Layer.succeed(PaymentDriver, driver), Layer.succeed(PaymentScheduleRepository, schedule)))
  )
  return { done, layer, leased }
}

describe("the payment worker", () => {
  itEffect("goes on with all that is due, though one of them stumbles", () => {
    const { done, layer, leased } = workerOn(["a", "b", "c"], new Set(["b"]))
    return Effect.gen(function* () {
      expect(yield* Effect.flatMap(PaymentWorker, ({ tick }) => tick)).toBe(3)
      expect(done.toSorted()).toEqual(["a", "b", "c"])
      expect(leased).toEqual([["b", 60_000]])
    }).pipe(Effect.provide(layer))
  })

  itEffect("looks again each second", () => {
    const { done, layer } = workerOn(["a"], new Set())
    return Effect.gen(function* () {
      yield* TestClock.adjust("1500 millis")
      expect(done).toEqual(["a"])
    }).pipe(Effect.provide(PaymentWorker.running.pipe(Layer.provide(layer))))
  })
})
