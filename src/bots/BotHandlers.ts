import { Effect } from "effect"
import type { BotAct } from "../../engine/bots/BotLifecycle.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import type { ProfileChange } from "../../engine/bots/ProfileChange.ts"
import { CommitmentHalts } from "../arena/CommitmentHalts.ts"
import { killSwitchResponse } from "./KillSwitchResponse.ts"
import { MachineTraderRegistrations } from "../arena/MachineTraderRegistrations.ts"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal, movesMoney, type Principal } from "../api/Authorization.ts"
import { BotAnswer, type BotChangeRequest, type BotCreation, CollateralMoved } from "../api/Bots.ts"
import { pageOf } from "../api/Paging.ts"
import { requireAccess } from "../http/Authorizing.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { IdempotencyRepository } from "../http/IdempotencyRepository.ts"
import { IdempotencyScope } from "../http/IdempotencyScope.ts"
import { keptOr } from "../http/KeptResponse.ts"
import { FreeText } from "../identity/secrets/FreeText.ts"
import { botAnswer, movedAnswer, performanceAnswer } from "./BotResponses.ts"
import type { NewBot } from "./CreateBot.ts"
import { makeStopping } from "./BotKillSwitch.ts"
import { type BotReport, Bots, type BotView } from "./Bots.ts"

const success = true as const

const credits = (count: number) => fromUnits(BigInt(count) * ONE)

const answerOf = ({ accounts, bot }: BotView) => ({ success, bot: botAnswer(bot, accounts) })

const reportOf = ({ accounts, bot, performance }: BotReport) => ({
  ...botAnswer(bot, accounts),
  ...performanceAnswer(performance)
})

const wantedOf = (payload: typeof BotCreation.Type): NewBot => ({
  name: payload.name,
  capabilities: payload.capabilities,
  strategy: payload.strategy,
  collateral: payload.collateral_amount ?? ZERO,
  creditBudget: payload.credit_budget === undefined ? undefined : credits(payload.credit_budget),
  autoTopUp: payload.auto_topup_enabled ?? false,
  strategyModule: payload.strategy_module
})

const keptOrBot = keptOr(BotAnswer)
const keptOrMoved = keptOr(CollateralMoved)

interface OfBot {
  readonly params: { readonly bot_id: string }
}

interface AmountOfBot extends OfBot {
  readonly payload: { readonly amount: Amount }
}

type BotService = Bots["Service"]

/** What moves money: its answers are kept in the transaction of the events. */
const makeMoney = Effect.fnUntraced(function* (bots: BotService) {
  const context = yield* Effect.context<IdempotencyRepository>()
  const inside = Effect.provideContext(context)
  const typed = yield* FreeText
  return {
    created: Effect.fnUntraced(function* (payload: typeof BotCreation.Type) {
      const wanted = wantedOf(payload)
      const principal = yield* CurrentPrincipal
      yield* maySpend(principal, wanted.collateral > ZERO || wanted.autoTopUp)
      const name = yield* typed.text(principal.companyId, wanted.name)
      const made = yield* bots.create(principal, { ...wanted, name }, yield* IdempotencyScope)
      return yield* inside(keptOrBot(Effect.succeed(answerOf(made))))
    }),
    funded: Effect.fnUntraced(function* ({ params, payload }: AmountOfBot) {
      const keyed = yield* IdempotencyScope
      const { collateral, event } = yield* bots.fund(yield* CurrentPrincipal, params.bot_id, payload.amount, keyed)
      return yield* inside(keptOrMoved(Effect.succeed(movedAnswer(event, collateral))))
    }, Effect.uninterruptible),
    withdrawn: Effect.fnUntraced(function* ({ params, payload }: AmountOfBot) {
      const keyed = yield* IdempotencyScope
      const caller = yield* CurrentPrincipal
      const { collateral, event } = yield* bots.withdraw(caller, params.bot_id, payload.amount, keyed)
      return yield* inside(keptOrMoved(Effect.succeed(movedAnswer(event, collateral))))
    }, Effect.uninterruptible)
  }
})

const changeOf = (payload: typeof BotChangeRequest.Type): ProfileChange => ({
  name: payload.name,
  capabilities: payload.capabilities,
  strategy: payload.strategy,
  creditBudget: payload.credit_budget === undefined ? undefined : credits(payload.credit_budget),
  autoTopUp: payload.auto_topup_enabled,
  strategyModule: payload.strategy_module
})

/** A bot may be made or changed by any `:write` scope, but not so that it takes more money. */
const maySpend = (principal: Principal, spends: boolean) =>
  spends ? requireAccess(movesMoney, principal) : Effect.void

const acting = (bots: BotService, asked: BotAct) =>
  Effect.fnUntraced(function* ({ params }: OfBot) {
    return answerOf(yield* bots.act(yield* CurrentPrincipal, params.bot_id, asked))
  }, Effect.uninterruptible)

/** Bots over HTTP. Specification 4.4. */
export const layer = HandlerGroup.group(
  Api,
  "bots",
  Effect.fnUntraced(function* (handlers) {
    const bots = yield* Bots
    const machines = yield* MachineTraderRegistrations
    const halts = yield* CommitmentHalts
    const stopping = yield* makeStopping
    const { created, funded, withdrawn } = yield* makeMoney(bots)

    const typed = yield* FreeText

    return typed.opening(handlers).handleAll({
      createMachineTrader: Effect.fnUntraced(function* ({ payload }) {
        return "agent_id" in payload ? yield* machines.register(payload) : yield* created(payload)
      }, Effect.uninterruptible),
      listBots: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const found = yield* bots.list(yield* CurrentPrincipal, query.status, page)
        return { success, bots: found.bots.map(reportOf), ...(yield* ListResponse.inArena(page, found)) }
      }),
      getBot: Effect.fnUntraced(function* ({ params }) {
        return { success, bot: reportOf(yield* bots.find(yield* CurrentPrincipal, params.bot_id)) }
      }),
      changeBot: Effect.fnUntraced(function* ({ params, payload }) {
        const wanted = changeOf(payload)
        const principal = yield* CurrentPrincipal
        yield* maySpend(principal, wanted.creditBudget !== undefined || wanted.autoTopUp === true)
        const name = yield* typed.text(principal.companyId, wanted.name)
        return answerOf(yield* bots.change(principal, params.bot_id, { ...wanted, name }))
      }, Effect.uninterruptible),
      startBot: acting(bots, "start"),
      pauseBot: acting(bots, "pause"),
      resumeBot: acting(bots, "resume"),
      terminateBot: acting(bots, "terminate"),
      fundBot: funded,
      withdrawFromBot: withdrawn,
      listBotCommitments: Effect.fnUntraced(function* ({ params: { bot_id: botId }, query }) {
        yield* bots.owned(yield* CurrentPrincipal, botId)
        const page = pageOf(query)
        const found = yield* machines.commitments(botId, query.status, page)
        return { success, commitments: found.commitments, ...(yield* ListResponse.inArena(page, found)) }
      }),
      killSwitch: Effect.fnUntraced(function* () {
        const { companyId } = yield* CurrentPrincipal
        return killSwitchResponse(yield* halts.find(companyId))
      }),
      liftKillSwitch: Effect.fnUntraced(function* () {
        return killSwitchResponse(yield* halts.resume(yield* CurrentPrincipal))
      }, Effect.uninterruptible),
      pauseAllBots: Effect.fnUntraced(function* ({ payload }) {
        const { haltedAt, paused } = yield* stopping.now(yield* CurrentPrincipal, payload?.scope)
        return { success, paused, ...(haltedAt === undefined ? {} : { halted_at: haltedAt }) }
      }, Effect.uninterruptible),
      cancelAfter: Effect.fnUntraced(function* ({ payload: { scope, timeout_seconds } }) {
        const { at, haltedAt } = yield* stopping.after(yield* CurrentPrincipal, timeout_seconds, scope)
        return { success, timeout_seconds, pauses_at: at, ...(haltedAt !== undefined && { halted_at: haltedAt }) }
      }, Effect.uninterruptible),
      botGuard: Effect.fnUntraced(function* () {
        return { success, pauses_at: yield* bots.guard(yield* CurrentPrincipal) }
      })
    })
  })
)
