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
  let text = ""
  for (const account of byId(accounts, ({ id }) => id)) text += accountLine(account)
  for (const hold of byId(holds, ({ id }) => id)) text += holdLine(hold)
  for (const order of byId(orders, ({ terms }) => terms.orderId)) text += orderLines(order)
  return text
}

/** The last one of each id. */
const byId = <T>(some: Iterable<T>, id: (one: T) => string): ReadonlyArray<T> => {
  const known = new Map<string, T>()
  for (const one of some) known.set(id(one), one)
  return Array.from(known.keys())
    .toSorted()
    .map((key) => known.get(key) as T)
}

const accountLine = ({ id, balance, held, closed }: Account): string =>
  balance === 0n && held === 0n && !closed ? "" : `account ${id} ${balance} ${held} ${closed ? "closed" : "open"}\n`

const holdLine = ({ id, account, into, amount, state }: HoldRecord): string =>
  state._tag === "Captured"
    ? `hold ${id} ${account} ${into} ${amount} Captured ${state.amount}\n`
    : `hold ${id} ${account} ${into} ${amount} ${state._tag}\n`

const orderLines = ({ terms, version, status, choice, commitments }: OrderState): string => {
  let text = `order ${terms.orderId} ${version} ${status} ${choice?.reference ?? "-"} ${choice?.winner ?? "-"} ${choice?.clearingPrice ?? "-"}\n`
  for (const { commitmentId, status, reason, collateral, profit, yieldEarned } of commitments.values()) {
    text += `commitment ${commitmentId} ${status} ${reason ?? "-"} ${collateral} ${profit} ${yieldEarned}\n`
  }
  return text
}
