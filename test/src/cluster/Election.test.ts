import { describe, expect, it } from "bun:test"
import { make as makeAddress } from "effect/cluster/RunnerAddress"
import { make as makeRunner } from "effect/cluster/Runner"
import { Effect, Fiber } from "effect"
import type { RunnerStorage } from "effect/cluster/RunnerStorage"
import { make as makeShardId } from "effect/cluster/ShardId"
import fc from "fast-check"
import { candidates, elected, leaving, untilResigned } from "../../../src/cluster/Election.ts"
import type { Registered } from "../../../src/cluster/Nodes.ts"
import { property } from "../../lib/Property.ts"

const HOST = "10.0.0.7"

const nodes: fc.Arbitrary<ReadonlyArray<Registered>> = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.boolean()), { selector: ([port]) => port })
  .map((all) =>
    all.map(([port, isHealthy]) => [
      makeRunner({ address: makeAddress(HOST, port), groups: ["writer"], weight: 1 }),
      isHealthy
    ])
  )

const port = fc.integer({ min: 1, max: 6 })

const healthy = (all: ReadonlyArray<Registered>) =>
  all.filter(([, isHealthy]) => isHealthy).map(([{ address }]) => address.port)

describe("The nodes that may be elected", () => {
  it("are the elected one alone where it looks, whoever else comes", () => {
    fc.assert(
      fc.property(nodes, port, port, (all, own, last) => {
        const found = candidates(all, { isElected: true, own: `${HOST}:${own}`, last: `${HOST}:${last}` })
        const isThere = all.some(([{ address }]) => address.port === own)
        expect(healthy(found)).toEqual(isThere ? [own] : [])
        expect(found.map(([runner]) => runner)).toEqual(all.map(([runner]) => runner))
      }),
      property()
    )
  })

  it("are the last writer as long as it is there, else all that are", () => {
    fc.assert(
      fc.property(nodes, port, port, (all, own, last) => {
        const found = candidates(all, { isElected: false, own: `${HOST}:${own}`, last: `${HOST}:${last}` })
        expect(healthy(found)).toEqual(healthy(all).includes(last) ? [last] : [...healthy(all)])
      }),
      property()
    )
  })
})

describe("A node that may no longer write", () => {
  it("chooses nobody from then on, whoever is there, and knows itself", () => {
    fc.assert(
      fc.property(nodes, nodes, (before, since) => {
        let all = before
        let isResigned = false
        const chosen = untilResigned(
          Effect.sync(() => all),
          () => isResigned
        )
        expect(Effect.runSync(chosen)).toEqual([...before])
        isResigned = true
        all = since
        expect(Effect.runSync(chosen)).toEqual(before.map(([runner]) => [runner, false]))
      }),
      property()
    )
  })
})

describe("An elected node", () => {
  it("counts as elected until all that it opened has ended", async () => {
    const done: Array<string> = []
    const opened = (what: string) => Effect.addFinalizer(() => Effect.sync(() => void done.push(`${what} ended`)))
    const lead = Effect.all([opened("its lead"), opened("its app"), Effect.never], { discard: true })
    const fiber = Effect.runFork(
      Effect.scoped(elected(lead, (isElected) => void done.push(isElected ? "elected" : "not elected")))
    )
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(done).toEqual(["elected", "its app ended", "its lead ended", "not elected"])
  })
})

describe("A node that leaves", () => {
  const own = makeAddress(HOST, 1)

  const left = (isElected: boolean) =>
    Effect.gen(function* () {
      const done: Array<string> = []
      const noted = (what: string) => () => Effect.sync(() => void done.push(what))
      const storage = { release: noted("one lock"), releaseAll: noted("all locks"), unregister: noted("its name") }
      const { release, unregister } = leaving(storage as unknown as RunnerStorage["Service"], () => isElected)
      yield* release(own, makeShardId("writer", 1))
      yield* unregister(own)
      yield* release(own, makeShardId("writer", 2))
      return done
    })

  it("gives up all its locks at once, and only then its name", async () => {
    expect(await Effect.runPromise(left(false))).toEqual(["one lock", "all locks", "its name"])
  })

  it("keeps them while what it does as the elected one goes on", async () => {
    expect(await Effect.runPromise(left(true))).toEqual(["one lock", "its name", "one lock"])
  })
})
