import { amount, lines, oneOf, page, refuses, type Rule, type ValidationTables, words } from "./Rule.ts"

const pieces = (field: string): ReadonlyArray<Rule> =>
  refuses(field, "Expected a whole number as text from 0 to ", "", "-1", "1.5", "01", "1e3", "many", "9999999999999")

const price: ReadonlyArray<Rule> = [...amount("price"), ...refuses("price", "Expected more than 0", 0)]

/** Specification 2.7. */
const product: ReadonlyArray<Rule> = [
  ...words("name", 1, 200),
  ...price,
  ...lines("description", 1, 4_000),
  ...pieces("quantity"),
  ...["insurable", "bidable", "iscontract"].flatMap((field) => refuses(field, "Expected boolean", null, "true", 1)),
  ...oneOf("type", "Commodity", "Consumer Product"),
  ...refuses("metadata", "Expected at most 20 keys", { ["k".repeat(41)]: "v" }, { k: "v".repeat(501) }, { "a:b": "v" })
]

const filters: ReadonlyArray<Rule> = [
  ...words("company_id", 1, 64),
  ...oneOf("type", "Commodity", "Consumer Product"),
  ...oneOf("bidable", "true", "false"),
  ...oneOf("iscontract", "true", "false"),
  ...words("q", 1, 100),
  ...refuses("metadata", "Expected key:value", "key", ":value", `${"k".repeat(41)}:v`),
  ...page
]

const item = { product_id: "prd_x", quantity: 1 }

/** What companies sell and buy. Specification 2.7, 4.2. */
export const commerceRules: ValidationTables = {
  "POST /v1/commerce/products": { required: ["name", "price", "description", "quantity"], rules: product },
  "PUT /v1/commerce/products/{id}": { required: [], rules: product },
  "GET /v1/commerce/products ?": { required: [], rules: filters },
  "POST /v1/orders": {
    required: ["company_id", "items", "payment_terms"],
    rules: [
      ...words("company_id", 1, 64),
      ...refuses(
        "items",
        "Expected 1 to 1000 items",
        [],
        Array.from({ length: 1_001 }, () => item)
      ),
      ...words("items.0.product_id", 1, 64),
      ...refuses("items.0.quantity", "Expected a whole number from 1 to 1000000", 0, -1, 1_000_001),
      ...refuses("items.0.quantity", "Expected ", 1.5),
      ...oneOf("payment_terms.type", "prepaid", "installments"),
      ...refuses("payment_terms.installments", "Expected ", 1.5, "3"),
      ...[undefined, 0, 1, 13].flatMap((installments) => [
        {
          field: "payment_terms",
          value: { type: "installments", installments },
          expected: "payload.payment_terms.installments: Expected a whole number from 2 to 12"
        }
      ])
    ]
  }
}
