import { Cause, Effect, Exit, Result } from "effect"
import type { ActorUnavailable, Answer } from "../actor/ActorHost.ts"
import type { Recorded } from "../actor/Journal.ts"
import type { CommitmentSubmitted } from "../arena/ArenaEvent.ts"
import { limitPrice } from "../arena/Commitment.ts"
import type { ArenaError } from "../arena/ArenaError.ts"
import type { OrderReply } from "../arena/OrderActor.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import type { Submission } from "../arena/Submission.ts"
import { type AskedMachine, standingOf, type TraderStatus } from "../arena/TraderStatus.ts"
import { walletOf } from "../ledger/Funding.ts"
import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import type { Answered, SimulatedJournal } from "./SimulatedJournal.ts"
import { machineIdOf } from "./MachineRegistrations.ts"
import type { OrderPlan, SubmissionPlan, TraderPlan } from "./Scenario.ts"
import type { SimulatedArena } from "./SimulatedArena.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

/** Times a keyed submission is sent again, and the wait before each in milliseconds. */
const RETRIES = [100, 400, 1_600, 6_400] as const

export interface DeskParts {
  readonly clock: VirtualClock
  readonly board: FaultBoard
  readonly journal: SimulatedJournal
  readonly arena: SimulatedArena
  readonly traders: ReadonlyMap<number, TraderPlan>
  /** What the traders send to an order. */
  readonly submissionsTo: (order: OrderPlan) => ReadonlyArray<SubmissionPlan>
  /** The order of a plan, where it was opened. */
  readonly termsOf: (order: OrderPlan) => OrderTerms | undefined
  /** How far apart orders begin, in milliseconds. */
  readonly slot: number
  /**
   * What an order is worth now, where the traders bid above that: within the arena's terms. Else they bid above the entry
   * price, and as they like.
   */
  readonly worthOf?: ((terms: OrderTerms) => Amount | undefined) | undefined
  /** A machine trader that was registered, as it is known; none unless given. */
  readonly machine?: ((id: string) => AskedMachine | undefined) | undefined
  readonly fork: Fork
  readonly onAcknowledged: (recorded: Answered) => void
  /** Told of a key under which nothing can have been committed. */
  readonly onRefused: (key: string) => void
}

/** A submission as it is sent. */
export interface SentSubmission {
  readonly id: string
  readonly trader: number
  /** Whether it carries an idempotency key, and is tried again where it is not answered. */
  readonly keyed: boolean
  /** The order, where it was opened. */
  readonly termsOf: () => OrderTerms | undefined
  readonly bidOn: (terms: OrderTerms) => BidTerms
  /** Told why it was refused or given up; of nothing where there is no such order. */
  readonly onRefused?: (error: ArenaError | ActorUnavailable | undefined) => void
}

type BidTerms = Pick<Submission, "proposedPrice" | "exitPrice" | "quantity" | "slippage">

/** What a trader's messages came to. */
export interface Tally {
  submissions: number
  refusals: number
}

export const walletOfTrader = (trader: TraderPlan) => walletOf(trader.id, "USD")

/** Sends the traders' submissions over an unreliable network, through the door that keeps idempotency keys. */
export class TraderDesk {
  readonly tallies = new Map<number, Tally>()
  readonly answers = new Map<string, number>()
  readonly #parts: DeskParts
  /** Of the traders whose standing never changes. */
  readonly #standings = new Map<TraderPlan, TraderStatus>()
  /** Keys whose first request is not answered yet. */
  #running = new Set<string>()
  /** Keys under which something may have been committed that nobody was told of. */
  readonly #uncertain = new Set<string>()

  constructor(parts: DeskParts) {
    this.#parts = parts
    for (const index of parts.traders.keys()) this.tallies.set(index, { submissions: 0, refusals: 0 })
  }

  /** Puts the submissions of an order on their way. They are in memory from the first of them to the last. */
  plan(order: OrderPlan): void {
    const { clock, slot, submissionsTo } = this.#parts
    const times = submissionsTo(order).map(({ after }) => order.slot * slot + after)
    let submissions: ReadonlyArray<SubmissionPlan> = []
    let left = times.length
    clock.scheduleAll(times, (index) => {
      if (left === times.length) submissions = submissionsTo(order)
      const submission = submissions[index]
      left -= 1
      if (left === 0) submissions = []
      if (submission !== undefined) this.send(this.#planned(order, submission))
    })
  }

  #planned(order: OrderPlan, plan: SubmissionPlan): SentSubmission {
    const { id, keyed, trader } = plan
    return {
      id,
      trader,
      keyed,
      termsOf: () => this.#parts.termsOf(order),
      bidOn: (terms) => bidOf(terms, plan, this.#parts.worthOf?.(terms))
    }
  }

  /** Sends a submission now. */
  send(sent: SentSubmission): void {
    const { board, clock } = this.#parts
    const arrival = clock.elapsed + board.messageDelay()
    const again = board.duplicateAfter()
    this.#arriveAt(arrival, sent, "first")
    if (again !== undefined) this.#arriveAt(arrival + again, sent, "again")
  }

  /** Forgets which requests run, as the end of a process does. */
  restart(): void {
    for (const key of this.#running) this.#uncertain.add(key)
    this.#running = new Set()
  }

  #arriveAt(at: number, sent: SentSubmission, copy: "first" | "again"): void {
    const { clock } = this.#parts
    const key = sent.keyed ? sent.id : `${sent.id}/${copy}`
    if (at <= clock.elapsed) this.#receive(sent, key, 0)
    else clock.schedule(at, () => this.#receive(sent, key, 0))
  }

  #receive(sent: SentSubmission, key: string, attempt: number): void {
    const { journal, arena, fork, onAcknowledged, onRefused, traders } = this.#parts
    const terms = sent.termsOf()
    const trader = traders.get(sent.trader)
    const tally = this.tallies.get(sent.trader)
    if (terms === undefined || trader === undefined || tally === undefined) {
      sent.onRefused?.(undefined)
      return this.#count("NoOrder")
    }
    if (attempt === 0) tally.submissions += 1
    const before = journal.answers.get(key)
    if (before !== undefined) {
      onAcknowledged(before)
      return this.#count("Replayed")
    }
    const running = this.#running
    if (running.has(key)) return this.#count("StillRunning")
    running.add(key)
    const { exitPrice, proposedPrice, quantity, slippage } = sent.bidOn(terms)
    const standing = this.#standingOf(trader)
    const submission: Submission = {
      proposedPrice,
      exitPrice,
      quantity,
      slippage,
      swapExecutor: "0xexecutor",
      trader: standing.trader,
      barred: standing.barred,
      idempotency: { key, fingerprint: sent.id }
    }
    const take = (answer: Answer<OrderReply, ArenaError>): void => {
      if (Exit.isSuccess(answer)) {
        running.delete(key)
        return this.#accepted(answer.value)
      }
      const error = answer.cause.reasons.find(Cause.isFailReason)?.error
      if (error === undefined) return fork(answer)
      running.delete(key)
      this.#count(error._tag)
      if (error._tag === "ActorUnavailable") return this.#unanswered(sent, key, attempt, error)
      tally.refusals += 1
      if (!this.#uncertain.has(key)) onRefused(key)
      sent.onRefused?.(error)
    }
    arena.tell(terms.orderId, { _tag: "Submit", submission }, (answer) => {
      const taken = Result.try(() => take(answer))
      if (Result.isFailure(taken)) fork(Effect.die(taken.failure))
    })
  }

  #standingOf(plan: TraderPlan): TraderStatus {
    if (plan.registered !== undefined) return standingOfPlan(plan, this.#parts.machine)
    const known = this.#standings.get(plan)
    if (known !== undefined) return known
    const standing = standingOfPlan(plan, undefined)
    this.#standings.set(plan, standing)
    return standing
  }

  #accepted(reply: OrderReply): void {
    if (reply._tag === "Submitted") this.#parts.onAcknowledged(reply.recorded satisfies Recorded<CommitmentSubmitted>)
    this.#count(reply._tag)
  }

  #unanswered(sent: SentSubmission, key: string, attempt: number, error: ActorUnavailable): void {
    const { clock } = this.#parts
    this.#uncertain.add(key)
    const pause = RETRIES[attempt]
    if (!sent.keyed || pause === undefined) return sent.onRefused?.(error)
    clock.schedule(clock.elapsed + pause, () => this.#receive(sent, key, attempt + 1))
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
  }
}

const MILLION = Number(ONE)

const scaled = (amount: bigint, millionths: number): Amount => fromUnits((amount * BigInt(millionths)) / ONE)

const bidOf = (terms: OrderTerms, plan: SubmissionPlan, worth: Amount | undefined): BidTerms => {
  const slippage = fromUnits(BigInt(plan.slippage))
  const proposedPrice =
    worth === undefined
      ? scaled(terms.entryPrice, MILLION + plan.premium)
      : withinTerms(terms, scaled(worth, MILLION + plan.premium), slippage)
  return {
    proposedPrice,
    exitPrice: fromUnits(scaled(limitPrice(proposedPrice, slippage), MILLION + plan.margin) + 1n),
    quantity: scaled(terms.quantity, plan.quantity),
    slippage
  }
}

/** As near to a price as an order takes it. */
const withinTerms = ({ entryPrice }: OrderTerms, wanted: Amount, slippage: Amount): Amount => {
  const highest = fromUnits(entryPrice + entryPrice / 10n)
  if (wanted > highest) return highest
  return limitPrice(wanted, slippage) < entryPrice ? entryPrice : wanted
}

/** A trader's standing as the arena finds it: those of the house are none, and a machine trader is its user's. */
const standingOfPlan = (plan: TraderPlan, machine: DeskParts["machine"]): TraderStatus => {
  const { barred, id: userId, owner, registered, type } = plan
  const id = type === "machine" ? machineIdOf(plan) : undefined
  const address = `0x${userId}`
  const asked = (): AskedMachine | undefined => {
    if (id === undefined) return undefined
    if (registered !== undefined) return machine?.(id)
    return { id, owner, userId, address, isBot: false, isActive: barred !== "machine_not_active" }
  }
  return standingOf(
    { userId, machineId: id, isService: false },
    { userId, owner, walletAddress: address, isHouse: false, isSuspended: barred === "suspended" },
    asked()
  )
}
