import { describe, expect, it } from "bun:test"
import { ownInvariant } from "../../../engine/simulation/ExtensionHost.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import type { ExtensionContext, WorldView } from "../../../engine/simulation/SimulationExtension.ts"
import { environment, extended } from "../../lib/Simulations.ts"

const SPEC = { seed: 33, orders: 8, traders: 4, faults: false }

const watching = (check: (world: WorldView) => unknown) => ({ invariant: { name: "mine", check } })
const striking = (strike: (world: WorldView) => unknown) => ({ fault: { name: "mine", strike } })

describe("ExtensionHost", () => {
  it("changes nothing where a module only watches", () => {
    let asked = 0
    const watched = extended(
      SPEC,
      watching(() => void (asked += 1))
    )
    expect(watched).toEqual(simulate(makeScenario(SPEC), environment))
    expect(asked).toBe(watched.commits + 2)
  })

  it("shows the world at the start, after each step and at the end", () => {
    const seen: Array<number> = []
    const ends: Array<WorldView["elapsed"]> = []
    let settled = 0
    const check = (world: WorldView): undefined => {
      seen.push(...world.events.map(({ seq }) => seq))
      if (world.isOver) ends.push(world.elapsed)
      if (world.isOver) settled = [...world.orders.values()].filter(({ status }) => status === "settled").length
      expect(world.seed).toBe(33)
      expect(world.account("usr_0/USD/wallet").held).toBeGreaterThanOrEqual(0n)
      expect(world.now).toBe(makeScenario(SPEC).startedAt + world.elapsed)
    }
    const { events, violation } = extended(SPEC, watching(check))
    expect(violation).toBeNull()
    expect(seen).toEqual(Array.from({ length: events }, (_, index) => index + 1))
    expect([ends.length, settled]).toEqual([1, 8])
  })

  it("ends a simulation at the first step in which a rule does not hold, with its sentence", () => {
    const check = ({ events }: WorldView) =>
      events.some(({ event }) => event._tag === "WinnerChosen") ? "somebody won" : undefined
    const { violation } = extended(SPEC, watching(check))
    expect(violation).toMatchObject({ invariant: ownInvariant("mine"), detail: "somebody won" })
    const thrown = () => {
      throw new Error("expected 1 to be 2")
    }
    expect(extended(SPEC, watching(thrown)).violation).toMatchObject({
      invariant: "own/mine",
      detail: expect.stringContaining("expected 1 to be 2")
    })
    expect(
      extended(
        SPEC,
        watching(({ isOver }) => (isOver ? "at the end" : undefined))
      ).violation?.detail
    ).toBe("at the end")
  })

  it("says what is wrong with what a module returns", () => {
    const detailOf = (exported: unknown) => {
      const { violation } = extended(SPEC, exported)
      expect(violation?.invariant).toBe("extension")
      return violation?.detail
    }
    expect(detailOf(watching(() => false))).toContain("mine returned false: a sentence where it does not hold")
    expect(detailOf(striking(() => "restart"))).toContain('mine returned "restart": ')
    expect(detailOf(striking(() => ({ kind: "earthquake" })))).toContain("earthquake")
    expect(detailOf(striking(() => ({ kind: "restart", in: -1 })))).toContain("in has to be milliseconds")
    expect(
      detailOf(striking(() => Array.from({ length: 10_001 }, () => ({ kind: "duplicate", for: 1, after: 1 }))))
    ).toContain("strikes without end")
    expect(detailOf(() => ({ trader: 5 }))).toContain("a trader has to be")
    expect(
      detailOf(() => {
        throw new Error("not ready")
      })
    ).toContain("not ready")
  })

  it("has its faults strike as those that ship do, at their time and numbered after them", () => {
    const storm = ({ random }: ExtensionContext) => {
      const chance = random("storm")
      return striking(({ events }) =>
        events.some(({ event }) => event._tag === "CommitmentSubmitted") && chance.chance(300)
          ? [
              { kind: "restart", in: chance.below(20) },
              { kind: "crash_actor", moment: chance.pick(["before", "after"]) }
            ]
          : undefined
      )
    }
    for (const faults of [false, true]) {
      const spec = { ...SPEC, faults }
      const result = extended(spec, storm)
      expect(result.violation).toBeNull()
      const first = makeScenario(spec).faults.length
      const own = result.faults.filter(({ fault }) => fault >= first)
      expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set(["restart", "crash_actor"]))
      expect(extended(spec, storm)).toEqual(result)
      const kept = own[0]?.fault ?? 0
      const fewer = extended({ ...spec, keep: { faults: [kept] } }, storm)
      expect(fewer.faults.map(({ fault }) => fault)).toEqual([kept])
    }
  })
})
