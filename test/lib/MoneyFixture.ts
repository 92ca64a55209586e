import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { instrumentOf } from "../../engine/arena/Instrument.ts"
import { unitPrice } from "../../engine/fx/FxDesk.ts"
import { FUND_ASSETS } from "../../engine/ledger/FundAsset.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { LedgerAudit } from "../../src/funds/LedgerAudit.ts"
import type { Answer } from "./Requests.ts"
import { type RequestOptions, TestServer, type Variables } from "./TestServer.ts"

export const particulars = { country: "BE", description: "rent", createdDate: 1_790_000_000 }

/** The body of a transfer, local unless told. */
export const transferBody = (
  from: string,
  to: string,
  quantity: string,
  change: Readonly<Record<string, unknown>> = {}
) => ({
  pair: "USD/USD",
  quantity,
  from,
  to,
  ...particulars,
  ...change
})

/** A server with owners who may send money. */
export class MoneyFixture {
  readonly server: TestServer

  private constructor(server: TestServer) {
    this.server = server
  }

  static readonly make = (variables: Variables = {}): Effect.Effect<MoneyFixture, never, Scope.Scope> =>
    Effect.map(TestServer.make(variables), (server) => new MoneyFixture(server))

  get world() {
    return this.server.world
  }

  /** A verified owner that holds so much of each. */
  owner(holdings: Readonly<Record<string, string>> = {}): Effect.Effect<string> {
    return Effect.gen({ self: this }, function* () {
      const { id } = yield* this.server.user()
      for (const [type, symbol] of Object.entries(holdings)) {
        yield* this.server.post("/v1/funds", { owner: id, type, symbol }, { as: id })
      }
      return id
    })
  }

  send(
    from: string,
    to: string,
    quantity: string,
    change: Readonly<Record<string, unknown>> = {},
    options: Omit<RequestOptions, "as"> = {}
  ): Effect.Effect<Answer<{ readonly id: string; readonly code?: string; readonly message?: string }>> {
    return this.server.post("/v1/transfers", transferBody(from, to, quantity, change), { as: from, ...options })
  }

  quote(as: string, body: Readonly<Record<string, unknown>>): Effect.Effect<Answer<Quoted>> {
    return this.server.post("/v1/fx/quotes", body, { as })
  }

  /** What an account has, in 10⁻⁶. */
  balance(owner: string, asset: string, kind: "wallet" | "fx_desk" | "custody" = "wallet"): Effect.Effect<bigint> {
    return this.server.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const rows = yield* sql<{ readonly balance: string }>`
          SELECT balance::text AS balance FROM ledger_accounts
          WHERE id = ${kind === "wallet" ? walletOf(owner, asset) : `${owner}/${asset}/${kind}`}`
        return BigInt(rows[0]?.balance ?? 0)
      })
    )
  }

  /** What owners have together at the oracle's median of the moment, in 10⁻¹⁸ USD. */
  wealth(...owners: ReadonlyArray<string>): Effect.Effect<bigint> {
    return Effect.gen({ self: this }, function* () {
      let sum = 0n
      for (const owner of owners) {
        for (const asset of FUND_ASSETS) sum += (yield* this.balance(owner, asset)) * this.price(asset)
      }
      return sum
    })
  }

  /** What a unit costs in USD now, in 10⁻¹². */
  price(asset: string): bigint {
    const instrument = instrumentOf(`${asset}/USD`) ?? instrumentOf(asset)
    const price = this.server.world.prices.get(instrument?.asset ?? "")
    return instrument === undefined || price === undefined ? 1_000_000_000_000n : unitPrice(price, instrument.per)
  }

  /** Whether the ledger adds up, from its first posting on. */
  get isBalanced(): Effect.Effect<boolean> {
    return this.server.run(
      Effect.gen(function* () {
        const audit = yield* LedgerAudit
        return (yield* audit.check).balanced && (yield* audit.checkHistory).balanced
      })
    )
  }
}

export interface Quoted {
  readonly id: string
  readonly rate: number
  readonly value: string
  readonly used: boolean
}

/** The fixture that the tests of a file share. */
export class Money extends Context.Service<Money, MoneyFixture>()("test/Money") {
  static readonly layer = (variables: Variables = {}) => Layer.effect(this, MoneyFixture.make(variables))
}

/** What a refusal is, without its words. */
export const outcome = ({ json, status }: Answer): readonly [number, string | undefined] => [
  status,
  (json as { readonly code?: string }).code
]
