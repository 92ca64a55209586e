import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { refuse } from "../../api/ApiError.ts"
import { CurrentPrincipal } from "../../api/Authorization.ts"
import { CreditsToppedUp } from "../../api/BotCredits.ts"
import { pageOf } from "../../api/Paging.ts"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import * as ListResponse from "../../http/ListResponse.ts"
import { IdempotencyRepository } from "../../http/IdempotencyRepository.ts"
import { IdempotencyScope } from "../../http/IdempotencyScope.ts"
import { keptOr, storedAs } from "../../http/KeptResponse.ts"
import { Owners } from "../../identity/users/Owners.ts"
import { creditsAnswer, movementAnswer, RATES, statsAnswer, topUpAnswer } from "./CreditsResponses.ts"
import { CompanyCredits } from "./CompanyCredits.ts"

const success = true as const

const stored = storedAs(CreditsToppedUp)

const keptOrTopUp = keptOr(CreditsToppedUp)

/** The handlers of credits. Specification 4.4. */
export const layer = HandlerGroup.group(
  Api,
  "botCredits",
  Effect.fnUntraced(function* (handlers) {
    const credits = yield* CompanyCredits
    const { ownerOf } = yield* Owners
    const keptAnswers = yield* Effect.context<IdempotencyRepository>()

    const owned = Effect.fnUntraced(function* (botId: string) {
      const { companyId } = yield* CurrentPrincipal
      const bot = yield* credits.bot(botId)
      return bot?.companyId === companyId ? bot : yield* refuse("access_denied", `You own no bot ${botId}.`)
    })

    return handlers.handleAll({
      getCreditBalance: Effect.fnUntraced(function* () {
        return { success, ...creditsAnswer(yield* credits.balance(yield* CurrentPrincipal)) }
      }),
      getCreditRates: () => Effect.succeed({ success, ...RATES }),
      listCreditMovements: Effect.fnUntraced(function* ({ query }) {
        const { companyId } = yield* CurrentPrincipal
        const page = pageOf(query)
        const found = yield* credits.movements({ companyId }, page)
        const entries = found.movements.map(movementAnswer)
        return { success, entries, ...(yield* ListResponse.inArena(page, found)) }
      }),
      topUpBot: Effect.fnUntraced(function* ({ params, payload }) {
        const keyed = yield* IdempotencyScope
        const bot = yield* owned(params.bot_id)
        const { userId } = yield* CurrentPrincipal
        const { personId } = yield* Effect.catchTag(ownerOf(userId), "UserNotFound", Effect.die)
        if (personId !== bot.userId) {
          return yield* refuse("access_denied", "Only the user whose bot it is pays for its credits.")
        }
        const bought = yield* credits.topUp(bot, payload.dollar_amount, (decided) =>
          keyed === undefined ? undefined : { ...keyed, answer: stored(topUpAnswer(decided)) }
        )
        return yield* Effect.provideContext(keptOrTopUp(Effect.succeed(topUpAnswer(bought))), keptAnswers)
      }, Effect.uninterruptible),
      getBotStats: Effect.fnUntraced(function* ({ params }) {
        const bot = yield* owned(params.bot_id)
        return { success, stats: statsAnswer(bot, yield* credits.stats(bot)) }
      }),
      getBotUsage: Effect.fnUntraced(function* ({ params, query }) {
        const bot = yield* owned(params.bot_id)
        const page = pageOf(query)
        const found = yield* credits.movements({ botId: bot.botId }, page)
        const entries = found.movements.map(movementAnswer)
        const balance = creditsAnswer(yield* credits.balance(yield* CurrentPrincipal))
        return { success, bot_id: bot.botId, entries, ...(yield* ListResponse.inArena(page, found)), ...balance }
      })
    })
  })
)
