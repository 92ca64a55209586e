import type { OrderState } from "../arena/Order.ts"
import type { Account } from "../ledger/Account.ts"
import type { HoldRecord } from "../ledger/Book.ts"

/** Some lines of the text, which stand where the first of their ids does. */
export interface StatePart {
  readonly id: string
  readonly text: () => string
}

/** What is left when all events are applied. */
export interface FinalState {
  readonly accounts: Iterable<Account>
  readonly holds: Iterable<HoldRecord>
  readonly orders: Iterable<OrderState>
  /** Lines of orders and of their holds that were told before. */
  readonly told?: {
    readonly holds: Iterable<StatePart>
    readonly orders: Iterable<StatePart>
  }
}

/**
 * A state as canonical text, a line feed after each line: all accounts but empty open ones, then all holds, then all
 * orders with their commitments, each by id in the order of its UTF-16 code units. Amounts are integers of 10⁻⁶. Equal
 * states have equal texts, whatever way led there. It comes in pieces: the whole may be longer than a string can be.
 */
export function* stateText({ accounts, holds, orders, told }: FinalState): Generator<string> {
  yield* textsById(Array.from(accounts, (account) => ({ id: account.id, text: () => accountLine(account) })))
  const held = Array.from(holds, (hold) => ({ id: hold.id, text: () => holdLine(hold) }))
  yield* textsById([...(told?.holds ?? []), ...held])
  const others = Array.from(orders, (order) => ({ id: order.terms.orderId, text: () => orderLines(order) }))
  yield* textsById([...(told?.orders ?? []), ...others])
}

/** Characters that come at once, at least. */
const PIECE = 262_144

function* textsById(parts: Array<StatePart>): Generator<string> {
  let waiting: Array<string> = []
  let length = 0
  for (const part of parts.sort(({ id: one }, { id: other }) => (one < other ? -1 : one > other ? 1 : 0))) {
    const text = part.text()
    waiting.push(text)
    length += text.length
    if (length < PIECE) continue
    yield waiting.join("")
    waiting = []
    length = 0
  }
  yield waiting.join("")
}

const accountLine = ({ id, balance, held, closed }: Account): string =>
  balance === 0n && held === 0n && !closed ? "" : `account ${id} ${balance} ${held} ${closed ? "closed" : "open"}\n`

export const holdLine = ({ id, account, into, amount, state }: HoldRecord): string =>
  state._tag === "Captured"
    ? `hold ${id} ${account} ${into} ${amount} Captured ${state.amount}\n`
    : `hold ${id} ${account} ${into} ${amount} ${state._tag}\n`

export const orderLines = ({ terms, version, status, choice, commitments }: OrderState): string => {
  const lines = [
    `order ${terms.orderId} ${version} ${status} ${choice?.reference ?? "-"} ${choice?.winner ?? "-"} ${choice?.clearingPrice ?? "-"}\n`
  ]
  for (const { commitmentId, status, reason, collateral, profit, yieldEarned } of commitments.values()) {
    lines.push(`commitment ${commitmentId} ${status} ${reason ?? "-"} ${collateral} ${profit} ${yieldEarned}\n`)
  }
  return lines.join("")
}
