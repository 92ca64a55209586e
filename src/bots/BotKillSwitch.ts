import { Effect } from "effect"
import type { Principal } from "../api/Authorization.ts"
import { CommitmentHalts } from "../arena/CommitmentHalts.ts"
import { Bots } from "./Bots.ts"

/** What is stopped: the company's bots, or every commitment of the company. */
type Scope = "bots" | "company"

/** Stops what somebody asks for, at once or unless asked again in time. Any token of the company will do. */
export const makeStopping = Effect.map(Effect.all([Bots, CommitmentHalts]), ([bots, halts]) => ({
  /** Answers which bots were active. The company's commitments are halted first, so that none comes between. */
  now: Effect.fnUntraced(function* (caller: Principal, scope: Scope = "bots") {
    const { halted } = scope === "company" ? yield* halts.halt(caller, "asked") : { halted: null }
    const paused = yield* bots.pauseAll(caller)
    return { paused, haltedAt: halted?.at }
  }),
  /** Answers when, null for never, and since when the company's commitments are refused, where they are. */
  after: Effect.fnUntraced(function* (caller: Principal, seconds: number, scope: Scope = "bots") {
    if (scope === "bots") return { at: yield* bots.cancelAfter(caller, seconds) }
    const { deadlineAt, halted } = yield* halts.haltAfter(caller, seconds)
    return { at: deadlineAt, ...(halted !== null && { haltedAt: halted.at }) }
  })
}))
