import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { Cause, Effect } from "effect"
import type { ActorUnavailable } from "../actor/ActorHost.ts"
import type { Recorded } from "../actor/Journal.ts"
import type { ArenaError } from "../arena/ArenaError.ts"
import { limitPrice } from "../arena/Commitment.ts"
import type { OrderReply } from "../arena/OrderActor.ts"
import type { Submission } from "../arena/Submission.ts"
import { standingOf } from "../arena/TraderStatus.ts"
import { setGuard } from "../bots/BotGuards.ts"
import { type GuardReplaced, pauseActive } from "../bots/BotPausing.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../money/Amount.ts"
import type { Asked } from "./AskedCommitments.ts"
import type { BotProjection } from "./BotProjection.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import type { Answered, SimulatedJournal } from "./SimulatedJournal.ts"
import type { OperatorItemPlan, OperatorPlan, OperatorRequest, OperatorRequestPlan } from "./OperatorPlan.ts"
import type { SimulatedArena } from "./SimulatedArena.ts"
import type { BotWriteFailure, SimulatedBotStore } from "./SimulatedBotStore.ts"
import { isOfTheWorld } from "./SimulatedReconciler.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

export interface OperatorDeskParts {
  readonly clock: VirtualClock
  readonly board: FaultBoard
  readonly journal: SimulatedJournal
  readonly arena: SimulatedArena
  readonly projection: BotProjection
  readonly store: SimulatedBotStore
  readonly plans: ReadonlyArray<OperatorPlan>
  readonly fork: Fork
  /** Resumes a bot for its user; answers in a word. */
  readonly resume: (botId: string, by: string) => Effect.Effect<string, BotWriteFailure>
  readonly told: OperatorListener
  /** Stands between an operator and the arena. */
  readonly submission?: ((submission: Submission) => Submission) | undefined
}

/** Who is told what operators ask, and what they are answered. */
export interface OperatorListener {
  /** An item arrives for the first time. */
  readonly asked: (item: Asked) => void
  readonly acknowledged: (recorded: Answered) => void
  /** Nothing can have been committed under this key. */
  readonly refused: (key: string) => void
  /** Somebody asks for all bots to be paused; answers what to call when the answer comes. */
  readonly pausing: (companyId: string) => () => void
}

const noop = (): void => {}

/** Nobody listens. */
export const NOBODY: OperatorListener = { asked: noop, acknowledged: noop, refused: noop, pausing: () => noop }

/** A request as it was sent; it is the same whenever it is sent again. */
type Sent =
  | { readonly act: "commit"; readonly items: ReadonlyArray<SentItem> }
  | Exclude<OperatorRequest, { readonly act: "commit" }>

interface SentItem extends Asked {
  readonly isKeyed: boolean
}

/** One request on its way, and how often it was sent again. */
interface Message {
  readonly plan: OperatorPlan
  readonly id: string
  readonly sent: Sent
  readonly attempt: number
}

/** Times a request is sent again where it was not answered, and the wait before each in milliseconds. */
const RETRIES = [100, 400, 1_600, 6_400] as const

const MILLION = Number(ONE)

const scaled = (amount: bigint, millionths: number): Amount => fromUnits((amount * BigInt(millionths)) / ONE)

/**
 * Sends what operators' own programs ask over an unreliable network, and carries it out as the fast lane does: each item
 * of a batch for itself, at most once under its id, as bots of the own company that are active.
 */
export class OperatorDesk {
  readonly answers = new Map<string, number>()
  readonly #parts: OperatorDeskParts
  /** Requests that are not answered yet, by what each came as. */
  #running = new Map<string, Message>()
  /** Ids whose commitment is being made. */
  #committing = new Set<string>()
  /** Ids under which something may have been committed that nobody was told of. */
  readonly #uncertain = new Set<string>()

  constructor(parts: OperatorDeskParts) {
    this.#parts = parts
  }

  /** Puts the requests on their way. */
  plan(): void {
    const { board, clock, plans } = this.#parts
    for (const plan of plans) {
      for (const request of plan.requests) {
        clock.schedule(request.at, () => {
          const arrival = clock.elapsed + board.messageDelay()
          const again = board.duplicateAfter()
          const arrives = (at: number, copy: string) => {
            const message = { plan, id: `${request.id}/${copy}`, sent: this.#sent(plan, request, copy), attempt: 0 }
            clock.schedule(at, () => this.#receive(message))
          }
          arrives(arrival, "first")
          if (again !== undefined) arrives(arrival + again, "again")
        })
      }
    }
  }

  /** The end of a process: whoever waits for an answer sees the connection close, and asks the next process. */
  restart(): void {
    const { clock } = this.#parts
    const running = this.#running
    for (const key of this.#committing) this.#uncertain.add(key)
    this.#running = new Map()
    this.#committing = new Set()
    for (const message of running.values()) clock.schedule(clock.elapsed + RETRIES[0], () => this.#receive(message))
  }

  #sent(plan: OperatorPlan, { id, request }: OperatorRequestPlan, copy: string): Sent {
    if (request.act !== "commit") return request
    const items = request.items.flatMap((item, number) => this.#item(plan, item, `${id}/${number}`, copy) ?? [])
    return { act: "commit", items }
  }

  /** What an item asks for when it is sent: of bots and orders that are there then. */
  #item({ company }: OperatorPlan, plan: OperatorItemPlan, name: string, copy: string): SentItem | undefined {
    const { bots, open } = this.#parts.projection
    const nameable = [...bots.values()].filter(({ companyId }) => (companyId === company.companyId) !== plan.stranger)
    const bot = nameable[plan.bot % nameable.length]
    const terms = [...open.values()][plan.order % open.size]
    if (bot === undefined || terms === undefined) return undefined
    const proposedPrice = scaled(terms.entryPrice, MILLION + plan.premium)
    return {
      id: plan.keyed ? name : `${name}/${copy}`,
      isKeyed: plan.keyed,
      companyId: company.companyId,
      botId: bot.botId,
      orderId: terms.orderId,
      proposedPrice,
      exitPrice: fromUnits(scaled(limitPrice(proposedPrice, ZERO), MILLION + plan.margin) + 1n),
      quantity: scaled(terms.quantity, plan.quantity),
      slippage: ZERO
    }
  }

  #receive(message: Message): void {
    const { fork } = this.#parts
    const running = this.#running
    const { attempt, id } = message
    running.set(id, message)
    // Nobody hears what a process answers after its end.
    const heard = () => running === this.#running && running.delete(id)
    fork(
      Effect.matchCauseEffect(this.#carriedOut(message), {
        onSuccess: (left) => Effect.sync(() => void (heard() && left !== undefined && this.#again(left, attempt))),
        onFailure: (cause: Cause.Cause<BotWriteFailure>) => {
          if (!cause.reasons.every(isOfTheWorld)) return Effect.failCause(cause)
          return Effect.sync(() => void (heard() && this.#again(message, attempt)))
        }
      })
    )
  }

  #again(message: Message, attempt: number): void {
    const { clock } = this.#parts
    const pause = RETRIES[attempt]
    this.#count("Unanswered")
    if (pause === undefined) return
    clock.schedule(clock.elapsed + pause, () => this.#receive({ ...message, attempt: attempt + 1 }))
  }

  /** Answers what is to be sent again, if anything. */
  #carriedOut(message: Message): Effect.Effect<Message | undefined, BotWriteFailure> {
    const { store, told } = this.#parts
    const { companyId, userId } = message.plan.company
    const { sent } = message
    switch (sent.act) {
      case "commit":
        return this.#commit(message, sent.items)
      case "pauseAll": {
        const done = told.pausing(companyId)
        return Effect.map(orDieReplaced(pauseActive(store, companyId, { by: userId })), (paused) => {
          done()
          this.#count(paused.length === 0 ? "NonePaused" : "AllPaused")
          return undefined
        })
      }
      case "cancelAfter":
        return Effect.map(setGuard(store, companyId, userId, sent.seconds), (recorded) => {
          told.acknowledged(recorded)
          this.#count(sent.seconds === 0 ? "GuardCleared" : "GuardSet")
          return undefined
        })
      case "resumeAll":
        return Effect.as(this.#resumeAll(companyId, userId), undefined)
    }
  }

  #resumeAll(companyId: string, by: string): Effect.Effect<void, BotWriteFailure> {
    const { projection, resume } = this.#parts
    const paused = [...projection.bots.values()].filter(
      (bot) => bot.companyId === companyId && bot.standing.status === "paused"
    )
    return Effect.forEach(paused, ({ botId }) => Effect.map(resume(botId, by), (answer) => this.#count(answer)), {
      discard: true
    })
  }

  readonly #commit = Effect.fnUntraced(function* (
    this: OperatorDesk,
    message: Message,
    items: ReadonlyArray<SentItem>
  ): Effect.fn.Return<Message | undefined> {
    const { told } = this.#parts
    const committing = this.#committing
    const taken = items.filter((item) => this.#takes(item, committing))
    for (const item of taken) {
      if (item.isKeyed) committing.add(item.id)
      told.asked(item)
    }
    const parts = [...Map.groupBy(taken, ({ orderId }) => orderId).values()]
    const unanswered = yield* Effect.forEach(parts, (part) => this.#submit(message.plan, part), {
      concurrency: "unbounded"
    })
    for (const { id } of taken) committing.delete(id)
    const left = unanswered.flat().filter(({ isKeyed }) => isKeyed)
    return left.length === 0 ? undefined : { ...message, sent: { act: "commit", items: left } }
  })

  /** Whether an item is to be made, and was not before. */
  #takes({ id, isKeyed }: SentItem, committing: ReadonlySet<string>): boolean {
    const { journal, told } = this.#parts
    const before = isKeyed ? journal.answers.get(id) : undefined
    if (before !== undefined) {
      told.acknowledged(before)
      this.#count("Replayed")
      return false
    }
    if (committing.has(id)) this.#count("StillRunning")
    return !committing.has(id)
  }

  /** Sends the items of one order; gives those that were not answered. */
  #submit(plan: OperatorPlan, items: ReadonlyArray<SentItem>): Effect.Effect<ReadonlyArray<SentItem>> {
    const { arena } = this.#parts
    const [first] = items
    if (first === undefined) return Effect.succeed([])
    const submissions = items.map((item) => this.#submission(plan, item))
    const [submission] = submissions
    const asked: Effect.Effect<OrderReply, ArenaError | ActorUnavailable> =
      items.length === 1 && submission !== undefined
        ? arena.ask(first.orderId, { _tag: "Submit", submission })
        : arena.ask(first.orderId, { _tag: "SubmitMany", submissions })
    return Effect.match(asked, {
      onSuccess: (reply) => this.#answered(items, reply),
      onFailure: (error) => {
        if (error._tag !== "ActorUnavailable") {
          for (const item of items) this.#refused(item, error)
          return []
        }
        for (const { id } of items) this.#uncertain.add(id)
        return items
      }
    })
  }

  #answered(items: ReadonlyArray<SentItem>, reply: OrderReply): ReadonlyArray<SentItem> {
    if (reply._tag === "Submitted") this.#accepted(reply.recorded)
    if (reply._tag !== "SubmittedMany") return []
    for (const [index, item] of items.entries()) {
      const outcome = reply.outcomes[index]
      if (outcome?._tag === "Success") this.#accepted(outcome.success)
      if (outcome?._tag === "Failure") this.#refused(item, outcome.failure)
    }
    return []
  }

  #accepted(recorded: Recorded<PlatformEvent>): void {
    this.#parts.told.acknowledged(recorded)
    this.#count("Submitted")
  }

  #refused({ id }: SentItem, { _tag }: ArenaError): void {
    this.#count(_tag)
    if (!this.#uncertain.has(id)) this.#parts.told.refused(id)
  }

  #submission({ company }: OperatorPlan, item: SentItem): Submission {
    const { projection, submission = (given) => given } = this.#parts
    const { botId, exitPrice, id, isKeyed, proposedPrice, quantity, slippage } = item
    const { companyId: owner, userId } = company
    return submission({
      proposedPrice,
      exitPrice,
      quantity,
      slippage,
      swapExecutor: id,
      ...standingOf(
        { userId, machineId: botId, isService: false },
        { userId, owner, walletAddress: undefined, isHouse: false, isSuspended: false },
        projection.machine(botId)
      ),
      idempotency: isKeyed ? { key: id, fingerprint: id } : undefined
    })
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
  }
}

/** Who asks for all to be paused follows no guard. */
const orDieReplaced = <A>(
  paused: Effect.Effect<A, GuardReplaced | BotWriteFailure>
): Effect.Effect<A, BotWriteFailure> => Effect.catchTag(paused, "GuardReplaced", Effect.die)
