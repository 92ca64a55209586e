import { describe, expect, it } from "bun:test"
import { Exit, Redacted, Schema } from "effect"
import { HttpApi, HttpApiEndpoint } from "effect/http-api"
import fc from "fast-check"
import { Api } from "../../../src/api/Api.ts"
import { optional } from "../../../src/api/Optional.ts"
import {
  MAX_KEPT_BODY,
  pathWithoutSecrets,
  queryWithoutSecrets,
  REMOVED,
  withoutSecrets
} from "../../../src/requests/SecretRemoval.ts"
import { API_DOCUMENT } from "../../lib/ApiDocument.ts"
import { property } from "../../lib/Property.ts"
import { valueOf } from "../../lib/SchemaArbitrary.ts"

const endpointsOf = (): ReadonlyMap<string, HttpApiEndpoint.Top> => {
  const found = new Map<string, HttpApiEndpoint.Top>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      found.set(`${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, "{$1}")}`, endpoint)
    }
  })
  return found
}

const ENDPOINTS = endpointsOf()

const asked = (name: string) => ({ endpoint: ENDPOINTS.get(name), answersSecret: false })

/** The secrets in what a body was decoded to. */
const redactedIn = (value: unknown): ReadonlyArray<unknown> => {
  if (Redacted.isRedacted(value)) return [Redacted.value(value)]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(redactedIn) : []
}

const decoderOf = (endpoint: HttpApiEndpoint.Top) => {
  const bodies = endpoint.payload.get("application/json")?.schemas ?? []
  return Schema.decodeUnknownExit(Schema.Union(bodies as never) as unknown as Schema.Codec<unknown>)
}

/** The fields that the contract reads as secrets. */
const SECRETS = [
  "POST /api/v1/auth/ecommerce/callback code",
  "POST /api/v1/auth/email/verify token",
  "POST /api/v1/auth/google/callback code",
  "POST /api/v1/auth/login password",
  "POST /api/v1/auth/password/reset password",
  "POST /api/v1/auth/password/reset token",
  "POST /api/v1/auth/register password",
  "POST /api/v1/auth/revoke refresh_token",
  "POST /api/v1/auth/revoke token",
  "POST /api/v1/auth/token client_secret",
  "POST /api/v1/auth/token refresh_token",
  "POST /v1/account password",
  "POST /v1/authenticate password",
  "POST /v1/authorize client_secret",
  "POST /v1/authorize password",
  "POST /v1/kyc identityId",
  "POST /v1/kyc phoneNumber",
  "POST /v1/users accesstoken",
  "POST /v1/users password",
  "PUT /api/v1/users/me/password current_password",
  "PUT /api/v1/users/me/password new_password"
]

const MARK = "planted secret"

/** The body with a mark in one text, for each text in it, with the name of its field. */
const planted = (body: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<readonly [string, unknown]> => {
  if (typeof body === "string") return [[path.filter((part) => !/^\d+$/.test(part)).join("."), MARK]]
  if (typeof body !== "object" || body === null) return []
  return Object.entries(body).flatMap(([name, inner]) =>
    planted(inner, [...path, name]).map(([field, value]): readonly [string, unknown] => [
      field,
      Array.isArray(body) ? body.map((item, at) => (String(at) === name ? value : item)) : { ...body, [name]: value }
    ])
  )
}

/** Bodies that an operation takes, drawn from the document. */
const bodiesOf = (name: string, endpoint: HttpApiEndpoint.Top): ReadonlyArray<unknown> => {
  const [method = "", path = ""] = name.split(" ")
  const schema = API_DOCUMENT.paths[path]?.[method.toLowerCase()]?.requestBody?.content["application/json"]?.schema
  if (schema === undefined) return []
  const decode = decoderOf(endpoint)
  const drawn = fc.sample(valueOf(API_DOCUMENT.components.schemas, schema), { numRuns: 20, seed: 7 })
  return drawn.filter((body) => Exit.isSuccess(decode(body)))
}

/** Every field that the contract reads as a secret, with what was kept of a body that has one. */
const secretFields = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, Array<string>>()
  for (const [name, endpoint] of ENDPOINTS) {
    const decode = decoderOf(endpoint)
    for (const [field, body] of bodiesOf(name, endpoint).flatMap((body) => planted(body))) {
      const decoded = decode(body)
      if (Exit.isFailure(decoded) || !redactedIn(decoded.value).includes(MARK)) continue
      const key = `${name} ${field}`
      found.set(key, [...(found.get(key) ?? []), withoutSecrets(JSON.stringify(body), asked(name)) ?? ""])
    }
  }
  return found
}

describe("A body without secrets", () => {
  it("has none of the contract's own, whichever operation takes it", () => {
    const found = secretFields()
    expect([...found.keys()].toSorted()).toEqual(SECRETS)
    for (const [field, kept] of found) {
      expect([field, kept.filter((text) => text.includes(MARK))]).toEqual([field, []])
      expect([field, kept.every((text) => text.includes(REMOVED))]).toEqual([field, true])
    }
  })

  it("has nothing that a schema reads as a secret, whatever it is called", () => {
    const hidden = Schema.RedactedFromValue(Schema.String)
    const endpoint = HttpApiEndpoint.post("test", "/test", {
      payload: Schema.Struct({
        plain: Schema.String,
        one: hidden,
        two: optional(hidden),
        three: Schema.Array(hidden),
        four: Schema.Struct({ five: Schema.NullOr(hidden), plain: Schema.String })
      })
    })
    const body = { plain: "a", one: MARK, two: MARK, three: [MARK], four: { five: MARK, plain: "b" } }
    const kept = withoutSecrets(JSON.stringify(body), { endpoint: endpoint as never, answersSecret: false })
    expect(JSON.parse(kept ?? "")).toEqual({
      plain: "a",
      one: REMOVED,
      two: REMOVED,
      three: [REMOVED],
      four: { five: REMOVED, plain: "b" }
    })
  })

  it("has what the operation knows, and of all else the names alone", () => {
    const body = { owner: "usr_1", type: "USD", symbol: "12.5", pasword: "hunter2", more: { owner: "hunter2", n: 7 } }
    expect(JSON.parse(withoutSecrets(JSON.stringify(body), asked("POST /v1/funds")) ?? "")).toEqual({
      owner: "usr_1",
      type: "USD",
      symbol: "12.5",
      pasword: REMOVED,
      more: { owner: REMOVED, n: REMOVED }
    })
    expect(withoutSecrets(JSON.stringify({ owner: "usr_1" }), undefined)).toBe(`{"owner":"${REMOVED}"}`)
  })

  it("has no value of an operation that answers secrets", () => {
    const body = JSON.stringify({ email: "ada@example.com", password: "hunter2", remember: null })
    const kept = withoutSecrets(body, { ...asked("POST /api/v1/auth/login"), answersSecret: true })
    expect(JSON.parse(kept ?? "")).toEqual({ email: REMOVED, password: REMOVED, remember: null })
  })

  it("has no token, key or card number, wherever it stands", () => {
    const secrets = [
      `eyJhbGciOiJFUzI1NiJ9.${"a".repeat(20)}.${"b".repeat(20)}`,
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      "Bearer abc",
      "https://ada:hunter2@example.com/hook",
      "4242 4242 4242 4242",
      "f".repeat(64)
    ]
    for (const secret of secrets) {
      const kept = withoutSecrets(JSON.stringify({ owner: `it is ${secret}` }), asked("POST /v1/funds"))
      expect([secret, kept]).toEqual([secret, `{"owner":"${REMOVED}"}`])
    }
  })

  it("has nothing of a list of texts, or of what is no object", () => {
    expect(withoutSecrets(`["hunter2",["hunter2"],{"owner":"usr_1"}]`, asked("POST /v1/funds"))).toBe(
      `["${REMOVED}",["${REMOVED}"],{"owner":"usr_1"}]`
    )
    for (const text of [`"hunter2"`, "7", "hunter2", "{", ""]) {
      expect(withoutSecrets(text, asked("POST /v1/funds"))).toBeUndefined()
    }
  })

  it("is not kept where it is long, and survives whatever nests", () => {
    expect(
      withoutSecrets(JSON.stringify({ owner: "x ".repeat(MAX_KEPT_BODY) }), asked("POST /v1/funds"))
    ).toBeUndefined()
    const deep = `${"[".repeat(4_000)}"hunter2"${"]".repeat(4_000)}`
    expect(withoutSecrets(deep, asked("POST /v1/funds"))).not.toContain("hunter2")
  })

  it("never has a text of an unknown field, whatever the body", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (inner) => {
        const kept = withoutSecrets(JSON.stringify({ unknown: [inner, MARK] }), asked("POST /v1/funds"))
        expect(kept ?? "").not.toContain(MARK)
      }),
      property()
    )
  })
})

describe("A query without secrets", () => {
  it("has the parameters that the operation knows, and of others the names", () => {
    const name = "GET /v1/analytics/usage"
    expect(queryWithoutSecrets("from=2026-01-01&access_token=hunter2&company_id=cmp_1", asked(name))).toBe(
      `from=2026-01-01&access_token=${REMOVED}&company_id=cmp_1`
    )
    expect(queryWithoutSecrets("code=hunter2&state=hunter2", asked("GET /auth/google/callback"))).toBe(
      `code=${REMOVED}&state=${REMOVED}`
    )
    expect(queryWithoutSecrets("", asked(name))).toBeUndefined()
  })
})

describe("A path without secrets", () => {
  it("has its parts but those that look like secrets", () => {
    expect(pathWithoutSecrets("/v1/funds/fnd_0123456789abcdefghjkmnpq")).toBe("/v1/funds/fnd_0123456789abcdefghjkmnpq")
    expect(pathWithoutSecrets(`/v1/${"f".repeat(64)}/x`)).toBe(`/v1/${REMOVED}/x`)
    expect(pathWithoutSecrets("/x/https://ada:hunter2@example.com/y")).toBe(REMOVED)
    expect(pathWithoutSecrets("/x/https%3A%2F%2Fada%3Ahunter2%40example.com/y")).toBe(`/x/${REMOVED}/y`)
    expect(pathWithoutSecrets("/x/100%/y")).toBe("/x/100%/y")
  })
})
