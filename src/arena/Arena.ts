import { Clock, Context, Effect, Layer } from "effect"
import type { ActorUnavailable } from "../../engine/actor/ActorHost.ts"
import type { Idempotency, Recorded } from "../../engine/actor/Journal.ts"
import { type ArenaError, CircuitBreakerOpen, OrderNotFound } from "../../engine/arena/ArenaError.ts"
import type { CommitmentSubmitted } from "../../engine/arena/ArenaEvent.ts"
import type { Submission } from "../../engine/arena/Submission.ts"
import type { Trader } from "../../engine/arena/Commitment.ts"
import { accountId } from "../../engine/ledger/Account.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { Unavailable } from "../database/DatabaseError.ts"
import { Owners } from "../identity/Owners.ts"
import type { Owner } from "../identity/User.ts"
import type { UserNotFound } from "../identity/UserError.ts"
import { Breakers } from "./Breakers.ts"
import { MachineTraders } from "./MachineTraders.ts"
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

      const submissionOf = Effect.fnUntraced(function* (
        request: CommitmentRequest
      ): Effect.fn.Return<Submission, Unavailable | UserNotFound> {
        const owner = yield* owners.ownerOf(request.userId)
        const machine = request.botId === undefined ? undefined : yield* machines.find(request.botId)
        const isActive =
          request.botId === undefined || (machine?.status === "active" && machine.userId === request.userId)
        const trader: Trader = {
          owner: owner.companyId,
          userId: request.userId,
          address: machine?.address ?? addressOf(owner),
          type: request.botId !== undefined || request.isService ? "machine" : "human",
          botId: request.botId ?? null,
          account: accountId(request.userId, "USD", "wallet"),
          allowance: machine?.allowance ?? null
        }
        return {
          proposedPrice: request.proposedPrice,
          exitPrice: request.exitPrice,
          quantity: request.quantity,
          slippage: request.slippage,
          swapExecutor: request.swapExecutor,
          trader,
          barred: !isActive ? "machine_not_active" : owner.status === "suspended" ? "suspended" : null,
          idempotency: request.idempotency
        }
      })

      const globalHalt = Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const halt = breakers.globalHalt(now)
        return halt === null
          ? Effect.void
          : Effect.fail(new CircuitBreakerOpen({ scope: "global", retryAfterSeconds: halt.retryAfterSeconds }))
      })

      const commit = Effect.fnUntraced(function* (request: CommitmentRequest) {
        yield* globalHalt
        const submission = yield* submissionOf(request)
        const reply = yield* actors
          .ask(request.orderId, { _tag: "Submit", submission })
          .pipe(Effect.catchTag("ActorUnavailable", unavailable))
        return reply._tag === "Submitted" ? reply.recorded : yield* Effect.die("an order answered another message")
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

/** The linked wallet; else the user, marked where it is one of the house's own. */
const addressOf = ({ companyKind, userId, walletAddress }: Owner): string =>
  walletAddress ?? (companyKind === "house" ? `house:${userId}` : userId)

const unavailable = ({ reason }: ActorUnavailable) =>
  Effect.fail(new Unavailable({ reason: `the order's actor is ${reason.replace("_", " ")}` }))
