import { describe, expect, it } from "bun:test"
import { BLOCKS, LEASE } from "../../../engine/cluster/QuotaPart.ts"
import { UNUSED } from "../../../engine/cluster/QuotaShare.ts"
import { caller, NEVER_LOST, type QuotaNode, SimulatedQuotas } from "../../lib/SimulatedQuotas.ts"

describe("What a node borrows of a quota", () => {
  it("shares evenly among the nodes at which a caller is, and has all at home again once it is nowhere", () => {
    const quotas = new SimulatedQuotas(NEVER_LOST)
    const blocks = () => quotas.nodes.map(({ limits }) => limits.blocksOf(caller.caller))
    for (const node of quotas.nodes) quotas.open(node)
    quotas.pass(5_000)
    expect([...blocks(), quotas.home.blocksOf(caller.caller)]).toEqual([2, 2, 2, 2])
    quotas.close(quotas.nodes[0]!.places)
    quotas.pass(UNUSED + 4_000)
    expect([...blocks(), quotas.home.blocksOf(caller.caller)]).toEqual([0, 3, 3, 2])
    for (const node of quotas.nodes) quotas.close(node.places)
    quotas.pass(UNUSED + 4_000)
    expect([...blocks(), quotas.home.blocksOf(caller.caller)]).toEqual([0, 0, 0, BLOCKS])
    expect(quotas.loans.socketsOf(caller.caller, quotas.now)).toBe(0)
  })

  it("leaves one block to a node that does not reach its home, which has the others again", () => {
    const quotas = new SimulatedQuotas(NEVER_LOST)
    const [node] = quotas.nodes as [QuotaNode]
    quotas.open(node)
    quotas.pass(3_000)
    node.isCut = true
    quotas.pass(3_000)
    expect(node.limits.blocksOf(caller.caller)).toBe(7)
    quotas.pass(LEASE)
    expect(node.limits.blocksOf(caller.caller)).toBe(1)
    expect(quotas.loans.socketsOf(caller.caller, quotas.now)).toBe(0)
    expect(quotas.home.blocksOf(caller.caller)).toBe(BLOCKS)
    expect(quotas.send(node.places, 1_000)).toBe(true)
    node.isCut = false
    quotas.pass(10_000)
    expect(node.limits.blocksOf(caller.caller)).toBe(7)
    expect(quotas.loans.socketsOf(caller.caller, quotas.now)).toBe(1)
  })
})
