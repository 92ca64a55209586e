import { Effect, Result } from "effect"
import type { ChainedEvent } from "../actor/CommitGroup.ts"
import type { Batch, Entry, Idempotency } from "../actor/Journal.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { Halt } from "../arena/Submission.ts"
import type { BotLifeEvent, BotState } from "../bot/Bot.ts"
import { isHalted } from "../bot/BotActor.ts"
import { type BotRoom, change, create, fund, giveBack, move, suspended, withdraw } from "../bot/BotDecision.ts"
import { companyBotsStream } from "../bot/BotEvent.ts"
import { lossAllowanceOf, mint, walletOf } from "../ledger/Funding.ts"
import { fromUnits, ZERO } from "../money/Amount.ts"
import type { BotPlan, BotRequest, BotRequestPlan } from "./BotPlan.ts"
import type { BotProjection } from "./BotProjection.ts"
import type { BotWriter, WriteFailure } from "./BotWriter.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import type { MemoryJournal } from "./MemoryJournal.ts"
import type { SimulatedEvent } from "./SimulatedArena.ts"
import type { SimulatedBots } from "./SimulatedBots.ts"
import { isOfTheWorld } from "./SimulatedGuards.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

export interface BotDeskParts {
  readonly clock: VirtualClock
  readonly board: FaultBoard
  readonly journal: MemoryJournal<SimulatedEvent>
  readonly projection: BotProjection
  readonly bots: SimulatedBots
  readonly writer: BotWriter
  readonly plans: ReadonlyArray<BotPlan>
  readonly halt: (assetType: AssetType, at: number) => Halt | null
  readonly fork: Fork
  readonly onAcknowledged: (recorded: ChainedEvent<SimulatedEvent>) => void
}

/** Times a request is sent again where it was not answered, and the wait before each in milliseconds. */
const RETRIES = [100, 400, 1_600, 6_400] as const

/** Sends what bots' owners ask over an unreliable network, and carries it out as the server does. */
export class BotDesk {
  readonly answers = new Map<string, number>()
  readonly #parts: BotDeskParts
  /** Requests that are not answered yet. */
  #running = new Set<string>()
  /** Terminated bots to whose owners something is going back. */
  readonly #returning = new Set<string>()

  constructor(parts: BotDeskParts) {
    this.#parts = parts
  }

  /** What is there at the start: the owners' USD, and their bots. */
  opening(at: number): ReadonlyArray<Batch<SimulatedEvent>> {
    const { plans } = this.#parts
    const companies = new Map(plans.map(({ company }) => [company.companyId, company]))
    const funds = Array.from(companies.values(), ({ balance: amount, userId }): Batch<SimulatedEvent> => {
      const of = { owner: userId, asset: "USD", amount }
      return {
        stream: `fund/${userId}`,
        version: 0,
        entries: [
          {
            commands: [mint({ id: `opening/${userId}`, ...of })],
            event: { _tag: "FundsMinted", at, fundId: userId, ...of, externalReference: null }
          }
        ]
      }
    })
    const bots = plans.map((plan): Batch<SimulatedEvent> => {
      const { botId, company, capabilities, strategy, creditBudget, autoTopUp } = plan
      const { companyId, userId } = company
      const profile = { name: botId, capabilities, strategy, creditBudget, autoTopUp }
      const bot = { botId, companyId, userId, walletAddress: `0x${userId}`, profile, amount: ZERO }
      return { stream: companyBotsStream(companyId), version: null, entries: [create(bot, { at, by: userId })] }
    })
    return [...funds, ...bots]
  }

  /** Puts the requests on their way. */
  plan(): void {
    const { board, clock, plans } = this.#parts
    for (const plan of plans) {
      for (const request of plan.requests) {
        clock.schedule(request.at, () => {
          const arrival = clock.elapsed + board.messageDelay()
          const again = board.duplicateAfter()
          clock.schedule(arrival, () => this.#receive(plan, request, 0))
          if (again !== undefined) clock.schedule(arrival + again, () => this.#receive(plan, request, 0))
        })
      }
    }
  }

  /** Forgets which requests run, as the end of a process does. */
  restart(): void {
    this.#running = new Set()
    this.#returning.clear()
  }

  /** Gives back what terminated bots have, and answers whether there is any. */
  giveBack(): boolean {
    let isOwing = false
    for (const state of this.#parts.projection.bots.values()) {
      if (state.standing.status !== "terminated" || this.#room(state).collateral === ZERO) continue
      isOwing = true
      this.#giveBack(state)
    }
    return isOwing
  }

  #giveBack({ botId }: BotState): void {
    if (this.#returning.has(botId)) return
    this.#returning.add(botId)
    const done = Effect.sync(() => this.#returning.delete(botId))
    const returned = this.#parts.writer.written(botId, (state, at) =>
      Result.succeed(giveBack(state, this.#room(state), at))
    )
    this.#parts.fork(Effect.andThen(Effect.exit(returned), done))
  }

  #receive(plan: BotPlan, request: BotRequestPlan, attempt: number): void {
    const { clock, fork, journal, onAcknowledged } = this.#parts
    const before = journal.answers.get(request.id)
    if (before !== undefined) {
      onAcknowledged(before)
      return this.#count("Replayed")
    }
    const running = this.#running
    if (running.has(request.id)) return this.#count("StillRunning")
    running.add(request.id)
    const pause = RETRIES[attempt]
    fork(
      Effect.matchCauseEffect(this.#carriedOut(plan, request), {
        onSuccess: (answer) =>
          Effect.sync(() => {
            running.delete(request.id)
            this.#count(answer)
          }),
        onFailure: (cause) => {
          running.delete(request.id)
          if (!cause.reasons.every(isOfTheWorld)) return Effect.failCause(cause)
          this.#count("Unanswered")
          if (pause === undefined) return Effect.void
          clock.schedule(clock.elapsed + pause, () => this.#receive(plan, request, attempt + 1))
          return Effect.void
        }
      })
    )
  }

  /** Answers in a word. */
  #carriedOut(plan: BotPlan, { id, request }: BotRequestPlan): Effect.Effect<string, WriteFailure> {
    const { bots, projection } = this.#parts
    const { botId } = plan
    const by = plan.company.userId
    const state = projection.bots.get(botId)
    if (state === undefined) return Effect.succeed("BotNotFound")
    const idempotency: Idempotency = { key: id, fingerprint: id }
    if (request.act === "topup") {
      const bought = bots.credits.topUp(state, request.amount, idempotency)
      return Effect.map(bought, (isBought) => (isBought ? "CreditsBought" : "UsdMissing"))
    }
    if (request.act === "evaluate") {
      const open = [...projection.open.keys()]
      const asked = bots.ask(botId, { _tag: "Evaluate", orderId: open[request.order % open.length] ?? "", by })
      return Effect.match(asked, { onSuccess: ({ _tag }) => _tag, onFailure: ({ _tag }) => _tag })
    }
    const on = request.act === "fund" || request.act === "withdraw" ? { idempotency } : {}
    return this.#parts.writer.written(botId, (bot, at) => this.#decided(bot, request, { at, by }), on)
  }

  /** Resumes a bot for its user; answers in a word. */
  resume(botId: string, by: string): Effect.Effect<string, WriteFailure> {
    return this.#parts.writer.written(botId, (bot, at) => this.#decided(bot, { act: "resume" }, { at, by }))
  }

  #decided(
    state: BotState,
    request: Exclude<BotRequest, { readonly act: "topup" | "evaluate" }>,
    who: { readonly at: number; readonly by: string }
  ): Result.Result<Entry<BotLifeEvent> | undefined, { readonly _tag: string }> {
    const room = this.#room(state)
    switch (request.act) {
      case "fund":
        return fund(state, request.amount, who)
      case "withdraw":
        return withdraw(state, request.amount, room, who)
      case "suspend":
        return Result.succeed(suspended(state, "plan_downgraded", who.at))
      case "change":
        return change(state, { ...state.profile, ...request.change }, room, who)
      default:
        return move(state, request.act, room, this.#holds(state, who.at), who)
    }
  }

  /** Whether what suspended a bot still holds. */
  #holds({ botId, companyId, profile, standing, userId }: BotState, at: number): boolean {
    const { bots, halt, journal } = this.#parts
    switch (standing.cause) {
      case "credits_gone":
        return bots.credits.isGone({ botId, companyId, userId, profile }, at)
      case "loss_limit": {
        const { balance } = journal.account(lossAllowanceOf(botId))
        return balance === ZERO
      }
      case "breaker_open":
        return isHalted(profile.capabilities, halt, at)
      default:
        return false
    }
  }

  #room({ botId }: BotState): BotRoom {
    const { journal } = this.#parts
    const wallet = journal.account(walletOf(botId, "USD"))
    const allowance = journal.account(lossAllowanceOf(botId))
    return {
      collateral: fromUnits(wallet.balance - wallet.held),
      allowance: fromUnits(allowance.balance - allowance.held),
      held: allowance.held
    }
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
  }
}
