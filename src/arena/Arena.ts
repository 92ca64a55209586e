import { Cause, Clock, Context, Effect, Exit, type Fiber, Layer, Result } from "effect"
import type { ActorUnavailable, Answer } from "../../engine/actor/ActorHost.ts"
import type { Idempotency, Recorded } from "../../engine/actor/Journal.ts"
import { type ArenaError, CircuitBreakerOpen, OrderNotFound } from "../../engine/arena/ArenaError.ts"
import type { CommitmentSubmitted } from "../../engine/arena/ArenaEvent.ts"
import type { OrderMessage, OrderReply } from "../../engine/arena/OrderActor.ts"
import type { Submission } from "../../engine/arena/Submission.ts"
import { type AskingUser, standingOf, type TraderStatus } from "../../engine/arena/TraderStatus.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { Unavailable } from "../database/DatabaseError.ts"
import { catching } from "../FailureCatch.ts"
import { measuredBy } from "../RequestState.ts"
import { Owners } from "../identity/users/Owners.ts"
import type { Owner } from "../identity/users/User.ts"
import type { UserNotFound } from "../identity/users/UserError.ts"
import { Breakers } from "./Breakers.ts"
import { type MachineTrader, MachineTraders } from "./MachineTraders.ts"
import { OrderActors } from "./OrderActors.ts"

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
  /** The decision of a bot that is carried out: an order takes one commitment for each. */
  readonly decisionId?: string
}

/** What a request may fail with beyond the refusals of the arena. */
export type CommitFailure = ArenaError | Unavailable | UserNotFound

/** What became of one of several requests. */
export type Committed = Result.Result<Recorded<CommitmentSubmitted>, CommitFailure>

/** What became of a request about which nothing had to be read. */
export type Submitted = Exit.Exit<Recorded<CommitmentSubmitted>, ArenaError | Unavailable>

/** Most requests that are taken at once. */
export const MAX_REQUESTS = 500

/** Commits to orders, and lets them take their steps. */
export class Arena extends Context.Service<
  Arena,
  {
    readonly commit: (request: CommitmentRequest) => Effect.Effect<Recorded<CommitmentSubmitted>, CommitFailure>
    /**
     * The same without a fiber: begins at once, and has what says its outcome given to a function, once, which must not throw.
     * False where something has to be read first: then nothing was done.
     */
    readonly submit: (request: CommitmentRequest, give: (outcome: () => Submitted) => void) => boolean
    /**
     * The same for up to {@link MAX_REQUESTS} at once: each has an outcome of its own, in their order. Those to one order
     * are decided in their order.
     */
    readonly commitMany: (requests: ReadonlyArray<CommitmentRequest>) => Effect.Effect<ReadonlyArray<Committed>>
    /** Takes the steps of an order that are due; answers whether it is settled. */
    readonly advance: (orderId: string) => Effect.Effect<boolean, OrderNotFound | Unavailable>
  }
>()("emporion/arena/Arena") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const actors = yield* OrderActors
      const breakers = yield* Breakers
      const standings = yield* makeStandings
      const clock = yield* Clock.Clock

      const halted = (now: number): CircuitBreakerOpen | undefined => {
        const halt = breakers.globalHalt(now)
        return halt === null
          ? undefined
          : new CircuitBreakerOpen({ scope: "global", retryAfterSeconds: halt.retryAfterSeconds })
      }

      const commit = (request: CommitmentRequest): Effect.Effect<Recorded<CommitmentSubmitted>, CommitFailure> =>
        Effect.withFiber((fiber): Effect.Effect<Recorded<CommitmentSubmitted>, CommitFailure> => {
          const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
          const halt = halted(now)
          if (halt !== undefined) return Effect.fail(halt)
          const standing = standings.known(request, now)
          return standing === undefined
            ? Effect.flatMap(standings.lookedUp(request), (found) => recorded(actors, request, found, fiber))
            : recorded(actors, request, standing, fiber)
        })

      const submit: Arena["Service"]["submit"] = (request, give) => {
        const now = clock.currentTimeMillisUnsafe()
        const halt = halted(now)
        if (halt !== undefined) {
          give(() => Exit.fail(halt))
          return true
        }
        const standing = standings.known(request, now)
        if (standing === undefined) return false
        actors.tell(request.orderId, submitOf(request, standing), (answer) => give(() => recordedOf(answer)))
        return true
      }

      const commitMany = Effect.fnUntraced(function* (requests: ReadonlyArray<CommitmentRequest>) {
        if (requests.length > MAX_REQUESTS) return yield* Effect.die(`${requests.length} requests at once`)
        const now = yield* Clock.currentTimeMillis
        const halt = halted(now)
        if (halt !== undefined) return requests.map((): Committed => Result.fail(halt))
        const outcomes: Array<Committed> = []
        const parts = yield* sorted(requests, (request) => standings.at(request, now), outcomes)
        yield* submitted(actors, parts, outcomes)
        return outcomes
      })

      const advance = Effect.fnUntraced(function* (orderId: string) {
        const reply = yield* actors.ask(orderId, { _tag: "Advance" }).pipe(
          Effect.catchTag("ActorUnavailable", (error) => Effect.fail(unavailable(error))),
          Effect.catchIf(
            (error) => error._tag !== "OrderNotFound" && error._tag !== "Unavailable",
            (error) => Effect.die(error)
          )
        )
        return reply._tag === "Advanced" && reply.settled
      })

      return Arena.of({ commit, submit, commitMany, advance })
    })
  )
}

/** Sends one submission to its order at once, and gives what waits for the commitment that it records. */
const recorded = (
  actors: OrderActors["Service"],
  request: CommitmentRequest,
  standing: TraderStatus,
  fiber: Fiber.Fiber<unknown, unknown>
): Effect.Effect<Recorded<CommitmentSubmitted>, ArenaError | Unavailable> => {
  const measured = measuredBy(fiber)
  const asked = actors.send(request.orderId, submitOf(request, standing))
  return Effect.flatMap(orUnavailable(asked), (reply) => {
    if (reply._tag !== "Submitted") return Effect.die(OTHER_REPLY)
    measured?.(reply.recorded.seq)
    return Effect.succeed(reply.recorded)
  })
}

const submitOf = (request: CommitmentRequest, standing: TraderStatus): OrderMessage => ({
  _tag: "Submit",
  submission: submissionOf(request, standing)
})

const recordedOf = (answer: Answer<OrderReply, ArenaError>): Submitted => {
  if (Exit.isFailure(answer)) return Exit.failCause(Cause.map(answer.cause, failureOf))
  const { value } = answer
  return value._tag === "Submitted" ? Exit.succeed(value.recorded) : Exit.die(OTHER_REPLY)
}

/** What a batch asks of one order, and where its outcomes belong. */
interface Part {
  readonly places: Array<number>
  readonly submissions: Array<Submission>
}

type Lookup = (request: CommitmentRequest) => Effect.Effect<TraderStatus, Unavailable | UserNotFound>

/** Sorts requests by order. Everybody is looked up once; whoever cannot be has an outcome at once. */
const sorted = Effect.fnUntraced(function* (
  requests: ReadonlyArray<CommitmentRequest>,
  lookup: Lookup,
  outcomes: Array<Committed>
) {
  const standings = new Map<string, Result.Result<TraderStatus, Unavailable | UserNotFound>>()
  const parts = new Map<string, Part>()
  for (const [place, request] of requests.entries()) {
    const who = `${request.isService}/${request.userId}/${request.botId ?? ""}`
    const standing = standings.get(who) ?? (yield* Effect.result(lookup(request)))
    standings.set(who, standing)
    if (Result.isFailure(standing)) {
      outcomes[place] = Result.fail(standing.failure)
      continue
    }
    const part = parts.get(request.orderId) ?? { places: [], submissions: [] }
    parts.set(request.orderId, part)
    part.places.push(place)
    part.submissions.push(submissionOf(request, standing.success))
  }
  return parts
})

/** Sends each order its part as one message, to all of them before it waits for any. */
const submitted = Effect.fnUntraced(function* (
  actors: OrderActors["Service"],
  parts: ReadonlyMap<string, Part>,
  outcomes: Array<Committed>
) {
  const sent = Array.from(parts, ([orderId, { places, submissions }]) => ({
    places,
    reply: actors.send(orderId, { _tag: "SubmitMany", submissions })
  }))
  for (const { places, reply } of sent) {
    const replied = yield* Effect.result(reply)
    if (Result.isSuccess(replied) && replied.success._tag !== "SubmittedMany") return yield* Effect.die(OTHER_REPLY)
    const failed = Result.isFailure(replied) ? Result.fail(failureOf(replied.failure)) : undefined
    const told = Result.isSuccess(replied) && replied.success._tag === "SubmittedMany" ? replied.success.outcomes : []
    for (const [index, place] of places.entries()) {
      const outcome = failed ?? told[index]
      if (outcome === undefined) return yield* Effect.die("an order left a submission without an outcome")
      outcomes[place] = outcome
    }
  }
})

/** Finds out who asks. */
const makeStandings = Effect.gen(function* () {
  const owners = yield* Owners
  const machines = yield* MachineTraders
  /** Of those who ask for themselves: it says the same for as long as its owner is the same. */
  const own = new WeakMap<Owner, TraderStatus>()

  const lookedUp = Effect.fnUntraced(function* (
    request: CommitmentRequest
  ): Effect.fn.Return<TraderStatus, Unavailable | UserNotFound> {
    const owner = yield* owners.ownerOf(request.userId)
    return standingFor(request, owner, request.botId === undefined ? undefined : yield* machines.find(request.botId))
  })

  /** Without waiting; undefined where something that is asked for has to be read. */
  const known = (request: CommitmentRequest, now: number): TraderStatus | undefined => {
    const owner = request.botId === undefined ? owners.known(request.userId, now) : undefined
    if (owner === undefined || request.isService) return owner && standingFor(request, owner, undefined)
    const made = own.get(owner) ?? standingFor(request, owner, undefined)
    own.set(owner, made)
    return made
  }

  const at = (request: CommitmentRequest, now: number): Effect.Effect<TraderStatus, Unavailable | UserNotFound> => {
    const standing = known(request, now)
    return standing === undefined ? lookedUp(request) : Effect.succeed(standing)
  }

  return { known, lookedUp, at }
})

const submissionOf = (request: CommitmentRequest, { barred, trader }: TraderStatus): Submission => ({
  proposedPrice: request.proposedPrice,
  exitPrice: request.exitPrice,
  quantity: request.quantity,
  slippage: request.slippage,
  swapExecutor: request.swapExecutor,
  trader,
  barred,
  idempotency: request.idempotency,
  decisionId: request.decisionId
})

const askingUser = ({ companyId, companyKind, status, userId, walletAddress }: Owner): AskingUser => ({
  userId,
  owner: companyId,
  walletAddress,
  isHouse: companyKind === "house",
  isSuspended: status === "suspended"
})

const standingFor = (
  { botId: machineId, isService, userId }: CommitmentRequest,
  owner: Owner,
  machine: MachineTrader | undefined
): TraderStatus =>
  standingOf(
    { userId, machineId, isService },
    askingUser(owner),
    machine && { ...machine, isActive: machine.status === "active" }
  )

const OTHER_REPLY = "an order answered another message"

const failureOf = (error: ArenaError | ActorUnavailable): ArenaError | Unavailable =>
  error._tag === "ActorUnavailable" ? unavailable(error) : error

const orUnavailable = catching((error: ArenaError | ActorUnavailable) => Effect.fail(failureOf(error)))

const unavailable = ({ reason }: ActorUnavailable): Unavailable =>
  new Unavailable({
    reason: `the order's actor is ${reason.replace("_", " ")}`,
    ...(reason === "unfinished" ? {} : { isUnwritten: true })
  })
