import { country, email, lines, oneOf, page, refuses, type Rule, type ValidationTables, words } from "./Rule.ts"

const password = (field: string): ReadonlyArray<Rule> => words(field, 8, 256)

const presented = (field: string): ReadonlyArray<Rule> => words(field, 1, 1024)

/** Specification 2.3. */
const address: ReadonlyArray<Rule> = [
  ...lines("address.street", 1, 200),
  ...words("address.city", 1, 100),
  ...words("address.state", 1, 100),
  ...words("address.postal_code", 1, 20),
  ...country("address.country")
]

const credentials = { required: ["email", "password"], rules: [...words("email", 1, 254), ...presented("password")] }

const plain = (fields: Readonly<Record<string, number>>): ReadonlyArray<Rule> =>
  Object.entries(fields).flatMap(([field, max]) => words(field, 1, max))

/** Who one is. Specification 2.3 to 2.6, 2.12, 2.14. */
export const identityRules: ValidationTables = {
  "POST /api/v1/auth/register": {
    required: ["email", "password", "company_name"],
    rules: [
      ...email("email"),
      ...password("password"),
      ...plain({ company_name: 200, contact_name: 200, phone: 32, tax_id: 64 }),
      ...address
    ]
  },
  "POST /api/v1/auth/login": credentials,
  "POST /v1/authenticate": credentials,
  "POST /v1/authorize": {
    required: ["client_id", "client_secret", "username", "password"],
    rules: [...plain({ client_id: 100, username: 254 }), ...presented("client_secret"), ...presented("password")]
  },
  "POST /api/v1/auth/token": {
    required: ["grant_type"],
    rules: [
      ...words("grant_type", 1, 100),
      ...words("client_id", 0, 100),
      ...words("client_secret", 0, 1024),
      ...words("refresh_token", 0, 1024),
      ...words("scope", 0, 1000)
    ]
  },
  "POST /api/v1/auth/revoke": {
    required: [],
    rules: [...presented("refresh_token"), ...presented("token"), ...words("token_type_hint", 0, 100)]
  },
  "POST /api/v1/auth/google/callback": {
    required: ["code"],
    rules: [...words("code", 1, 4096), ...words("state", 1, 2_048), ...words("iss", 1, 512)]
  },
  "POST /api/v1/auth/ecommerce/callback": {
    required: ["shop", "code"],
    rules: [
      ...words("shop", 1, 253),
      ...words("code", 1, 4096),
      ...words("state", 1, 2_048),
      ...words("timestamp", 1, 20),
      ...words("host", 1, 512),
      ...words("hmac", 1, 128)
    ]
  },
  "PUT /api/v1/users/me": {
    required: [],
    rules: [
      ...words("phone", 1, 32),
      ...address,
      ...refuses(
        "wallet_address",
        "Expected 0x and 40 hexadecimal digits",
        "",
        "0x12",
        "7".repeat(42),
        `0x${"g".repeat(40)}`
      )
    ]
  },
  "POST /v1/users": {
    required: ["email", "password", "cellphone", "firstname", "lastname", "country", "address"],
    rules: [
      ...email("email"),
      ...password("password"),
      ...plain({ cellphone: 32, firstname: 99, lastname: 100, accountname: 200 }),
      ...country("country"),
      ...lines("address", 1, 200),
      ...plain({ language: 35, profileurl: 2048, appsprofile: 2048, accesstoken: 4096 }),
      ...refuses("nickname", "Expected no field of this name", "x")
    ]
  },
  "POST /v1/users ?": { required: [], rules: words("company_id", 1, 64) },
  "POST /v1/account": {
    required: ["email", "accountName", "firstname", "lastname", "password", "country", "city", "address"],
    rules: [
      ...email("email"),
      ...password("password"),
      ...plain({ accountName: 200, firstname: 99, lastname: 100, city: 100 }),
      ...country("country"),
      ...lines("address", 1, 200)
    ]
  },
  "POST /v1/companies": {
    required: ["name"],
    rules: [...plain({ name: 200, tax_id: 64, phone: 32 }), ...country("country"), ...email("email"), ...address]
  },
  "POST /v1/kyc": {
    required: ["fullnames", "address", "phoneNumber", "country", "email", "identityId"],
    rules: [
      ...plain({ fullnames: 200, phoneNumber: 40 }),
      ...lines("address", 1, 500),
      ...words("identityId", 3, 64),
      ...email("email"),
      ...refuses("phoneNumber", "", "12", "not a number", "+32"),
      ...country("country"),
      ...refuses("id", "Expected 1 to 64 letters, digits, - and _", "", "a b", "x".repeat(65), "../x")
    ]
  },
  "GET /v1/kyc ?": {
    required: [],
    rules: [...words("user_id", 1, 64), ...oneOf("status", "pending", "verified", "rejected"), ...page]
  }
}
