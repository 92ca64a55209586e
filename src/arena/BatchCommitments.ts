import { Clock, Effect, Result, Schema } from "effect"
import { hash } from "node:crypto"
import type { Idempotency, Recorded } from "../../engine/actor/Journal.ts"
import type { CommitmentSubmitted } from "../../engine/arena/ArenaEvent.ts"
import { wireOf } from "../../engine/wire/JsonEncoder.ts"
import { ApiError, apiErrorOf } from "../api/ApiError.ts"
import { Receipt } from "../api/Arena.ts"
import type { Accepted } from "../api/rpc/FastLane.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { KeptResponse } from "../../engine/journal/KeyedRequests.ts"
import { IdempotencyRepository } from "../http/IdempotencyRepository.ts"
import { cutSentence } from "../rpc/MessageDeadlines.ts"
import type { Call } from "../rpc/RpcHandler.ts"
import { Arena, type CommitmentRequest, type Committed } from "./Arena.ts"
import type { CommitmentItem } from "./CommitmentItem.ts"
import { acceptedOf } from "./CommitmentReceipt.ts"

/** What an accepted item is answered. */
export type AcceptedItem = typeof Accepted.Encoded

/** What became of an item. */
export type ItemOutcome = AcceptedItem | ApiError

const RUNNING = "A commitment with this idempotency_id is still being made: send it again after its answer."
const OTHER_TERMS = "This idempotency_id was used with other terms: choose a new one, or send the first terms again."
const RUNNING_RETRY = 1

const wire = wireOf(Receipt.fields.data)

/** The receipt without what is the same in each: hundreds are made for one message. */
const accepted = (recorded: Recorded<CommitmentSubmitted>): AcceptedItem => ({
  _tag: "Accepted",
  ...wire(acceptedOf(recorded))
})

const decode = Schema.decodeSync(Schema.fromJsonString(Schema.toEncoded(Receipt)))

/** The receipt as it was kept with the commitment. */
const keptItem = ({ body }: KeptResponse): AcceptedItem => ({ _tag: "Accepted", ...decode(body).data })

const keyOf = (caller: string, id: string): string => hash("sha256", `rpc commit ${caller.length}:${caller}${id}`)

const fingerprintOf = (item: CommitmentItem): string => {
  const { botId = null, exitPrice, orderId, proposedPrice, quantity, slippage, swapExecutor } = item
  return hash(
    "sha256",
    `${proposedPrice} ${exitPrice} ${quantity} ${slippage} ${JSON.stringify([orderId, swapExecutor, botId])}`
  )
}

const requestOf = (item: CommitmentItem, { caller, principal }: Call): CommitmentRequest => ({
  orderId: item.orderId,
  proposedPrice: item.proposedPrice,
  exitPrice: item.exitPrice,
  quantity: item.quantity,
  slippage: item.slippage,
  swapExecutor: item.swapExecutor,
  botId: item.botId,
  userId: principal.userId,
  isService: principal.kind === "service",
  idempotency:
    item.idempotencyId === undefined
      ? undefined
      : { key: keyOf(caller, item.idempotencyId), fingerprint: fingerprintOf(item) }
})

/** What is answered to a commitment that was made before under its id. */
const again = (
  idempotency: Idempotency | undefined,
  fingerprint: string | undefined,
  outcome: ItemOutcome
): ItemOutcome => (idempotency?.fingerprint === fingerprint ? outcome : new ApiError("unprocessable", OTHER_TERMS))

/** Makes the commitments of a message, each at most once under its caller's own id of it. */
export class BatchCommitments {
  readonly #arena: Arena["Service"]
  readonly #kept: IdempotencyRepository["Service"]
  readonly #running = new Set<string>()

  private constructor(arena: Arena["Service"], kept: IdempotencyRepository["Service"]) {
    this.#arena = arena
    this.#kept = kept
  }

  static readonly make = Effect.gen(function* () {
    return new BatchCommitments(yield* Arena, yield* IdempotencyRepository)
  })

  /** What became of each item, in order, once all that stands is durable. What was begun goes on without its caller. */
  commit(items: ReadonlyArray<CommitmentItem>, call: Call): Effect.Effect<ReadonlyArray<ItemOutcome>, Unavailable> {
    const requests = items.map((item) => requestOf(item, call))
    const keyed = requests.some(({ idempotency }) => idempotency !== undefined)
    return Effect.uninterruptible(keyed ? this.#commitKeyed(requests) : this.#commitAll(requests))
  }

  readonly #commitKeyed = Effect.fnUntraced(function* (
    this: BatchCommitments,
    requests: ReadonlyArray<CommitmentRequest>
  ) {
    const begun = new Set<string>()
    const outcomes = requests.map(({ idempotency }): ItemOutcome | undefined => {
      if (idempotency === undefined || begun.has(idempotency.key)) return undefined
      if (this.#running.has(idempotency.key)) return new ApiError("conflict", RUNNING, RUNNING_RETRY)
      this.#running.add(idempotency.key)
      begun.add(idempotency.key)
      return undefined
    })
    return yield* Effect.ensuring(
      this.#once(requests, outcomes, [...begun]),
      Effect.sync(() => {
        for (const key of begun) this.#running.delete(key)
      })
    )
  })

  /** Leaves out what was made before or stands in the message twice, and makes the rest. */
  readonly #once = Effect.fnUntraced(function* (
    this: BatchCommitments,
    requests: ReadonlyArray<CommitmentRequest>,
    outcomes: Array<ItemOutcome | undefined>,
    keys: ReadonlyArray<string>
  ): Effect.fn.Return<ReadonlyArray<ItemOutcome>, Unavailable> {
    const kept = yield* this.#kept.findAll(keys, yield* Clock.currentTimeMillis)
    const first = new Map<string, number>()
    const left: Array<CommitmentRequest> = []
    for (const [index, request] of requests.entries()) {
      if (outcomes[index] !== undefined) continue
      const { idempotency } = request
      if (idempotency === undefined) {
        left.push(request)
        continue
      }
      const answer = kept.get(idempotency.key)
      if (answer !== undefined) outcomes[index] = again(idempotency, answer.fingerprint, keptItem(answer))
      else if (!first.has(idempotency.key)) {
        first.set(idempotency.key, index)
        left.push(request)
      }
    }
    const made = (yield* this.#commitAll(left)).values()
    return requests.map(({ idempotency }, index): ItemOutcome => {
      const known = outcomes[index]
      if (known !== undefined) return known
      const original = idempotency === undefined ? undefined : first.get(idempotency.key)
      if (original === undefined || original === index) {
        const outcome = made.next().value as ItemOutcome
        outcomes[index] = outcome
        return outcome
      }
      return again(idempotency, requests[original]?.idempotency?.fingerprint, outcomes[original] as ItemOutcome)
    })
  })

  #commitAll(requests: ReadonlyArray<CommitmentRequest>): Effect.Effect<ReadonlyArray<ItemOutcome>> {
    const [only, ...more] = requests
    if (only === undefined) return Effect.succeed([])
    return more.length === 0
      ? Effect.map(Effect.result(this.#arena.commit(only)), (result) => [outcomeOf(result)])
      : Effect.map(this.#arena.commitMany(requests), (results) => results.map(outcomeOf))
  }
}

/** A user that is gone although its token is known is a fault of ours; what the arena refuses has its own answer. */
const outcomeOf = (result: Committed): ItemOutcome => {
  if (Result.isSuccess(result)) return accepted(result.success)
  const { failure } = result
  if (failure._tag === "Unavailable")
    return failure.isUnwritten === true ? new ApiError("unavailable") : new ApiError("unavailable", cutSentence)
  return failure._tag === "UserNotFound" ? new ApiError("internal") : apiErrorOf(failure)
}
