import { Clock, Context, Duration, Effect, Layer, Queue } from "effect"
import { commitmentHaltStream } from "../../engine/arena/CommitmentHalt.ts"
import { endDueGuard } from "../../engine/bot/BotGuards.ts"
import { returnFreed, suspendBot } from "../../engine/bot/BotManagement.ts"
import { pauseActive } from "../../engine/bot/BotPausing.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { CommitmentHalts } from "../arena/CommitmentHalts.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { Funds } from "../funds/Funds.ts"
import type { Owners } from "../identity/users/Owners.ts"
import type { Owner } from "../identity/users/User.ts"
import { allotmentOf, ownerOf } from "./BotAllotment.ts"
import { BotRepository } from "./BotRepository.ts"
import { botStore, orUnavailable } from "./BotStore.ts"

/** Guards that are done in one round. */
const GUARD_BATCH = 100

/** The wait before what could not be done is tried again. */
const RETRY_AFTER = Duration.seconds(1)

/**
 * Does what follows for bots without anybody asking: those beyond a plan, or all where an administrator withdrew them, are
 * suspended, the newest first; what is set
 * free after a bot was terminated goes back to its user; a company's guard that is due pauses its bots, and so does a halt of its commitments.
 */
export class BotKeeper extends Context.Service<
  BotKeeper,
  {
    /** Does what there is to do. What fails stays to be done. */
    readonly round: Effect.Effect<void, Unavailable>
    /** Ends once there is something to do, or a guard is due. */
    readonly called: Effect.Effect<void, Unavailable>
  }
>()("emporion/bots/BotKeeper") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )

  /** Does what there is to do, for ever. */
  static readonly running = Layer.effectDiscard(
    Effect.gen(function* () {
      const { called, round } = yield* BotKeeper
      const turn = Effect.andThen(round, called).pipe(
        Effect.catchCause((cause) =>
          Effect.andThen(Effect.logWarning("Bots could not be kept up", cause), Effect.sleep(RETRY_AFTER))
        )
      )
      yield* Effect.forkScoped(Effect.forever(turn))
    })
  )
}

/** Of a bot's wallet the bot. */
const botOf = (account: AccountId): string | undefined =>
  account.startsWith("bot_") && account.endsWith("/USD/wallet") ? account.slice(0, account.indexOf("/")) : undefined

/** What an event says of a company's plan, before it is read anew. */
type Told = Partial<Pick<Owner, "plan" | "botsWithdrawn">>

/** Suspends a company's newest active bots beyond what it may have. */
const withinAllotment = Effect.fnUntraced(function* (companyId: string, told: Told) {
  const active = yield* (yield* BotRepository).active(companyId)
  const [newest] = active
  if (newest === undefined) return
  const excess = active.length - allotmentOf({ ...(yield* ownerOf(newest.userId)), ...told })
  yield* Effect.forEach(
    active.slice(0, Math.max(0, excess)),
    ({ botId }) => suspendBot(botStore, botId, "plan_downgraded"),
    { discard: true }
  )
}, orUnavailable)

/** Pauses the bots of a company that may not commit, unless that was lifted meanwhile. */
const haltedPaused = (companyId: string): Effect.Effect<void, Unavailable, Services> =>
  Effect.gen(function* () {
    const { halted, version } = yield* (yield* CommitmentHalts).find(companyId)
    if (halted === null) return
    const guard = { stream: commitmentHaltStream(companyId), version }
    yield* orUnavailable(pauseActive(botStore, companyId, { by: null, guard }))
  }).pipe(Effect.catchTag("GuardReplaced", () => haltedPaused(companyId)))

/** What is to be done: each company and each bot once. */
class Agenda {
  readonly companies = new Map<string, Told>()
  /** Terminated bots to which something may have come back. */
  readonly ended = new Map<string, undefined>()
  /** Companies whose commitments were halted: their bots would decide in vain. */
  readonly halted = new Map<string, undefined>()
  /** The bots that are not terminated: what comes to the wallet of any other goes back. */
  readonly #living = new Set<string>()

  lives(botId: string): void {
    this.#living.add(botId)
  }

  owed(botId: string): void {
    this.ended.set(botId, undefined)
  }

  /** Takes in what was recorded; answers whether there is something to do. */
  hear(event: PlatformEvent): boolean {
    switch (event._tag) {
      case "CompanyPlanSet":
        return this.#told(event.companyId, { plan: event.after })
      case "CompanyEntitlementSet":
        return this.#told(event.companyId, { botsWithdrawn: !event.after })
      case "BotGuardSet":
        return true
      case "BotCreated":
        this.lives(event.botId)
        return false
      case "CommitmentHaltSet":
        if (event.act === "halt") this.halted.set(event.companyId, undefined)
        return event.act === "halt"
      case "BotTerminated":
        this.#living.delete(event.botId)
        this.owed(event.botId)
        return true
      default:
        return false
    }
  }

  #told(companyId: string, told: Told): true {
    this.companies.set(companyId, { ...this.companies.get(companyId), ...told })
    return true
  }

  /** Takes in the accounts that changed by what was heard before; answers whether there is something to do. */
  changed(accounts: ReadonlySet<AccountId>): boolean {
    let isSome = false
    for (const account of accounts) {
      const botId = botOf(account)
      if (botId === undefined || this.#living.has(botId)) continue
      this.owed(botId)
      isSome = true
    }
    return isSome
  }
}

type Services = BotRepository | CommitmentHalts | Funds | Owners | UnitOfWork

/** Does something for each; what fails, and what comes meanwhile, stays to be done. */
const forEachOf = <T, R>(
  waiting: Map<string, T>,
  act: (id: string, told: T) => Effect.Effect<void, Unavailable, R>
): Effect.Effect<void, Unavailable, R> =>
  Effect.forEach(
    [...waiting],
    ([id, told]) => {
      waiting.delete(id)
      return Effect.onError(act(id, told), () => Effect.sync(() => void waiting.set(id, waiting.get(id) ?? told)))
    },
    { discard: true }
  )

const make = Effect.gen(function* () {
  const repository = yield* BotRepository
  const journal = yield* UnitOfWork
  const context = yield* Effect.context<Services>()
  const agenda = new Agenda()
  const calls = yield* Queue.sliding<void>(1)

  yield* journal.onCommit((events, changed) => {
    let isSome = false
    for (const { event } of events) isSome = agenda.hear(event) || isSome
    if (agenda.changed(changed) || isSome) Queue.offerUnsafe(calls, undefined)
  })
  for (const botId of yield* repository.living) agenda.lives(botId)
  for (const botId of yield* repository.owed) agenda.owed(botId)
  for (const companyId of yield* repository.operating) agenda.companies.set(companyId, {})

  const round = Effect.gen(function* () {
    yield* forEachOf(agenda.companies, withinAllotment)
    yield* forEachOf(agenda.ended, (botId) => orUnavailable(Effect.asVoid(returnFreed(botStore, botId))))
    yield* forEachOf(agenda.halted, haltedPaused)
    const due = yield* repository.due(yield* Clock.currentTimeMillis, GUARD_BATCH)
    // Who asked again meanwhile is left alone.
    yield* Effect.forEach(
      due,
      (companyId) =>
        Effect.catchTag(orUnavailable(endDueGuard(botStore, companyId)), "GuardReplaced", () => Effect.void),
      { discard: true }
    )
  })

  const untilDue = Effect.gen(function* () {
    const due = yield* repository.nextDue
    if (due === undefined) return yield* Effect.never
    yield* Effect.sleep(Math.max(0, due - (yield* Clock.currentTimeMillis)))
  })

  return BotKeeper.of({
    round: Effect.withSpan(Effect.provideContext(round, context), "BotKeeper.round"),
    called: Effect.race(Queue.take(calls), untilDue)
  })
})
