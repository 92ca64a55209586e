import { accountParts, type AccountId } from "../../engine/ledger/Account.ts"
import type { MovedAccount } from "../../src/api/AccountMoves.ts"

/** Whose accounts begin so. */
const OWNERS: Readonly<Record<string, string>> = {
  bot: "bot",
  cmp: "company",
  fxq: "quote",
  mtr: "trader",
  pay: "payment",
  usr: "user"
}

/** The kinds of accounts among some, without those of the platform and the markets that the others' money passes. */
export const movedBy = (accounts: Iterable<string>): ReadonlySet<MovedAccount> => {
  const kinds = new Set<string>()
  for (const account of accounts) {
    const { kind, owner } = accountParts(account as AccountId)
    if (kind === "fx_desk") kinds.add("platform fx_desk")
    else if (owner !== "platform") kinds.add(`${OWNERS[owner.split("_", 1)[0] ?? ""] ?? owner} ${kind}`)
  }
  return kinds as ReadonlySet<MovedAccount>
}
