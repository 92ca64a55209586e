import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { CommitmentRepository, type Stake } from "../../../src/arena/CommitmentRepository.ts"
import { MachineTraders } from "../../../src/arena/MachineTraders.ts"
import { Participation } from "../../../src/arena/Participation.ts"
import { Settings } from "../../../src/Config.ts"
import { terms, usd } from "../../lib/ArenaArbitraries.ts"
import { itEffect } from "../../lib/Effects.ts"

const stake = (owner: string, weight: string, machine = false, bots: ReadonlyArray<string> = []): Stake => ({
  owner,
  weight: usd(weight),
  machine,
  bots
})

const outcome = Effect.fnUntraced(function* (
  there: ReadonlyArray<Stake>,
  variables: Readonly<Record<string, string>> = {}
) {
  const needs = Layer.mergeAll(
    Layer.mock(CommitmentRepository, { stakes: () => Effect.succeed(there) }),
    Layer.mock(MachineTraders, {
      activeOwners: () => Effect.succeed(new Set(["operator"])),
      capableCount: () => Effect.succeed(4),
      turnout: () => Effect.succeed(new Map())
    }),
    Settings.layerOf(variables)
  )
  const context = yield* Layer.build(Layer.provide(Participation.layer, needs))
  const participation = yield* Effect.provideContext(Participation, context)
  const joining = { owner: "me", botId: "bot_me", collateral: usd("30") }
  return yield* participation.with(terms(), joining, 1)
})

describe("Participation", () => {
  itEffect("counts a bot with those who are there, and owners of machines as such", () =>
    Effect.gen(function* () {
      const holds = yield* outcome([stake("human", "20"), stake("operator", "30")])
      expect(holds).toMatchObject({ machines: usd("60"), total: usd("80"), machineOwners: ["me", "operator"] })
      expect([...holds.excluded]).toEqual([])
      const fails = yield* outcome([stake("human", "21"), stake("operator", "30")])
      expect([...fails.excluded]).toEqual(["me", "operator"])
    })
  )

  itEffect("takes the larger of what its owner has there and would have", () =>
    Effect.gen(function* () {
      expect((yield* outcome([stake("me", "40")])).total).toBe(usd("40"))
      expect((yield* outcome([stake("me", "10")])).total).toBe(usd("30"))
    })
  )

  itEffect("counts each machine once under the quorum", () =>
    Effect.gen(function* () {
      const there = [stake("human", "1"), stake("operator", "1", true, ["bot_me", "bot_2"])]
      const counted = yield* outcome(there, { ARENA_FAIRNESS_RULE: "quorum" })
      expect(counted).toMatchObject({ machines: 2n, total: 4n })
    })
  )
})
