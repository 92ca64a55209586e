import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { Effect, Result } from "effect"
import { type Batch, type Idempotency, JournalUnavailable, StaleVersion } from "../actor/Journal.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { Halt } from "../arena/Submission.ts"
import type { BotLifeEvent, BotState } from "../bots/Bot.ts"
import { create } from "../bots/BotLifeDecision.ts"
import { companyBotsStream } from "../bots/BotEvent.ts"
import type { BotAct } from "../bots/BotLifecycle.ts"
import { actOnBot, type BotRights, changeBot, fundBot, suspendBot, withdrawFromBot } from "../bots/BotManagement.ts"
import { profileAfter } from "../bots/ProfileChange.ts"
import { type ModuleBid, moduleBid } from "./BotModules.ts"
import { found, type Stepped } from "../bots/BotRecords.ts"
import { mint } from "../ledger/Funding.ts"
import { ZERO } from "../money/Amount.ts"
import type { BotPlan, BotRequestPlan } from "./BotPlan.ts"
import type { BotProjection } from "./BotProjection.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import type { Answered, SimulatedJournal } from "./SimulatedJournal.ts"
import type { BotWriteFailure, SimulatedBotStore } from "./SimulatedBotStore.ts"
import type { SimulatedBots } from "./SimulatedBots.ts"
import { isOfTheWorld } from "./SimulatedReconciler.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

export interface BotDeskParts {
  readonly clock: VirtualClock
  readonly board: FaultBoard
  readonly journal: SimulatedJournal
  readonly projection: BotProjection
  readonly bots: SimulatedBots
  readonly store: SimulatedBotStore
  readonly plans: ReadonlyArray<BotPlan>
  readonly halt: (assetType: AssetType, at: number) => Halt | null
  readonly fork: Fork
  readonly onAcknowledged: (recorded: Answered) => void
}

/** Times a request is sent again where it was not answered, and the wait before each in milliseconds. */
const RETRIES = [100, 400, 1_600, 6_400] as const

/** What the ledger has no reason to say of what an owner asks. */
const NEVER_REFUSED = new Set(["AccountClosed", "HoldNotPending", "InvalidCommand"])

/** Sends what bots' owners ask over an unreliable network, and carries it out as the server does. */
export class BotDesk {
  readonly answers = new Map<string, number>()
  readonly #parts: BotDeskParts
  /** No plan keeps a company from its bots here. */
  readonly #rights: BotRights<never, never>
  /** What modules asked for, by the request's id. */
  readonly #bids = new Map<string, ModuleBid>()
  /** Requests that are not answered yet. */
  #running = new Set<string>()

  constructor(parts: BotDeskParts) {
    const { bots, clock, halt } = parts
    this.#parts = parts
    this.#rights = {
      halt,
      isWithoutCredits: (bot) => Effect.sync(() => bots.credits.isGone(bot, clock.currentTimeMillisUnsafe())),
      isBeyondPlan: () => Effect.succeed(false),
      admit: () => Effect.succeed([])
    }
  }

  /** What is there at the start: the owners' USD, and their bots. */
  opening(at: number): ReadonlyArray<Batch<PlatformEvent>> {
    const { plans } = this.#parts
    const companies = new Map(plans.map(({ company }) => [company.companyId, company]))
    const funds = Array.from(companies.values(), ({ balance: amount, userId }): Batch<PlatformEvent> => {
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
    const bots = plans.map((plan): Batch<PlatformEvent> => {
      const { botId, company, capabilities, strategy, strategyModule, creditBudget, autoTopUp } = plan
      const { companyId, userId } = company
      const module = strategyModule === undefined ? {} : { strategyModule }
      const profile = { name: botId, capabilities, strategy, creditBudget, autoTopUp, ...module }
      const bot = { botId, companyId, userId, walletAddress: `0x${userId}`, profile, amount: ZERO }
      const entries = [create(bot, { at, by: userId })]
      return { stream: companyBotsStream(companyId), version: null, claims: [botId], entries }
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
  #carriedOut(plan: BotPlan, { id, request }: BotRequestPlan): Effect.Effect<string, BotWriteFailure> {
    const { bots, projection, store } = this.#parts
    const { botId } = plan
    const by = plan.company.userId
    const state = projection.bots.get(botId)
    if (state === undefined) return Effect.succeed("NoBot")
    const idempotency: Idempotency = { key: id, fingerprint: id }
    if (request.act === "topup") {
      const bought = bots.credits.topUp(state, request.amount, idempotency)
      return Effect.map(bought, (isBought) => (isBought ? "CreditsBought" : "NoUsd")).pipe(
        Effect.catchTag("BotEnded", ({ _tag }) => Effect.succeed(_tag))
      )
    }
    if (request.act === "evaluate") {
      const open = [...projection.open.keys()]
      const asked = request.isUnknown === true ? `${botId}_unknown` : botId
      const answer = bots.ask(asked, { _tag: "Evaluate", orderId: open[request.order % open.length] ?? "", by })
      return Effect.match(answer, { onSuccess: ({ _tag }) => _tag, onFailure: ({ _tag }) => _tag })
    }
    if (request.act === "bid") return this.#bid(state, id, request)
    const read = found(store, botId)
    switch (request.act) {
      case "fund":
        return answered(fundBot(store, read, { amount: request.amount, by, idempotency }))
      case "withdraw":
        return answered(withdrawFromBot(store, read, { amount: request.amount, by, idempotency }))
      case "suspend":
        return answered(suspendBot(store, botId, "plan_downgraded"))
      case "failModule": {
        const module = state.profile.strategyModule ?? ""
        return answered(suspendBot(store, botId, "module_failed", { module, failure: "it threw" }))
      }
      case "change":
        return answered(
          changeBot(
            store,
            read,
            // Each module that is named here is there.
            ({ profile }) => Effect.fromResult(profileAfter(profile, request.change, Result.succeed)),
            by
          )
        )
      default:
        return this.#act(botId, request.act, by)
    }
  }

  /** Has a bot bid as its module asks; the same whenever it is asked again, as a program's host does. */
  #bid(
    bot: BotState,
    id: string,
    request: Extract<BotRequestPlan["request"], { readonly act: "bid" }>
  ): Effect.Effect<string, BotWriteFailure> {
    const { bots, projection } = this.#parts
    const before = this.#bids.get(id)
    const bid = before ?? moduleBid(bot, [...projection.open.values()], request)
    if (bid === undefined) return Effect.succeed("NoOrder")
    this.#bids.set(id, bid)
    const asked = bots.ask(bot.botId, { _tag: "Bid", ...bid, isAgain: before !== undefined })
    return Effect.matchEffect(asked, {
      onSuccess: (reply) =>
        Effect.succeed((reply._tag === "BidAnswered" ? reply.refusal?._tag : undefined) ?? "BidTaken"),
      onFailure: ({ _tag }) =>
        _tag === "ActorUnavailable"
          ? Effect.fail(new JournalUnavailable({ reason: "the bot does not answer" }))
          : Effect.succeed(_tag)
    })
  }

  /** Resumes a bot for its user; answers in a word. */
  resume(botId: string, by: string): Effect.Effect<string, BotWriteFailure> {
    return this.#act(botId, "resume", by)
  }

  #act(botId: string, asked: BotAct, by: string): Effect.Effect<string, BotWriteFailure> {
    const { store } = this.#parts
    return answered(actOnBot(store, this.#rights, found(store, botId), asked, by))
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
  }
}

type Refusal = { readonly _tag: string }

/** What somebody is answered, in a word; fails where the world does. */
const answered = <E extends Refusal>(
  stepped: Effect.Effect<Stepped<BotLifeEvent | undefined>, E>
): Effect.Effect<string, BotWriteFailure> =>
  Effect.matchEffect(stepped, {
    onSuccess: ({ event }) => Effect.succeed(event?._tag ?? "AlreadyThere"),
    onFailure: (error: Refusal) =>
      error instanceof StaleVersion || error instanceof JournalUnavailable
        ? Effect.fail(error)
        : NEVER_REFUSED.has(error._tag)
          ? Effect.die(error)
          : Effect.succeed(error._tag)
  })
