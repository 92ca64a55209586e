import { ByteSize, Cause, Context, Effect, Exit, Layer, References } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { ApiError } from "../api/ApiError.ts"
import type { Principal } from "../api/Authorization.ts"
import { POSITION } from "./AnswerPosition.ts"
import { CachedResponses } from "./CachedResponses.ts"
import { type ConventionParts, conventionParts } from "./ConventionParts.ts"
import type { EndpointTable } from "./EndpointTable.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import { Exchange } from "./Exchange.ts"
import * as FastEndpoints from "./FastEndpoints.ts"
import type { Answering, DirectAnswering, Failure } from "./FastEndpoints.ts"
import { Idempotency } from "./Idempotency.ts"
import { identify } from "./Identification.ts"
import { begin, keyedAnswering } from "./KeyedAnswering.ts"
import { ofJson, type PlainResponse } from "./PlainResponse.ts"
import { type Allowance, RateLimiter } from "./RateLimiter.ts"
import { type Render, toCarried, toWeb } from "./RenderedResponse.ts"
import { lateSentence } from "./RequestDeadline.ts"
import * as RequestRules from "./RequestRules.ts"
import { traced } from "./RequestTracing.ts"
import { RequestState } from "../RequestState.ts"
import type { CarriedRequest, CarriedResponse } from "../runtime/ServerRuntime.ts"
import { headersOf, RESET } from "./ResponseHeaders.ts"
import { type Inner, isDirect, isPending, type Outcome, toPending, type Ways, waysOf } from "./ResponseWays.ts"
import type { RequestServices, RouterEffect } from "./RouterPath.ts"
import type { SocketLimits } from "./SocketLimits.ts"
import type { Upgrade } from "./UpgradeDispatcher.ts"
import type { WebSocketRoute } from "./WebSocketRoutes.ts"

const BODY_LIMIT = ByteSize.bytes(RequestRules.MAX_BODY_BYTES)

const OK = 200

/** A read that may be answered: who asks, and the headers of its response. */
export interface AdmittedRead {
  readonly principal: Principal
  readonly headers: Readonly<Record<string, string>>
}

type Told<Sent> = Effect.Effect<Sent, never, RequestServices>

/**
 * The conventions that every request passes once: an id, its caller, the rate limit, the size limit, `Idempotency-Key`,
 * errors as JSON, the headers of every response, the metrics and the traces. They enter Effect only to ask somebody:
 * who a token stands for, what was answered under a key, or a handler.
 */
class Conventions<Sent> {
  readonly #parts: ConventionParts
  readonly #context: Context.Context<never>
  /** Of requests that no trace is made of. */
  readonly #untraced: Context.Context<never>
  readonly #render: Render<Sent>
  readonly #keyed: (exchange: Exchange, inner: Inner) => Outcome
  readonly ways: Ways

  constructor(parts: ConventionParts, context: Context.Context<never>, ways: Ways, render: Render<Sent>) {
    this.#render = render
    this.#parts = parts
    this.#context = context
    this.#untraced = parts.isSampled === undefined ? context : Context.add(context, References.TracerEnabled, false)
    this.ways = ways
    this.#keyed = keyedAnswering(parts.idempotency, (exchange, pending) => this.#told(exchange, pending))
  }

  /** Answers a request, or has its connection upgraded, which is no response. `peer` is the other end's address. */
  serve(request: Request, peer: string, upgrade: Upgrade): Sent | Promise<Sent | undefined> {
    const exchange = this.#begun(request, peer)
    if (!RequestRules.namesOneHost(request)) return this.#refuse(exchange, RequestRules.severalHosts())
    const route = this.#parts.upgrades.routeOf(request.method, exchange.facts.path)
    return route === undefined ? this.#answer(exchange, this.ways.first) : this.#upgraded(exchange, route, upgrade)
  }

  /** Answers a request that shared a message with others: none of them asks for an upgrade. */
  serveCarried(request: CarriedRequest, peer: string): Sent | Promise<Sent | undefined> {
    const exchange = this.#begun(request, peer)
    return RequestRules.namesOneHost(request)
      ? this.#answer(exchange, this.ways.first)
      : this.#refuse(exchange, RequestRules.severalHosts())
  }

  /** The conventions around one way to a response. */
  conventions(request: Request, peer: string, inner: Inner): Sent | Promise<Sent | undefined> {
    return this.#answer(this.#begun(request, peer), inner)
  }

  /**
   * Counts a read as answered, for another node that answers it itself: gives its caller, and all headers of the
   * response. Undefined where the read has to be answered here, which counts nothing.
   */
  admit(request: Request, peer: string): Effect.Effect<AdmittedRead | undefined> {
    const { callers, sessions } = this.#parts
    const exchange = this.#begun(request, peer)
    const admitted = Effect.sync(() => this.#admittedRead(exchange))
    const identification = RequestRules.namesOneHost(request) ? identify(callers, sessions, exchange) : "forged"
    if (identification === "forged") return Effect.undefined
    if (identification === undefined) return admitted
    return Effect.matchEffect(identification, { onFailure: () => Effect.undefined, onSuccess: () => admitted })
  }

  #admittedRead(exchange: Exchange): AdmittedRead | undefined {
    const { facts, match, request } = exchange
    const { principal } = facts
    const isRead = request.method === "GET" && this.ways.fastOf(exchange) !== undefined
    if (!isRead || principal === undefined || this.#early(exchange) !== undefined) return undefined
    facts.route = match?.entry.endpoint?.path ?? facts.route
    return { principal, headers: this.#whole(exchange, ofJson(OK, ""), false).headers }
  }

  #begun(request: Request | CarriedRequest, peer: string): Exchange {
    const { callers, clock, crossOrigin, table } = this.#parts
    const facts = callers.arrived(request, peer)
    const exchange = new Exchange(request, facts, clock.currentTimeMillisUnsafe(), clock.monotonicTimeNanosUnsafe())
    facts.path = RequestRules.pathOf(exchange.target)
    facts.allowedOrigin = crossOrigin.allowed(request.headers.get("origin") ?? undefined)
    exchange.match = table.find(request.method, facts.path)
    return exchange
  }

  #answer(exchange: Exchange, inner: Inner): Sent | Promise<Sent | undefined> {
    const { callers, sessions } = this.#parts
    const identification = identify(callers, sessions, exchange)
    if (identification === "forged") return this.#limited(exchange)
    const awaited = this.#parts.position?.awaited(exchange.request)
    if (identification !== undefined || awaited !== undefined) {
      return this.#run(
        exchange,
        Effect.flatMap(identification ?? Effect.void, () => this.#identified(exchange, inner, awaited))
      )
    }
    const early = this.#early(exchange)
    if (early !== undefined) return this.#sent(exchange, early)
    exchange.fast = this.ways.fastOf(exchange)
    if (exchange.fast?.takesBody !== true) return this.#sent(exchange, this.#admitted(exchange, inner))
    if (exchange.carried !== undefined) {
      exchange.isRead(exchange.carried.whole)
      return this.#sent(exchange, this.#admitted(exchange, inner))
    }
    const body = exchange.read()
    exchange.taken = this.#parts.meter.now() - exchange.started
    return body.then(
      () => {
        const resumed = this.#parts.meter.now()
        return this.#sent(exchange, this.#admitted(exchange, inner), resumed)
      },
      () => this.#sent(exchange, ErrorResponse.ofApiError(exchange.facts, ErrorResponse.unreadable()))
    )
  }

  /** The same once the caller is known, and after what has to be waited for. */
  #identified(exchange: Exchange, inner: Inner, awaited: Effect.Effect<void, ApiError> | undefined): Answering {
    const early = this.#early(exchange)
    if (early !== undefined) return Effect.succeed(early)
    return awaited === undefined
      ? this.#prepared(exchange, inner)
      : Effect.flatMap(awaited, () => this.#prepared(exchange, inner))
  }

  #prepared(exchange: Exchange, inner: Inner): Answering {
    exchange.fast = this.ways.fastOf(exchange)
    if (exchange.fast?.takesBody !== true) return toPending(this.#admitted(exchange, inner))
    return Effect.flatMap(Effect.tryPromise({ try: () => exchange.read(), catch: ErrorResponse.unreadable }), () =>
      toPending(this.#admitted(exchange, inner))
    )
  }

  /** Counts a request, and gives the refusal that needs no look at what it asks for. */
  #early(exchange: Exchange): PlainResponse | undefined {
    const { facts, match, now, request } = exchange
    if (!this.#count(exchange).allowed) return ErrorResponse.make(facts, "rate_limited")
    const refused = this.#parts.rules.early(facts, request, match?.entry, now)
    return refused instanceof ApiError ? ErrorResponse.ofApiError(facts, refused) : refused
  }

  #count(exchange: Exchange) {
    const { callers } = this.#parts
    const { facts, now } = exchange
    return (exchange.allowance ??= RequestRules.isUncounted(facts.path)
      ? { ...callers.peek(facts, now), allowed: true }
      : callers.take(facts, now))
  }

  /** Runs an admitted request, at most once under its key. */
  #admitted(exchange: Exchange, inner: Inner): Outcome {
    const { match, request, server } = exchange
    if (!RequestRules.hasBody(request.method)) return inner(exchange)
    const length = RequestRules.lengthOf(request)
    if (exchange.text === undefined) exchange.noteBody()
    RequestRules.guardDepth(server, length)
    const isKept = request.method === "POST" && match?.entry.answersSecret === false && !exchange.isRefused
    const outcome = isKept ? this.#keyed(exchange, inner) : begin(exchange, inner)
    return length === undefined
      ? Effect.provideService(toPending(outcome), HttpIncomingMessage.MaxBodySize, BODY_LIMIT)
      : outcome
  }

  /** The effect with every failure and defect turned into its response. */
  #told<A>(exchange: Exchange, effect: Effect.Effect<A, Failure, RequestServices>): Told<A | PlainResponse> {
    return Effect.matchCauseEffect(effect, {
      onSuccess: (response): Effect.Effect<A | PlainResponse> => Effect.succeed(response),
      onFailure: (cause) => ErrorResponse.ofCause(exchange.facts, cause, this.#parts.table.allowed)
    })
  }

  #upgraded(exchange: Exchange, route: WebSocketRoute, upgrade: Upgrade): Sent | Promise<Sent | undefined> {
    const { upgrades } = this.#parts
    exchange.isLast = true
    if (upgrades.isSpent(exchange)) return this.#limited(exchange)
    return this.#run(
      exchange,
      Effect.as(
        Effect.tapError(upgrades.upgrade(exchange, route, upgrade), () => Effect.sync(() => this.#count(exchange))),
        undefined
      )
    )
  }

  /** Refuses callers who have spent all requests, or send forged tokens, at a small part of an answer's cost. */
  #limited(exchange: Exchange): Sent {
    exchange.allowance = this.#parts.callers.peek(exchange.facts, exchange.now)
    return this.#finished(exchange, ErrorResponse.make(exchange.facts, "rate_limited"))
  }

  #refuse(exchange: Exchange, refusal: ApiError): Sent {
    const { facts } = exchange
    const { allowed } = this.#count(exchange)
    return this.#finished(
      exchange,
      allowed ? ErrorResponse.ofApiError(facts, refusal) : ErrorResponse.make(facts, "rate_limited")
    )
  }

  #sent(exchange: Exchange, outcome: Outcome, resumed = exchange.started): Sent | Promise<Sent | undefined> {
    if (isPending(outcome) || this.#isTraced(exchange)) return this.#run(exchange, toPending(outcome), resumed)
    return isDirect(outcome) ? this.#direct(exchange, outcome, resumed) : this.#finished(exchange, outcome)
  }

  /** Answers without a fiber, where nothing has to be waited for before it begins. */
  #direct(exchange: Exchange, direct: DirectAnswering, resumed: bigint): Promise<Sent | undefined> {
    return this.#parts.inTime<Sent | undefined>(
      (give, fail) => {
        exchange.since = resumed
        const finish = (outcome: PlainResponse | Answering): void =>
          isPending(outcome) ? this.#fork(exchange, outcome, give, fail) : this.#give(exchange, outcome, give, fail)
        try {
          if (!direct.begin(finish)) this.#fork(exchange, direct.answering, give, fail)
        } catch (fault) {
          this.#fork(exchange, Effect.die(fault), give, fail)
        }
        exchange.leave(this.#parts.meter.now())
      },
      () => this.#late(exchange)
    )
  }

  /** Gives a response to who waits for it, and never throws: others wait for whoever tells it. */
  #give(
    exchange: Exchange,
    response: PlainResponse | undefined,
    give: (sent: Sent | undefined) => void,
    fail: (error: unknown) => void
  ): void {
    try {
      give(response === undefined ? undefined : this.#finished(exchange, response))
    } catch (error) {
      fail(error)
    }
  }

  #isTraced(exchange: Exchange): boolean {
    const { isSampled } = this.#parts
    if (isSampled === undefined) return false
    return (exchange.isTraced ??= isSampled(exchange.request.headers))
  }

  #run(
    exchange: Exchange,
    effect: Effect.Effect<PlainResponse | undefined, Failure, RequestServices>,
    resumed = exchange.started
  ): Promise<Sent | undefined> {
    return this.#parts.inTime<Sent | undefined>(
      (give, fail) => {
        exchange.since = resumed
        this.#fork(exchange, effect, give, fail)
        exchange.leave(this.#parts.meter.now())
      },
      () => this.#late(exchange)
    )
  }

  /** Runs what makes a response in a fiber of its own. */
  #fork(
    exchange: Exchange,
    effect: Effect.Effect<PlainResponse | undefined, Failure, RequestServices>,
    give: (sent: Sent | undefined) => void,
    fail: (error: unknown) => void
  ): void {
    const isTraced = this.#isTraced(exchange)
    const { facts, request, server } = exchange
    const told = Effect.uninterruptibleMask((restore) => this.#told(exchange, restore(effect)))
    const context = Context.add(
      Context.add(isTraced ? this.#context : this.#untraced, RequestState, facts),
      HttpServerRequest.HttpServerRequest,
      server
    )
    const fiber = Effect.runForkWith(context)(isTraced ? traced(facts, told) : told)
    fiber.addObserver((exit) => {
      if (Exit.isFailure(exit)) return fail(Cause.squash(exit.cause))
      this.#give(exchange, exit.value, give, fail)
    })
    // A fast handler runs to its end, even if the caller is gone.
    if (exchange.fast !== undefined || fiber.pollUnsafe() !== undefined) return
    const abort = () => fiber.interruptUnsafe()
    request.signal?.addEventListener("abort", abort, { once: true })
    fiber.addObserver(() => request.signal?.removeEventListener("abort", abort))
  }

  /** The response to a request that got none in time. It is not counted again. */
  #late(exchange: Exchange): Sent {
    const { facts, request } = exchange
    exchange.isLate = true
    const refusal = ErrorResponse.make(facts, "unavailable", lateSentence(request.method))
    const allowance = this.#parts.callers.peek(facts, this.#parts.clock.currentTimeMillisUnsafe())
    return this.#render(exchange, this.#headed(exchange, refusal, allowance), this.#context)
  }

  /** The last step of a request. */
  #finished(exchange: Exchange, response: PlainResponse): Sent {
    const { meter } = this.#parts
    exchange.leave(meter.now())
    const begun = exchange.fast?.takesBody === true ? meter.now() : undefined
    const sent = this.#render(exchange, this.#whole(exchange, response), this.#context)
    if (begun !== undefined) meter.add(exchange.taken + meter.now() - begun, 1)
    return sent
  }

  /** Counts and notes a response, and gives it its headers. Another node may answer: then there is nothing to note of it here. */
  #whole(exchange: Exchange, response: PlainResponse, isNoted = true): PlainResponse {
    const { clock, note, record } = this.#parts
    const { facts, request, started } = exchange
    const nanos = clock.monotonicTimeNanosUnsafe() - started
    record(this.#context, facts, request.method, response.status, Number(nanos) / 1e9)
    if (isNoted) note(exchange, response, nanos)
    return this.#headed(exchange, response, this.#count(exchange))
  }

  #headed({ facts, isLast, now }: Exchange, response: PlainResponse, allowance: Allowance): PlainResponse {
    const headers = headersOf(this.#parts.fixedHeaders, facts, response, allowance, now)
    const { lead, position } = this.#parts
    // Callers have clocks of their own.
    if (lead.millis > 0) headers[RESET] = String(allowance.reset - Math.floor(lead.millis / 1_000))
    if (position !== undefined) headers[POSITION] = position.text
    if (isLast) headers["connection"] = "close"
    return { ...response, headers }
  }
}

/** The server's own way from a request to its response, on any runtime. */
export class HttpConventions extends Context.Service<
  HttpConventions,
  {
    /** The conventions over a router, with the services of its handlers. */
    readonly over: (router: RouterEffect, context: Context.Context<never>) => Conventions<Response>
    /** The same for requests that share messages with others. */
    readonly carrying: (router: RouterEffect, context: Context.Context<never>) => Conventions<CarriedResponse>
    readonly admit: Conventions<Response>["admit"]
    readonly sockets: SocketLimits
  }
>()("emporion/http/HttpConventions") {}

/** The conventions of a contract. Needs the handlers of its groups. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  table: EndpointTable
) =>
  Layer.effect(
    HttpConventions,
    Effect.gen(function* () {
      const parts = yield* conventionParts(table)
      const kept = yield* CachedResponses
      const own = yield* Effect.context<never>()
      const fast = FastEndpoints.make(api, own)
      const rendering =
        <Sent>(render: Render<Sent>) =>
        (router: RouterEffect, context: Context.Context<never>) =>
          new Conventions(parts, context, waysOf(table, kept, fast, router), render)
      const over = rendering(toWeb)
      const admitting = over(Effect.never, own)
      return HttpConventions.of({
        over,
        carrying: rendering(toCarried),
        sockets: parts.upgrades.limits,
        admit: (request, peer) => admitting.admit(request, peer)
      })
    })
  )

/** Dependencies of {@link layer} that this folder builds itself. */
export const services = Layer.mergeAll(RateLimiter.layer, Idempotency.layer)
