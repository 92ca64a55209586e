import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { orderStream } from "../../../engine/arena/Order.ts"
import { openOrder } from "../../../engine/arena/OrderLifecycle.ts"
import type { FaultPlan } from "../../../engine/simulation/FaultPlan.ts"
import { MAKER } from "../../../engine/simulation/OpeningFunds.ts"
import { STARTED_AT } from "../../../engine/simulation/Scenario.ts"
import { human, submission, terms, usd } from "../../lib/ArenaArbitraries.ts"
import { decodedEvent } from "../../lib/DecodedEvent.ts"
import { smallWorld } from "../../lib/SmallWorld.ts"

const offered = terms({
  openedAt: STARTED_AT,
  expiryAt: STARTED_AT + 600_000,
  settlementAt: STARTED_AT + 900_000,
  maker: MAKER
})
const { orderId } = offered

/** An arena with one order open, and what its trader was told. */
const arenaOf = (...faults: ReadonlyArray<FaultPlan>) => {
  const world = smallWorld(faults)
  const { fork, journal, arena, scenario } = world
  fork(journal.append({ stream: orderStream(orderId), version: 0, entries: [openOrder(offered)] }))
  world.pass(20)
  const rich = scenario.traders.find(({ balance }) => balance > usd("1000"))!
  const trader = human(rich.owner, { account: `${rich.id}/USD/wallet` })
  const told: Array<string> = []
  const submit = (): void => {
    const asked = arena.ask(orderId, { _tag: "Submit", submission: submission({ trader }) })
    fork(
      Effect.match(asked, {
        onSuccess: ({ _tag }) => void told.push(_tag),
        onFailure: (error) => void told.push(error._tag === "ActorUnavailable" ? error.reason : error._tag)
      })
    )
  }
  /** Once the tables have what was committed. */
  const committed = (): number => {
    world.pass(60)
    return journal.events.filter((one) => decodedEvent(one)._tag === "CommitmentSubmitted").length
  }
  return { ...world, told, submit, committed }
}

describe("SimulatedArena", () => {
  it("commits by the server's own actors, and remembers what they know", () => {
    const { submit, pass, told, arena, committed, defects } = arenaOf()
    submit()
    pass(20)
    expect([told, committed(), defects]).toEqual([["Submitted"], 1, []])
    expect(arena.states.get(orderId)?.commitments.size).toBe(1)
    expect(arena.messages).toBe(1)
  })

  for (const [moment, expected] of [
    ["before", 0],
    ["waiting", 1],
    ["after", 1]
  ] as const) {
    it(`kills an actor ${moment} its commit: nobody is told, and ${expected} is committed`, () => {
      const { submit, pass, told, arena, committed, defects } = arenaOf({
        index: 0,
        at: 20,
        kind: "crash_actor",
        moment
      })
      pass(5)
      submit()
      pass(20)
      expect([told, committed(), arena.restarts, defects]).toEqual([["unfinished"], expected, 1, []])
      pass(1_000)
      submit()
      pass(1_000)
      expect(told.at(-1)).toBe("Submitted")
      expect(arena.states.get(orderId)?.commitments.size).toBe(expected + 1)
    })
  }

  it("ends the host with all that is in memory, and starts another", () => {
    const { submit, pass, told, arena } = arenaOf({ index: 0, at: 30, kind: "restart" })
    submit()
    pass(9)
    expect(arena.states.size).toBe(1)
    submit()
    pass(20)
    expect(told).toEqual(["Submitted", "unfinished"])
    expect(arena.states.size).toBe(0)
    submit()
    pass(20)
    expect(told.at(-1)).toBe("Submitted")
  })

  it("leaves an actor that cannot read its history restarting", () => {
    const { submit, pass, told } = arenaOf({ index: 0, at: 20, kind: "blind_actors", for: 300 })
    pass(5)
    submit()
    pass(10)
    expect(told).toEqual(["restarting"])
    pass(5_000)
    submit()
    pass(10)
    expect(told.at(-1)).toBe("Submitted")
  })
})
