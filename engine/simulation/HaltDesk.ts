import { Effect } from "effect"
import type { ChainedEvent } from "../actor/CommitGroup.ts"
import { type Journal, JournalUnavailable, type Precondition, StaleVersion } from "../actor/Journal.ts"
import { commitmentHaltStream, NOT_HALTED } from "../arena/CommitmentHalt.ts"
import {
  askHalt,
  haltAfter,
  haltAllArmed,
  haltAllDue,
  type HaltedAgain,
  type HaltWorld,
  liftHalt,
  type ReadHalt
} from "../arena/CommitmentHalting.ts"
import { ArmedSwitches } from "../arena/ArmedSwitches.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import type { HaltPlan, HaltRequest } from "./HaltPlan.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

export interface HaltDeskParts {
  readonly clock: VirtualClock
  readonly board: FaultBoard
  /** Where it is written. */
  readonly journal: Journal<PlatformEvent>
  /** Waits until the process that is there serves. */
  readonly served: Effect.Effect<void>
  readonly fork: Fork
  readonly plans: ReadonlyArray<HaltPlan>
}

type Failure = JournalUnavailable | StaleVersion

/** Times a request is sent again where it was not answered, and the wait before each in milliseconds. */
const RETRIES = [100, 400, 1_600, 6_400] as const

/** How often deadlines are looked for, and what failed is done again, in milliseconds. */
const ROUND_MILLIS = 1_000

/** What is asked over a connection, and answered. */
type Served = Exclude<HaltRequest, { readonly act: "disconnect" }>

/** What a company is told that did what it asked for. */
const DONE = {
  halt: "Halted",
  lift: "HaltLifted",
  haltAfter: "HaltAfterSet",
  arm: "HaltArmed"
} as const

/** The kill switches of companies: what is asked of them over an unreliable network, and what pulls them by itself. */
export class HaltDesk {
  readonly answers = new Map<string, number>()
  readonly #parts: HaltDeskParts
  readonly #halts = new Map<string, ReadHalt>()
  readonly #world: HaltWorld<Failure>
  #connections: ArmedSwitches<Failure>
  /** By company, connections of this process that are there, and halt it when they end. */
  #connected = new Map<string, number>()

  constructor(parts: HaltDeskParts) {
    this.#parts = parts
    this.#world = {
      find: (companyId) => Effect.sync(() => this.#halts.get(companyId) ?? { ...NOT_HALTED, version: 0 }),
      write: ({ entry, stream, version }) =>
        Effect.flatMap(parts.journal.append({ stream, version, entries: [entry] }), ([outcome]) =>
          outcome?._tag === "Accepted" ? Effect.void : Effect.die(outcome?.error)
        ),
      due: (now, limit) => Effect.sync(() => this.#due(now).slice(0, limit)),
      armed: Effect.sync(() => this.#which(({ armed }) => armed))
    }
    this.#connections = new ArmedSwitches(this.#world)
  }

  /** What the events make of the switches. */
  apply(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>): void {
    for (const { event, version } of recorded) {
      if (event._tag !== "CommitmentHaltSet") continue
      const { armed, companyId, deadlineAt, halted } = event
      this.#halts.set(companyId, { armed, deadlineAt, halted, version })
    }
  }

  /** What a company's commitments are halted on; undefined where they are not. */
  guardOf(companyId: string): Precondition | undefined {
    const halt = this.#halts.get(companyId)
    if (halt === undefined || halt.halted === null) return undefined
    return { stream: commitmentHaltStream(companyId), version: halt.version }
  }

  /** Whether a switch is due that was not pulled yet. */
  isOwing(now: number): boolean {
    for (const { deadlineAt } of this.#halts.values()) if (deadlineAt !== null && deadlineAt <= now) return true
    return false
  }

  /** Puts the requests on their way. */
  plan(): void {
    const { board, clock, plans } = this.#parts
    for (const plan of plans) {
      for (const { at, request } of plan.requests) {
        clock.schedule(at, () => {
          const arrival = clock.elapsed + board.messageDelay()
          clock.schedule(arrival, () => this.#receive(plan, request, 0))
        })
      }
    }
    if (plans.length > 0) clock.schedule(ROUND_MILLIS, () => this.#round())
  }

  /** Another process begins: the connections of the one before are no more. */
  restart(): void {
    const connections = new ArmedSwitches(this.#world)
    this.#connections = connections
    this.#connected = new Map()
    const { plans, served } = this.#parts
    const halting = Effect.andThen(served, haltAllArmed(this.#world))
    const pull = (): void => {
      if (connections === this.#connections) this.#byItself(halting, pull)
    }
    if (plans.length > 0) pull()
  }

  #due(now: number): ReadonlyArray<string> {
    return this.#which(({ deadlineAt }) => deadlineAt !== null && deadlineAt <= now)
  }

  #which(isMeant: (halt: ReadHalt) => boolean): ReadonlyArray<string> {
    return [...this.#halts].flatMap(([companyId, halt]) => (isMeant(halt) ? [companyId] : []))
  }

  #round(): void {
    const { clock } = this.#parts
    if (this.isOwing(clock.currentTimeMillisUnsafe())) this.#byItself(haltAllDue(this.#world), () => {})
    clock.schedule(clock.elapsed + ROUND_MILLIS, () => this.#round())
  }

  #byItself(effect: Effect.Effect<void, Failure>, again: () => void): void {
    const { clock, fork } = this.#parts
    const later = Effect.sync(() => void clock.schedule(clock.elapsed + ROUND_MILLIS, again))
    fork(effect.pipe(Effect.catch(() => later)))
  }

  #receive(plan: HaltPlan, request: HaltRequest, attempt: number): void {
    if (request.act === "disconnect") return this.#disconnect(plan)
    const { clock, fork } = this.#parts
    const pause = RETRIES[attempt]
    fork(
      Effect.match(this.#served(plan, request), {
        onSuccess: () => this.#count(DONE[request.act]),
        onFailure: ({ _tag }) => {
          if (_tag === "HaltedAgain") return this.#count(_tag)
          this.#count("Unanswered")
          if (pause !== undefined) {
            clock.schedule(clock.elapsed + pause, () => this.#receive(plan, request, attempt + 1))
          }
        }
      })
    )
  }

  #served(actor: HaltPlan, request: Served): Effect.Effect<unknown, HaltedAgain | Failure> {
    const world = this.#world
    switch (request.act) {
      case "halt":
        return askHalt(world, actor, () => ({ act: "halt", cause: "asked" }))
      case "lift":
        return liftHalt(world, actor)
      case "haltAfter":
        return haltAfter(world, actor, request.seconds)
      case "arm":
        return this.#connect(actor)
    }
  }

  /** A program connects whose end is to halt its company. */
  #connect(actor: HaltPlan): Effect.Effect<unknown, Failure> {
    const { companyId } = actor
    const connected = this.#connected
    return Effect.map(this.#connections.arm(actor), () => connected.set(companyId, (connected.get(companyId) ?? 0) + 1))
  }

  /** A connection ends, unless it ended with a process. What follows is not given up, as long as the process is there. */
  #disconnect(actor: HaltPlan): void {
    const connections = this.#connections
    const left = (this.#connected.get(actor.companyId) ?? 0) - 1
    if (left < 0) return this.#count("NoConnection")
    this.#connected.set(actor.companyId, left)
    this.#count("Disconnected")
    const end = (): void => {
      if (connections === this.#connections) this.#byItself(connections.ended(actor), end)
    }
    end()
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
  }
}
