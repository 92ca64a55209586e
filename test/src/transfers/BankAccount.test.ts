import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { composeIBAN } from "ibantools"
import { checkAccount, type GivenAccount } from "../../../src/transfers/BankAccount.ts"
import { property } from "../../lib/Property.ts"

const account = (change: Partial<GivenAccount>): GivenAccount => ({
  accountName: "Anna Peeters",
  accountNumber: "BE68 5390 0754 7034",
  ...change
})

const fieldOf = (given: GivenAccount) =>
  Result.match(checkAccount(given), { onSuccess: () => "fine", onFailure: ({ field }) => field })

describe("checkAccount", () => {
  it("takes an IBAN as it is printed, and its country from it", () => {
    expect(Result.getOrThrow(checkAccount(account({ bankId: "bbru be bb" })))).toEqual({
      accountName: "Anna Peeters",
      accountNumber: "BE68539007547034",
      country: "BE",
      bankId: "BBRUBEBB"
    })
  })

  it("takes national numbers by the form of their country, where it is known", () => {
    const right: ReadonlyArray<Partial<GivenAccount>> = [
      { accountNumber: "539-0075470-34", country: "BE" },
      { accountNumber: "5390 0754 7034", country: "BE" },
      { accountNumber: "000123456789", country: "US", bankId: "021000021" },
      { accountNumber: "0532013000", country: "JP", bankId: "BOTKJPJT" },
      { accountNumber: "12345678" },
      { accountNumber: "NL91ABNA0417164300", country: "NL", bankId: "ABNANL2AXXX" }
    ]
    for (const change of right) expect([change, fieldOf(account(change))]).toEqual([change, "fine"])
  })

  it("refuses what cannot be an account", () => {
    const wrong: ReadonlyArray<readonly [Partial<GivenAccount>, string]> = [
      [{ accountNumber: "BE68 5390 0754 7035" }, "accountNumber"],
      [{ accountNumber: "BE68 5390 0754 703" }, "accountNumber"],
      [{ accountNumber: "ZZ68 5390 0754 7034" }, "accountNumber"],
      [{ accountNumber: "12" }, "accountNumber"],
      [{ accountNumber: "1234_5678" }, "accountNumber"],
      [{ accountNumber: "539007547035", country: "BE" }, "accountNumber"],
      [{ country: "NL" }, "country"],
      [{ bankId: "BBRUZZBB" }, "bankId"],
      [{ bankId: "BBRU/BEBB" }, "bankId"],
      [{ accountNumber: "000123456789", country: "US", bankId: "021000022" }, "bankId"]
    ]
    for (const [change, field] of wrong) expect([change, fieldOf(account(change))]).toEqual([change, field])
  })

  it("notices any single digit that is wrong in an IBAN", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^\d{10}$/),
        fc.integer({ min: 2, max: 15 }),
        fc.integer({ min: 1, max: 9 }),
        (bank, at, by) => {
          const national = `${bank}${String(Number(bank) % 97 || 97).padStart(2, "0")}`
          const iban = composeIBAN({ countryCode: "BE", bban: national }) ?? ""
          expect(fieldOf(account({ accountNumber: iban }))).toBe("fine")
          const wrong = `${iban.slice(0, at)}${(Number(iban[at]) + by) % 10}${iban.slice(at + 1)}`
          expect(fieldOf(account({ accountNumber: wrong }))).toBe("accountNumber")
        }
      ),
      property()
    )
  })
})
