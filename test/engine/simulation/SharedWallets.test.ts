import { expect, it } from "bun:test"
import fc from "fast-check"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { dividedWallets } from "../../../engine/simulation/SharedWallets.ts"

const ACCOUNTS = ["a", "b", "c", "d"]

it("Wallets are divided evenly among all who draw on them, and no money is there twice", () => {
  const balances = fc.record(Object.fromEntries(ACCOUNTS.map((account) => [account, fc.bigInt(0n, 1_000n)])))
  fc.assert(
    fc.property(balances, fc.array(fc.subarray(ACCOUNTS), { maxLength: 6 }), (usd, accountsOf) => {
      const parts = dividedWallets(accountsOf, (account) => fromUnits(usd[account] ?? 0n))
      const drawn = [...new Set(accountsOf.flat())]
      const all = drawn.reduce((sum, account) => sum + (usd[account] ?? 0n), 0n)
      const given = parts.reduce((sum, part) => sum + part, 0n)
      expect(given).toBeLessThanOrEqual(all)
      expect(given).toBeGreaterThanOrEqual(all - BigInt(accountsOf.length * drawn.length))
      for (const [index, accounts] of accountsOf.entries()) {
        const expected = accounts.map(
          (account) => (usd[account] ?? 0n) / BigInt(accountsOf.filter((other) => other.includes(account)).length)
        )
        expect<bigint | undefined>(parts[index]).toBe(expected.reduce((sum, part) => sum + part, 0n))
      }
    })
  )
})
