import { Effect } from "effect"
import type { BotAct } from "../../engine/bot/BotLifecycle.ts"
import { fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"
import { ownCommitment } from "../arena/OwnCommitment.ts"
import { registered } from "../arena/MachineTraderRegistering.ts"
import type { MachineTraders } from "../arena/MachineTraders.ts"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { BotAnswer, type BotCreation, CollateralMoved } from "../api/Bots.ts"
import { pageOf } from "../api/Paging.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { IdempotencyRepository } from "../http/IdempotencyRepository.ts"
import { IdempotencyScope } from "../http/IdempotencyScope.ts"
import { keptOr } from "../http/KeptAnswer.ts"
import type { AuditLog } from "../identity/AuditLog.ts"
import { botAnswer, movedAnswer, performanceAnswer } from "./BotAnswers.ts"
import type { BotChange, NewBot } from "./BotMaking.ts"
import * as Answers from "./BotRefusal.ts"
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
  creditBudget: credits(payload.credit_budget ?? 0),
  autoTopUp: payload.auto_topup_enabled ?? false
})

const keptOrBot = keptOr(BotAnswer)
const keptOrMoved = keptOr(CollateralMoved)

/** Bots over HTTP. Specification 4.4. */
export const layer = HandlerGroup.group(
  Api,
  "bots",
  Effect.fnUntraced(function* (handlers) {
    const bots = yield* Bots
    const context = yield* Effect.context<IdempotencyRepository | MachineTraders | AuditLog>()
    const inside = Effect.provideContext(context)

    const created = Effect.fnUntraced(function* (payload: typeof BotCreation.Type) {
      const made = yield* bots.create(yield* CurrentPrincipal, wantedOf(payload), yield* IdempotencyScope)
      return yield* inside(keptOrBot(Effect.succeed(answerOf(made))))
    }, Effect.catchTags(Answers.creationAnswers))

    const act = (asked: BotAct) =>
      Effect.fnUntraced(
        function* ({ params }: { readonly params: { readonly bot_id: string } }) {
          return answerOf(yield* bots.act(yield* CurrentPrincipal, params.bot_id, asked))
        },
        Effect.catchTags(Answers.moveAnswers),
        Effect.uninterruptible
      )

    return handlers.handleAll({
      createMachineTrader: Effect.fnUntraced(function* ({ payload }) {
        return "agent_id" in payload ? yield* inside(registered(payload)) : yield* created(payload)
      }, Effect.uninterruptible),
      listBots: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { bots: found, total } = yield* bots.list(yield* CurrentPrincipal, query.status, page)
        return { success, bots: found.map(reportOf), total, ...page }
      }),
      getBot: Effect.fnUntraced(function* ({ params }) {
        return { success, bot: reportOf(yield* bots.find(yield* CurrentPrincipal, params.bot_id)) }
      }, Effect.catchTags(Answers.ownerAnswers)),
      changeBot: Effect.fnUntraced(
        function* ({ params, payload }) {
          const change: BotChange = {
            name: payload.name,
            capabilities: payload.capabilities,
            strategy: payload.strategy,
            creditBudget: payload.credit_budget === undefined ? undefined : credits(payload.credit_budget),
            autoTopUp: payload.auto_topup_enabled
          }
          return answerOf(yield* bots.change(yield* CurrentPrincipal, params.bot_id, change))
        },
        Effect.catchTags(Answers.changeAnswers),
        Effect.uninterruptible
      ),
      startBot: act("start"),
      pauseBot: act("pause"),
      resumeBot: act("resume"),
      terminateBot: act("terminate"),
      fundBot: Effect.fnUntraced(
        function* ({ params, payload }) {
          const keyed = yield* IdempotencyScope
          const { collateral, event } = yield* bots.fund(yield* CurrentPrincipal, params.bot_id, payload.amount, keyed)
          return yield* inside(keptOrMoved(Effect.succeed(movedAnswer(event, collateral))))
        },
        Effect.catchTags(Answers.fundAnswers),
        Effect.uninterruptible
      ),
      withdrawFromBot: Effect.fnUntraced(
        function* ({ params, payload }) {
          const keyed = yield* IdempotencyScope
          const caller = yield* CurrentPrincipal
          const { collateral, event } = yield* bots.withdraw(caller, params.bot_id, payload.amount, keyed)
          return yield* inside(keptOrMoved(Effect.succeed(movedAnswer(event, collateral))))
        },
        Effect.catchTags(Answers.withdrawAnswers),
        Effect.uninterruptible
      ),
      listBotCommitments: Effect.fnUntraced(function* ({ params, query }) {
        const of = { botId: params.bot_id, status: query.status, ...pageOf(query) }
        const commitments = yield* bots.commitments(yield* CurrentPrincipal, of)
        return { success, commitments: commitments.map(ownCommitment) }
      }, Effect.catchTags(Answers.ownerAnswers)),
      pauseAllBots: Effect.fnUntraced(function* () {
        return { success, paused: yield* bots.pauseAll(yield* CurrentPrincipal) }
      }, Effect.uninterruptible),
      cancelAfter: Effect.fnUntraced(function* ({ payload }) {
        const { timeout_seconds: seconds } = payload
        return {
          success,
          timeout_seconds: seconds,
          pauses_at: yield* bots.cancelAfter(yield* CurrentPrincipal, seconds)
        }
      }, Effect.uninterruptible)
    })
  })
)
