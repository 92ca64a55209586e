import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  applyFairness,
  FAIRNESS_RULES,
  type MachineRegister,
  type Participant
} from "../../../engine/arena/Fairness.ts"
import { NO_MACHINES, OWNERS } from "../../lib/ArenaArbitraries.ts"
import { property } from "../../lib/Property.ts"

const participant = (owner: string, machine: boolean, weight: bigint): Participant => ({ owner, machine, weight })

const participants = fc
  .array(fc.tuple(fc.boolean(), fc.oneof(fc.bigInt({ min: 1n, max: 12n }), fc.bigInt({ min: 1n, max: 10n ** 14n }))), {
    maxLength: 6
  })
  .map((rows) => rows.map(([machine, weight], index) => participant(OWNERS[index]!, machine, weight)))

const register: fc.Arbitrary<MachineRegister> = fc
  .record({
    capable: fc.nat({ max: 12 }),
    committed: fc.nat({ max: 12 }),
    turnout: fc.array(fc.tuple(fc.constantFrom(...OWNERS), fc.nat({ max: 8 }), fc.nat({ max: 8 })), { maxLength: 6 })
  })
  .map(({ capable, committed, turnout }) => ({
    assetType: "fx",
    capable: Math.max(capable, committed),
    committed: Math.min(capable, committed),
    turnout: new Map(
      turnout.map(([owner, one, other]) => [owner, { orders: Math.max(one, other), committed: Math.min(one, other) }])
    )
  }))

describe("the weighted reading", () => {
  const outcome = (machines: bigint, humans: bigint) =>
    applyFairness("weighted", [participant("m", true, machines), participant("h", false, humans)], NO_MACHINES)

  it.each([
    [3n, 1n, true],
    [2n, 1n, false],
    [300n, 101n, false],
    [299n, 100n, false],
    [300n, 100n, true],
    [3_000_000n, 1_000_000n, true],
    [2_999_999n, 1_000_000n, false]
  ])("with machines at %p and humans at %p lets machines win: %p", (machines, humans, may) => {
    expect(outcome(machines, humans)).toEqual({
      rule: "weighted",
      machines,
      total: machines + humans,
      machineOwners: ["m"],
      excluded: new Set(may ? [] : ["m"])
    })
  })

  it("holds without a human, and without anybody", () => {
    expect(applyFairness("weighted", [participant("m", true, 1n)], NO_MACHINES).excluded).toEqual(new Set())
    expect(applyFairness("weighted", [], NO_MACHINES)).toEqual({
      rule: "weighted",
      machines: 0n,
      total: 0n,
      machineOwners: [],
      excluded: new Set()
    })
  })

  it("excludes every machine owner together, when they weigh less than three humans' worth", () => {
    fc.assert(
      fc.property(participants, (all) => {
        const machines = all.filter(({ machine }) => machine)
        const weigh = (some: ReadonlyArray<Participant>) => some.reduce((sum, { weight }) => sum + weight, 0n)
        const mayWin = weigh(machines) >= 3n * (weigh(all) - weigh(machines))
        const outcome = applyFairness("weighted", all, NO_MACHINES)
        expect(outcome.excluded).toEqual(new Set(mayWin ? [] : machines.map(({ owner }) => owner)))
        expect(outcome.machines).toBe(weigh(machines))
        expect(outcome.total).toBe(weigh(all))
      }),
      property()
    )
  })
})

describe("the quorum reading", () => {
  const outcome = (committed: number, capable: number) =>
    applyFairness("quorum", [participant("m", true, 1n), participant("h", false, 1_000n)], {
      ...NO_MACHINES,
      capable,
      committed
    })

  it.each([
    [3, 4, true],
    [2, 4, false],
    [2, 3, false],
    [3, 3, true],
    [74, 99, false],
    [75, 100, true],
    [0, 0, true],
    [0, 1, false]
  ])("with %p of %p capable machines committed lets machines win: %p", (committed, capable, may) => {
    expect(outcome(committed, capable)).toEqual({
      rule: "quorum",
      machines: BigInt(committed),
      total: BigInt(capable),
      machineOwners: ["m"],
      excluded: new Set(may ? [] : ["m"])
    })
  })
})

describe("the turnout reading", () => {
  const everybody = [
    participant("regular", true, 1n),
    participant("exact", true, 1n),
    participant("rare", true, 9_000n),
    participant("new", true, 1n),
    participant("person", false, 1n)
  ]
  const turnout = new Map([
    ["regular", { orders: 10, committed: 10 }],
    ["exact", { orders: 8, committed: 6 }],
    ["rare", { orders: 8, committed: 5 }],
    ["person", { orders: 8, committed: 0 }]
  ])

  it("excludes each machine owner by its own record, and no other", () => {
    expect(applyFairness("turnout", everybody, { ...NO_MACHINES, turnout })).toEqual({
      rule: "turnout",
      machines: 3n,
      total: 4n,
      machineOwners: ["exact", "new", "rare", "regular"],
      excluded: new Set(["rare"])
    })
  })
})

describe("every reading", () => {
  it("holds where no human takes part", () => {
    const lazy: MachineRegister = { assetType: "fx", capable: 9, committed: 1, turnout: new Map() }
    for (const rule of FAIRNESS_RULES) {
      const machines = [participant("m", true, 1n), participant("n", true, 2n)]
      expect(
        applyFairness(rule, machines, { ...lazy, turnout: new Map([["m", { orders: 9, committed: 0 }]]) }).excluded
      ).toEqual(new Set())
      expect(applyFairness("quorum", [...machines, participant("h", false, 1n)], lazy).excluded).toEqual(
        new Set(["m", "n"])
      )
    }
  })

  it("never excludes a human owner, nor one that does not take part", () => {
    fc.assert(
      fc.property(participants, register, fc.constantFrom(...FAIRNESS_RULES), (all, known, rule) => {
        const outcome = applyFairness(rule, all, known)
        const machines = all.filter(({ machine }) => machine).map(({ owner }) => owner)
        for (const owner of outcome.excluded) expect(machines).toContain(owner)
        expect(outcome.rule).toBe(rule)
        expect(outcome.machines >= 0n && outcome.machines <= outcome.total).toBe(true)
      }),
      property()
    )
  })

  it("does not depend on the order of the participants", () => {
    fc.assert(
      fc.property(participants, register, fc.constantFrom(...FAIRNESS_RULES), (all, known, rule) => {
        expect(applyFairness(rule, all.toReversed(), known)).toEqual(applyFairness(rule, all, known))
      }),
      property()
    )
  })
})
