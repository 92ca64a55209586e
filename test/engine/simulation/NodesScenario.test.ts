import { describe, expect, it } from "bun:test"
import { makeNodesScenario } from "../../../engine/simulation/NodesScenario.ts"

const SPEC = { seed: 7, nodes: 3, requests: 40 }

describe("NodesScenario", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(makeNodesScenario(SPEC)).toEqual(makeNodesScenario(SPEC))
    expect(makeNodesScenario({ ...SPEC, seed: 8 }).requests).not.toEqual(makeNodesScenario(SPEC).requests)
  })

  it("leaves parts out without a change of the others", () => {
    const { faults, requests } = makeNodesScenario(SPEC)
    const some = makeNodesScenario({ ...SPEC, keep: { requests: [3, 5], faults: [1] } })
    expect(some.requests).toEqual(requests.filter(({ index }) => index === 3 || index === 5))
    expect(some.faults).toEqual(faults.filter(({ index }) => index === 1))
  })
})
