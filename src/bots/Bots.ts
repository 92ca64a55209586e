import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import type { BotState } from "../../engine/bots/Bot.ts"
import type { BotAccounts } from "../../engine/bots/BotLifeDecision.ts"
import type { BotFunded, BotWithdrawn } from "../../engine/bots/BotEvent.ts"
import { setGuard } from "../../engine/bots/BotGuards.ts"
import type { BotAct, BotStatus } from "../../engine/bots/BotLifecycle.ts"
import { pauseActive } from "../../engine/bots/BotPausing.ts"
import { KeyedLock } from "../../engine/actor/KeyedLock.ts"
import type { Account } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits, ZERO } from "../../engine/money/Amount.ts"
import type { ProfileChange } from "../../engine/bots/ProfileChange.ts"
import type { Breakers } from "../arena/Breakers.ts"
import { MachineTraders } from "../arena/MachineTraders.ts"
import type { Page } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import type { Funds } from "../funds/Funds.ts"
import type { Companies } from "../identity/companies/Companies.ts"
import type { Owners } from "../identity/users/Owners.ts"
import type { Performance } from "./BotResponses.ts"
import type { ChangeRefused, CreateRefused, FundRefused, MoveRefused, NotOwner, WithdrawRefused } from "./BotError.ts"
import { type Caller, changed, made, type NewBot, owned } from "./CreateBot.ts"
import { acted, funded, withdrawn } from "./BotCollateral.ts"
import { BotRepository } from "./BotRepository.ts"
import { accountsOf, accountsOfOne, botStore, orUnavailable } from "./BotStore.ts"
import type { StrategyModules } from "./programs/StrategyModules.ts"
import { CompanyCredits } from "./credits/CompanyCredits.ts"

/** A bot and what it has. */
export interface BotView {
  readonly bot: BotState
  readonly accounts: BotAccounts
}

/** A bot, what it has and what it did. */
export interface BotReport extends BotView {
  readonly performance: Performance
}

/** Collateral that moved, and what the bot has after it. */
export interface CollateralMovement<E extends BotFunded | BotWithdrawn> {
  readonly event: E
  readonly collateral: Account
}

/** Machine traders that companies own, and that decide and commit by themselves. Specification 4.4. */
export class Bots extends Context.Service<
  Bots,
  {
    /** Makes an inactive bot of the person behind the caller, within what the plan gives. */
    readonly create: (
      caller: Caller,
      wanted: NewBot,
      idempotency: Idempotency | undefined
    ) => Effect.Effect<BotView, CreateRefused | Unavailable>
    /** One of the caller's company. */
    readonly find: (caller: Caller, botId: string) => Effect.Effect<BotReport, NotOwner | Unavailable>
    /** Those of the caller's company, oldest first. */
    readonly list: (
      caller: Caller,
      status: BotStatus | undefined,
      page: Page
    ) => Effect.Effect<
      { readonly bots: ReadonlyArray<BotReport>; readonly total: number; readonly next: string | undefined },
      Unavailable | UnknownCursor
    >
    /** Holds from the bot's next decision on. */
    readonly change: (
      caller: Caller,
      botId: string,
      change: ProfileChange
    ) => Effect.Effect<BotView, ChangeRefused | Unavailable>
    /** One that is there already stays so. */
    readonly act: (caller: Caller, botId: string, asked: BotAct) => Effect.Effect<BotView, MoveRefused | Unavailable>
    readonly fund: (
      caller: Caller,
      botId: string,
      amount: Amount,
      idempotency: Idempotency | undefined
    ) => Effect.Effect<CollateralMovement<BotFunded>, FundRefused | Unavailable>
    readonly withdraw: (
      caller: Caller,
      botId: string,
      amount: Amount,
      idempotency: Idempotency | undefined
    ) => Effect.Effect<CollateralMovement<BotWithdrawn>, WithdrawRefused | Unavailable>
    /** Fails unless the caller's company owns the bot. */
    readonly owned: (caller: Caller, botId: string) => Effect.Effect<BotState, NotOwner | Unavailable>
    /** Pauses every active bot of the caller's company; answers which they were. */
    readonly pauseAll: (caller: Caller) => Effect.Effect<ReadonlyArray<string>, Unavailable>
    /** Has them all paused after so many seconds unless asked again; 0: no more. Answers when. */
    readonly cancelAfter: (caller: Caller, seconds: number) => Effect.Effect<number | null, Unavailable>
    /** When they are, as things stand; null: never. */
    readonly guard: (caller: Caller) => Effect.Effect<number | null, Unavailable>
  }
>()("emporion/bots/Bots") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

type Services =
  | BotRepository
  | Breakers
  | Companies
  | CompanyCredits
  | Funds
  | Owners
  | SecureRandom
  | StrategyModules
  | UnitOfWork

const withAccounts = Effect.fnUntraced(function* (bot: BotState) {
  return { bot, accounts: yield* accountsOfOne(bot.botId) } satisfies BotView
})

const withCollateral = Effect.fnUntraced(function* <E extends BotFunded | BotWithdrawn>(event: E) {
  const { collateral } = yield* accountsOfOne(event.botId)
  return { event, collateral } satisfies CollateralMovement<E>
})

/** What bots of a company did, in their order. */
const reported = Effect.fnUntraced(function* (companyId: string, bots: ReadonlyArray<BotState>) {
  const ids = bots.map(({ botId }) => botId)
  const scores = new Map((yield* (yield* MachineTraders).scores(ids)).map((score) => [score.traderId, score]))
  const used = yield* (yield* CompanyCredits).usedBy(companyId)
  const accounts = yield* accountsOf(ids)
  return bots.flatMap((bot): ReadonlyArray<BotReport> => {
    const own = accounts.get(bot.botId)
    const score = scores.get(bot.botId)
    if (own === undefined) return []
    const performance: Performance = {
      profit: score === undefined ? ZERO : fromUnits(score.totalProfit + score.totalYield),
      commitments: score?.totalCommitments ?? 0,
      won: score?.commitmentsWon ?? 0,
      decided: score?.decided ?? 0,
      creditsUsed: used.get(bot.botId) ?? ZERO
    }
    return [{ bot, accounts: own, performance }]
  })
})

const make = Effect.gen(function* () {
  const repository = yield* BotRepository
  const context = yield* Effect.context<Services | MachineTraders>()
  const inside = Effect.provideContext(context)
  const locks = new KeyedLock()

  return Bots.of({
    // Each is decided on the number of those before it: many at a time would keep coming first to one another.
    create: Effect.fn("Bots.create")((caller, wanted, idempotency) =>
      locks.with(caller.companyId, inside(Effect.flatMap(made(caller, wanted, idempotency), withAccounts)))
    ),
    find: Effect.fn("Bots.find")(function* (caller, botId) {
      const bot = yield* inside(owned(caller, botId))
      const [report] = yield* inside(reported(caller.companyId, [bot]))
      return report ?? (yield* Effect.die(`no report of ${botId}`))
    }),
    list: Effect.fn("Bots.list")(function* ({ companyId }, status, page) {
      const { bots, ...counted } = yield* repository.list({ companyId, status }, page)
      return { bots: yield* inside(reported(companyId, bots)), ...counted }
    }),
    change: Effect.fn("Bots.change")((caller, botId, change) =>
      inside(Effect.flatMap(changed(caller, botId, change), withAccounts))
    ),
    act: Effect.fn("Bots.act")((caller, botId, asked) => {
      const done = inside(Effect.flatMap(acted(caller, botId, asked), withAccounts))
      // Two that start at once must not both be the plan's last.
      return asked === "start" || asked === "resume" ? locks.with(caller.companyId, done) : done
    }),
    fund: Effect.fn("Bots.fund")((caller, botId, amount, idempotency) =>
      inside(Effect.flatMap(funded(caller, botId, amount, idempotency), withCollateral))
    ),
    withdraw: Effect.fn("Bots.withdraw")((caller, botId, amount, idempotency) =>
      inside(Effect.flatMap(withdrawn(caller, botId, amount, idempotency), withCollateral))
    ),
    owned: Effect.fn("Bots.owned")((caller, botId) => inside(owned(caller, botId))),
    pauseAll: Effect.fn("Bots.pauseAll")(({ companyId, userId }) =>
      inside(orUnavailable(pauseActive(botStore, companyId, { by: userId }))).pipe(
        Effect.catchTag("GuardReplaced", Effect.die)
      )
    ),
    cancelAfter: Effect.fn("Bots.cancelAfter")(function* ({ companyId, userId }, seconds) {
      const { event } = yield* inside(orUnavailable(setGuard(botStore, companyId, userId, seconds)))
      return event.deadlineAt
    }),
    guard: Effect.fn("Bots.guard")(({ companyId }) =>
      Effect.map(repository.guard(companyId), ({ deadlineAt }) => deadlineAt)
    )
  })
})
