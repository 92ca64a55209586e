import { Effect, Schema } from "effect"
import { AUTO_TOP_UP, EVALUATION_PRICE, MONTHLY_CREDITS, priceOf } from "../../../engine/bot/EvaluationCredits.ts"
import { format, ONE, toNumber } from "../../../engine/money/Amount.ts"
import { Api } from "../../api/Api.ts"
import { ApiError, refuse } from "../../api/ApiError.ts"
import { CurrentPrincipal } from "../../api/Authorization.ts"
import { CreditsToppedUp, MAX_TOP_UP_USD } from "../../api/BotCredits.ts"
import { pageOf } from "../../api/Paging.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import { IdempotencyRepository } from "../../http/IdempotencyRepository.ts"
import { IdempotencyScope } from "../../http/IdempotencyScope.ts"
import { keptOr } from "../../http/KeptAnswer.ts"
import { Owners } from "../../identity/Owners.ts"
import { countOf, creditsAnswer, movementAnswer, topUpAnswer, UNIT, useAnswer } from "./CreditsAnswers.ts"
import { CreditsDesk } from "./CreditsDesk.ts"
import type { NotWholeCents, UsdMissing } from "./CreditsError.ts"

const success = true as const

const encode = Schema.encodeSync(Schema.fromJsonString(CreditsToppedUp))

/** What the caller is told of a failure. */
const told = (error: NotWholeCents | UsdMissing | Unavailable) => {
  switch (error._tag) {
    case "Unavailable":
      return error
    case "NotWholeCents":
      return new ApiError(
        "unprocessable",
        `payload.dollar_amount: Expected whole cents, more than 0 and at most ${error.most}`
      )
    case "UsdMissing":
      return new ApiError(
        "unprocessable",
        `The account has ${format(error.available)} USD of the ${format(error.needed)} that the credits cost: add funds.`
      )
  }
}

const keptOrTopUp = keptOr(CreditsToppedUp)

/** The handlers of credits. Specification 4.4. */
export const layer = HandlerGroup.group(
  Api,
  "botCredits",
  Effect.fnUntraced(function* (handlers) {
    const desk = yield* CreditsDesk
    const { ownerOf } = yield* Owners
    const keptAnswers = yield* Effect.context<IdempotencyRepository>()

    const owned = Effect.fnUntraced(function* (botId: string) {
      const { companyId } = yield* CurrentPrincipal
      const bot = yield* desk.bot(botId)
      return bot?.companyId === companyId ? bot : yield* refuse("access_denied", `You own no bot ${botId}.`)
    })

    return handlers.handleAll({
      getCreditBalance: Effect.fnUntraced(function* () {
        return { success, ...creditsAnswer(yield* desk.balance(yield* CurrentPrincipal)) }
      }),
      getCreditRates: () =>
        Effect.succeed({
          success,
          ...UNIT,
          evaluation_price: countOf(EVALUATION_PRICE),
          auto_topup_credits: countOf(AUTO_TOP_UP),
          min_topup_usd: toNumber(priceOf(ONE)),
          max_topup_usd: MAX_TOP_UP_USD,
          monthly_grants: {
            standard: countOf(MONTHLY_CREDITS.standard),
            pro: countOf(MONTHLY_CREDITS.pro),
            enterprise: countOf(MONTHLY_CREDITS.enterprise)
          },
          partner_pool_providers: [
            { provider: "emporion", credits_per_dollar: UNIT.credits_per_dollar, available: true }
          ]
        }),
      listCreditMovements: Effect.fnUntraced(function* ({ query }) {
        const { companyId } = yield* CurrentPrincipal
        const page = pageOf(query)
        const { movements, total } = yield* desk.movements({ companyId }, page)
        return { success, entries: movements.map(movementAnswer), total, ...page }
      }),
      topUpBot: Effect.fnUntraced(function* ({ params, payload }) {
        const keyed = yield* IdempotencyScope
        const bot = yield* owned(params.bot_id)
        const { userId } = yield* CurrentPrincipal
        const { personId } = yield* Effect.catchTag(ownerOf(userId), "UserNotFound", Effect.die)
        if (personId !== bot.userId) {
          return yield* refuse("access_denied", "Only the user whose bot it is pays for its credits.")
        }
        const bought = yield* desk
          .topUp(bot, payload.dollar_amount, (decided) =>
            keyed === undefined ? undefined : { ...keyed, answer: { status: 200, body: encode(topUpAnswer(decided)) } }
          )
          .pipe(Effect.mapError(told))
        return yield* Effect.provideContext(keptOrTopUp(Effect.succeed(topUpAnswer(bought))), keptAnswers)
      }, Effect.uninterruptible),
      getBotStats: Effect.fnUntraced(function* ({ params }) {
        const bot = yield* owned(params.bot_id)
        const { lastAt, left, month, period, periodEnd, toppedUp, total } = yield* desk.stats(bot)
        return {
          success,
          stats: {
            bot_id: bot.botId,
            period: month,
            period_end: periodEnd,
            credit_budget: countOf(bot.creditBudget),
            budget_remaining: countOf(left),
            auto_topup_enabled: bot.autoTopUp,
            auto_topped_up: countOf(toppedUp),
            this_period: useAnswer(period),
            all_time: useAnswer(total),
            last_evaluation_at: lastAt
          }
        }
      }),
      getBotUsage: Effect.fnUntraced(function* ({ params, query }) {
        const bot = yield* owned(params.bot_id)
        const page = pageOf(query)
        const { movements, total } = yield* desk.movements({ botId: bot.botId }, page)
        const balance = creditsAnswer(yield* desk.balance(yield* CurrentPrincipal))
        return { success, bot_id: bot.botId, entries: movements.map(movementAnswer), total, ...page, ...balance }
      })
    })
  })
)
