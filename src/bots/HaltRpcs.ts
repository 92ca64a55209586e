import { Effect, Schedule } from "effect"
import { wireOf } from "../../engine/wire/JsonEncoder.ts"
import { KillSwitch } from "../api/Bots.ts"
import { cancelOnDisconnect, liftKillSwitch } from "../api/rpc/FastLane.ts"
import { answering } from "../rpc/RpcHandler.ts"
import type { HaltActor } from "../../engine/arena/CommitmentHalting.ts"
import { CommitmentHalts } from "../arena/CommitmentHalts.ts"
import { killSwitchResponse } from "./KillSwitchResponse.ts"
import type { CommitmentHalt } from "../../engine/arena/CommitmentHalt.ts"

/** The wait before a halt that could not be recorded is tried again: nothing can be committed meanwhile, either. */
const RETRY = Schedule.spaced("1 second")

const encode = wireOf(KillSwitch)

const answerOf = (halt: CommitmentHalt) => {
  const { success: _, ...answer } = encode(killSwitchResponse(halt))
  return answer
}

/** What happens when a connection ends that was to stop the company. It is not given up. */
const disconnected = (halts: CommitmentHalts["Service"], actor: HaltActor): Effect.Effect<void> =>
  halts.disconnected(actor).pipe(
    Effect.tapError((error) => Effect.logWarning("A company is not halted yet", error)),
    Effect.retry(RETRY),
    Effect.orDie
  )

/** The kill switch on the fast lane. */
export const haltRpcs = Effect.map(CommitmentHalts, (halts) => [
  answering(cancelOnDisconnect, ({ enabled }, { connection, principal }) =>
    Effect.uninterruptible(
      Effect.gen(function* () {
        if (enabled && !connection.isWatched) {
          yield* halts.arm(principal)
          connection.onEnd(disconnected(halts, principal))
        } else if (!enabled && connection.isWatched) {
          connection.onEnd(undefined)
          yield* Effect.onError(halts.disarm(principal), () =>
            Effect.sync(() => connection.onEnd(disconnected(halts, principal)))
          )
        }
        return answerOf(yield* halts.find(principal.companyId))
      })
    )
  ),
  answering(liftKillSwitch, (_, { principal }) => Effect.uninterruptible(Effect.map(halts.resume(principal), answerOf)))
])
