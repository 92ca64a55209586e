import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { zstdDecompressSync } from "node:zlib"
import { unpack } from "../../src/database/PackedText.ts"
import { PASSWORD } from "./OperationFixture.ts"
import { makeDelivery, NEW_WEBHOOK } from "./WebhookFixture.ts"
import type { TestServer } from "./TestServer.ts"

/** What a person is known by, none of it twice. */
export const PLANTED = {
  email: "zelda.quist@planted-mail.example",
  contact: "Zelda Quist-Plantina",
  phone: "+32 499 71 82 93",
  street: "17 Plantagenet Mews",
  city: "Plantopolis",
  state: "Plantshire",
  postalCode: "PL4 9NT",
  legalName: "Zelda Ottoline Quist",
  kycAddress: "4 Hedgerow Planting, 9000 Ghent",
  kycEmail: "z.o.quist@planted-kyc.example",
  kycPhone: "+32 470 65 43 21",
  document: "BE-777-9182736-45",
  subject: "planted-subject-109283",
  account: "000-0000123",
  accountName: "Z Quist Savings Planted",
  client: "Zeldas planted robot",
  query: "planted-query-5544",
  answer: "planted answer of a receiver",
  delivered: "planted-body-66441",
  header: "planted-header-8812",
  address: "203.0.113.77",
  profileUrl: "https://planted-profile.example/zelda",
  firstname: "Zeldafirst",
  lastname: "Quistplanted-Last",
  accountname: "zquist-planted-account",
  appsProfile: "planted-apps-profile",
  wallet: "0x71a57ed0000000000000000000000000091a47ed",
  shop: "planted-shop.myshopify.com",
  bank: "PLANBEBB",
  priceList: "Planted prices for a friend",
  requestBody: "planted-body-of-a-request",
  requestPath: "planted-path-of-a-request",
  reason: "The planted document shows another face.",
  taxId: "BE0-PLANTED-777",
  companyEmail: "desk@planted-company.example",
  companyPhone: "+32 2 555 44 33",
  companyStreet: "88 Planting Quay",
  companyCity: "Plantwerp",
  companyState: "Plantland",
  companyPostalCode: "PQ7 1XX"
} as const

export type Planted = keyof typeof PLANTED

/** These are sealed wherever they are, under `SECRET_KEY` or the company's key. */
export const NEVER_CLEAR: ReadonlySet<Planted> = new Set<Planted>([
  "account",
  "document",
  "kycPhone",
  "taxId",
  "companyEmail",
  "companyPhone",
  "companyStreet",
  "companyCity",
  "companyState",
  "companyPostalCode"
])

/** The company's contacts as they are given and answered. */
export const PLANTED_CONTACTS = {
  email: PLANTED.companyEmail,
  phone: PLANTED.companyPhone,
  address: {
    street: PLANTED.companyStreet,
    city: PLANTED.companyCity,
    state: PLANTED.companyState,
    postal_code: PLANTED.companyPostalCode
  }
}

interface Made {
  readonly id: string
}

/** A person of an own company, with everything that identifies anybody in each place that takes it. */
export const plantedPerson = Effect.fnUntraced(function* (server: TestServer) {
  const admin = yield* server.admin
  const { json: user } = yield* server.post<Made>("/api/v1/auth/register", {
    email: PLANTED.email,
    password: PASSWORD,
    company_name: "Quist Trading",
    contact_name: PLANTED.contact,
    phone: PLANTED.phone,
    tax_id: PLANTED.taxId,
    address: { street: PLANTED.street, city: PLANTED.city, state: PLANTED.state, postal_code: PLANTED.postalCode }
  })
  const as = { as: user.id }
  const submitted = (key: string) => server.post<Made>("/v1/kyc", FACTS, { ...as, key })
  const { json: refused } = yield* submitted("planted-kyc-1")
  yield* server.request("PUT", `/v1/kyc/${refused.id}/reject`, { reason: PLANTED.reason }, { as: admin })
  const { json: record } = yield* submitted("planted-kyc-2")
  yield* server.request("PUT", `/v1/kyc/${record.id}/verify`, undefined, { as: admin })
  const account = { accountName: PLANTED.accountName, accountNumber: PLANTED.account, bankId: PLANTED.bank }
  yield* server.post("/v1/transfers/to", account, as)
  yield* server.post("/v1/clients", { name: PLANTED.client, scopes: [] }, as)
  const { json: webhook } = yield* server.post<Made>("/v1/webhooks", NEW_WEBHOOK, as)
  const [company = ""] = yield* server.run(
    Effect.flatMap(SqlClient, (sql) =>
      Effect.map(sql<{ readonly id: string }>`SELECT company_id AS id FROM users WHERE id = ${user.id}`, (rows) =>
        rows.map(({ id }) => id)
      )
    )
  )
  yield* server.request("PATCH", `/v1/companies/${company}`, PLANTED_CONTACTS, as)
  yield* makeDelivery(server, company, webhook.id, {
    status: "failed",
    attempts: [{ status: 500, answer: PLANTED.answer }]
  })
  yield* server.run(plantRows(user.id, company))
  return { admin, userId: user.id, companyId: company }
})

const FACTS = {
  fullnames: PLANTED.legalName,
  address: PLANTED.kycAddress,
  phoneNumber: PLANTED.kycPhone,
  country: "BE",
  email: PLANTED.kycEmail,
  identityId: PLANTED.document
}

const PROFILE = {
  profileurl: PLANTED.profileUrl,
  firstname: PLANTED.firstname,
  lastname: PLANTED.lastname,
  accountname: PLANTED.accountname,
  appsprofile: PLANTED.appsProfile
}

/** What comes from requests that a test does not send: of browsers, providers and receivers. */
const plantRows = (userId: string, companyId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`
      INSERT INTO user_identities (issuer, subject, user_id, linked_at)
      VALUES ('https://accounts.example', ${PLANTED.subject}, ${userId}, 1)`
    yield* sql`
      INSERT INTO request_log (id, request_id, at, company_id, user_id, address, operation, path, query, status, duration_us,
        body)
      VALUES (1, 'req_planted', 1, ${companyId}, ${userId}, ${PLANTED.address}, 'GET /v1/users', ${PLANTED.requestPath},
        ${PLANTED.query}, 400, 1, ${PLANTED.requestBody})`
    yield* sql`
      INSERT INTO price_lists (id, seller_company_id, customer_company_id, name, created_at, updated_at)
      SELECT 'plt_000000000000000000000000', ${companyId}, id, ${PLANTED.priceList}, 1, 1 FROM companies
      WHERE id <> ${companyId} LIMIT 1`
    yield* sql`UPDATE webhook_attempts SET headers = ${JSON.stringify({ "x-planted": PLANTED.header })}`
    yield* sql`
      UPDATE webhook_events SET company_id = ${companyId}, body = ${JSON.stringify({ planted: PLANTED.delivered })}`
    yield* sql`
      UPDATE users SET profile = ${JSON.stringify(PROFILE)}::text::jsonb, wallet_address = ${PLANTED.wallet},
        ecommerce_company_id = ${PLANTED.shop}
      WHERE id = ${userId}`
  })

/** All rows of all tables of a database as text, the journal's unpacked. */
export const rowsOf = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    sql.unsafe<{ readonly row: string }>(`SELECT one::text AS row FROM "${name}" AS one`)
  )
  const journal = yield* sql<{ readonly body: string; readonly answers: string | null }>`
    SELECT body, answers FROM journal`
  return [
    ...rows.flat().map(({ row }) => row),
    ...journal.map(({ answers, body }) => unpack(body) + (answers === null ? "" : unpack(answers)))
  ].join("\n")
})

/** All files of a folder as text, unpacked, with what is packed within. */
export const filesOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      return (entry.name.endsWith(".zst") ? zstdDecompressSync(bytes) : bytes).toString()
    })
    .join("\n")

/** Which planted values a text has, in any case of their letters. */
export const foundIn = (text: string): ReadonlyArray<Planted> => {
  const lower = text.toLowerCase()
  return (Object.keys(PLANTED) as ReadonlyArray<Planted>).filter((name) => lower.includes(PLANTED[name].toLowerCase()))
}
