import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { QuotaLoans } from "../../../engine/cluster/QuotaLoans.ts"
import { BLOCKS, LEASE } from "../../../engine/cluster/QuotaPart.ts"
import { FRAME_COST, MAX_ADDRESS_SOCKETS, SocketLimits } from "../../../src/http/SocketLimits.ts"
import { property } from "../../lib/Property.ts"
import {
  caller,
  chances,
  FRAME_BYTES,
  NEVER_LOST,
  NODES,
  QUOTA,
  type QuotaNode,
  SimulatedQuotas
} from "../../lib/SimulatedQuotas.ts"

const times = (count: number, act: () => void): void => {
  for (let n = 0; n < count; n++) act()
}

const place = fc.integer({ min: -1, max: NODES - 1 })
const few = fc.integer({ min: 1, max: 30 })

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ act: fc.constant("pass" as const), millis: fc.integer({ min: 0, max: 2_500 }) })
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("pass" as const), millis: fc.constant(LEASE + 5_000) }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant("open" as const), at: place, many: few }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("close" as const), at: place, many: few }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant("send" as const), at: place }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("cut" as const), at: fc.integer({ min: 0, max: NODES - 1 }) }) }
)

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** Plays a step; tells `admitted` of each connection that the home let in. */
const play = (quotas: SimulatedQuotas, step: Step, admitted: () => void): void => {
  if (step.act === "pass") return quotas.pass(step.millis)
  const node = quotas.nodes[step.at]
  if (step.act === "cut") {
    if (node !== undefined) node.isCut = !node.isCut
    return
  }
  const places = node?.places ?? quotas.homePlaces
  if (step.act === "close") return times(step.many, () => quotas.close(places))
  if (step.act === "send") {
    while (quotas.send(places, FRAME_BYTES));
    return
  }
  times(step.many, () => {
    if (node === undefined ? quotas.openAtHome() : quotas.open(node)) admitted()
  })
}

describe("Quotas of callers at several nodes", () => {
  it("never let more through than the quota and a block of each node, whatever messages are lost, and count all connections", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(), (steps, seed) => {
        const quotas = new SimulatedQuotas(chances(seed))
        for (const one of steps) {
          play(quotas, one, () => {
            const counted = quotas.nodes.filter(({ heardAt }) => quotas.now - heardAt <= LEASE)
            const open = quotas.homePlaces.length + counted.reduce((sum, { places }) => sum + places.length, 0)
            expect(open).toBeLessThanOrEqual(MAX_ADDRESS_SOCKETS)
          })
          expect(quotas.blocks).toBeLessThanOrEqual(BLOCKS + NODES)
        }
        expect(quotas.excess(BLOCKS + NODES)).toBeLessThanOrEqual(1e-6)
      }),
      property()
    )
  })

  it("are all shared again, and each connection counted once, when messages come again", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(), (steps, seed) => {
        const chance = chances(seed)
        let isHealed = false
        const quotas = new SimulatedQuotas(() => (isHealed ? NEVER_LOST() : chance()))
        for (const one of steps) play(quotas, one, () => undefined)
        isHealed = true
        for (const node of quotas.nodes) node.isCut = false
        quotas.pass(2 * LEASE)
        const users = quotas.nodes.filter(({ places }) => places.length > 0)
        const open = users.reduce((sum, { places }) => sum + places.length, 0)
        expect(quotas.loans.socketsOf(caller.caller, quotas.now)).toBe(open)
        const atHome = quotas.homePlaces.length > 0 ? 1 : 0
        const due = 1 + Math.floor((BLOCKS - users.length - 1) / Math.max(1, users.length + atHome))
        for (const { limits, places } of quotas.nodes) {
          expect(limits.blocksOf(caller.caller)).toBe(places.length > 0 ? due : 0)
        }
        expect(quotas.home.blocksOf(caller.caller)).toBe(BLOCKS - users.length * due)
      }),
      property()
    )
  })

  it("gives a caller at one node alone seven eighths of its quota", () => {
    const quotas = new SimulatedQuotas(NEVER_LOST)
    const [node] = quotas.nodes as [QuotaNode]
    quotas.open(node)
    quotas.pass(500)
    const whole = (7 / 8) * QUOTA.burst
    while (quotas.send(node.places, FRAME_COST));
    expect(quotas.let.reduce((sum, { cost }) => sum + cost, 0)).toBeGreaterThan(whole - 2 * FRAME_COST)
    const before = quotas.let.length
    times(100, () => {
      quotas.pass(100)
      while (quotas.send(node.places, FRAME_COST));
    })
    const after = quotas.let.slice(before).reduce((sum, { cost }) => sum + cost, 0)
    expect(after).toBeGreaterThanOrEqual((7 / 8) * QUOTA.perSecond * 10 - 2 * FRAME_COST)
  })

  it("has the nodes tell a home that knows nothing what they have", () => {
    const quotas = new SimulatedQuotas(NEVER_LOST)
    for (const node of quotas.nodes) quotas.open(node)
    quotas.pass(5_000)
    quotas.replaceHome()
    quotas.pass(5_000)
    expect(quotas.loans.socketsOf(caller.caller, quotas.now)).toBe(NODES)
    expect(quotas.nodes.map(({ limits }) => limits.blocksOf(caller.caller))).toEqual([2, 2, 2])
  })

  it("forgets at once what a node had that is gone, or has started again", () => {
    const home = new SocketLimits(true)
    const there = new Set(["a", "b"])
    const loans = new QuotaLoans(home, (node) => there.has(node))
    loans.promise("a", "1", caller, 0)
    loans.promise("b", "1", caller, 0)
    expect(loans.socketsOf(caller.caller, 1)).toBe(2)
    there.delete("a")
    expect(loans.socketsOf(caller.caller, 1)).toBe(1)
    loans.promise("b", "2", caller, 2)
    expect(loans.socketsOf(caller.caller, 2)).toBe(1)
    expect(home.blocksOf(caller.caller)).toBe(1)
  })
})
