import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { FundsApi } from "../../../src/api/Funds.ts"
import { SCOPES } from "../../../src/api/Authorization.ts"
import { Conventions } from "../../../src/api/Conventions.ts"
import * as FundsHandlers from "../../../src/funds/FundsHandlers.ts"
import * as HttpServer from "../../../src/http/HttpServer.ts"
import * as HttpApp from "../../../src/http/HttpApp.ts"
import { IdempotencyRepository } from "../../../src/http/IdempotencyRepository.ts"
import { Readiness } from "../../../src/http/Readiness.ts"
import { TokenVerifier } from "../../../src/http/TokenVerifier.ts"
import * as TestRuntime from "../../lib/TestRuntime.ts"
import { withLayer } from "../../lib/Effects.ts"
import { settings } from "../../lib/ProbeServer.ts"
import { post, send } from "../../lib/Requests.ts"
import { layerOf, newUser } from "../../lib/TestFunds.ts"

/** The part of the contract that is this context's. */
class TestApi extends HttpApi.make("emporion").add(FundsApi).middleware(Conventions) {}

/** A token is the role and the user's id, such as `buyer:usr_1`. */
const verifier = Layer.succeed(
  TokenVerifier,
  TokenVerifier.of({
    isSigned: () => false,
    known: () => undefined,
    verify: (token) => {
      const [role = "", userId = ""] = token.split(":")
      const scopes = role === "reader" ? ["payments:read"] : [...SCOPES]
      return Effect.succeed({
        userId,
        role,
        scopes,
        clientId: "cli",
        companyId: "cmp",
        kind: "user" as const,
        status: "active"
      })
    }
  })
)

const routes = HttpApp.layer(TestApi).pipe(
  Layer.provide(FundsHandlers.layer),
  Layer.provide(HttpApp.middleware),
  Layer.provide(verifier)
)

const itServes = withLayer(
  HttpServer.layer(routes).pipe(
    Layer.provideMerge(Readiness.layer(Effect.void)),
    Layer.provide(TestRuntime.layer),
    Layer.provide(settings()),
    Layer.provideMerge(IdempotencyRepository.layer),
    Layer.provideMerge(layerOf())
  )
)

const address = Effect.map(HttpServer.HttpServer, ({ url }) => `${url}/v1/funds`)
const as = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } })

const create = Effect.fnUntraced(function* (token: string, body: unknown, headers: Record<string, string> = {}) {
  return yield* send(yield* address, post(body, headers, token))
})

const get = Effect.fnUntraced(function* (path: string, token: string) {
  return yield* send(`${yield* address}${path}`, as(token))
})

const zero = { available: expect.any(String), held: "0" }

describe("POST /v1/funds", () => {
  itServes("answers the whole fund, which a second one adds to", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      const first = yield* create(`buyer:${owner}`, { owner, type: "USD", symbol: "100" })
      expect([first.status, first.json]).toEqual([
        200,
        { id: expect.any(String), owner, type: "USD", symbol: "100", ...zero }
      ])
      const second = yield* create(`buyer:${owner}`, { owner, type: "USD", symbol: "0.5", extra: 1 })
      expect(second.json).toMatchObject({ symbol: "100.5", available: "100.5" })
    })
  )

  itServes("refuses what it cannot take, with the field and what was expected", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      const good = { owner, type: "USD", symbol: "1" }
      const bad: ReadonlyArray<readonly [unknown, string]> = [
        ...["0", "-1", "1e3", "1.0000001", "8000000001", "NaN", "", " 1", 5, null].map(
          (symbol) => [{ ...good, symbol }, "payload.symbol"] as const
        ),
        ...["u$d", "ZZZ", "", 7].map((type) => [{ ...good, type }, "payload.type"] as const),
        [{ ...good, id: "with space" }, "payload.id"],
        [{ ...good, external_reference: "a b" }, "payload.external_reference"],
        [{ type: "USD", symbol: "1" }, "payload.owner"],
        [[], "payload"],
        ["{", "payload"]
      ]
      for (const [body, field] of bad) {
        const answer = yield* create(`buyer:${owner}`, body)
        expect([answer.status, answer.json]).toMatchObject([400, { code: "invalid_request" }])
        expect((answer.json as { message: string }).message).toStartWith(field)
      }
    })
  )

  itServes("refuses who may not", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      const body = { owner, type: "USD", symbol: "1" }
      const outcome = ({ status, json }: { status: number; json: unknown }) => [status, (json as { code: string }).code]
      expect(outcome(yield* create("buyer:usr_else", body))).toEqual([403, "access_denied"])
      expect(outcome(yield* create(`reader:${owner}`, body))).toEqual([403, "insufficient_scope"])
      expect(outcome(yield* create("admin:usr_a", { ...body, owner: "usr_nobody" }))).toEqual([404, "not_found"])
      expect(outcome(yield* send(yield* address, post(body)))).toEqual([401, "unauthorized"])
      expect((yield* create("admin:usr_a", body)).status).toBe(200)
      const beyond = yield* create(`buyer:${owner}`, { ...body, symbol: "1000000000.000001" })
      expect(beyond.json).toEqual({
        message: "The sandbox adds 1000000000 USD more at most: ask for less.",
        code: "unprocessable"
      })
      const wire = { ...body, external_reference: `wire-${owner}` }
      expect((yield* create("admin:usr_a", wire)).status).toBe(200)
      expect(outcome(yield* create("admin:usr_a", wire))).toEqual([409, "conflict"])
      expect(outcome(yield* create(`buyer:${owner}`, { ...body, id: "other" }))).toEqual([409, "conflict"])
    })
  )

  itServes("mints once under a key, and replays the first answer", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      const body = { owner, type: "EUR", symbol: "3" }
      const key = { "idempotency-key": `k-${owner}` }
      const first = yield* create(`buyer:${owner}`, body, key)
      yield* create(`buyer:${owner}`, body)
      const again = yield* create(`buyer:${owner}`, body, key)
      expect([first.status, first.text]).toEqual([200, again.text])
      expect(again.headers.get("idempotency-replayed")).toBe("true")
      expect((yield* create(`buyer:${owner}`, { ...body, symbol: "4" }, key)).status).toBe(422)
      expect((yield* get("", `buyer:${owner}`)).json).toMatchObject([{ type: "EUR", symbol: "6" }])
    })
  )
})

describe("GET /v1/funds", () => {
  itServes("lists one's own, in pages that say how many there are", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      for (const type of ["USD", "EUR", "XAU"]) yield* create(`buyer:${owner}`, { owner, type, symbol: "1" })
      const page = yield* get("?limit=2&offset=1", `reader:${owner}`)
      expect(page.headers.get("x-total-count")).toBe("3")
      expect(page.json).toMatchObject([{ type: "EUR" }, { type: "XAU" }])
      expect((yield* get(`?owner=${owner}`, "buyer:usr_else")).status).toBe(403)
      expect((yield* get(`?owner=${owner}`, "admin:usr_a")).headers.get("x-total-count")).toBe("3")
      expect((yield* get("", "buyer:usr_else")).json).toEqual([])
      expect((yield* get("?limit=0", `buyer:${owner}`)).status).toBe(400)
    })
  )

  itServes("shows one fund to its owner and to administrators", () =>
    Effect.gen(function* () {
      const { id: owner } = yield* newUser
      const made = yield* create(`buyer:${owner}`, { owner, type: "USD", symbol: "7", id: `mine-${owner}` })
      expect((yield* get(`/mine-${owner}`, `buyer:${owner}`)).json).toEqual(made.json)
      expect((yield* get(`/mine-${owner}`, "admin:usr_a")).json).toEqual(made.json)
      const hidden = yield* get(`/mine-${owner}`, "buyer:usr_else")
      expect([hidden.status, hidden.json]).toMatchObject([404, { code: "not_found" }])
    })
  )
})
