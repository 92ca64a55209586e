import { expect } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import type { MoneyFixture } from "./MoneyFixture.ts"

const MONEY_ASSETS = ["USD", "EUR", "JPY"] as const

const PARTIES = 3

/** Something that an owner asks for. Owners are numbered. */
interface MoneyCommand {
  readonly kind: "send" | "withdraw" | "pay out"
  readonly from: number
  readonly to: number
  readonly base: (typeof MONEY_ASSETS)[number]
  readonly quote: (typeof MONEY_ASSETS)[number]
  readonly units: number
  /** An id of the sender's own, which may be one of before. */
  readonly id: number | undefined
  readonly quoted: "Buy" | "Sell" | undefined
}

const party = fc.integer({ min: 0, max: PARTIES - 1 })
const asset = fc.constantFrom(...MONEY_ASSETS)

const command: fc.Arbitrary<MoneyCommand> = fc.record({
  kind: fc.constantFrom("send", "send", "send", "withdraw", "pay out"),
  from: party,
  to: party,
  base: asset,
  quote: asset,
  units: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 60_000_000 })),
  id: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
  quoted: fc.option(fc.constantFrom("Buy", "Sell"), { nil: undefined, freq: 4 })
})

/** Groups of commands: one after the other, those of a group at the same time. */
export const moneyCommands = (groups: number): fc.Arbitrary<ReadonlyArray<ReadonlyArray<MoneyCommand>>> =>
  fc.array(fc.array(command, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: groups })

interface Made {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly taken: string
  readonly taken_type: string
  readonly received: string
  readonly received_type: string
}

const unitsOf = (text: string): bigint => {
  const [whole = "0", fraction = ""] = text.split(".")
  return BigInt(whole + fraction.padEnd(6, "0"))
}

const textOf = (units: number): string => (units / 1e6).toFixed(6)

/** What owners should have, by what they were answered alone. */
class MoneyModel {
  readonly #holdings = new Map<string, bigint>()
  readonly #seen = new Set<string>()

  add(owner: string, of: string, units: bigint): void {
    this.#holdings.set(`${owner}/${of}`, this.of(owner, of) + units)
  }

  of(owner: string, of: string): bigint {
    return this.#holdings.get(`${owner}/${of}`) ?? 0n
  }

  /** Takes a transfer once, however often it is told of. */
  transfer({ from, id, received, received_type: got, taken, taken_type: given, to }: Made): void {
    if (this.#seen.has(`${from}/${id}`)) return
    this.#seen.add(`${from}/${id}`)
    this.add(from, given, -unitsOf(taken))
    this.add(to, got, unitsOf(received))
  }
}

const START = "50"

/** Plays commands by owners of their own, and sees that they have what they were told, to the last unit. */
export const playMoney = Effect.fnUntraced(function* (
  fixture: MoneyFixture,
  groups: ReadonlyArray<ReadonlyArray<MoneyCommand>>
) {
  const { server } = fixture
  const model = new MoneyModel()
  const owners: Array<string> = []
  for (let index = 0; index < PARTIES; index += 1) {
    const owner = yield* fixture.owner(Object.fromEntries(MONEY_ASSETS.map((each) => [each, START])))
    for (const each of MONEY_ASSETS) model.add(owner, each, unitsOf(START))
    owners.push(owner)
  }
  const before = yield* fixture.wealth(...owners)

  const doOne = Effect.fnUntraced(function* ({ base, from, id, kind, quote, quoted, to, units }: MoneyCommand) {
    const [sender = "", recipient = ""] = [owners[from], owners[to]]
    if (kind === "withdraw") {
      const { json: funds } = yield* server.get<ReadonlyArray<{ readonly id: string; readonly type: string }>>(
        "/v1/funds",
        sender
      )
      const fund = funds.find(({ type }) => type === base)?.id
      const { status } = yield* server.post("/v1/withdraw", { quantity: textOf(units), id: fund }, { as: sender })
      expect([200, 422]).toContain(status)
      if (status === 200) model.add(sender, base, BigInt(-units))
      return
    }
    const account = { accountName: "Anna", accountNumber: "BE68539007547034" }
    const target =
      kind === "send"
        ? recipient
        : (yield* server.post<{ readonly id: string }>("/v1/transfers/to", account, { as: sender })).json.id
    const pair = `${base}/${quote}`
    const wanted = { pair, trade: quoted, quantity: units / 1e6 }
    const rate = quoted === undefined || base === quote ? undefined : (yield* fixture.quote(sender, wanted)).json.id
    const change = {
      pair,
      mode: base === quote ? "local" : "international",
      ...(id === undefined ? {} : { id: `own-${id}` }),
      ...(rate === undefined ? {} : { quote_id: rate })
    }
    const { json, status } = yield* fixture.send(sender, target, textOf(units), change)
    expect([200, 404, 409, 422]).toContain(status)
    if (status !== 200) return
    model.transfer((yield* server.get<Made>(`/v1/transfers/${json.id}`, sender)).json)
  })

  for (const group of groups) yield* Effect.forEach(group, doOne, { concurrency: "unbounded", discard: true })
  for (const owner of owners) {
    for (const each of MONEY_ASSETS) {
      const has = yield* fixture.balance(owner, each)
      expect([owner, each, has]).toEqual([owner, each, model.of(owner, each)])
      expect(has >= 0n).toBe(true)
    }
  }
  expect((yield* fixture.wealth(...owners)) <= before).toBe(true)
})
