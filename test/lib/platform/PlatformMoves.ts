import { expect } from "bun:test"
import { Effect, Result } from "effect"
import { format, fromNumber, fromUnits, parse } from "../../../engine/money/Amount.ts"
import type { Answer } from "../Answer.ts"
import { creditBody, type PlatformCast } from "./PlatformCast.ts"
import type { Name, PlatformMove } from "./PlatformCommands.ts"
import type { PlatformPaper } from "./PlatformPaper.ts"

/** What the paper says of a request before it is sent: it is taken, it is refused, or that is not for paper to say. */
export type Verdict = "taken" | "refused" | "either"

/** A request, and what it does on paper when it is taken. */
export interface Asked {
  readonly who: Name
  readonly path: string
  readonly body: unknown
  readonly verdict: Verdict
  readonly settle: (answer: Answer) => Effect.Effect<void>
}

/** The state of a play that its moves share. */
export interface Play {
  readonly cast: PlatformCast
  readonly paper: PlatformPaper
  /** Ids of the orders that were placed. */
  readonly orders: Array<string>
  /** The cast's desk: what it gained and paid out. */
  readonly desk: Map<string, bigint>
}

/** Decimal text in 10⁻⁶. */
export const textUnits = (text: string): bigint => Result.getOrThrow(parse(text))

/** A JSON number in 10⁻⁶. */
export const numberUnits = (value: number): bigint => Result.getOrThrow(fromNumber(value))

const text = (units: bigint): string => format(fromUnits(units))

const when = (taken: boolean): Verdict => (taken ? "taken" : "refused")

type Of<A extends PlatformMove["act"]> = Extract<PlatformMove, { readonly act: A }>

const mint = ({ cast, paper }: Play, { amount, asset, who }: Of<"mint">): Asked => ({
  who,
  path: "/v1/funds",
  body: { owner: cast.members[who].userId, type: asset, symbol: text(amount) },
  verdict: "taken",
  settle: () => Effect.sync(() => paper.money.add(who, asset, amount))
})

const withdraw = ({ paper }: Play, { amount, who }: Of<"withdraw">): Asked => ({
  who,
  path: "/v1/withdraw",
  body: { quantity: text(amount) },
  verdict: when(paper.money.free(who, "USD") >= amount),
  settle: ({ json }) =>
    Effect.sync(() => {
      expect(textUnits((json as { readonly quantity: string }).quantity)).toBe(amount)
      paper.money.add(who, "USD", -amount)
    })
})

const particulars = { country: "BE", description: "goods", createdDate: 1 }

const transfer = ({ cast, paper }: Play, { amount, asset, id, to, who }: Of<"transfer">): Asked => {
  const [from, recipient] = [cast.members[who].userId, cast.members[to].userId]
  const own = id === null ? {} : { id: `own-${id}` }
  const body = { pair: `${asset}/${asset}`, quantity: text(amount), from, to: recipient, ...particulars, ...own }
  const key = `${who}/${id}`
  const isKnown = () => id !== null && paper.sent.has(key)
  const isSame = paper.sent.get(key) === JSON.stringify(body)
  const isPossible = paper.money.free(who, asset) >= amount && who !== to
  return {
    who,
    path: "/v1/transfers",
    body,
    verdict: when(isKnown() ? isSame : isPossible),
    settle: ({ json }) =>
      Effect.sync(() => {
        expect(json).toMatchObject({ from, to: recipient, quantity: text(amount) })
        if (isKnown()) return expect(paper.sent.get(key)).toBe(JSON.stringify(body))
        if (id !== null) paper.sent.set(key, JSON.stringify(body))
        paper.money.move(who, to, asset, amount)
      })
  }
}

const other = (asset: "USD" | "EUR") => (asset === "USD" ? "EUR" : "USD")

interface Made {
  readonly taken: string
  readonly received: string
  readonly taken_type: string
  readonly received_type: string
}

const exchange = Effect.fnUntraced(function* (play: Play, { amount, base, held, to, who }: Of<"exchange">) {
  const { cast, desk, paper } = play
  const { server } = cast
  const [from, recipient] = [cast.members[who].userId, cast.members[to].userId]
  const pair = `${base}/${other(base)}`
  const quote = held
    ? yield* server.post<{ readonly id?: string }>(
        "/v1/fx/quotes",
        { pair, quantity: Number(text(amount)) },
        { as: from }
      )
    : undefined
  const euro = server.world.prices.get("EUR") ?? server.world.prices.get("EUR/USD") ?? 0n
  const settle = ({ json }: Answer) =>
    Effect.gen(function* () {
      const { id } = json as { readonly id: string }
      const { json: made } = yield* server.get<Made>(`/v1/transfers/${id}`, from)
      const [taken, received] = [textUnits(made.taken), textUnits(made.received)]
      expect([taken, made.taken_type, made.received_type]).toEqual([amount, base, other(base)])
      const fair = base === "EUR" ? taken * euro >= received * 1_000_000n : taken * 1_000_000n >= received * euro
      expect({ taken, received, fair }).toEqual({ taken, received, fair: true })
      expect(received > 0n).toBe(true)
      paper.money.add(who, base, -taken)
      paper.money.add(to, other(base), received)
      desk.set(base, (desk.get(base) ?? 0n) + taken)
      desk.set(other(base), (desk.get(other(base)) ?? 0n) - received)
    })
  const isShort = paper.money.free(who, base) < amount
  const own = quote?.json.id === undefined ? {} : { quote_id: quote.json.id }
  return {
    who,
    path: "/v1/transfers",
    body: { pair, quantity: text(amount), from, to: recipient, mode: "international", ...particulars, ...own },
    verdict: isShort ? "refused" : "either",
    settle
  } satisfies Asked
})

interface Placed {
  readonly id: string
  readonly amount: number
  readonly payment_terms: { readonly schedule: ReadonlyArray<{ readonly amount: number }> }
}

const order = ({ cast, orders, paper }: Play, { lines, terms, who }: Of<"order">): Asked => {
  const offer = paper.offer(who, lines, terms)
  const isOwn = offer.lines.some(({ seller }) => seller === who)
  return {
    who,
    path: "/v1/orders",
    body: {
      company_id: cast.members[who].companyId,
      items: lines.map(({ pieces, product }) => ({ product_id: cast.products[product], quantity: pieces })),
      payment_terms: terms
    },
    verdict: when(!isOwn && paper.market.canPlace(offer) === "done"),
    settle: ({ json }) =>
      Effect.sync(() => {
        const { amount, id, payment_terms: agreed } = json as Placed
        const parts = agreed.schedule.map((part) => numberUnits(part.amount))
        expect(parts).toEqual(offer.instalments)
        expect(numberUnits(amount)).toBe(parts.reduce((sum, part) => sum + part, 0n))
        paper.market.orders.set(id, { ...offer, delivered: new Set(), paid: 0n, cancelled: false })
        orders.push(id)
      })
  }
}

interface Seen {
  readonly status: string
  readonly payment_terms: { readonly schedule: ReadonlyArray<{ readonly amount: number; readonly paid: boolean }> }
  readonly sellers: ReadonlyArray<{
    readonly company_id: string
    readonly paid: number
    readonly fulfilled_at: string | null
  }>
  readonly payments: ReadonlyArray<{ readonly amount: number; readonly refunded: boolean }>
}

/** Writes on paper what became of an order: who was paid what, what was delivered, and whether it was cancelled. */
const sync = Effect.fnUntraced(function* ({ cast, paper }: Play, id: string) {
  const onPaper = paper.market.orders.get(id)
  if (onPaper === undefined) return
  const buyer = onPaper.buyer as Name
  const { json } = yield* cast.server.get<Seen>(`/v1/orders/${id}`, cast.members[buyer].userId)
  const parts = paper.partsOf(id)
  const isCancelled = json.status === "cancelled"
  let paid = 0n
  for (const seller of json.sellers) {
    const { name } = Object.values(cast.members).find(({ companyId }) => companyId === seller.company_id)!
    const now = numberUnits(seller.paid)
    paper.money.move(buyer, name, "USD", now - (parts.get(name) ?? 0n))
    parts.set(name, now)
    paid += now
    if (seller.fulfilled_at !== null) onPaper.delivered.add(name)
  }
  expect(json.payments.reduce((sum, { amount }) => sum + numberUnits(amount), 0n)).toBe(paid)
  expect(json.payments.every(({ refunded }) => refunded === isCancelled)).toBe(true)
  const left = json.payment_terms.schedule.filter((part) => !part.paid).map((part) => numberUnits(part.amount))
  onPaper.instalments.splice(0, onPaper.instalments.length, ...left)
  onPaper.paid = paid
  if (!isCancelled || onPaper.cancelled) return
  onPaper.cancelled = true
  for (const [name, amount] of parts) paper.money.move(name, buyer, "USD", amount)
})

const onOrder = (
  play: Play,
  move: Of<"pay" | "fulfil" | "cancel">,
  verdict: (id: string) => Verdict
): Asked | undefined => {
  const id = play.orders[move.order]
  if (id === undefined) return undefined
  return {
    who: move.who,
    path: `/v1/orders/${id}/${move.act}`,
    body: move.act === "pay" ? { instalments: move.extent } : move.act === "cancel" ? {} : undefined,
    verdict: verdict(id),
    settle: () => sync(play, id)
  }
}

const pay = (play: Play, move: Of<"pay">): Asked | undefined =>
  onOrder(play, move, (id) => {
    const { market, money } = play.paper
    const owed = market.owed(id, move.extent)
    const isBuyer = market.orders.get(id)?.buyer === move.who
    return when(isBuyer && owed !== undefined && money.free(move.who, "USD") >= owed)
  })

const fulfil = (play: Play, move: Of<"fulfil" | "cancel">): Asked | undefined =>
  onOrder(play, move, (id) => {
    const order = play.paper.market.orders.get(id)
    if (order === undefined || order.cancelled || order.delivered.has(move.who)) return "refused"
    const isSeller = order.lines.some(({ seller }) => seller === move.who)
    return when(isSeller && (order.onCredit || order.instalments.length === 0))
  })

const cancel = (play: Play, move: Of<"fulfil" | "cancel">): Asked | undefined =>
  onOrder(play, move, (id) => {
    const { market, money } = play.paper
    const isShort = [...play.paper.partsOf(id)].some(([name, amount]) => money.free(name, "USD") < amount)
    return when(market.mayCancel(id, move.who) && !isShort)
  })

const credit = ({ cast, paper }: Play, { income, who }: Of<"credit">): Asked => ({
  who,
  path: "/v1/credit/request",
  body: creditBody(income),
  verdict: "either",
  settle: () =>
    Effect.gen(function* () {
      const { userId } = cast.members[who]
      const { json } = yield* cast.server.get<{ readonly limit: number }>(`/v1/credit/profile/${userId}`, userId)
      paper.limits.set(who, numberUnits(json.limit))
    })
})

const commit = ({ cast, paper }: Play, { quantity, who }: Of<"commit">): Asked => {
  const { entryPrice, orderId } = cast.arena
  return {
    who,
    path: "/api/arena/commitments",
    body: {
      order_id: orderId,
      proposed_entry_price: entryPrice,
      expected_exit_price: Number((entryPrice * 1.05).toFixed(4)),
      quantity
    },
    verdict: "either",
    settle: ({ json }) =>
      Effect.sync(() => {
        const { data } = json as { readonly data: { readonly collateral_required: number } }
        paper.money.hold(who, "USD", numberUnits(data.collateral_required))
      })
  }
}

/** The request of a move, with what the paper says of it; undefined where it names what is not there. */
export const asked = (play: Play, move: PlatformMove): Effect.Effect<Asked | undefined> => {
  switch (move.act) {
    case "mint":
      return Effect.succeed(mint(play, move))
    case "withdraw":
      return Effect.succeed(withdraw(play, move))
    case "transfer":
      return Effect.succeed(transfer(play, move))
    case "exchange":
      return exchange(play, move)
    case "order":
      return Effect.succeed(order(play, move))
    case "pay":
      return Effect.succeed(pay(play, move))
    case "fulfil":
      return Effect.succeed(fulfil(play, move))
    case "cancel":
      return Effect.succeed(cancel(play, move))
    case "credit":
      return Effect.succeed(credit(play, move))
    case "commit":
      return Effect.succeed(commit(play, move))
  }
}
