import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import { ZERO } from "../../engine/money/Amount.ts"
import { Api } from "../api/Api.ts"
import type { ApiError } from "../api/ApiError.ts"
import { ArenaApi } from "../api/Arena.ts"
import { asApiError } from "../api/ArenaRefusal.ts"
import type { Principal } from "../api/Authorization.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import * as FastRoutes from "../http/FastRoutes.ts"
import { Arena, type CommitFailure, type CommitmentRequest } from "./Arena.ts"
import { receiptJson } from "./CommitmentReceipt.ts"

const endpoint = ArenaApi.endpoints.submitCommitment

type Payload = HttpApiEndpoint.Payload<typeof endpoint>["Type"]

/** What a body of `POST /api/arena/commitments` asks for, by its caller. */
export const requestOf = (
  payload: Payload,
  { kind, userId }: Principal,
  idempotency: Idempotency | undefined
): CommitmentRequest => ({
  orderId: payload.order_id,
  proposedPrice: payload.proposed_entry_price,
  exitPrice: payload.expected_exit_price,
  quantity: payload.quantity,
  slippage: payload.slippage_tolerance ?? ZERO,
  swapExecutor: payload.swap_executor ?? "",
  botId: payload.bot_id,
  userId,
  isService: kind === "service",
  idempotency
})

/** A user that is gone although its token is known is a fault of ours; what the arena refuses has its own answer. */
const failed = (failure: CommitFailure): Effect.Effect<never, ApiError | Unavailable> => {
  if (failure._tag === "UserNotFound") return Effect.die(failure)
  return Effect.fail(failure._tag === "Unavailable" ? failure : asApiError(failure))
}

/** Commitments are what an arena is asked for most: they need not pass through the router. */
export const fastCommitments: Effect.Effect<FastRoutes.FastRoute, never, Arena> = Effect.map(Arena, ({ commit }) =>
  FastRoutes.of(Api, ArenaApi, endpoint, (payload, principal, keyed) =>
    Effect.matchEffect(commit(requestOf(payload, principal, keyed)), {
      onSuccess: (recorded) => {
        if (keyed !== undefined) keyed.stored = true
        return Effect.succeed(receiptJson(recorded))
      },
      onFailure: failed
    })
  )
)
