import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { ACCOUNT_MOVES } from "../../../src/api/AccountMoves.ts"
import { SCOPES, WRITE_SCOPES } from "../../../src/api/Authorization.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { withLayer } from "../../lib/Effects.ts"
import { movedBy } from "../../lib/MovedAccounts.ts"
import { OPERATION_ROWS, type OperationRow, requestOf } from "../../lib/OperationRows.ts"
import { sendOperation } from "../../lib/OperationRequest.ts"
import { addParty, makeFixture, type Fixture, tokenOf } from "../../lib/OperationFixture.ts"
import { type DeclaredOperation, OPERATIONS } from "../../lib/Operations.ts"

class TheFixture extends Context.Service<TheFixture, Fixture>()("test/Authorization/Fixture") {}

/** The accounts that the last request moved. */
const moved = new Set<string>()

const it = withLayer(
  Layer.effect(
    TheFixture,
    Effect.tap(makeFixture(), ({ server }) =>
      server
        .service(UnitOfWork)
        .onCommit((_, { changedAccounts }) => changedAccounts.forEach((account) => moved.add(account)))
    )
  )
)

let turn = 0

/** What a scope is about. Specification 5; the arena takes any principal. */
const FAMILIES = [
  ["/api/v1/users", "users"],
  ["/v1/users", "users"],
  ["/v1/clients", "users"],
  ["/v1/account", "users"],
  ["/v1/requests", "users"],
  ["/v1/credit", "credit"],
  ["/v1/kyc", "kyc"],
  ["/v1/subscriptions", "subscriptions"],
  ["/v1/payments", "payments"],
  ["/v1/funds", "payments"],
  ["/v1/transfers", "payments"],
  ["/v1/withdraw", "payments"],
  ["/v1/fx", "payments"],
  ["/v1/orders", "orders"],
  ["/v1/companies", "orders"],
  ["/v1/commerce", "orders"],
  ["/v1/analytics", "orders"],
  ["/v1/webhooks", "orders"]
] as const

const rowOf = ({ name }: DeclaredOperation): OperationRow => {
  const row = OPERATION_ROWS[name]
  if (row === undefined) throw new Error(`${name} has no row in test/lib/OperationRows.ts`)
  return row
}

/** Sends what is right, as somebody. */
const sendAs = (operation: DeclaredOperation, token: string | undefined) =>
  Effect.gen(function* () {
    const fixture = yield* TheFixture
    const sent = yield* requestOf(rowOf(operation), fixture, ++turn)
    moved.clear()
    return yield* sendOperation(fixture, operation, sent, token)
  })

const rightToken = (operation: DeclaredOperation) =>
  Effect.flatMap(TheFixture, (fixture) =>
    tokenOf(fixture, rowOf(operation).as === "admin" ? fixture.admin : fixture.mine.userId)
  )

const expectLetIn = (operation: DeclaredOperation, token: string | undefined) =>
  Effect.gen(function* () {
    const { status, text } = yield* sendAs(operation, token)
    const expected = rowOf(operation).status ?? 200
    expect([operation.name, status, status === expected ? "" : text]).toEqual([operation.name, expected, ""])
    const allowed = ACCOUNT_MOVES[operation.name] ?? []
    expect([...movedBy(moved)].filter((account) => !allowed.includes(account))).toEqual([])
  })

const expectRefused = (operation: DeclaredOperation, token: string | undefined, status: number, code: string) =>
  Effect.gen(function* () {
    const answer = yield* sendAs(operation, token)
    expect([answer.status, answer.json.code]).toEqual([status, code])
    expect([...moved]).toEqual([])
    return answer
  })

const withoutToken = (operation: DeclaredOperation) =>
  Effect.gen(function* () {
    const { headers } = yield* expectRefused(operation, undefined, 401, "unauthorized")
    expect(headers.get("www-authenticate")).toBe("Bearer")
    const fixture = yield* TheFixture
    const sent = yield* requestOf(rowOf(operation), fixture, ++turn)
    const access_token = yield* rightToken(operation)
    const inUrl = yield* sendOperation(fixture, operation, { ...sent, query: { ...sent.query, access_token } })
    expect([inUrl.status, inUrl.json.code]).toEqual([401, "unauthorized"])
  })

const withoutScope = (operation: DeclaredOperation) =>
  Effect.gen(function* () {
    const fixture = yield* TheFixture
    const { access } = operation
    if (access?._tag === "Admin") {
      yield* expectRefused(operation, yield* tokenOf(fixture, fixture.mine.userId), 403, "access_denied")
    }
    const { userId } = rowOf(operation).as === "admin" ? { userId: fixture.admin } : fixture.mine
    if (access?._tag === "Authenticated") yield* expectLetIn(operation, yield* tokenOf(fixture, userId, []))
    if (access?._tag === "AnyWrite") {
      const reads = SCOPES.filter((scope) => !WRITE_SCOPES.includes(scope))
      yield* expectRefused(operation, yield* tokenOf(fixture, userId, reads), 403, "insufficient_scope")
      for (const scope of WRITE_SCOPES) yield* expectLetIn(operation, yield* tokenOf(fixture, userId, [scope]))
    }
    if (access?._tag !== "Scopes") return
    for (const missing of access.scopes) {
      const others = SCOPES.filter((scope) => scope !== missing)
      const answer = yield* expectRefused(operation, yield* tokenOf(fixture, userId, others), 403, "insufficient_scope")
      expect(answer.text).toContain(missing)
    }
  })

const asAnotherTenant = (operation: DeclaredOperation) =>
  Effect.gen(function* () {
    const fixture = yield* TheFixture
    const { status = 200, tenancy } = rowOf(operation)
    const sent = yield* requestOf(rowOf(operation), fixture, ++turn)
    const answer = yield* sendOperation(fixture, operation, sent, yield* tokenOf(fixture, fixture.theirs.userId))
    if (tenancy === "refused") expect([403, 404]).toContain(answer.status)
    else expect(answer.status).toBe(status)
    if (tenancy === "public") return
    const asked = JSON.stringify(sent)
    const told = answer.text.split(/[^\w@.-]+/)
    for (const id of Object.values(fixture.mine)) if (!asked.includes(id)) expect(told).not.toContain(id)
  })

describe("Every operation", () => {
  it("has a row, and every row an operation", () =>
    Effect.sync(() => {
      expect(Object.keys(OPERATION_ROWS).toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted())
    }))

  for (const operation of OPERATIONS) {
    it(`${operation.name} lets in whom its policy names`, () =>
      Effect.gen(function* () {
        if (operation.access?._tag === "Open") return yield* expectLetIn(operation, undefined)
        const fixture = yield* TheFixture
        const mine =
          rowOf(operation).ends === true ? yield* addParty(fixture, `ends${++turn}@example.com`) : fixture.mine
        const tried = Effect.gen(function* () {
          yield* withoutToken(operation)
          yield* withoutScope(operation)
          yield* asAnotherTenant(operation)
          yield* expectLetIn(operation, yield* rightToken(operation))
        })
        yield* Effect.provideService(tried, TheFixture, { ...fixture, mine })
      }))
  }

  it("needs the scope of what it is about", () =>
    Effect.sync(() => {
      const declared = OPERATIONS.flatMap(({ access, name, path }) =>
        access?._tag === "Scopes" && !path.startsWith("/api/arena/") ? [`${name} ${access.scopes.join(" ")}`] : []
      )
      const expected = OPERATIONS.flatMap(({ access, method, name, path }) => {
        const family = FAMILIES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1]
        if (family === undefined || access?._tag === "Admin" || access?._tag === "Open") return []
        const more = name === "POST /v1/orders/{id}/pay" ? " payments:write" : ""
        return [`${name} ${family}:${method === "GET" ? "read" : "write"}${more}`]
      })
      expect(declared).toEqual(expected)
      expect(declared).toContain("POST /v1/funds payments:write")
    }))
})
