import { Clock, Context, Effect, Layer } from "effect"
import type { ActorUnavailable } from "../../engine/actor/ActorHost.ts"
import type { Idempotency, Recorded } from "../../engine/actor/Journal.ts"
import { type ArenaError, CircuitBreakerOpen, OrderNotFound } from "../../engine/arena/ArenaError.ts"
import type { CommitmentSubmitted } from "../../engine/arena/ArenaEvent.ts"
import type { Submission } from "../../engine/arena/Submission.ts"
import { accountId } from "../../engine/ledger/Account.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { Unavailable } from "../database/DatabaseError.ts"
import { Owners } from "../identity/Owners.ts"
import type { Owner } from "../identity/User.ts"
import type { UserNotFound } from "../identity/UserError.ts"
import { Breakers } from "./Breakers.ts"
import { type MachineTrader, MachineTraders } from "./MachineTraders.ts"
import { OrderActors } from "./OrderActor.ts"

/** A submission as it comes in, before it is known who may do what. */
export interface CommitmentRequest {
  readonly orderId: string
  readonly proposedPrice: Amount
  readonly exitPrice: Amount
  readonly quantity: Amount
  readonly slippage: Amount
  readonly swapExecutor: string
  readonly botId: string | undefined
  readonly userId: string
  /** A service token commits as a machine, like a bot. */
  readonly isService: boolean
  readonly idempotency: Idempotency | undefined
}

/** What a request may fail with beyond the refusals of the arena. */
export type CommitFailure = ArenaError | Unavailable | UserNotFound

/** Commits to orders, and lets them take their steps. */
export class Arena extends Context.Service<
  Arena,
  {
    readonly commit: (request: CommitmentRequest) => Effect.Effect<Recorded<CommitmentSubmitted>, CommitFailure>
    /** Takes the steps of an order that are due; answers whether it is settled. */
    readonly advance: (orderId: string) => Effect.Effect<boolean, OrderNotFound | Unavailable>
  }
>()("emporion/arena/Arena") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const actors = yield* OrderActors
      const breakers = yield* Breakers
      const owners = yield* Owners
      const machines = yield* MachineTraders

      const lookedUp = Effect.fnUntraced(function* (
        request: CommitmentRequest
      ): Effect.fn.Return<Submission, Unavailable | UserNotFound> {
        const owner = yield* owners.ownerOf(request.userId)
        return submissionOf(
          request,
          owner,
          request.botId === undefined ? undefined : yield* machines.find(request.botId)
        )
      })

      /** Without waiting, where all that is asked for is known. */
      const submissionAt = (
        request: CommitmentRequest,
        now: number
      ): Effect.Effect<Submission, Unavailable | UserNotFound> => {
        const owner = request.botId === undefined ? owners.known(request.userId, now) : undefined
        return owner === undefined ? lookedUp(request) : Effect.succeed(submissionOf(request, owner, undefined))
      }

      const commit = (request: CommitmentRequest): Effect.Effect<Recorded<CommitmentSubmitted>, CommitFailure> =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const halt = breakers.globalHalt(now)
          if (halt !== null) {
            const { retryAfterSeconds } = halt
            return Effect.fail(new CircuitBreakerOpen({ scope: "global", retryAfterSeconds }))
          }
          return Effect.flatMap(submissionAt(request, now), (submission) =>
            Effect.matchEffect(actors.ask(request.orderId, { _tag: "Submit", submission }), {
              onSuccess: (reply) =>
                reply._tag === "Submitted"
                  ? Effect.succeed(reply.recorded)
                  : Effect.die("an order answered another message"),
              onFailure: (error): Effect.Effect<never, ArenaError | Unavailable> =>
                error._tag === "ActorUnavailable" ? unavailable(error) : Effect.fail(error)
            })
          )
        })

      const advance = Effect.fnUntraced(function* (orderId: string) {
        const reply = yield* actors.ask(orderId, { _tag: "Advance" }).pipe(
          Effect.catchTag("ActorUnavailable", unavailable),
          Effect.catchIf(
            (error) => error._tag !== "OrderNotFound" && error._tag !== "Unavailable",
            (error) => Effect.die(error)
          )
        )
        return reply._tag === "Advanced" && reply.settled
      })

      return Arena.of({ commit, advance })
    })
  )
}

const submissionOf = (request: CommitmentRequest, owner: Owner, machine: MachineTrader | undefined): Submission => {
  const { botId, isService, userId } = request
  const isActive = botId === undefined || (machine?.status === "active" && machine.userId === userId)
  return {
    proposedPrice: request.proposedPrice,
    exitPrice: request.exitPrice,
    quantity: request.quantity,
    slippage: request.slippage,
    swapExecutor: request.swapExecutor,
    trader: {
      owner: owner.companyId,
      userId,
      address: machine?.address ?? addressOf(owner),
      type: botId !== undefined || isService ? "machine" : "human",
      botId: botId ?? null,
      account: accountId(userId, "USD", "wallet"),
      allowance: machine?.allowance ?? null
    },
    barred: !isActive ? "machine_not_active" : owner.status === "suspended" ? "suspended" : null,
    idempotency: request.idempotency
  }
}

/** The linked wallet; else the user, marked where it is one of the house's own. */
const addressOf = ({ companyKind, userId, walletAddress }: Owner): string =>
  walletAddress ?? (companyKind === "house" ? `house:${userId}` : userId)

const unavailable = ({ reason }: ActorUnavailable) =>
  Effect.fail(new Unavailable({ reason: `the order's actor is ${reason.replace("_", " ")}` }))
