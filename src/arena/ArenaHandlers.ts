import { Clock, Context, Effect, Exit, type Fiber } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Idempotency } from "../../engine/actor/Journal.ts"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import { ZERO } from "../../engine/money/Amount.ts"
import { Api } from "../api/Api.ts"
import { type ArenaApi, MAX_FILE_COMMITMENTS } from "../api/Arena.ts"
import { CurrentPrincipal, type Principal } from "../api/Authorization.ts"
import { pageOf } from "../api/Paging.ts"
import { Settings } from "../Config.ts"
import { catching } from "../FailureCatch.ts"
import { directly } from "../http/DirectHandler.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import * as ListResponse from "../http/ListResponse.ts"
import { IdempotencyScope } from "../http/IdempotencyScope.ts"
import { Oracles } from "../oracles/Oracles.ts"
import { measuring } from "../RequestState.ts"
import { Arena, type CommitFailure, type CommitmentRequest } from "./Arena.ts"
import { AgentActivity } from "./AgentActivity.ts"
import { answeringMine, minePage, ordersPage } from "./ArenaReads.ts"
import { Breakers } from "./Breakers.ts"
import { receiptOf } from "./CommitmentReceipt.ts"
import { commitmentsCsv } from "./CommitmentsCsv.ts"
import { CommitmentLists } from "./CommitmentLists.ts"
import { CommitmentRepository } from "./CommitmentRepository.ts"
import { OrderResponses } from "./OrderResponses.ts"
import { OrderRepository } from "./OrderRepository.ts"

type Payload = HttpApiEndpoint.Payload<(typeof ArenaApi)["endpoints"]["submitCommitment"]>["Type"]

/** What a body of `POST /api/arena/commitments` asks for, by its caller. */
const requestOf = (
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

/** A verified caller is there. */
const dieUnlessFound = catching((error: CommitFailure) =>
  error._tag === "UserNotFound" ? Effect.die(error) : Effect.fail(error)
)

const JSON_BODY = { contentType: "application/json" }

/** Nearly every commitment begins without a fiber; the handler itself is for the others, which wait for something first. */
const submitting = (arena: Arena["Service"], clock: Clock.Clock) =>
  directly(
    ({ payload }: { readonly payload: Payload }) =>
      Effect.uninterruptible(
        Effect.withFiber((fiber: Fiber.Fiber<unknown, unknown>) => {
          const keyed = fiber.getRef(IdempotencyScope)
          const principal = Context.getUnsafe(fiber.context as Context.Context<CurrentPrincipal>, CurrentPrincipal)
          const committed = dieUnlessFound(arena.commit(requestOf(payload, principal, keyed)))
          return Effect.map(committed, (recorded) => {
            if (keyed !== undefined) keyed.stored = true
            return receiptOf(recorded)
          })
        })
      ),
    ({ payload }, { facts, keyed, principal }, give) => {
      const measured = measuring(facts, clock)
      return arena.submit(requestOf(payload, principal, keyed), (submitted) =>
        give(() => {
          const outcome = submitted()
          if (Exit.isFailure(outcome)) return Exit.failCause(outcome.cause)
          measured(outcome.value.seq)
          if (keyed !== undefined) keyed.stored = true
          return Exit.succeed(receiptOf(outcome.value))
        })
      )
    }
  )

/** Orders and commitments over HTTP. Specification 4.3. */
export const ArenaHandlers = HandlerGroup.group(
  Api,
  "arena",
  Effect.fnUntraced(function* (handlers) {
    const { arena: settings } = yield* Settings
    const arena = yield* Arena
    const activity = yield* AgentActivity
    const breakers = yield* Breakers
    const oracles = yield* Oracles
    const orders = yield* OrderRepository
    const commitments = yield* CommitmentRepository
    const answers = yield* OrderResponses
    const { known, mine } = yield* CommitmentLists
    const clock = yield* Clock.Clock
    const success = true as const

    return handlers.handleAll({
      agentStatus: Effect.fn("Arena.agentStatus")(function* () {
        const counts = yield* orders.openCounts
        return {
          success,
          status: activity.isRunning() ? "running" : "stopped",
          oracles: yield* oracles.status,
          supported_asset_types: ASSET_TYPES,
          open_orders_count: {
            commodity: counts.get("commodity") ?? 0,
            fx: counts.get("fx") ?? 0,
            options: counts.get("options") ?? 0,
            gpu: counts.get("gpu") ?? 0
          },
          generation_interval_minutes: Math.max(1, Math.round(settings.slotSeconds / 60)),
          generation_interval_seconds: settings.slotSeconds,
          circuit_breakers: breakers.statuses(),
          skipped_orders: activity.skipped()
        }
      }),
      listOrders: Effect.fnUntraced(function* ({ query, request }) {
        const { body, headers = {} } = yield* answers.page(request.url, ordersPage(orders, query))
        return HttpServerResponse.uint8Array(body, { ...JSON_BODY, headers })
      }),
      myCommitments: directly(answeringMine(mine), ({ query, request }, { facts, principal: { userId } }, give) => {
        const page = pageOf(query)
        const found = known({ userId, status: query.status, ...page }, clock.currentTimeMillisUnsafe())
        if (found === undefined) return false
        give(() => {
          if (found.next !== undefined) facts.link = ListResponse.linkTo(request.url, found.next)
          return Exit.succeed(minePage(page, found))
        })
        return true
      }),
      getOrder: Effect.fnUntraced(function* ({ params }) {
        const { companyId } = yield* CurrentPrincipal
        return HttpServerResponse.uint8Array((yield* answers.of(params.order_id, companyId)).body, JSON_BODY)
      }),
      submitCommitment: submitting(arena, clock),
      myCommitmentsFile: Effect.fn("Arena.myCommitmentsFile")(function* ({ query }) {
        const { userId } = yield* CurrentPrincipal
        const page = { ...pageOf(query), limit: MAX_FILE_COMMITMENTS }
        const found = yield* commitments.mine({ userId, status: query.status, ...page })
        yield* ListResponse.tellNext(found.next)
        return HttpServerResponse.text(commitmentsCsv(found.commitments), {
          contentType: "text/csv",
          headers: {
            "x-total-count": `${found.total}`,
            "content-disposition": 'attachment; filename="commitments.csv"'
          }
        })
      })
    })
  })
)
