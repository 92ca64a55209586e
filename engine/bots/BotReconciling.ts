import { type Cause, Clock, Duration, Effect, Queue } from "effect"
import type { Precondition } from "../actor/Journal.ts"
import type { CompanyPlan } from "../company/CompanyEvent.ts"
import { sleepUntil } from "../journal/TimeLead.ts"
import type { AccountId } from "../ledger/Account.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { BotState } from "./Bot.ts"
import { endDueGuard } from "./BotGuards.ts"
import { returnFreed, suspendBot } from "./BotManagement.ts"
import { pauseActive } from "./BotPausing.ts"
import type { BotStore, WriteFailure } from "./BotRecords.ts"

/** What an event says of a company's plan, before it is read anew. */
export interface ToldPlan {
  readonly plan?: CompanyPlan
  readonly botsWithdrawn?: boolean
}

/** The bots as whoever looks after them reaches them; `Failure` is a world that does not answer now. */
export interface ReconciledBots<Failure> extends BotStore<Failure> {
  /** How many active bots the company of one may have. */
  readonly allotment: (bot: BotState, told: ToldPlan) => Effect.Effect<number, Failure>
  /** What a company's commitments are halted on; undefined where they are not. */
  readonly halt: (companyId: string) => Effect.Effect<Precondition | undefined, Failure>
  /** Companies whose guards are due, the longest first, so many at most. */
  readonly due: (now: number, limit: number) => Effect.Effect<ReadonlyArray<string>, Failure>
  /** When the next guard is due. */
  readonly nextDue: Effect.Effect<number | undefined, Failure>
  /** Is told why a round was not finished: the next one goes on. */
  readonly stumbled: (cause: Cause.Cause<WriteFailure<Failure>>) => Effect.Effect<void>
}

/** What there is to look after when a process begins. */
export interface KeptFromBefore {
  /** Bots that are not terminated. */
  readonly living: Iterable<string>
  /** Terminated bots to which something has come back. */
  readonly owed: Iterable<string>
  /** Companies with active bots. */
  readonly operating: Iterable<string>
}

/** Guards that are done in one round. */
const GUARD_BATCH = 100

/** The wait before what could not be done is tried again. */
const RETRY_AFTER = Duration.seconds(1)

/** Of a bot's wallet the bot. */
const botOf = (account: AccountId): string | undefined =>
  account.startsWith("bot_") && account.endsWith("/USD/wallet") ? account.slice(0, account.indexOf("/")) : undefined

/** Does something for each; what fails, and what comes meanwhile, stays to be done. */
const forEachOf = <T, E>(waiting: Map<string, T>, act: (id: string, told: T) => Effect.Effect<unknown, E>) =>
  Effect.forEach(
    [...waiting],
    ([id, told]) => {
      waiting.delete(id)
      return Effect.onError(act(id, told), () => Effect.sync(() => void waiting.set(id, waiting.get(id) ?? told)))
    },
    { discard: true }
  )

/**
 * Does what follows for bots without anybody asking: those beyond a plan, or all where an administrator withdrew them, are
 * suspended, the newest first; what is set free after a bot was terminated goes back to its user; a company's guard that
 * is due pauses its bots, and so does a halt of its commitments.
 */
export class BotReconciling<Failure> {
  readonly #world: ReconciledBots<Failure>
  readonly #calls: Queue.Queue<void>
  readonly #companies = new Map<string, ToldPlan>()
  /** Terminated bots to which something may have come back. */
  readonly #ended = new Map<string, undefined>()
  /** Companies whose commitments were halted: their bots would decide in vain. */
  readonly #halted = new Map<string, undefined>()
  /** The bots that are not terminated: what comes to the wallet of any other goes back. */
  readonly #living = new Set<string>()

  constructor(world: ReconciledBots<Failure>, calls: Queue.Queue<void>) {
    this.#world = world
    this.#calls = calls
  }

  /** Takes in what was there before anything was heard. What was heard since stays. */
  begin({ living, operating, owed }: KeptFromBefore): void {
    for (const botId of living) if (!this.#ended.has(botId)) this.#living.add(botId)
    for (const botId of owed) this.#ended.set(botId, undefined)
    for (const companyId of operating) this.#companies.set(companyId, this.#companies.get(companyId) ?? {})
  }

  /** Takes in what was recorded, and the accounts that changed by it. */
  hear(events: Iterable<PlatformEvent>, changed: Iterable<AccountId>): void {
    let isSome = false
    for (const event of events) isSome = this.#event(event) || isSome
    for (const account of changed) isSome = this.#changed(account) || isSome
    if (isSome) Queue.offerUnsafe(this.#calls, undefined)
  }

  /** Does what there is to do. What fails stays to be done. */
  readonly round: Effect.Effect<void, WriteFailure<Failure>> = Effect.gen({ self: this }, function* () {
    const world = this.#world
    yield* forEachOf(this.#companies, (companyId, told) => this.#withinAllotment(companyId, told))
    yield* forEachOf(this.#ended, (botId) => returnFreed(world, botId))
    yield* forEachOf(this.#halted, (companyId) => this.#pauseHalted(companyId))
    const due = yield* world.due(yield* Clock.currentTimeMillis, GUARD_BATCH)
    // Who asked again meanwhile is left alone.
    yield* Effect.forEach(
      due,
      (companyId) => Effect.catchTag(endDueGuard(world, companyId), "GuardReplaced", () => Effect.void),
      { discard: true }
    )
  })

  /** Ends once there is something to do, or a guard is due. */
  readonly called: Effect.Effect<void, Failure> = Effect.suspend(() =>
    Effect.race(Queue.take(this.#calls), this.#untilDue)
  )

  /** Does what there is to do, for ever. */
  readonly running: Effect.Effect<never> = Effect.suspend(() =>
    Effect.forever(
      Effect.andThen(this.round, this.called).pipe(
        Effect.catchCause((cause) => Effect.andThen(this.#world.stumbled(cause), Effect.sleep(RETRY_AFTER)))
      )
    )
  )

  readonly #untilDue: Effect.Effect<void, Failure> = Effect.gen({ self: this }, function* () {
    const due = yield* this.#world.nextDue
    if (due === undefined) return yield* Effect.never
    yield* sleepUntil(due)
  })

  /** Suspends a company's newest active bots beyond what it may have. */
  readonly #withinAllotment = Effect.fnUntraced(function* (
    this: BotReconciling<Failure>,
    companyId: string,
    told: ToldPlan
  ): Effect.fn.Return<void, WriteFailure<Failure>> {
    const world = this.#world
    const active = yield* world.active(companyId)
    const [newest] = active
    if (newest === undefined) return
    const excess = Math.max(0, active.length - (yield* world.allotment(newest, told)))
    yield* Effect.forEach(active.slice(0, excess), ({ botId }) => suspendBot(world, botId, "plan_downgraded"), {
      discard: true
    })
  })

  /** Pauses the bots of a company that may not commit, unless that was lifted meanwhile. */
  #pauseHalted(companyId: string): Effect.Effect<void, WriteFailure<Failure>> {
    return Effect.flatMap(this.#world.halt(companyId), (guard) =>
      guard === undefined
        ? Effect.void
        : Effect.catchTag(
            Effect.asVoid(pauseActive(this.#world, companyId, { by: null, guard })),
            "GuardReplaced",
            () => this.#pauseHalted(companyId)
          )
    )
  }

  /** Answers whether there is something to do. */
  #event(event: PlatformEvent): boolean {
    switch (event._tag) {
      case "CompanyPlanSet":
        return this.#told(event.companyId, { plan: event.after })
      case "CompanyEntitlementSet":
        return this.#told(event.companyId, { botsWithdrawn: !event.after })
      case "BotGuardSet":
        return true
      case "BotCreated":
        this.#living.add(event.botId)
        return false
      case "CommitmentHaltSet":
        if (event.act === "halt") this.#halted.set(event.companyId, undefined)
        return event.act === "halt"
      case "BotTerminated":
        this.#living.delete(event.botId)
        this.#ended.set(event.botId, undefined)
        return true
      default:
        return false
    }
  }

  #told(companyId: string, told: ToldPlan): true {
    this.#companies.set(companyId, { ...this.#companies.get(companyId), ...told })
    return true
  }

  #changed(account: AccountId): boolean {
    const botId = botOf(account)
    if (botId === undefined || this.#living.has(botId)) return false
    this.#ended.set(botId, undefined)
    return true
  }
}

/** Looks after bots that nobody asks for. */
export const makeBotReconciling = <Failure>(world: ReconciledBots<Failure>): Effect.Effect<BotReconciling<Failure>> =>
  Effect.map(Queue.sliding<void>(1), (calls) => new BotReconciling(world, calls))
