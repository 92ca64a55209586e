import { Effect, Schedule } from "effect"
import { elapsedMillis } from "../../engine/journal/ElapsedTime.ts"
import { wireOf } from "../../engine/wire/JsonEncoder.ts"
import { KillSwitch } from "../api/Bots.ts"
import { cancelOnDisconnect, liftKillSwitch } from "../api/rpc/FastLane.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { answering, type Call, type EndAct, type Ending } from "../rpc/RpcHandler.ts"
import type { HaltActor } from "../../engine/arena/CommitmentHalting.ts"
import { CommitmentHalts } from "../arena/CommitmentHalts.ts"
import { type Armed, Reconnections } from "./Reconnections.ts"
import { killSwitchResponse } from "./KillSwitchResponse.ts"
import type { CommitmentHalt } from "../../engine/arena/CommitmentHalt.ts"

/** The wait before a halt that could not be recorded is tried again: nothing can be committed meanwhile, either. */
const RETRY = Schedule.spaced("1 second")

const encode = wireOf(KillSwitch)

const answerOf = (halt: CommitmentHalt) => {
  const { success: _, ...answer } = encode(killSwitchResponse(halt))
  return answer
}

/** What the end of a connection does is not given up. */
const insist = (recorded: Effect.Effect<void, Unavailable>): Effect.Effect<void> =>
  recorded.pipe(
    Effect.tapError((error) => Effect.logWarning("The end of a connection is not recorded yet", error)),
    Effect.retry(RETRY),
    Effect.orDie
  )

/** A connection that is armed, and what happens at its end. */
interface ArmedEnd {
  readonly one: Armed
  readonly act: EndAct
}

/** Arms connections, and no more. */
const arming = (halts: CommitmentHalts["Service"]) => {
  const reconnections = new Reconnections()
  const armed = new WeakMap<Ending, ArmedEnd>()
  const actOf = (one: Armed, actor: HaltActor): EndAct => {
    const ended = Effect.andThen(
      Effect.sync(() => reconnections.end(one)),
      insist(halts.disconnected(actor))
    )
    const isBack = Effect.flatMap(elapsedMillis, (now) => reconnections.isBack(one, now))
    const lost = Effect.flatMap(isBack, (is) => (is ? insist(halts.disarm(actor)) : ended))
    return (isLost) => (isLost ? lost : ended)
  }
  const arm = Effect.fnUntraced(function* ({ caller, connection, principal }: Call) {
    yield* halts.arm(principal)
    const one = reconnections.arm(caller, yield* elapsedMillis)
    const act = actOf(one, principal)
    armed.set(connection, { one, act })
    connection.onEnd(act)
  })
  const disarm = Effect.fnUntraced(function* ({ connection, principal }: Call) {
    const known = armed.get(connection)
    connection.onEnd(undefined)
    yield* Effect.onError(halts.disarm(principal), () => Effect.sync(() => connection.onEnd(known?.act)))
    if (known !== undefined) reconnections.end(known.one)
  })
  return { arm, disarm }
}

/** The kill switch on the fast lane. */
export const haltRpcs = Effect.map(CommitmentHalts, (halts) => {
  const { arm, disarm } = arming(halts)
  return [
    answering(cancelOnDisconnect, ({ enabled }, call) =>
      Effect.uninterruptible(
        Effect.gen(function* () {
          const { connection, principal } = call
          if (enabled && !connection.isWatched) yield* arm(call)
          else if (!enabled && connection.isWatched) yield* disarm(call)
          return answerOf(yield* halts.find(principal.companyId))
        })
      )
    ),
    answering(liftKillSwitch, (_, { principal }) =>
      Effect.uninterruptible(Effect.map(halts.resume(principal), answerOf))
    )
  ]
})
