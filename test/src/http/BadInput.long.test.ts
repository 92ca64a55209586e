import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../../src/api/Api.ts"
import { ask } from "../../lib/Requests.ts"
import { FORGED, type HostileRequest, hostileRequests, type Operation, operations } from "../../lib/HostileRequests.ts"
import type { Samples } from "../../lib/HostileRequests.ts"
import { itLive } from "../../lib/Effects.ts"
import { OPERATION_ROWS } from "../../lib/OperationRows.ts"
import { OPERATIONS } from "../../lib/Operations.ts"
import { tokenOf } from "../../lib/OperationFixture.ts"
import { TestServer } from "../../lib/TestServer.ts"

/** Requests on their way at the same time. */
const CONCURRENCY = 8

const send = (
  { url }: TestServer,
  token: string | undefined,
  { body, contentType, headers, method, path, status, what }: HostileRequest
): Effect.Effect<string | undefined> =>
  Effect.promise((signal) => {
    const init: RequestInit = {
      signal,
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: token }),
        ...(body === undefined ? {} : { "content-type": contentType ?? "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body })
    }
    return ask(url, path, init).then(
      (answer) => {
        const isRight = status === undefined ? answer.status < 500 : answer.status === status
        return isRight
          ? undefined
          : `${method} ${path.slice(0, 80)}: ${what}: ${answer.status} ${answer.text.slice(0, 200)}`
      },
      (error: unknown) => `${method} ${path.slice(0, 80)}: ${what}: ${String(error).slice(0, 400)}`
    )
  })

const wrongOf = (server: TestServer, token: string | undefined, requests: ReadonlyArray<HostileRequest>) =>
  Effect.map(
    Effect.forEach(requests, (request) => send(server, token, request), { concurrency: CONCURRENCY }),
    (found) => found.filter((one) => one !== undefined)
  )

const samplesOf = Effect.fnUntraced(function* (server: TestServer, userId: string) {
  yield* server.tick()
  const { json } = yield* server.get<{ readonly orders: ReadonlyArray<{ readonly order_id: string }> }>(
    "/api/arena/orders",
    userId
  )
  const samples: Samples = {
    order_id: JSON.stringify(json.orders[0]?.order_id),
    owner: JSON.stringify(userId),
    email: '"someone@example.com"',
    password: '"a long enough password"',
    agent_uri: '"https://example.com/agent"',
    wallet_address: `"0x${"7".repeat(40)}"`,
    symbol: '"10"',
    type: '"USD"',
    order_value: '"10000"',
    duration_days: '"30"',
    grant_type: '"client_credentials"',
    capabilities: '["fx"]'
  }
  return samples
})

/** A token is issued for each operation, since some of them withdraw the caller's. */
const isForAdmins = ({ method, path }: Operation): boolean => OPERATION_ROWS[`${method} ${path}`]?.as === "admin"

describe("Bad input", () => {
  itLive(
    "is refused in an orderly way by every endpoint, and the server lives on",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const user = yield* server.user()
        const admin = yield* server.admin
        const samples = yield* samplesOf(server, user.id)
        let tried = 0
        for (const operation of operations) {
          const requests = hostileRequests(samples, operation)
          const token = yield* tokenOf({ server }, isForAdmins(operation) ? admin : user.id)
          expect(yield* wrongOf(server, `Bearer ${token}`, requests)).toEqual([])
          tried += requests.length
        }
        expect(tried).toBeGreaterThan(500)
        expect((yield* server.get("/health/ready")).status).toBe(200)
      }),
    120_000
  )

  itLive("is refused to callers who are nobody", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const guarded = OPERATIONS.filter(({ access }) => access?._tag !== "Open")
      expect(guarded.length).toBeGreaterThan(10)
      for (const token of FORGED) {
        const requests = guarded.map(({ method, path }) => ({
          method,
          path,
          what: `token ${token.slice(0, 20)}`,
          status: 401
        }))
        expect(yield* wrongOf(server, token, requests)).toEqual([])
      }
    })
  )

  itLive("covers the whole contract", () =>
    Effect.sync(() => {
      const declared: Array<string> = []
      HttpApi.reflect(Api, {
        onGroup: () => {},
        onEndpoint: ({ endpoint }) => {
          declared.push(`${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, "{$1}")}`)
        }
      })
      expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(declared.toSorted())
    })
  )
})
