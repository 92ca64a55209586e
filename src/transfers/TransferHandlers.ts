import { Clock, Effect, Exit } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import type { SentTransfer } from "../../engine/transfers/Sending.ts"
import { Api } from "../api/Api.ts"
import { refuse } from "../api/ApiError.ts"
import { CurrentPrincipal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import type { TransfersApi } from "../api/Transfers.ts"
import { directly } from "../http/DirectHandler.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { IdempotencyScope, markStored } from "../http/IdempotencyScope.ts"
import { FreeText } from "../identity/secrets/FreeText.ts"
import { measuring } from "../RequestState.ts"
import { toAnswer, toReceipt } from "./Transfer.ts"
import { type Begun, type BegunTransfer, type Sending, Transfers } from "./Transfers.ts"

type Payload = HttpApiEndpoint.Payload<(typeof TransfersApi)["endpoints"]["createTransfer"]>["Type"]

/** What a body asks for, by its caller. */
export const sendingOf = (payload: Payload, userId: string, idempotency: Idempotency | undefined): Sending => {
  const { country, createdDate, description, from, fxQuote = null, id, pair, quantity, to } = payload
  const { quote_id: quoteId = null } = payload
  const mode = payload.mode ?? (fxQuote === null && quoteId === null ? "local" : "international")
  const worst = mode === "local" ? null : fxQuote
  return {
    userId,
    from,
    to,
    pair,
    quantity,
    mode,
    worst,
    quoteId,
    id,
    country,
    description,
    createdDate,
    ...(payload.metadata === undefined ? {} : { metadata: payload.metadata }),
    idempotency
  }
}

/** Whose transfers are asked for: an administrator may name anybody. */
const ownerOf = Effect.fnUntraced(function* (named: string | undefined) {
  const { role, userId } = yield* CurrentPrincipal
  return named === undefined || named === userId || role === "admin"
    ? (named ?? userId)
    : yield* refuse("access_denied", "Only an administrator reads the transfers of another owner.")
})

const isSent = (begun: Begun): begun is Exit.Success<BegunTransfer> => Exit.isExit(begun) && Exit.isSuccess(begun)

/** A transfer begins without a fiber, unless it has to be asked about first: one that is exchanged, or goes to a beneficiary. */
const sending = (transfers: Transfers["Service"], clock: Clock.Clock) =>
  directly(
    Effect.fnUntraced(function* ({ payload }: { readonly payload: Payload }) {
      const keyed = yield* IdempotencyScope
      const { userId } = yield* CurrentPrincipal
      const { repeated, transfer } = yield* transfers.send(sendingOf(payload, userId, keyed))

      if (!repeated) yield* markStored
      return toReceipt(transfer)
    }, Effect.uninterruptible),
    ({ payload }, { facts, keyed, principal }, give) => {
      const measured = measuring(facts, clock)
      const answered = ({ repeated, transfer }: SentTransfer) => {
        if (keyed !== undefined && !repeated) keyed.stored = true
        return toReceipt(transfer)
      }
      return transfers.begin(sendingOf(payload, principal.userId, keyed), (begun) =>
        give(() => {
          const outcome = begun()
          if (!isSent(outcome)) return Effect.map(outcome, answered)
          if (outcome.value.seq !== undefined) measured(outcome.value.seq)
          return Exit.succeed(answered(outcome.value))
        })
      )
    }
  )

/** The transfers group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "transfers",
  Effect.fnUntraced(function* (handlers) {
    const transfers = yield* Transfers
    const typed = yield* FreeText
    const clock = yield* Clock.Clock
    return typed.opening(handlers).handleAll({
      createTransfer: sending(transfers, clock),
      listTransfers: Effect.fnUntraced(function* ({ query }) {
        const owner = yield* ownerOf(query.owner)
        const { transfers: found, ...page } = yield* transfers.list(
          owner,
          query.direction,
          yield* typed.page(Effect.succeed([owner]), pageOf(query))
        )
        return yield* ListResponse.of(
          found.map((transfer) => toAnswer(transfer, owner)),
          page
        )
      }),
      getTransfer: Effect.fnUntraced(function* ({ params, query }) {
        const owner = yield* ownerOf(query.owner)
        const found = yield* transfers.find(owner, params.id)
        return found === undefined
          ? yield* refuse("not_found", `There is no transfer ${params.id} of yours.`)
          : toAnswer(found, owner)
      })
    })
  })
)
