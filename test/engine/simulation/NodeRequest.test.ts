import { describe, expect, it } from "bun:test"
import { batchOf } from "../../../engine/simulation/NodeRequest.ts"
import { makeNodesScenario } from "../../../engine/simulation/NodesScenario.ts"

const { requests } = makeNodesScenario({ seed: 1, nodes: 3, requests: 80 })

describe("NodeRequest", () => {
  it("is an entry under its key, dated when it is decided, that names its request", () => {
    const batches = requests.map((plan) => batchOf({ plan, key: `key/${plan.index}` }, 5))
    expect(batches.map(({ entries }) => entries[0]?.event)).toEqual(
      requests.map(({ id }) => expect.objectContaining({ at: 5, fundId: id })) as never
    )
    expect(new Set(batches.map(({ entries }) => entries[0]?.idempotency?.key)).size).toBe(requests.length)
    const tags = new Set(batches.flatMap(({ entries }) => entries[0]?.commands.map(({ _tag }) => _tag) ?? []))
    expect(tags).toEqual(new Set(["Transfer", "Hold", "Capture", "Release"]))
  })
})
