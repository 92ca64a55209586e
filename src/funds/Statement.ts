import { accountParts, type AccountId } from "../../engine/ledger/Account.ts"
import { type Amount, format } from "../../engine/money/Amount.ts"
import { isoUtc } from "../api/Timestamp.ts"
import { csvRow } from "../http/Csv.ts"

/** A posting on a fund's account, and what the fund had after it. */
export interface StatementEntry {
  /** What the owner names it by. */
  readonly entryId: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Below 0 where it left. */
  readonly change: Amount
  readonly balance: Amount
  readonly purpose: string
  /** The posting's id in the ledger. */
  readonly postingId: string
  /** The other side of the posting. */
  readonly other: AccountId
}

/** Who is on the other side, without naming whom the owner does not know. */
export interface Counterparty {
  /** `outside`, `owner`, `arena`, or the kind of an account of the platform's own. */
  readonly kind: string
  /** The other owner of a transfer, which names both of them. */
  readonly id: string | null
}

const NAMED: ReadonlySet<string> = new Set(["transfer", "exchange"])

export const counterpartyOf = ({ other, purpose }: Pick<StatementEntry, "other" | "purpose">): Counterparty => {
  const { kind, owner } = accountParts(other)
  if (kind === "custody") return { kind: "outside", id: null }
  if (kind !== "wallet") return { kind, id: null }
  if (purpose === "settlement") return { kind: "arena", id: null }
  return { kind: "owner", id: NAMED.has(purpose) ? owner : null }
}

/** Which part of a posting's id is known to its owner. */
const REFERENCE_AT: Readonly<Record<string, number>> = { transfer: 2, purchase: 1, refund: 1 }

/** What the owner knows it by: the id of a transfer, a withdrawal, a purchase order or a commitment, or a reference. */
export const referenceOf = ({ postingId }: Pick<StatementEntry, "postingId">): string => {
  const parts = postingId.split("/")
  return parts[REFERENCE_AT[parts[0] ?? ""] ?? parts.length - 1] ?? postingId
}

/** The entry under the names of the contract. */
export const toAnswer = (entry: StatementEntry) => {
  const { id, kind } = counterpartyOf(entry)
  return {
    id: entry.entryId,
    created_at: entry.at,
    quantity: entry.change,
    balance: entry.balance,
    purpose: entry.purpose,
    counterparty: kind,
    counterparty_id: id,
    reference: referenceOf(entry)
  }
}

const HEADER = ["created_at", "type", "quantity", "balance", "purpose", "counterparty", "counterparty_id", "reference"]

/** The entries as CSV of RFC 4180, with a header. */
export const toCsv = (asset: string, entries: ReadonlyArray<StatementEntry>): string => {
  const lines = entries.map((entry) => {
    const { balance, counterparty, counterparty_id: id, purpose, quantity, reference } = toAnswer(entry)
    return [isoUtc(entry.at), asset, format(quantity), format(balance), purpose, counterparty, id ?? "", reference]
  })
  return [HEADER, ...lines].map(csvRow).join("")
}
