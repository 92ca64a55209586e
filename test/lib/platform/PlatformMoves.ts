import { expect } from "bun:test"
import { Effect } from "effect"
import type { Answer } from "../Requests.ts"
import { cancel, fulfil, order, pay, payByCard, refund } from "./OrderMoves.ts"
import { creditBody } from "./PlatformActors.ts"
import type { PlatformMove } from "./PlatformCommands.ts"
import { type Asked, numberUnits, type Of, type PlatformScenario, text, textUnits, when } from "./PlatformScenario.ts"
import { renew, subscribe } from "./SubscriptionMoves.ts"

const mint = ({ actors, paper }: PlatformScenario, { amount, asset, who }: Of<"mint">): Asked => ({
  who,
  path: "/v1/funds",
  body: { owner: actors.members[who].userId, type: asset, symbol: text(amount) },
  verdict: "taken",
  settle: () => Effect.sync(() => paper.money.add(who, asset, amount))
})

const withdraw = ({ paper }: PlatformScenario, { amount, who }: Of<"withdraw">): Asked => ({
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

const transfer = ({ actors, paper }: PlatformScenario, { amount, asset, id, to, who }: Of<"transfer">): Asked => {
  const [from, recipient] = [actors.members[who].userId, actors.members[to].userId]
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

const exchange = Effect.fnUntraced(function* (
  scenario: PlatformScenario,
  { amount, base, held, to, who }: Of<"exchange">
) {
  const { actors, desk, paper } = scenario
  const { server } = actors
  const [from, recipient] = [actors.members[who].userId, actors.members[to].userId]
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

const credit = ({ actors, paper }: PlatformScenario, { income, who }: Of<"credit">): Asked => ({
  who,
  path: "/v1/credit/request",
  body: creditBody(income),
  verdict: "either",
  settle: () =>
    Effect.gen(function* () {
      const { userId } = actors.members[who]
      const { json } = yield* actors.server.get<{ readonly limit: number }>(`/v1/credit/profile/${userId}`, userId)
      paper.limits.set(who, numberUnits(json.limit))
    })
})

const commit = ({ actors, paper }: PlatformScenario, { quantity, who }: Of<"commit">): Asked => {
  const { entryPrice, orderId } = actors.arena
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
export const asked = (scenario: PlatformScenario, move: PlatformMove): Effect.Effect<Asked | undefined> => {
  switch (move.act) {
    case "mint":
      return Effect.succeed(mint(scenario, move))
    case "withdraw":
      return Effect.succeed(withdraw(scenario, move))
    case "transfer":
      return Effect.succeed(transfer(scenario, move))
    case "exchange":
      return exchange(scenario, move)
    case "order":
      return Effect.succeed(order(scenario, move))
    case "pay":
      return Effect.succeed(pay(scenario, move))
    case "fulfil":
      return Effect.succeed(fulfil(scenario, move))
    case "cancel":
      return Effect.succeed(cancel(scenario, move))
    case "card":
      return Effect.succeed(payByCard(scenario, move))
    case "refund":
      return refund(scenario, move)
    case "subscribe":
      return Effect.succeed(subscribe(scenario, move))
    case "renew":
      return Effect.succeed(renew(scenario, move))
    case "credit":
      return Effect.succeed(credit(scenario, move))
    case "commit":
      return Effect.succeed(commit(scenario, move))
  }
}
