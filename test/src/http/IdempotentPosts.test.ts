import { describe, expect, spyOn } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Api } from "../../../src/api/Api.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { table } from "../../../src/cluster/ContractTable.ts"
import { IdempotencyRepository } from "../../../src/http/IdempotencyRepository.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import { withLayer } from "../../lib/Effects.ts"
import { OPERATION_ROWS, requestOf, type Sent } from "../../lib/OperationRows.ts"
import { sendOperation } from "../../lib/OperationRequest.ts"
import { makeFixture, type Fixture, tokenOf } from "../../lib/OperationFixture.ts"
import { submitKyc } from "../../lib/rows/KycRows.ts"
import { registration } from "../../lib/TestIdentity.ts"
import { type DeclaredOperation, OPERATIONS } from "../../lib/Operations.ts"

class TheFixture extends Context.Service<TheFixture, Fixture>()("test/IdempotentPosts/Fixture") {}

const it = withLayer(Layer.effect(TheFixture, makeFixture()))

const posts = OPERATIONS.filter(({ method }) => method === "POST")

/** The page that says which operations take a key, and those that it calls signing in and out. */
const PAGE = join(import.meta.dir, "../../../docs/reference/http.md")
const SIGN_IN = /\/(auth|logout|authenticate)\b/

const FIRST_TURN = 100_000
let turn = FIRST_TURN

const callerOf = (operation: DeclaredOperation) =>
  Effect.gen(function* () {
    const fixture = yield* TheFixture
    if (operation.access?._tag === "Open") return undefined
    return yield* tokenOf(fixture, OPERATION_ROWS[operation.name]?.as === "admin" ? fixture.admin : fixture.mine.userId)
  })

/** Sends under a key of the operation's own. */
const sendKeyed = (operation: DeclaredOperation, sent: Sent, token: string | undefined, key = "key") =>
  Effect.flatMap(TheFixture, (fixture) =>
    sendOperation(fixture, operation, sent, token, {
      "idempotency-key": `${key} of ${operation.name}`.replaceAll(" ", "_")
    })
  )

const sentFor = (operation: DeclaredOperation) =>
  Effect.flatMap(TheFixture, (fixture) => {
    fixture.server.forgetTokens()
    return requestOf(OPERATION_ROWS[operation.name], fixture, (turn += 1))
  })

/** Whose answers are kept after what they do, and why that is no harm where the process ends in between. */
const KEPT_AFTERWARDS = {
  "it finds what it led to, or leads to nothing": [
    "POST /api/arena/machine-traders",
    "POST /api/arena/machine-traders/cancel-after",
    "POST /api/arena/machine-traders/pause-all",
    "POST /api/arena/machine-traders/{bot_id}/pause",
    "POST /api/arena/machine-traders/{bot_id}/resume",
    "POST /api/arena/machine-traders/{bot_id}/start",
    "POST /api/arena/machine-traders/{bot_id}/terminate",
    "POST /api/arena/machine-traders/{trader_id}/retire",
    "POST /api/v1/auth/revoke",
    "POST /v1/payments/terms",
    "POST /v1/sandbox/clock",
    "POST /v1/users/{userId}/erasure"
  ],
  "its key or reference is that of what it made": [
    "POST /v1/fx/desk",
    "POST /v1/payments",
    "POST /v1/payments/{id}/capture",
    "POST /v1/payments/{id}/refund",
    "POST /v1/payments/{id}/void"
  ],
  "it asks for something to be done once more": [
    "POST /api/arena/machine-traders/{bot_id}/evaluate",
    "POST /api/v1/auth/password/forgot",
    "POST /api/v1/users/me/email/verification",
    "POST /v1/webhooks/deliveries/{id}/retry",
    "POST /v1/webhooks/{id}/retry"
  ]
}

const replayed = ({ headers }: { readonly headers: Headers }) => headers.get("idempotency-replayed")

/** The same request with another body. */
const changed = (sent: Sent): Sent => ({ ...sent, body: { ...(sent.body as object | undefined), other: "1" } })

describe("Every POST", () => {
  for (const operation of posts.filter(({ answersSecret }) => !answersSecret)) {
    it(`${operation.name} runs once under a key`, () =>
      Effect.gen(function* () {
        const token = yield* callerOf(operation)
        const sent = yield* sentFor(operation)
        const first = yield* sendKeyed(operation, sent, token)
        expect([operation.name, first.status]).toEqual([operation.name, OPERATION_ROWS[operation.name]?.status ?? 200])
        const again = yield* sendKeyed(operation, sent, token)
        expect([again.status, again.text]).toEqual([first.status, first.text])
        expect([replayed(first), replayed(again)]).toEqual([null, "true"])
        const other = yield* sendKeyed(operation, changed(sent), token)
        expect([other.status, other.json.code, replayed(other)]).toEqual([422, "unprocessable", null])
      }))
  }

  for (const operation of posts.filter(({ answersSecret }) => answersSecret)) {
    it(`${operation.name} answers a secret, which is never kept`, () =>
      Effect.gen(function* () {
        const sent = yield* sentFor(operation)
        const first = yield* sendKeyed(operation, sent, yield* callerOf(operation))
        const again = yield* sendKeyed(operation, sent, yield* callerOf(operation))
        expect([replayed(first), replayed(again), again.status]).toEqual([null, null, first.status])
      }))
  }

  const scoped = posts.filter(
    ({ access, answersSecret }) => !answersSecret && (access?._tag === "Scopes" || access?._tag === "AnyWrite")
  )
  for (const operation of scoped) {
    it(`${operation.name} keeps no refusal for want of a scope, and answers what it kept to nobody without it`, () =>
      Effect.gen(function* () {
        const fixture = yield* TheFixture
        const token = yield* callerOf(operation)
        const sent = yield* sentFor(operation)
        const userId = OPERATION_ROWS[operation.name]?.as === "admin" ? fixture.admin : fixture.mine.userId
        const reader = yield* tokenOf(fixture, userId, ["orders:read"])
        const send = (as: string | undefined) =>
          Effect.map(sendKeyed(operation, sent, as, "scoped"), (answer) => [
            answer.status,
            answer.json.code,
            replayed(answer)
          ])
        const refused = [403, "insufficient_scope", null]
        expect(yield* send(reader)).toEqual(refused)
        const status = OPERATION_ROWS[operation.name]?.status ?? 200
        expect(yield* send(token)).toEqual([status, undefined, null])
        expect(yield* send(token)).toEqual([status, undefined, "true"])
        expect(yield* send(reader)).toEqual(refused)
      }))
  }

  it("that was refused to an account before it was verified runs under the same key afterwards", () =>
    Effect.gen(function* () {
      const { admin, server } = yield* TheFixture
      const { id: owner } = yield* server.run(Effect.flatMap(Users, ({ register }) => register(registration())))
      yield* server.post("/v1/funds", { owner, type: "USD", symbol: "5" }, { as: owner })
      const withdraw = server.post<{ readonly code?: string }>(
        "/v1/withdraw",
        { quantity: "5" },
        { as: owner, key: "early" }
      )
      const early = yield* withdraw
      expect([early.status, early.json.code]).toEqual([403, "access_denied"])
      yield* submitKyc(yield* TheFixture, owner)
      yield* server.request("PUT", `/v1/users/verify/${owner}`, undefined, { as: admin })
      expect([(yield* withdraw).status, replayed(yield* withdraw)]).toEqual([200, "true"])
    }))

  it("that could not be repeated keeps its answer with what it does", () =>
    Effect.gen(function* () {
      const fixture = yield* TheFixture
      const keep = spyOn(fixture.server.service(IdempotencyRepository), "keep")
      const later: Array<string> = []
      for (const operation of posts.filter(({ answersSecret }) => !answersSecret)) {
        const token = yield* callerOf(operation)
        const sent = yield* sentFor(operation)
        keep.mockClear()
        const key = { "idempotency-key": `made-by-${operation.name}`.replaceAll(/[^!-~]/g, "_") }
        const { status } = yield* sendOperation(fixture, operation, sent, token, key)
        expect([operation.name, status]).toEqual([operation.name, OPERATION_ROWS[operation.name]?.status ?? 200])
        if (status < 400 && keep.mock.calls.length > 0) later.push(operation.name)
      }
      keep.mockRestore()
      expect(later.toSorted()).toEqual(Object.values(KEPT_AFTERWARDS).flat().toSorted())
    }))

  it("that nodes name keeps its answer in the journal", () =>
    Effect.gen(function* () {
      const { server } = yield* TheFixture
      const kept = server.run(
        Effect.flatMap(
          SqlClient,
          (sql) =>
            sql<{ readonly kept: number }>`SELECT count(*)::integer AS kept FROM journal WHERE answers IS NOT NULL`
        )
      )
      const fast = posts.filter(({ method, path }) => table.find(method, path)?.entry.isFast === true)
      expect(fast.length).toBeGreaterThan(0)
      for (const operation of fast) {
        const [before] = yield* kept
        const sent = yield* sentFor(operation)
        const key = { "idempotency-key": `named-${operation.name}`.replaceAll(/[^!-~]/g, "_") }
        const { status } = yield* sendOperation(yield* TheFixture, operation, sent, yield* callerOf(operation), key)
        const [after] = yield* kept
        expect([operation.name, status, after?.kept]).toEqual([operation.name, 200, (before?.kept ?? 0) + 1])
      }
    }))

  it("that takes no key is named where keys are described", () =>
    Effect.gen(function* () {
      const page = yield* Effect.promise(() => readFile(PAGE, "utf8"))
      const section = page.slice(page.indexOf("## Idempotency"), page.indexOf("## Pages of other origins"))
      const untold = posts
        .filter(({ answersSecret, path }) => answersSecret && !SIGN_IN.test(path))
        .filter(({ path }) => !section.includes(`${path}\``))
      expect(section).toContain("sign-ins")
      expect(untold.map(({ name }) => name)).toEqual([])
    }))

  it("that answers a token or a secret is said to", () =>
    Effect.sync(() => {
      const document = make(Api) as unknown as {
        readonly paths: Record<string, Record<string, { readonly responses: Record<string, unknown> }>>
        readonly components: { readonly schemas: Record<string, unknown> }
      }
      const answers = posts.map((operation) => {
        const answer = JSON.stringify(document.paths[operation.path]?.["post"]?.responses["200"] ?? {})
        const names = [...answer.matchAll(/#\/components\/schemas\/([^"]+)/g)].map(([, name = ""]) => name)
        const schemas = names.map((name) => JSON.stringify(document.components.schemas[name])).join()
        const holdsSecret = /"(access_token|refresh_token|\w*secret|ticket|password)":/.test(answer + schemas)
        return { operation, holdsSecret }
      })
      const silent = answers.filter(({ holdsSecret, operation }) => holdsSecret && !operation.answersSecret)
      expect(silent.map(({ operation }) => operation.name)).toEqual([])
      expect(answers.filter(({ holdsSecret }) => holdsSecret).length).toBeGreaterThan(4)
    }))
})
