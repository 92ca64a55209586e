import { Clock, Context, Effect, Exit, Layer, References, Scope } from "effect"
import { createHash } from "node:crypto"
import { orderStream } from "../../engine/arena/Order.ts"
import { type OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { openOrder } from "../../engine/arena/OrderLifecycle.ts"
import { accountId } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits, ONE, toNumber, ZERO } from "../../engine/money/Amount.ts"
import { SCOPES } from "../../src/api/Authorization.ts"
import * as App from "../../src/App.ts"
import { Arena } from "../../src/arena/Arena.ts"
import { MarketMaker } from "../../src/arena/MarketMaker.ts"
import { Settings } from "../../src/Config.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import { Funds } from "../../src/funds/Funds.ts"
import { AccessTokens, FIRST_PARTY } from "../../src/identity/tokens/AccessTokens.ts"
import { Owners } from "../../src/identity/users/Owners.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { type BenchPostgres, urlOf } from "./BenchPostgres.ts"
import type { Call } from "./HttpLoad.ts"

/** An hour and a half: no order closes and no slot begins while something is measured. */
const WINDOW_MILLIS = 5_400_000
const SLOT_SECONDS = 86_400

const PRICE = fromUnits(100n * ONE)
const ORDER_QUANTITY = fromUnits(10n * ONE)
const QUANTITY = fromUnits(1_000n)

/** What every trader starts with, so that none runs out of it. */
export const CAPITAL = fromUnits(1_000_000n * ONE)

/** What an order is, beside its id: milliseconds for which it takes commitments, and 10⁻⁶ of a piece and of USD. */
export const ORDER = { window: WINDOW_MILLIS, quantity: ORDER_QUANTITY, price: PRICE }

const CONCURRENCY = 64

export interface Market {
  readonly traders: number
  readonly orders: number
  /** Commitments on each order before anything is measured, of as many traders. */
  readonly commitments: number
  /** What an order is offered at, in 10⁻⁶ USD, where it is not 100 USD. */
  readonly price?: Amount
}

/** Somebody with money, and a company of its own. */
export interface Trader {
  readonly userId: string
  readonly companyId: string
  readonly token: string
}

/** What is in a filled database. */
export interface BenchWorld {
  readonly traders: ReadonlyArray<Trader>
  /** The traders' tokens. */
  readonly tokens: ReadonlyArray<string>
  readonly orderIds: ReadonlyArray<string>
}

/** The program's settings on a database: no limits, no house traders, and only the orders that are there. */
export const variablesOf = (postgres: BenchPostgres, database: string): Readonly<Record<string, string>> => ({
  APP_MODE: "sandbox",
  DATABASE_URL: urlOf(postgres, database),
  SECRET_KEY: createHash("sha256").update("bench").digest("hex"),
  PORT: "0",
  RATE_LIMITS: "off",
  SANDBOX_TRADERS: "0",
  ARENA_SLOT_SECONDS: String(SLOT_SECONDS)
})

/** A request to commit to an order of this price, that every order takes any number of times. */
export const commitAt = (orderId: string, price: Amount): Call => ({
  line: "POST /api/arena/commitments",
  body: JSON.stringify({
    order_id: orderId,
    proposed_entry_price: toNumber(price),
    expected_exit_price: 110,
    quantity: toNumber(QUANTITY),
    slippage_tolerance: 0.01
  })
})

/** The same to an order of the usual price. */
export const commitTo = (orderId: string): Call => commitAt(orderId, PRICE)

export const read = (orderId: string): Call => ({ line: `GET /api/arena/orders/${orderId}`, body: "" })

export const orderIdOf = (index: number): string =>
  `ord_${createHash("sha256").update(`bench/${index}`).digest("hex").slice(0, 24)}`

const application = (postgres: BenchPostgres, database: string) =>
  App.services.pipe(
    Layer.provideMerge(App.oracles),
    Layer.provideMerge(App.database),
    Layer.provideMerge(Settings.layerOf(variablesOf(postgres, database))),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))
  )

const makeTrader = Effect.fnUntraced(function* (index: number) {
  const label = `bench-${index}`
  const users = yield* Users
  const user = yield* users.createHouse({ companyName: label, label, kind: "house" })
  yield* (yield* Funds).capital(accountId(user.id, "USD", "wallet"), CAPITAL, "bench")
  return user.id
})

const admitted = Effect.fnUntraced(function* (userId: string) {
  const owner = yield* (yield* Owners).ownerOf(userId)
  const token = yield* (yield* AccessTokens).issue({ owner, clientId: FIRST_PARTY, scopes: SCOPES })
  return { userId, companyId: owner.companyId, token } satisfies Trader
})

const openOne = Effect.fnUntraced(function* (index: number, openedAt: number, entryPrice: Amount) {
  const orderId = orderIdOf(index)
  const expiryAt = openedAt + WINDOW_MILLIS
  const terms: OrderTerms = {
    orderId,
    assetType: "fx",
    asset: "EUR/USD",
    details: { pair: "EUR/USD" },
    quantity: ORDER_QUANTITY,
    entryPrice,
    openedAt,
    expiryAt,
    settlementAt: expiryAt + WINDOW_MILLIS,
    maker: yield* MarketMaker,
    tieKeyHash: createHash("sha256").update(orderId).digest("hex")
  }
  const batch = { stream: orderStream(orderId), version: 0, entries: [openOrder(terms)] }
  const [outcome] = yield* (yield* UnitOfWork).append(batch)
  return outcome?._tag === "Accepted" ? orderId : yield* Effect.die(outcome?.error)
})

const commit = Effect.fnUntraced(function* (userId: string, orderId: string) {
  yield* (yield* Arena).commit({
    orderId,
    proposedPrice: PRICE,
    exitPrice: fromUnits(110n * ONE),
    quantity: QUANTITY,
    slippage: ZERO as Amount,
    swapExecutor: "",
    botId: undefined,
    userId,
    isService: false,
    idempotency: undefined
  })
})

const each = <A, B, E, R>(over: ReadonlyArray<A>, make: (one: A) => Effect.Effect<B, E, R>) =>
  Effect.forEach(over, make, { concurrency: CONCURRENCY })

const counted = (size: number): ReadonlyArray<number> => Array.from({ length: size }, (_, index) => index)

const fillWith = Effect.fnUntraced(function* ({ traders, orders, commitments, price = PRICE }: Market) {
  const now = yield* Clock.currentTimeMillis
  const userIds = yield* each(counted(traders), makeTrader)
  const orderIds = yield* Effect.forEach(counted(orders), (index) => openOne(index, now, price), { concurrency: 2_000 })
  const early = userIds.slice(0, commitments)
  yield* each(
    orderIds.flatMap((orderId) => early.map((userId) => ({ userId, orderId }))),
    ({ userId, orderId }) => commit(userId, orderId)
  )
  const admittedTraders = yield* each(userIds, admitted)
  return { traders: admittedTraders, tokens: admittedTraders.map(({ token }) => token), orderIds }
})

/** Runs something on the program's services over a database, and stops them. */
export const within = <A, E>(
  postgres: BenchPostgres,
  database: string,
  effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof application>>>
): Effect.Effect<A> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const built = Layer.buildWithMemoMap(application(postgres, database), Layer.makeMemoMapUnsafe(), scope)
    const context: Context.Context<Layer.Success<ReturnType<typeof application>>> = yield* built
    return yield* Effect.provideContext(effect, context).pipe(Effect.ensuring(Scope.close(scope, Exit.void)))
  }).pipe(Effect.orDie)

/** Fills an empty database through the program's own services: traders with money and tokens, and open orders. */
export const fill = (postgres: BenchPostgres, database: string, market: Market): Effect.Effect<BenchWorld> =>
  within(postgres, database, fillWith(market))
