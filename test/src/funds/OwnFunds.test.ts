import { describe, expect, it } from "bun:test"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as fc from "fast-check"
import type { Account, AccountId } from "../../../engine/ledger/Account.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import type { Fund } from "../../../src/funds/Fund.ts"
import { FundsRepository } from "../../../src/funds/FundsRepository.ts"
import { KeptFunds, MAX_AGE, MAX_MISSED } from "../../../src/funds/OwnFunds.ts"
import { itLive, wait } from "../../lib/Effects.ts"
import { openedArena, usd } from "../../lib/OpenedArena.ts"
import { property } from "../../lib/Property.ts"

const ASSETS = ["USD", "EUR", "GBP"]
const OWNERS = ["a", "b", "c"]
const MAX_FUNDS = 5

/** What happens, in order: an owner's wallet has so many units more, and has a fund from then on. */
interface Happening {
  readonly owner: string
  readonly asset: string
  readonly units: bigint
}

const step = fc.oneof(
  fc.record({
    what: fc.constant("pay" as const),
    owner: fc.constantFrom(...OWNERS),
    asset: fc.constantFrom(...ASSETS),
    units: fc.bigInt({ min: 1n, max: 9n })
  }),
  fc.record({ what: fc.constant("tell" as const) }),
  fc.record({
    what: fc.constant("look" as const),
    owner: fc.constantFrom(...OWNERS),
    share: fc.nat(4),
    waits: fc.nat(12)
  })
)

/** An owner's funds after some of what happened, oldest first. */
const fundsAfter = (happened: ReadonlyArray<Happening>, owner: string): ReadonlyArray<Fund> => {
  const funds = new Map<string, Fund>()
  for (const { asset, owner: paid, units } of happened) {
    if (paid !== owner) continue
    const before = funds.get(asset)?.balance ?? fromUnits(0n)
    const balance = fromUnits(before + units)
    funds.set(asset, { id: `${owner}-${asset}`, owner, asset, balance, held: fromUnits(balance / 2n) })
  }
  return [...funds.values()]
}

const changeOf = (...funds: ReadonlyArray<Fund>) => {
  const accounts = new Map<AccountId, Account>(
    funds.map(({ asset, balance, held, owner }) => {
      const id = walletOf(owner, asset)
      return [id, { id, balance, held, closed: false }]
    })
  )
  return { changedAccounts: new Set(accounts.keys()), account: (id: AccountId) => accounts.get(id) as Account }
}

const pageOf = (funds: ReadonlyArray<Fund>) => ({ funds, total: funds.length, next: undefined })

const fundOf = (units: bigint, asset = "USD"): Fund => ({
  id: `a-${asset}`,
  owner: "a",
  asset,
  balance: fromUnits(units),
  held: fromUnits(0n)
})

const shown = (funds: ReadonlyArray<Fund>): string =>
  funds.map(({ asset, balance, held }) => `${asset} ${balance} ${held}`).join()

describe("KeptFunds", () => {
  it("shows funds as they are after all that was told, and while it reads as they were since", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 100 }), (steps) => {
        const kept = new KeptFunds(() => true, MAX_FUNDS)
        const happened: Array<Happening> = []
        let told = 0
        const tell = (): void => {
          const next = happened[told]
          if (next === undefined) return
          told += 1
          kept.open(next.owner, next.asset)
          const fund = fundsAfter(happened.slice(0, told), next.owner).find(({ asset }) => asset === next.asset)
          if (fund !== undefined) kept.change(changeOf(fund))
        }
        const expectShown = (owner: string, funds: ReadonlyArray<Fund>, since = told): void => {
          const possible = Array.from({ length: told - since + 1 }, (_, more) =>
            shown(fundsAfter(happened.slice(0, since + more), owner))
          )
          expect(possible).toContain(shown(funds))
        }
        const look = Effect.fnUntraced(function* (owner: string, share: number, waits: number) {
          const now = yield* Clock.currentTimeMillis
          const found = kept.find(owner, now)
          if (found !== undefined) return expectShown(owner, found)
          const since = told
          const read = Effect.gen(function* () {
            const least = told
            const before = Math.floor((waits * share) / 4)
            yield* wait(before)
            // The tables have what was told at the latest: it is written after it was told.
            const seen = least + Math.floor(((told - least) * share) / 4)
            const page = pageOf(fundsAfter(happened.slice(0, seen), owner))
            yield* wait(waits - before)
            return page
          })
          expectShown(owner, (yield* kept.read(owner, read)).funds, since)
        })
        const all = Effect.forEach(
          steps,
          (taken) =>
            Effect.andThen(
              Effect.yieldNow,
              Effect.suspend(() => {
                if (taken.what === "look") return look(taken.owner, taken.share, taken.waits)
                if (taken.what === "tell") tell()
                else happened.push(taken)
                return Effect.void
              })
            ),
          { concurrency: 6 }
        )
        const ended = Effect.gen(function* () {
          yield* all
          while (told < happened.length) tell()
          const now = yield* Clock.currentTimeMillis
          for (const owner of OWNERS) {
            const funds = kept.find(owner, now)
            if (funds !== undefined) expectShown(owner, funds)
          }
          expect(kept.size).toBeLessThanOrEqual(MAX_FUNDS)
        })
        return Effect.runPromise(ended)
      }),
      property()
    )
  })

  itLive("keeps no part of an owner's funds, none while something is uncertain, and none beyond their age", () =>
    Effect.gen(function* () {
      let isCertain = true
      const kept = new KeptFunds(() => isCertain)
      const now = yield* Clock.currentTimeMillis
      yield* kept.read("a", Effect.succeed({ ...pageOf([fundOf(1n)]), total: 2 }))
      expect(kept.find("a", now)).toBeUndefined()
      yield* kept.read("a", Effect.succeed(pageOf([fundOf(1n)])))
      expect(kept.find("a", now)).toEqual([fundOf(1n)])
      isCertain = false
      expect(kept.find("a", now)).toBeUndefined()
      isCertain = true
      expect(kept.find("a", (yield* Clock.currentTimeMillis) + MAX_AGE)).toBeUndefined()
    })
  )

  itLive("keeps no more owners without funds than may be", () =>
    Effect.gen(function* () {
      const kept = new KeptFunds(() => true, MAX_FUNDS)
      const owners = Array.from({ length: 20 }, (_, at) => `${at}`)
      for (const owner of owners) yield* kept.read(owner, Effect.succeed(pageOf([])))
      const now = yield* Clock.currentTimeMillis
      expect(owners.filter((owner) => kept.find(owner, now) !== undefined).length).toBe(MAX_FUNDS)
    })
  )

  itLive("keeps no funds during whose reading more of its owner's accounts changed than may be", () =>
    Effect.gen(function* () {
      const kept = new KeptFunds(() => true)
      const changed = (count: number, owner: string) =>
        Effect.sync(() => {
          for (let at = 0; at < count; at += 1) kept.change(changeOf({ ...fundOf(1n, `A${at}`), owner }))
          return pageOf([fundOf(1n)])
        })
      yield* kept.read("a", changed(MAX_MISSED + 1, "a"))
      expect(kept.size).toBe(0)
      yield* kept.read("a", changed(MAX_MISSED, "a"))
      expect(kept.size).toBe(1)
      yield* kept.read("a", changed(2 * MAX_MISSED, "b"))
      expect(kept.size).toBe(1)
    })
  )

  itLive("looks up a changed account only for who reads its owner's funds", () =>
    Effect.gen(function* () {
      const kept = new KeptFunds(() => true)
      let looks = 0
      const change = Effect.sync(() => {
        const told = changeOf(...["a", "b", "c"].map((owner) => ({ ...fundOf(1n), owner })))
        const account = (id: AccountId) => {
          looks += 1
          return told.account(id)
        }
        kept.change({ ...told, account })
        return pageOf([fundOf(1n)])
      })
      yield* kept.read("a", change)
      expect(looks).toBe(1)
    })
  )
})

interface FundJson {
  readonly id: string
  readonly type: string
  /** Decimals. */
  readonly symbol: string
  readonly available: string
}

describe("OwnFunds", () => {
  itLive("answers who looks at a balance right after a commitment, while no table can be written", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      const list = Effect.map(server.get<ReadonlyArray<FundJson>>("/v1/funds", trader.id), ({ json }) => json)
      const [before] = yield* list
      if (before === undefined) return yield* Effect.die("the trader has no money")
      const locked = Effect.flatMap(SqlClient, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE ledger_accounts IN SHARE MODE`
            expect((yield* commit({ quantity: 1 })).status).toBe(200)
            const [after] = yield* list
            const one = yield* server.get<FundJson>(`/v1/funds/${before.id}`, trader.id)
            expect(after?.symbol).toBe(before.symbol)
            expect(Number(after?.available)).toBeLessThan(Number(before.available))
            expect(one.json).toEqual(after as FundJson)
          })
        )
      )
      yield* server.run(Effect.orDie(locked))
    })
  )

  itLive("shows what comes in, of an asset that is new as well, as the tables have it", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const repository = server.service(FundsRepository)
      const list = (query = "") => server.get<ReadonlyArray<FundJson>>(`/v1/funds${query}`, trader.id)
      const compare = Effect.fnUntraced(function* () {
        const { json } = yield* list()
        const { funds } = yield* server.run(repository.list(trader.id, { limit: 100, offset: 0 }))
        expect(json.map(({ id }) => id)).toEqual(funds.map(({ id }) => id))
        return json.map(({ symbol, type }) => [type, symbol])
      })
      expect(yield* compare()).toEqual([["USD", "10000"]])
      yield* server.mint(trader.id, usd(5n))
      expect(yield* compare()).toEqual([["USD", "10005"]])
      yield* server.post("/v1/funds", { owner: trader.id, type: "EUR", symbol: "3" }, { as: trader.id })
      expect(yield* compare()).toEqual([
        ["USD", "10005"],
        ["EUR", "3"]
      ])
      const [first] = (yield* list("?limit=1")).json
      const second = yield* list(`?limit=1&after=${first?.id}`)
      expect(second.json.map(({ type }) => type)).toEqual(["EUR"])
      expect(second.headers.get("x-total-count")).toBe("2")
      expect((yield* list("?after=fnd_unknown")).status).toBe(400)
    })
  )
})
