import type { OrderState } from "../arena/Order.ts"
import type { Account } from "../ledger/Account.ts"
import type { HoldRecord } from "../ledger/Book.ts"

/** What is left when all events are applied. */
export interface FinalState {
  readonly accounts: Iterable<Account>
  readonly holds: Iterable<HoldRecord>
  readonly orders: Iterable<OrderState>
}

/**
 * A state as canonical text, a line feed after each line: all accounts but empty open ones, then all holds, then all
 * orders with their commitments, each by id in the order of its UTF-16 code units. Amounts are integers of 10⁻⁶. Equal
 * states have equal texts, whatever way led there.
 */
export const stateText = ({ accounts, holds, orders }: FinalState): string => {
  const lines = [
    ...byId(accounts, ({ id }) => id)
      .filter(({ balance, held, closed }) => balance !== 0n || held !== 0n || closed)
      .map(accountLine),
    ...byId(holds, ({ id }) => id).map(holdLine),
    ...byId(orders, ({ terms }) => terms.orderId).flatMap(orderLines)
  ]
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`
}

const byId = <T>(some: Iterable<T>, id: (one: T) => string): ReadonlyArray<T> => {
  const known = new Map(Array.from(some, (one) => [id(one), one]))
  return Array.from(known.keys())
    .toSorted()
    .flatMap((key) => known.get(key) ?? [])
}

const accountLine = ({ id, balance, held, closed }: Account): string =>
  `account ${id} ${balance} ${held} ${closed ? "closed" : "open"}`

const holdLine = ({ id, account, into, amount, state }: HoldRecord): string =>
  `hold ${id} ${account} ${into} ${amount} ${state._tag}${state._tag === "Captured" ? ` ${state.amount}` : ""}`

const orderLines = ({ terms, version, status, choice, commitments }: OrderState): ReadonlyArray<string> => [
  `order ${terms.orderId} ${version} ${status} ${choice?.reference ?? "-"} ${choice?.winner ?? "-"} ${choice?.clearingPrice ?? "-"}`,
  ...Array.from(
    commitments.values(),
    ({ commitmentId, status, reason, collateral, profit, yieldEarned }) =>
      `commitment ${commitmentId} ${status} ${reason ?? "-"} ${collateral} ${profit} ${yieldEarned}`
  )
]
