import { Context, Effect, Layer } from "effect"
import { applyFairness, type FairnessOutcome, type Participant } from "../../engine/arena/Fairness.ts"
import type { OrderTerms } from "../../engine/arena/OrderTerms.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { CommitmentRepository } from "./CommitmentRepository.ts"
import { MachineTraders } from "./MachineTraders.ts"

/** A machine trader that would commit. */
export interface Joining {
  readonly owner: string
  readonly botId: string
  readonly collateral: Amount
}

/** What the 3/4 rule would say of an open order if it closed now, with every bid eligible. */
export class Participation extends Context.Service<
  Participation,
  {
    /** With another machine trader beside those there. */
    readonly with: (order: OrderTerms, joining: Joining, now: number) => Effect.Effect<FairnessOutcome, Unavailable>
  }
>()("emporion/arena/Participation") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { arena } = yield* Settings
      const { stakes } = yield* CommitmentRepository
      const machines = yield* MachineTraders
      const rule = arena.fairnessRule

      return Participation.of({
        with: Effect.fnUntraced(function* (
          { assetType, expiryAt, openedAt, orderId },
          { botId, collateral, owner },
          now
        ) {
          const active = yield* machines.activeOwners(assetType, openedAt, now + 1)
          const there = yield* stakes(orderId)
          const own = there.find((stake) => stake.owner === owner)?.weight ?? collateral
          const others = there.filter((stake) => stake.owner !== owner)
          const participants: ReadonlyArray<Participant> = [
            ...others.map(({ machine, weight, owner: other }) => ({
              owner: other,
              machine: machine || active.has(other),
              weight
            })),
            { owner, machine: true, weight: own > collateral ? own : collateral }
          ]
          return applyFairness(rule, participants, {
            assetType,
            capable: yield* machines.capableCount(assetType),
            committed: new Set([botId, ...there.flatMap(({ bots }) => bots)]).size,
            turnout: rule === "turnout" ? yield* machines.turnout(assetType, expiryAt) : new Map()
          })
        })
      })
    })
  )
}
