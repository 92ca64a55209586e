import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { type GivenStrike, readStrikes, strikesText } from "../../../engine/simulation/GivenStrike.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { commandOf } from "../../../engine/simulation/Shrink.ts"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import { readArguments } from "../../../engine/simulation/SimulationArguments.ts"
import { environment } from "../../lib/Simulations.ts"

const duration = fc.integer({ min: 1, max: 86_400_000 })

const strike: fc.Arbitrary<GivenStrike["strike"]> = fc.oneof(
  fc.constant({ kind: "restart" } as const),
  fc.record({ kind: fc.constant("crash_actor" as const), moment: fc.constantFrom("before", "waiting", "after") }),
  fc.record({
    kind: fc.constant("fail_journal" as const),
    half: fc.boolean(),
    times: fc.integer({ min: 1, max: 1_000 })
  }),
  fc.record({ kind: fc.constant("duplicate" as const), for: duration, after: fc.nat(1_000) }),
  fc.record({ kind: fc.constant("jump_clock" as const), by: fc.integer({ min: -1_000_000, max: 1_000_000 }) })
)

const spec = { seed: 5, orders: 4, traders: 5, faults: true }
const SIZE = 12

/** The events of a simulation, and where each step of it ends. */
const played = (strikes: ReadonlyArray<GivenStrike>, keep = {}) => {
  const events: Array<string> = []
  const steps: Array<number> = []
  const result = simulate(makeScenario({ ...spec, strikes, keep }), {
    ...environment,
    onStep: (recorded) => {
      for (const { data } of recorded) events.push(data)
      steps.push(events.length)
    }
  })
  return { events, steps, result }
}

describe("A given strike", () => {
  it("is read from what the command of its scenario says", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ after: fc.nat(100_000), strike }), { minLength: 1, maxLength: 5 }),
        (strikes) => {
          expect(readStrikes(strikesText(strikes))).toEqual(Result.succeed(strikes))
          const options = commandOf({ ...spec, strikes })
            .replace("npm run sim -- ", "")
            .split(" ")
          expect(readArguments(options)).toMatchObject({ spec: { ...spec, strikes } })
        }
      )
    )
  })

  it("is refused where it is none", () => {
    for (const text of [
      "",
      "restart",
      "5:nothing",
      "5:delay",
      "5:delay:for=0:by=1",
      "x:restart",
      "5:restart,",
      "5:duplicate:for=9:after=no"
    ]) {
      expect(readArguments(["--strikes", text])).toStartWith("--strikes: ")
    }
    expect(readArguments(["--strikes", "5:restrat"])).toBe(
      "--strikes: 5:restrat: Expected a kind of crash_actor, restart, fail_journal, slow_journal, blind_actors, delay, " +
        "duplicate, stall_oracle, spike_oracle, jump_clock, close_vault"
    )
    const needs = [
      ["crash_actor", "moment="],
      ["fail_journal", "half= and times="],
      ["slow_journal", "for= and by="],
      ["blind_actors", "for="],
      ["delay", "for= and by="],
      ["duplicate", "for= and after="],
      ["stall_oracle", "for="],
      ["spike_oracle", "for= and factor="],
      ["jump_clock", "by="],
      ["close_vault", "for="]
    ]
    for (const [kind, fields] of needs) {
      expect(readArguments(["--strikes", `5:${kind}`])).toBe(`--strikes: 5:${kind}: ${kind} needs ${fields}`)
    }
    expect(readArguments(["--strikes", "5:delay:for=0:by=1"])).toBe(
      "--strikes: 5:delay:for=0:by=1: for= takes a whole number from 1 to 86400000"
    )
    expect(readArguments(["--strikes", "5:restart:in=5"])).toBe(
      "--strikes: 5:restart:in=5: restart takes no fields, not in="
    )
    expect(readArguments(["--strikes", "5:stall_oracle:for=5:for=9"])).toBe(
      "--strikes: 5:stall_oracle:for=5:for=9: give for= once"
    )
    expect(readArguments(["--nodes", "3", "--strikes", "1:restart"])).toContain("--strikes is for the arena")
    expect(readArguments(["--seeds", "3", "--strikes", "1:restart"])).toContain("--strikes is for one seed")
  })

  it("changes nothing up to the step that it strikes after", () => {
    const without = played([])
    const size = without.steps.length
    expect(size).toBeGreaterThan(SIZE)
    for (const after of [0, 1, SIZE, size - 2]) {
      const { events, result, steps } = played([{ after, strike: { kind: "restart" } }])
      const until = without.steps[after - 1] ?? 0
      expect(events.slice(0, until)).toEqual(without.events.slice(0, until))
      expect(steps.slice(0, after)).toEqual(without.steps.slice(0, after))
      expect(result.violation).toBeNull()
      const given = makeScenario(spec).faults.length
      expect(result.faults.filter(({ fault }) => fault === given).map(({ kind }) => kind)).toEqual(["restart"])
      expect(played([{ after, strike: { kind: "restart" } }]).result.eventsHash).toBe(result.eventsHash)
    }
  })

  it("is left out by its number, which follows those of the faults that are drawn", () => {
    const strikes: ReadonlyArray<GivenStrike> = [{ after: 5, strike: { kind: "jump_clock", by: 77_777 } }]
    const all = makeScenario({ ...spec, strikes })
    expect(all.given.map(({ index }) => index)).toEqual([all.faults.length])
    const drawn = all.faults.map(({ index }) => index)
    expect(played(strikes, { faults: drawn }).result).toEqual(played([]).result)
    expect(played(strikes).result.faults).toContainEqual(expect.objectContaining({ fault: all.faults.length }))
  })
})
