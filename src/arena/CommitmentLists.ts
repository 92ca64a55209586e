import { Clock, Context, Effect, Layer } from "effect"
import type { OrderNotFound } from "../../engine/arena/ArenaError.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { isOf } from "../../engine/replay/PlatformEvent.ts"
import { MAX_LIMIT } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { type CommittedOrder, committedOrder } from "./ArenaReads.ts"
import {
  type CommitmentPage,
  CommitmentRepository,
  MAX_SHOWN_COMMITMENTS,
  type MyCommitments,
  type StoredCommitment
} from "./CommitmentRepository.ts"
import { ListCache, type Grown } from "./ListCache.ts"
import { submitted } from "./OrderHistory.ts"
import { OrderRepository, type OrderView } from "./OrderRepository.ts"

/**
 * The commitments of users and of orders that somebody looks at, in memory: who reads right after a commitment waits for no
 * table. What memory does not have is read from the tables.
 */
export class CommitmentLists extends Context.Service<
  CommitmentLists,
  {
    /** A user's own, newest first. */
    readonly mine: CommitmentRepository["Service"]["mine"]
    /** The same where memory has it, at `now` in milliseconds since 1970. */
    readonly known: (query: MyCommitments, now: number) => CommitmentPage | undefined
    readonly order: (orderId: string) => Effect.Effect<CommittedOrder, OrderNotFound | Unavailable>
  }
>()("emporion/arena/CommitmentLists") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

/** The page of a list that is asked for; undefined where only the tables can say it. */
const pageOf = (
  { rows, total }: Grown<StoredCommitment>,
  { after, limit, offset, status }: MyCommitments
): CommitmentPage | undefined => {
  const isWhole = rows.length === total
  if (status !== undefined && (!isWhole || after !== undefined)) return undefined
  const wanted = status === undefined ? rows : rows.filter((row) => row.status === status)
  // Newest first: the place of a row is counted from the end.
  const place = after === undefined ? -1 : wanted.toReversed().findIndex(({ commitmentId }) => commitmentId === after)
  if (after !== undefined && place === -1) return undefined
  const begin = place + 1 + offset
  if (begin + limit > wanted.length && !isWhole) return undefined
  const end = Math.max(0, wanted.length - begin)
  const commitments = wanted.slice(Math.max(0, end - limit), end).toReversed()
  const all = status === undefined ? total : wanted.length
  return { commitments, total: all, next: begin + limit < all ? commitments.at(-1)?.commitmentId : undefined }
}

/** Whether other events of its order can still change it. */
const isUndecided = ({ status }: StoredCommitment): boolean => status === "active" || status === "won"

const isOfOrders = isOf("order")

/** Whether the newest rows have all of a page. */
const isAtHead = ({ after, limit, offset, status }: MyCommitments): boolean =>
  status === undefined && after === undefined && offset + limit <= MAX_LIMIT

const make = Effect.gen(function* () {
  const orders = yield* OrderRepository
  const commitments = yield* CommitmentRepository
  const { isCertain, onCommit } = yield* UnitOfWork
  const ofUsers = new ListCache<StoredCommitment>({
    aboutOf: (row) => (isUndecided(row) ? row.orderId : undefined),
    window: MAX_LIMIT,
    isCertain
  })
  const ofOrders = new ListCache<StoredCommitment, OrderView>({ aboutOf: () => undefined, isCertain })

  const hear = (event: ArenaEvent, seq: number): void => {
    if (event._tag === "OrderOpened") return
    if (event._tag === "CommitmentSubmitted") {
      const { commitment } = event
      const make = (): StoredCommitment => ({ ...submitted(commitment), seq })
      ofUsers.add(commitment.trader.userId, seq, make)
      return ofOrders.add(commitment.orderId, seq, make)
    }
    // Expiry changes no commitment.
    if (event._tag !== "OrderClosed") ofUsers.outdate(event.orderId)
    ofOrders.outdate(event.orderId)
  }
  yield* onCommit((recorded) => {
    for (const { event, seq } of recorded) if (isOfOrders(event)) hear(event, seq)
  })

  const newest = (userId: string) =>
    ofUsers.read(
      userId,
      Effect.map(
        commitments.mine({ userId, status: undefined, limit: MAX_LIMIT, offset: 0 }),
        ({ commitments: rows, total }) => ({ head: undefined, rows: rows.toReversed(), total })
      )
    )

  const known = (query: MyCommitments, now: number): CommitmentPage | undefined => {
    const found = ofUsers.find(query.userId, now)
    return found === undefined ? undefined : pageOf(found, query)
  }

  const mine = Effect.fnUntraced(function* (query: MyCommitments) {
    const page = known(query, yield* Clock.currentTimeMillis)
    if (page !== undefined) return page
    const read = isAtHead(query) ? pageOf(yield* newest(query.userId), query) : undefined
    return read ?? (yield* commitments.mine(query))
  })

  const read = (orderId: string) =>
    Effect.map(committedOrder(orders, commitments, orderId), ({ commitments: rows, order }) => ({
      head: order,
      rows,
      total: rows.length
    }))

  const order = Effect.fnUntraced(function* (orderId: string) {
    const kept = ofOrders.find(orderId, yield* Clock.currentTimeMillis)
    const { head, rows } = kept ?? (yield* ofOrders.read(orderId, read(orderId)))
    // An order's first commitment makes it so.
    const status = head.status === "open" && rows.length > 0 ? "competing" : head.status
    return { order: { ...head, status }, commitments: rows.slice(0, MAX_SHOWN_COMMITMENTS) }
  })

  return CommitmentLists.of({ mine, known, order })
})
