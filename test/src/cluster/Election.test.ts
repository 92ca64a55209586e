import { describe, expect, it } from "bun:test"
import { make as makeAddress } from "effect/cluster/RunnerAddress"
import { make as makeRunner } from "effect/cluster/Runner"
import fc from "fast-check"
import { type Candidate, candidates } from "../../../src/cluster/Election.ts"
import { property } from "../../lib/Property.ts"

const HOST = "10.0.0.7"

const nodes: fc.Arbitrary<ReadonlyArray<Candidate>> = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.boolean()), { selector: ([port]) => port })
  .map((all) =>
    all.map(([port, isHealthy]) => [
      makeRunner({ address: makeAddress(HOST, port), groups: ["writer"], weight: 1 }),
      isHealthy
    ])
  )

const port = fc.integer({ min: 1, max: 6 })

const healthy = (all: ReadonlyArray<Candidate>) =>
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
