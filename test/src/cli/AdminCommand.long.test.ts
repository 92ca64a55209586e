import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onDatabase, runEmporion, typeTo } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const PASSWORD = "a horse of the operator"

const create = (url: string, email: string, password: string, ...flags: ReadonlyArray<string>) =>
  runEmporion(["admin", "create", email, ...flags], { env: onDatabase(url), input: Redacted.make(password) })

describe("emporion admin create", () => {
  itLive(
    "makes an administrator who can sign in at once at a running server",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const made = yield* create(server.databaseUrl, "ada@example.com", `${PASSWORD}\nanother line\n`, "--json")
        expect([made.code, made.stderr]).toEqual([0, ""])
        const report = JSON.parse(made.stdout)
        expect(report).toEqual({ id: expect.stringMatching(/^usr_/), email: "ada@example.com", role: "admin" })
        const login = yield* server.post("/api/v1/auth/login", { email: "ADA@example.com", password: PASSWORD })
        expect(login.json).toMatchObject({ user: { id: report.id, role: "admin", company_name: "Emporion" } })
        const companies = yield* server.run(
          Effect.flatMap(SqlClient, (sql) => sql`SELECT DISTINCT company_id FROM users WHERE role = 'admin'`)
        )
        expect(companies).toHaveLength(1)

        const acts = yield* server.run(
          Effect.flatMap(
            SqlClient,
            (sql) => sql`SELECT actor_id, act, subject_id FROM audit_log WHERE act LIKE 'admin.%'`
          )
        )
        expect(acts).toEqual([{ actor_id: "operator", act: "admin.create", subject_id: report.id }])

        const again = yield* create(server.databaseUrl, "Ada@Example.com", PASSWORD)
        expect([again.code, again.stdout]).toEqual([1, ""])
        expect(again.stderr).toContain("There is a user with the mail address Ada@Example.com already")
      }),
    60_000
  )

  itLive(
    "takes no short password, none at all, and none as an argument",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const { databaseUrl } = server
        const [short, none, argument] = yield* Effect.all(
          [
            create(databaseUrl, "ada@example.com", "short\n"),
            create(databaseUrl, "ada@example.com", ""),
            create(databaseUrl, "ada@example.com", "", PASSWORD)
          ],
          { concurrency: "unbounded" }
        )
        expect([short, none, argument].map(({ code }) => code)).toEqual([1, 1, 2])
        expect(short.stderr).toContain("12 to 256 characters")
        expect(none.stderr).toContain("No password was given")
        const found = yield* server.run(
          Effect.flatMap(SqlClient, (sql) => sql`SELECT FROM users WHERE email = 'ada@example.com'`)
        )
        expect(found).toEqual([])
      }),
    60_000
  )

  itLive(
    "asks twice at a terminal, and shows nothing of what is typed",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const typed = (email: string, first: string, second?: string) =>
          typeTo(["admin", "create", email], onDatabase(server.databaseUrl), [
            { after: "not shown): ", keys: Redacted.make(first) },
            ...(second === undefined ? [] : [{ after: "Again: ", keys: Redacted.make(second) }])
          ])
        const [same, other, stopped] = yield* Effect.all(
          [
            typed("a@example.com", `${PASSWORD}x\u007f\r`, `${PASSWORD}\r`),
            typed("b@example.com", `${PASSWORD}\r`, `${PASSWORD}s\r`),
            typed("c@example.com", "\u0003")
          ],
          { concurrency: "unbounded" }
        )
        expect([same.code, other.code, stopped.code]).toEqual([0, 1, 130])
        expect(same.shown).toMatch(
          /^Password for a@example\.com .*: \r\nAgain: \r\nmade {2}administrator a@example\.com/
        )
        expect(other.shown).toContain("The two passwords are not the same.")
        const login = yield* server.post("/api/v1/auth/login", { email: "a@example.com", password: PASSWORD })
        expect(login.status).toBe(200)
      }),
    60_000
  )
})
