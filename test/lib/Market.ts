import { Effect, Redacted } from "effect"
import type { Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { creditLimitOf } from "../../engine/commerce/PurchaseOrder.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { replayLog } from "../../src/cli/Replaying.ts"
import { Funds } from "../../src/funds/Funds.ts"
import { LedgerAudit } from "../../src/funds/LedgerAudit.ts"
import type { Answer } from "./Requests.ts"
import { TestServer, type Variables } from "./TestServer.ts"

/** A user of a company of its own. */
export interface Trader {
  readonly id: string
  readonly companyId: string
}

export interface ProductJson {
  readonly id: string
  readonly company_id: string
  readonly price: number
  readonly quantity: string
  readonly available: boolean
  readonly reserved: string
}

/** A purchase order as it is answered. */
export interface PurchaseOrderJson {
  readonly id: string
  readonly company_id: string
  readonly status: string
  readonly payment_status: string
  readonly fulfilment_status: string
  readonly amount: number
  readonly amount_due: number
  readonly payment_terms: {
    readonly schedule: ReadonlyArray<{ readonly amount: number; readonly paid: boolean; readonly due_at: string }>
  }
  readonly sellers: ReadonlyArray<{ readonly company_id: string; readonly subtotal: number; readonly paid: number }>
  readonly items: ReadonlyArray<{ readonly product_id: string; readonly unit_price: number; readonly total: number }>
  readonly payments: ReadonlyArray<{ readonly id: string; readonly amount: number; readonly refunded: boolean }>
}

interface Refused {
  readonly code: string
  readonly message: string
}

type Item = readonly [productId: string, quantity: number]

/** Companies that trade on a running server. */
export class Market {
  readonly server: TestServer

  private constructor(server: TestServer) {
    this.server = server
  }

  static readonly make = (variables: Variables = {}): Effect.Effect<Market, never, Scope.Scope> =>
    Effect.map(TestServer.make(variables), (server) => new Market(server))

  /** Somebody with so much money and credit. */
  trader(money?: Amount, credit?: Amount): Effect.Effect<Trader> {
    return Effect.gen({ self: this }, function* () {
      const user = yield* this.server.user()
      if (money !== undefined) yield* this.server.mint(user.id, money)
      if (credit !== undefined) {
        yield* this.server.run(Effect.flatMap(Funds, ({ capital }) => capital(creditLimitOf(user.id), credit, "limit")))
      }
      return user
    })
  }

  offer(seller: Trader, price: number, pieces: number): Effect.Effect<ProductJson> {
    const body = { name: "Bolt", price, description: "M8", quantity: String(pieces) }
    return Effect.map(
      this.server.post<ProductJson>("/v1/commerce/products", body, { as: seller.id }),
      ({ json }) => json
    )
  }

  product(id: string, as: Trader): Effect.Effect<ProductJson> {
    return Effect.map(this.server.get<ProductJson>(`/v1/commerce/products/${id}`, as.id), ({ json }) => json)
  }

  order(
    buyer: Trader,
    items: ReadonlyArray<Item>,
    terms: unknown = { type: "prepaid" },
    key?: string
  ): Effect.Effect<Answer<PurchaseOrderJson & Refused>> {
    const body = {
      company_id: buyer.companyId,
      items: items.map(([product_id, quantity]) => ({ product_id, quantity })),
      payment_terms: terms
    }
    return this.server.post("/v1/orders", body, { as: buyer.id, key })
  }

  act(
    order: { readonly id: string },
    act: "pay" | "fulfil" | "cancel",
    by: Trader,
    body: unknown = {},
    key?: string
  ): Effect.Effect<Answer<PurchaseOrderJson & Refused>> {
    return this.server.post(`/v1/orders/${order.id}/${act}`, act === "fulfil" ? undefined : body, { as: by.id, key })
  }

  /** An account's balance and held part in 10⁻⁶. */
  account(id: AccountId): Effect.Effect<{ readonly balance: bigint; readonly held: bigint }> {
    return this.server.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [row] = yield* sql<{ readonly balance: string; readonly held: string }>`
          SELECT balance::text AS balance, held::text AS held FROM ledger_accounts WHERE id = ${id}`
        return { balance: BigInt(row?.balance ?? 0), held: BigInt(row?.held ?? 0) }
      })
    )
  }

  sql<Row extends object>(text: string): Effect.Effect<ReadonlyArray<Row>> {
    return this.server.run(Effect.flatMap(SqlClient, (sql) => sql.unsafe<Row>(text)))
  }

  /** What is wrong with the ledger, and what the tables hold that their events do not make. */
  get faults(): Effect.Effect<ReadonlyArray<unknown>> {
    const url = Redacted.make(this.server.databaseUrl)
    return Effect.gen({ self: this }, function* () {
      const audit = this.server.service(LedgerAudit)
      const { findings } = yield* Effect.orDie(audit.check)
      const history = yield* Effect.orDie(audit.checkHistory)
      const replayed = yield* Effect.orDie(replayLog({ _tag: "Database", url }))
      return [
        ...findings,
        ...history.findings,
        ...(replayed.finding ? [replayed.finding] : []),
        ...replayed.differences
      ]
    })
  }
}
