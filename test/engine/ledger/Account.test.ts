import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { type AccountKind, accountId, accountParts, assetOf, PLATFORM } from "../../../engine/ledger/Account.ts"
import { property } from "../../lib/Property.ts"

const KINDS: ReadonlyArray<AccountKind> = [
  "custody",
  "wallet",
  "allowance",
  "vault",
  "yield_source",
  "insurance",
  "platform",
  "token_holders"
]

describe("Account", () => {
  it("names an account by owner, asset and kind", () => {
    expect(accountId(PLATFORM, "USD", "vault")).toBe("platform/USD/vault")
    expect(accountParts("platform/USD/vault")).toEqual({ owner: "platform", asset: "USD", kind: "vault" })
  })

  it("reads the parts back, whatever the owner is called", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string().filter((asset) => !asset.includes("/")),
        fc.constantFrom(...KINDS),
        (owner, asset, kind) => {
          expect(accountParts(accountId(owner, asset, kind))).toEqual({ owner, asset, kind })
          expect(assetOf(accountId(owner, asset, kind))).toBe(asset)
        }
      ),
      property()
    )
  })
})
