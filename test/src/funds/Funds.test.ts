import { describe, expect } from "bun:test"
import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { accountId, PLATFORM } from "../../../engine/ledger/Account.ts"
import { MINT_LIMIT, walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { defaultFundId } from "../../../src/funds/Fund.ts"
import { type Caller, Funds } from "../../../src/funds/Funds.ts"
import { LedgerAudit } from "../../../src/funds/LedgerAudit.ts"
import type { MintRequest } from "../../../src/funds/Minting.ts"
import { withLayer } from "../../lib/Effects.ts"
import { accountOf, layerOf, newUser } from "../../lib/TestFunds.ts"

const itHolds = withLayer(layerOf())
const itProduces = withLayer(layerOf({ APP_MODE: "production", PUBLIC_URL: "https://emporion.example" }))

const units = (whole: bigint) => fromUnits(whole * ONE)
const admin: Caller = { userId: "usr_admin", isAdmin: true }
const self = (userId: string): Caller => ({ userId, isAdmin: false })

const mint = (caller: Caller, request: MintRequest) => Effect.flatMap(Funds, (funds) => funds.mint(caller, request))

/** Why it was refused, by its tag. */
const refusal = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flip(effect).pipe(
    Effect.map(({ _tag }) => _tag),
    Effect.catch(() => Effect.succeed("accepted" as const))
  )

const isBalanced = Effect.gen(function* () {
  const audit = yield* LedgerAudit
  expect(yield* audit.check).toEqual({ balanced: true, findings: [] })
  expect(yield* audit.checkHistory).toEqual({ balanced: true, findings: [] })
})

describe("minting in the sandbox", () => {
  itHolds("makes a fund, and a second one of the type adds to it", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      const first = yield* mint(self(owner), { owner, asset: "USD", amount: units(100n) })
      expect(first).toEqual({
        id: defaultFundId(owner, "USD"),
        owner,
        asset: "USD",
        balance: units(100n),
        held: fromUnits(0n)
      })
      const second = yield* mint(self(owner), { owner, asset: "USD", amount: units(50n) })
      expect(second).toEqual({ ...first, balance: units(150n) })
      expect(yield* accountOf(walletOf(owner, "USD"))).toEqual({ balance: units(150n), held: 0n })
      yield* isBalanced
    })
  )

  itHolds("keeps the id that the owner chose, and refuses another one or one that is taken", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      const { id: other } = yield* newUser
      const request = { owner, asset: "EUR", amount: units(1n), id: `my-euros-${owner}` }
      expect((yield* mint(self(owner), request)).id).toBe(request.id)
      expect((yield* mint(self(owner), request)).balance).toBe(units(2n))
      expect(yield* refusal(mint(self(owner), { ...request, id: "else" }))).toBe("FundIdConflict")
      expect(yield* refusal(mint(self(owner), { ...request, asset: "GBP" }))).toBe("FundIdConflict")
      expect(yield* refusal(mint(self(other), { ...request, owner: other }))).toBe("FundIdConflict")
    })
  )

  itHolds("gives a name to one of those who ask for it at once, and no owner two funds of an asset", () =>
    Effect.gen(function* () {
      const owners = yield* Effect.all([newUser, newUser, newUser])
      const id = `wanted-${owners[0].id}`
      const named = owners.map(({ id: owner }) => mint(self(owner), { owner, asset: "USD", amount: units(1n), id }))
      const tags = yield* Effect.all(named.map(refusal), { concurrency: "unbounded" })
      expect(tags.toSorted()).toEqual(["FundIdConflict", "FundIdConflict", "accepted"])
      const { id: owner } = yield* newUser
      const both = ["one", "other"].map((name) =>
        mint(self(owner), { owner, asset: "EUR", amount: units(1n), id: `${name}-${owner}` })
      )
      const answers = yield* Effect.all(both.map(refusal), { concurrency: "unbounded" })
      expect(answers.toSorted()).toEqual(["FundIdConflict", "accepted"])
      expect(yield* accountOf(walletOf(owner, "EUR"))).toEqual({ balance: units(1n), held: 0n })
      yield* isBalanced
    })
  )

  itHolds("keeps the usual ids for their owners", () =>
    Effect.gen(function* () {
      const [{ id: owner }, { id: other }] = [yield* newUser, yield* newUser]
      const usual = defaultFundId(owner, "USD")
      const request = { owner: other, asset: "USD", amount: units(1n), id: usual }
      expect(yield* refusal(mint(self(other), request))).toBe("FundIdConflict")
      expect((yield* mint(self(owner), { ...request, owner })).id).toBe(usual)
    })
  )

  itHolds("refuses another owner, an unknown one and a reference of one's own", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      const request = { owner, asset: "USD", amount: units(1n) }
      expect(yield* refusal(mint(self("usr_else"), request))).toBe("MintForbidden")
      expect(yield* refusal(mint(self(owner), { ...request, externalReference: "r" }))).toBe("MintForbidden")
      expect(yield* refusal(mint(admin, { ...request, owner: "usr_nobody" }))).toBe("OwnerNotFound")
    })
  )

  itHolds("ends at the limit, with no unit more by mints at the same time", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      const half = fromUnits(MINT_LIMIT / 2n)
      const request = { owner, asset: "USD", amount: half }
      const results = yield* Effect.all(
        Array.from({ length: 12 }, () => Effect.exit(mint(self(owner), request))),
        { concurrency: "unbounded" }
      )
      expect(results.filter(Exit.isSuccess)).toHaveLength(2)
      for (const exit of results) {
        if (Exit.isSuccess(exit)) continue
        expect(Cause.hasDies(exit.cause)).toBe(false)
        expect(Cause.squash(exit.cause)).toMatchObject({ _tag: "MintLimitReached", asset: "USD", left: 0n })
      }
      expect((yield* accountOf(walletOf(owner, "USD"))).balance).toBe(MINT_LIMIT)
      expect(yield* refusal(mint(self(owner), { ...request, amount: fromUnits(1n) }))).toBe("MintLimitReached")
      expect((yield* mint(self(owner), { ...request, asset: "GBP" })).balance).toBe(half)
      expect((yield* mint(admin, request)).balance).toBe(fromUnits(MINT_LIMIT + half))
      yield* isBalanced
    })
  )

  itHolds("makes the first funds of several types at once", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      const assets = ["USD", "EUR", "GBP", "JPY", "CHF", "XAU", "BTC"]
      yield* Effect.all(
        assets.map((asset) => mint(self(owner), { owner, asset, amount: units(1n) })),
        { concurrency: "unbounded" }
      )
      const funds = yield* Funds
      const { funds: found, total } = yield* funds.list(owner, { limit: 3, offset: 0 })
      expect(total).toBe(assets.length)
      expect(found).toHaveLength(3)
    })
  )
})

describe("who sees a fund", () => {
  itHolds("is its owner, and an administrator", () =>
    Effect.gen(function* () {
      const funds = yield* Funds
      const { id: owner } = yield* newUser
      const { id: other } = yield* newUser
      const { id } = yield* mint(self(owner), { owner, asset: "USD", amount: units(1n) })
      expect((yield* funds.find(self(owner), id)).owner).toBe(owner)
      expect((yield* funds.find(admin, id)).owner).toBe(owner)
      expect(yield* refusal(funds.find(self(other), id))).toBe("FundNotFound")
      expect(yield* refusal(funds.find(admin, "fnd_none"))).toBe("FundNotFound")
      expect((yield* funds.list(other, { limit: 20, offset: 0 })).funds).toEqual([])
      expect((yield* funds.list(undefined, { limit: 100, offset: 0 })).funds.map((fund) => fund.id)).toContain(id)
    })
  )
})

describe("minting in production", () => {
  itProduces("is an administrator's, with a reference that counts once", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      const { id: other } = yield* newUser
      const request = { owner, asset: "USD", amount: units(5n) }
      expect(yield* refusal(mint(self(owner), request))).toBe("MintForbidden")
      expect(yield* refusal(mint(admin, request))).toBe("ReferenceRequired")
      const wire = { ...request, externalReference: `wire:${owner}` }
      const results = yield* Effect.all(
        [owner, other, owner].map((to) => Effect.exit(mint(admin, { ...wire, owner: to }))),
        { concurrency: "unbounded" }
      )
      expect(results.filter(Exit.isSuccess)).toHaveLength(1)
      for (const exit of results) {
        if (Exit.isFailure(exit)) expect(Cause.squash(exit.cause)).toMatchObject({ _tag: "ReferenceUsed" })
      }
      yield* isBalanced
    })
  )
})

describe("the platform's own money", () => {
  itHolds("comes in once for an account and a purpose", () =>
    Effect.gen(function* () {
      const funds = yield* Funds
      const insurance = accountId(PLATFORM, "USD", "insurance")
      const before = (yield* accountOf(insurance)).balance
      const made = yield* Effect.all(
        Array.from({ length: 5 }, () => funds.capital(insurance, units(10n))),
        { concurrency: "unbounded" }
      )
      expect(made.filter((now) => now)).toHaveLength(1)
      expect(yield* funds.capital(insurance, units(10n), "reserve")).toBe(true)
      expect((yield* accountOf(insurance)).balance - before).toBe(units(20n))
      yield* isBalanced
    })
  )

  itHolds("starts a house trader once, beside what it may mint", () =>
    Effect.gen(function* () {
      const funds = yield* Funds
      const { id: owner } = yield* newUser
      expect(yield* funds.mintFor(owner, "USD", units(7n))).toBe(true)
      expect(yield* funds.mintFor(owner, "USD", units(7n))).toBe(false)
      const fund = yield* mint(self(owner), { owner, asset: "USD", amount: MINT_LIMIT })
      expect(fund.balance).toBe(fromUnits(MINT_LIMIT + units(7n)))
    })
  )
})

describe("an answer kept for retries", () => {
  itHolds("is the whole fund, written with the mint", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id: owner } = yield* newUser
      const idempotency = { key: `k-${owner}`, fingerprint: "f" }
      yield* mint(self(owner), { owner, asset: "USD", amount: fromUnits(1_500_000n), idempotency })
      const rows = yield* sql<{ readonly body: string }>`
        SELECT body FROM idempotency_keys WHERE key = ${idempotency.key}`
      expect(JSON.parse(rows[0]!.body)).toEqual({
        id: defaultFundId(owner, "USD"),
        owner,
        type: "USD",
        symbol: "1.5",
        available: "1.5",
        held: "0"
      })
    })
  )
})
