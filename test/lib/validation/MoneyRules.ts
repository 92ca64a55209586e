import { amount, country, lines, oneOf, page, refuses, type Rule, units, type ValidationTables, words } from "./Rule.ts"

const OUTSIDE_32_BITS = [0.5, 2_147_483_648, -2_147_483_649]

const fundType = (field: string): ReadonlyArray<Rule> => refuses(field, "Expected one of USD, EUR", "", "XYZ", "USD ")

const pair = (field: string): ReadonlyArray<Rule> =>
  refuses(field, "Expected two symbols of funds, such as EUR/USD", "", "EUR/", "EUR//USD", "EUR USD", "EUR/XYZ")

/** What one has, owes and sends. Specification 2.8 to 2.11, 2.13, 2.14. */
export const moneyRules: ValidationTables = {
  "POST /v1/funds": {
    required: ["owner", "type", "symbol"],
    rules: [
      ...words("owner", 1, 64),
      ...fundType("type"),
      ...units("symbol"),
      ...refuses("id", "Expected 1 to 64 letters, digits, - and _", "", "a b", "x".repeat(65), "../x"),
      ...refuses("external_reference", "Expected 1 to 128 letters, digits, ., _, : and -", "", "a b", "x".repeat(129))
    ]
  },
  "GET /v1/funds ?": { required: [], rules: [...words("owner", 1, 64), ...page] },
  "POST /v1/credit/request": {
    required: ["annualIncome", "homeOwnership", "empLength", "loanAmt", "purpose", "desc"],
    rules: [
      ...amount("annualIncome"),
      ...refuses("homeOwnership", "Expected boolean", null, 1, "true"),
      ...refuses("empLength", "Expected years from 0 to 80 with at most 2 decimals", "", "-1", "81", "1.234", "ten"),
      ...refuses("loanAmt", "", 0.5),
      ...refuses("loanAmt", "Expected an integer from 1 to 2147483647", 0, -1, 2_147_483_648),
      ...words("purpose", 1, 100),
      ...refuses("purpose", "Expected 1 to 100 characters", "  "),
      ...lines("desc", 0, 2000),
      ...refuses("currency", "Expected no field of this name", "USD")
    ]
  },
  "POST /v1/payments/terms": {
    required: ["company_id", "amount", "currency"],
    rules: [
      ...words("company_id", 1, 64),
      ...amount("amount"),
      ...refuses("amount", "Expected more than 0", 0),
      ...refuses("currency", "Expected one of USD", "", "EUR")
    ]
  },
  "POST /v1/transfers": {
    required: ["pair", "quantity", "from", "to", "country", "description", "createdDate"],
    rules: [
      ...pair("pair"),
      ...units("quantity"),
      ...words("from", 1, 64),
      ...words("to", 1, 64),
      ...country("country"),
      ...lines("description", 0, 500),
      ...refuses("createdDate", "Expected ", ...OUTSIDE_32_BITS),
      ...refuses("id", "Expected 1 to 64 letters, digits, underscores and hyphens", "", "a b", "x".repeat(65), "to"),
      ...refuses("fxQuote", "Expected a decimal number from 0 to 10000000000", -1, 10_000_000_001),
      ...oneOf("mode", "local", "international"),
      ...words("quote_id", 1, 64),
      ...refuses("metadata", "Expected at most 20 keys", { "a:b": "v" }, { k: "v".repeat(501) })
    ]
  },
  "GET /v1/transfers ?": {
    required: [],
    rules: [
      ...oneOf("direction", "sent", "received"),
      ...words("owner", 1, 64),
      ...refuses("metadata", "Expected key:value", "key", ":value"),
      ...page
    ]
  },
  "GET /v1/transfers/{id} ?": { required: [], rules: words("owner", 1, 64) },
  "POST /v1/transfers/to": {
    required: ["accountName", "accountNumber"],
    rules: [
      ...words("accountName", 1, 140),
      ...words("accountNumber", 1, 64),
      ...refuses("accountNumber", "Expected an IBAN whose length and check digits are right", "BE00 0000 0000 0000"),
      ...refuses(
        "accountNumber",
        "Expected an IBAN, or a national number of 4 to 34 letters and digits",
        "12",
        "1/2345"
      ),
      ...country("country"),
      ...words("bankId", 1, 40),
      ...refuses("bankId", "Expected a BIC, or a national number of 2 to 34 letters and digits", "1", "a/b"),
      ...refuses("bankId", "Expected a BIC of a country's bank", "BBRUZZBB")
    ]
  },
  "GET /v1/analytics/usage ?": {
    required: [],
    rules: [
      ...["from", "to"].flatMap((field) =>
        refuses(field, "Expected a day such as 2026-01-31, from 1970 on", "", "2026-02-30", "1969-12-31", "yesterday")
      ),
      ...oneOf("interval", "day"),
      ...words("endpoint", 1, 300),
      ...words("company_id", 1, 64)
    ]
  },
  "POST /v1/withdraw": { required: ["quantity"], rules: [...units("quantity"), ...words("id", 1, 64)] },
  "POST /v1/fx/quotes": {
    required: ["pair", "quantity"],
    rules: [
      ...pair("pair"),
      { field: "pair", value: "EUR/EUR", expected: "Expected two currencies", status: 422 },
      ...oneOf("trade", "Buy", "Sell"),
      ...amount("quantity"),
      ...refuses("quantity", "Expected more than 0", 0)
    ]
  }
}
