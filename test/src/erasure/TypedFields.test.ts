import { describe, expect, it } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Api } from "../../../src/api/Api.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import { PLANTED } from "../../lib/PlantedPerson.ts"
import { TEXTS } from "../../lib/PlantedTexts.ts"

interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: unknown
  readonly const?: unknown
  readonly format?: string
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
}

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

const document = make(Api) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const isText = ({ const: one, enum: some, format, type }: Schema): boolean =>
  [type].flat().includes("string") && some === undefined && one === undefined && format !== "date-time"

/** The paths of a body's fields that take a text of the caller's. */
const textsOf = (schema: Schema, path: string): ReadonlyArray<string> => {
  const { $ref, additionalProperties, allOf = [], anyOf = [], items, oneOf = [], properties = {} } = schema
  if ($ref !== undefined) return textsOf(document.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {}, path)
  return [
    ...(isText(schema) ? [path] : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => textsOf(one, path)),
    ...Object.entries(properties).flatMap(([name, one]) => textsOf(one, `${path}.${name}`)),
    ...(typeof additionalProperties === "object" ? textsOf(additionalProperties, path) : []),
    ...(items === undefined ? [] : textsOf(items, path))
  ]
}

const FIELDS = new Set(
  Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ operationId, requestBody }) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => textsOf(schema, operationId))
    )
)

type Value = keyof typeof PLANTED | keyof typeof TEXTS

/** Fields that go with a person, by the planted value that shows it. A name without its operation is that of each. */
const PLANTED_IN: Readonly<Record<string, Value>> = {
  email: "email",
  contact_name: "contact",
  phone: "phone",
  cellphone: "phone",
  tax_id: "taxId",
  "address.street": "street",
  "address.city": "city",
  "address.state": "state",
  "address.postal_code": "postalCode",
  "auth.account.accountName": "accountname",
  "users.addUser.accountname": "accountname",
  "beneficiaries.createBeneficiary.accountName": "accountName",
  accountNumber: "account",
  bankId: "bank",
  firstname: "firstname",
  lastname: "lastname",
  "auth.account.city": "city",
  address: "street",
  profileurl: "profileUrl",
  appsprofile: "appsProfile",
  "currentUser.update.wallet_address": "wallet",
  "clients.createClient.name": "client",
  "providers.sandboxConsent.name": "contact",
  "providers.sandboxShopConsent.name": "contact",
  shop: "shop",
  fullnames: "legalName",
  phoneNumber: "kycPhone",
  identityId: "document",
  "kycReview.rejectKyc.reason": "reason",
  "priceLists.createPriceList.name": "priceList",
  "priceLists.updatePriceList.name": "priceList",
  "purchaseOrders.placeOrder.metadata": "orderValue",
  "purchaseOrders.cancelOrder.reason": "cancellation",
  "payments.createPayment.metadata": "paymentValue",
  "subscriptions.createSubscription.metadata": "subscriptionValue",
  "transfers.createTransfer.metadata": "transferValue",
  "transfers.createTransfer.description": "transfer",
  "webhooks.createWebhook.url": "hook",
  "webhooks.changeWebhook.url": "hookChanged",
  "webhooks.createWebhook.description": "hookText",
  "webhooks.changeWebhook.description": "hookText",
  "webhooks.createWebhook.metadata": "hookValue",
  "webhooks.changeWebhook.metadata": "hookAdded",
  "bots.createMachineTrader.name": "bot",
  "bots.changeBot.name": "botRenamed",
  "credit.requestCredit.purpose": "purpose",
  "credit.requestCredit.desc": "desc"
}

/** Fields that stay, by what the page of erasures says of it. */
const STAY: Readonly<Record<string, string>> = {
  company_name: "`companies.name`",
  "companies.createCompany.name": "`companies.name`",
  "companies.changeCompany.name": "`companies.name`",
  "products.createProduct.name": "`products.name`",
  "products.updateProduct.name": "`products.name`",
  "products.createProduct.description": "`products.description`",
  "products.updateProduct.description": "`products.description`",
  "products.createProduct.metadata": "`products.metadata`",
  "products.updateProduct.metadata": "`products.metadata`",
  swap_executor: "`arena_commitments.swap_executor`",
  agent_id: "`machine_traders.agent_id`",
  agent_uri: "`machine_traders.agent_uri`",
  "bots.createMachineTrader.wallet_address": "`machine_traders.wallet_address`",
  "specs.model": "`machine_traders.model`",
  "specs.risk_tolerance": "`machine_traders.risk_tolerance`",
  "kyc.submitKyc.id": "Ids that callers chose",
  "funds.createFund.id": "Ids that callers chose",
  "transfers.createTransfer.id": "Ids that callers chose",
  external_reference: "Ids that callers chose"
}

/** Ids of the platform's, secrets, numbers, and words that are looked up and not kept. */
const NAMES_NOBODY: ReadonlySet<string> = new Set(
  `password new_password current_password client_id client_secret refresh_token token token_type_hint scope
   grant_type username code state iss timestamp host hmac accesstoken country language strategy_module order_id bot_id
   product_id company_id customer_company_id quote_id instrument quantity owner type symbol pair from to empLength currency
   endpoint withdrawals.withdraw.id`.split(/\s+/)
)

/** Every end of a field's name, the longest first: with its operation, without it, and so on. */
const endsOf = (field: string): ReadonlyArray<string> => {
  const parts = field.split(".")
  return parts.map((_, index) => parts.slice(index).join("."))
}

const saidOf = (field: string): ReadonlyArray<string> =>
  endsOf(field).flatMap((end) => [
    ...(Object.hasOwn(PLANTED_IN, end) ? [`planted ${end}`] : []),
    ...(Object.hasOwn(STAY, end) ? [`stays ${end}`] : []),
    ...(NAMES_NOBODY.has(end) ? [`names nobody ${end}`] : [])
  ])

describe("Every text that a request takes", () => {
  it("is planted in a test of erasures, stays as the page says, or names nobody", () => {
    expect(FIELDS.size).toBeGreaterThan(120)
    expect([...FIELDS].filter((field) => saidOf(field).length === 0)).toEqual([])
  })

  it("is listed by a name that the contract has, and by a value that is planted", () => {
    const ends = new Set([...FIELDS].flatMap(endsOf))
    const listed = [...Object.keys(PLANTED_IN), ...Object.keys(STAY), ...NAMES_NOBODY]
    expect(listed.filter((name) => !ends.has(name))).toEqual([])
    const planted = new Set([...Object.keys(PLANTED), ...Object.keys(TEXTS)])
    expect(Object.values(PLANTED_IN).filter((value) => !planted.has(value))).toEqual([])
  })

  it("stays only where the page says so", () => {
    const page = readFileSync(join(import.meta.dir, "../../../docs/operating/erasure.md"), "utf8")
    expect(Object.values(STAY).filter((said) => !page.includes(said))).toEqual([])
  })
})
