import { Clock, Context, Data, Effect, Layer } from "effect"
import { GrowingLead, TimeLead } from "../../engine/journal/TimeLead.ts"
import { isoUtc } from "../api/Timestamp.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { DueWork } from "../DueWork.ts"
import * as Worker from "../Worker.ts"
import { SandboxClockRepository } from "./SandboxClockRepository.ts"

/** The longest step, in milliseconds: what is due within one is done at its end. */
export const STEP = 3_600_000

/** How far it is set forward at a time, in milliseconds. */
export const MAX_AHEAD = 366 * 86_400_000

/** How often it is looked whether the clock is to go on. */
const LOOK_EVERY = "1 second"

/** What a sandbox's clock says. */
export interface ShownClock {
  /** In milliseconds since 1970. */
  readonly now: number
  /** How far that is ahead of the machine's clock, in milliseconds. */
  readonly lead: number
  /** Until when it is going on, in milliseconds since 1970; null where it is there. */
  readonly until: number | null
}

/** Why a clock is not set forward, as a sentence. */
export class ClockKept extends Data.TaggedError("ClockKept")<{
  readonly reason: "production" | "several_nodes" | "time" | "going"
  readonly message: string
}> {}

/** Where a clock is, and until when somebody wants to set it forward. */
export interface SettingForward {
  readonly mode: "sandbox" | "production"
  readonly isCluster: boolean
  readonly now: number
  readonly until: number
}

/** Why that is not done, if so. */
export const refusalOf = ({ isCluster, mode, now, until }: SettingForward) => {
  if (mode === "production") {
    return {
      reason: "production",
      message: "A production server has the machine's time: set the clock of a sandbox."
    } as const
  }
  if (isCluster) {
    return {
      reason: "several_nodes",
      message: "Nodes of a cluster have the machines' time: use a sandbox without CLUSTER."
    } as const
  }
  if (until <= now) {
    return { reason: "time", message: `Time does not go back: choose one after ${isoUtc(now)}.` } as const
  }
  if (until > now + MAX_AHEAD) {
    return {
      reason: "time",
      message: `Choose a time before ${isoUtc(now + MAX_AHEAD)}, 366 days ahead, and go on from there.`
    } as const
  }
  return undefined
}

/**
 * The clock of a sandbox, which an administrator sets forward. It goes there in steps of at most {@link STEP}, the shorter ones to what
 * must not be late, and at each all that is due is done before the next.
 */
export class SandboxClock extends Context.Service<
  SandboxClock,
  {
    readonly show: Effect.Effect<ShownClock, Unavailable>
    /** Lets the clock go on until a time, and answers what it says meanwhile. */
    readonly setForward: (until: number) => Effect.Effect<ShownClock, ClockKept | Unavailable>
    /** Goes on as far as it is to. */
    readonly round: Effect.Effect<void, Unavailable>
  }
>()("emporion/sandbox/SandboxClock") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* SandboxClockRepository
      const { cluster, mode } = yield* Settings
      const clock = yield* Clock.Clock
      const lead = yield* TimeLead
      const works = yield* DueWork
      const time = (): number => clock.currentTimeMillisUnsafe()

      const show = Effect.map(repository.find, ({ until }) => ({
        now: time(),
        lead: lead.millis,
        until
      }))

      /** When the next step ends: at the first that must not be late, else after an hour. */
      const stepEnd = (until: number): number => {
        const now = time()
        const nexts = works.all.flatMap(({ next }) => next?.(now) ?? [])
        return Math.min(until, now + STEP, ...nexts)
      }

      /** Does what is due, one after the other. It is kept first: after a stop, a step that was begun is done again. */
      const step = Effect.fnUntraced(function* (growing: GrowingLead, until: number) {
        const next = growing.millis + Math.max(1, stepEnd(until) - time())
        yield* repository.reach(next)
        growing.grow(next)
        yield* Effect.forEach(works.all, ({ look }) => look, { discard: true })
      })

      const leading = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.acquireUseRelease(
          Effect.sync(() => void (works.isLed = true)),
          () => effect,
          () => Effect.sync(() => void (works.isLed = false))
        )

      const round = Effect.gen(function* () {
        const { until } = yield* repository.find
        if (until === null || !(lead instanceof GrowingLead)) return
        yield* leading(
          Effect.gen(function* () {
            while (time() < until && (yield* repository.find).until === until) yield* step(lead, until)
          })
        )
        if (time() >= until) yield* repository.arrive
      })

      return SandboxClock.of({
        show,
        setForward: Effect.fn("SandboxClock.setForward")(function* (until) {
          const now = time()
          const refusal = refusalOf({ mode, isCluster: cluster !== undefined, now, until })
          if (refusal !== undefined) return yield* new ClockKept(refusal)
          if (!(yield* repository.goOn(until))) return yield* new ClockKept(GOING)
          return yield* show
        }),
        round: Effect.withSpan(round, "SandboxClock.round")
      })
    })
  ).pipe(Layer.provide(SandboxClockRepository.layer))

  /** Goes on whenever it is to, in a sandbox on one server. */
  static readonly running = Layer.effectDiscard(
    Effect.gen(function* () {
      const { cluster, mode } = yield* Settings
      if (mode === "production" || cluster !== undefined) return
      const { round } = yield* SandboxClock
      yield* Worker.every(LOOK_EVERY, "The sandbox's clock", round)
    })
  )
}

const GOING = {
  reason: "going",
  message: "The clock is still being set forward: wait until it is there."
} as const
