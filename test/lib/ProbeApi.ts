import { Effect, Layer, Schema } from "effect"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import * as ArenaError from "../../engine/arena/ArenaError.ts"
import { parse } from "../../engine/money/Amount.ts"
import { Result } from "effect"
import { arenaWire, refuse, wire } from "../../src/api/ApiError.ts"
import { COMMITMENT_REFUSALS } from "../../src/api/Arena.ts"
import {
  admin,
  authenticated,
  Authorization,
  CurrentPrincipal,
  open,
  Policy,
  scopes
} from "../../src/api/Authorization.ts"
import { AnswersSecret, Conventions, TakesAnyQuery } from "../../src/api/Conventions.ts"
import { AmountFromNumber, SignedAmount } from "../../src/api/Money.ts"
import { pageOf, pageQuery } from "../../src/api/Paging.ts"
import { Unavailable } from "../../src/database/DatabaseError.ts"
import { IdempotencyScope, markStored } from "../../src/http/IdempotencyScope.ts"
import { IdempotencyRepository } from "../../src/http/IdempotencyRepository.ts"

const Item = Schema.Struct({ name: Schema.String, amount: AmountFromNumber })
const Made = Schema.Struct({ id: Schema.String, name: Schema.String, amount: AmountFromNumber })

const create = HttpApiEndpoint.post("create", "/v1/probe/items", { payload: Item, success: Made })
  .annotate(Policy, scopes("orders:write"))
  .middleware(Authorization)

const strict = HttpApiEndpoint.post("strict", "/v1/probe/strict", { payload: Item, success: Made })
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" })
  .annotate(Policy, open)

const callback = HttpApiEndpoint.get("callback", "/v1/probe/callback", {
  query: { state: Schema.optionalKey(Schema.String) },
  success: Schema.Struct({ state: Schema.optionalKey(Schema.String) })
})
  .annotate(TakesAnyQuery, true)
  .annotate(Policy, open)

const Form = Schema.Struct({ name: Schema.String, kind: Schema.String })

const form = HttpApiEndpoint.post("form", "/v1/probe/form", {
  payload: Form.pipe(HttpApiSchema.asFormUrlEncoded()),
  success: Schema.Struct({ name: Schema.String })
}).annotate(Policy, open)

const list = HttpApiEndpoint.get("list", "/v1/probe/items", {
  query: { ...pageQuery, status: Schema.optionalKey(Schema.Literals(["open", "settled"])) },
  success: Schema.Struct({ limit: Schema.Int, offset: Schema.Int })
}).annotate(Policy, open)

const read = HttpApiEndpoint.get("read", "/v1/probe/items/:id", {
  params: { id: Schema.String },
  success: Made,
  error: [wire("not_found"), wire("unavailable")]
}).annotate(Policy, open)

/** Its path looks like that of an item. */
const imported = HttpApiEndpoint.post("import", "/v1/probe/items/import", { success: Made }).annotate(Policy, open)

const secret = HttpApiEndpoint.post("secret", "/v1/probe/secrets", { success: Made })
  .annotate(AnswersSecret, true)
  .annotate(Policy, open)

const fail = HttpApiEndpoint.post("fail", "/v1/probe/fail/:how", {
  params: { how: Schema.Literals(["defect", "unavailable", "body", "conflict", "slow", "journal"]) },
  success: Made,
  error: wire("conflict")
}).annotate(Policy, open)

const whoami = HttpApiEndpoint.get("whoami", "/v1/probe/whoami", {
  success: Schema.Struct({ user_id: Schema.String, kind: Schema.String })
})
  .annotate(Policy, authenticated)
  .middleware(Authorization)

const adminOnly = HttpApiEndpoint.post("adminOnly", "/v1/probe/admin", { success: Made })
  .annotate(Policy, admin)
  .middleware(Authorization)

const commit = HttpApiEndpoint.post("commit", "/api/arena/probe", {
  payload: Schema.Struct({ refusal: Schema.String, quantity: AmountFromNumber }),
  success: Schema.Struct({ success: Schema.Literal(true), profit: SignedAmount }),
  error: [...COMMITMENT_REFUSALS, arenaWire("not_found")]
})
  .annotate(Policy, authenticated)
  .middleware(Authorization)

/** A contract with one endpoint for each convention. */
export class ProbeApi extends HttpApi.make("probe")
  .add(
    HttpApiGroup.make("probe").add(
      create,
      strict,
      form,
      callback,
      list,
      read,
      imported,
      secret,
      fail,
      whoami,
      adminOnly,
      commit
    )
  )
  .middleware(Conventions) {}

const usd = (text: string) => Result.getOrThrow(parse(text))

/** One of each refusal of a commitment, by its class's name. */
export const REFUSALS: Readonly<Record<string, ArenaError.ArenaError>> = {
  CircuitBreakerOpen: new ArenaError.CircuitBreakerOpen({ scope: "fx", retryAfterSeconds: 42 }),
  OrderNotFound: new ArenaError.OrderNotFound({ orderId: "ord_1" }),
  OrderNotOpen: new ArenaError.OrderNotOpen({ orderId: "ord_1", status: "settled" }),
  WindowClosed: new ArenaError.WindowClosed({ orderId: "ord_1", expiredAt: 1_700_000_000_000 }),
  MachineNotRegistered: new ArenaError.MachineNotRegistered({ botId: "mtr_1" }),
  AccessDenied: new ArenaError.AccessDenied({ reason: "The market maker's owner may not commit." }),
  InvalidTerms: new ArenaError.InvalidTerms({ field: "quantity", expected: "at most 10" }),
  LossLimitReached: new ArenaError.LossLimitReached({ botId: "mtr_1", needed: usd("3.81"), available: usd("1") }),
  VaultClosed: new ArenaError.VaultClosed(),
  InsufficientCollateral: new ArenaError.InsufficientCollateral({ needed: usd("381"), available: usd("12.5") }),
  TooManyCommitments: new ArenaError.TooManyCommitments({ limit: 1000 }),
  OrderFull: new ArenaError.OrderFull({ limit: 20_000 })
}

const one = usd("1")
let made = 0

const item = () => Effect.sync(() => ({ id: `item_${++made}`, name: "a", amount: one }))

/** Slow requests that reached their handler, so that a test can wait for one instead of for a time. */
export const slowRequests = { begun: 0 }

const failures = {
  defect: Effect.die(new Error("secret detail at /srv/app.ts:12")),
  unavailable: Effect.fail(new Unavailable({ reason: "the database is away" })),
  body: Effect.succeed({ id: 5 as unknown as string, name: "a", amount: one }),
  conflict: refuse("conflict"),
  slow: Effect.suspend(() => {
    slowRequests.begun += 1
    return Effect.flatMap(Effect.sleep(100), item)
  })
}

const journal = Effect.gen(function* () {
  const answer = yield* item()
  const scope = yield* IdempotencyScope
  const { keep } = yield* IdempotencyRepository
  if (scope !== undefined) {
    const body = JSON.stringify({ id: answer.id, name: "kept by the journal", amount: 1 })
    const at = yield* Effect.clockWith((clock) => Effect.succeed(clock.currentTimeMillisUnsafe()))
    yield* keep(scope.key, { fingerprint: scope.fingerprint, status: 200, body }, at)
    yield* markStored
  }
  return answer
})

/** The contract's handlers. */
export const handlers: Layer.Layer<
  HttpApiGroup.Service<"probe", "probe">,
  never,
  Authorization | Conventions | IdempotencyRepository
> = HttpApiBuilder.group(
  ProbeApi,
  "probe",
  Effect.fnUntraced(function* (handlers) {
    const repository = yield* IdempotencyRepository
    return handlers.handleAll({
      create: ({ payload }) => Effect.sync(() => ({ id: `item_${++made}`, ...payload })),
      strict: ({ payload }) => Effect.sync(() => ({ id: `item_${++made}`, ...payload })),
      callback: ({ query }) => Effect.succeed(query),
      form: ({ payload: { name } }) => Effect.succeed({ name }),
      list: ({ query }) => Effect.succeed(pageOf(query)),
      read: () => refuse("not_found", "There is no such item."),
      import: item,
      secret: item,
      fail: ({ params }) =>
        params.how === "journal"
          ? Effect.provideService(journal, IdempotencyRepository, repository)
          : failures[params.how],
      whoami: () => Effect.map(CurrentPrincipal, ({ kind, userId }) => ({ user_id: userId, kind })),
      adminOnly: item,
      commit: ({ payload }) => {
        const refusal = REFUSALS[payload.refusal]
        return refusal === undefined
          ? Effect.succeed({ success: true as const, profit: payload.quantity })
          : Effect.fail(refusal)
      }
    })
  })
)
