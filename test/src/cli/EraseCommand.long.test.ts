import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { join } from "node:path"
import { layerOf } from "../../../src/database/Database.ts"
import { Erasures } from "../../../src/erasure/Erasures.ts"
import { backUp, restoreTo } from "../../lib/BackupDrill.ts"
import { onDatabase, runEmporion } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { PASSWORD } from "../../lib/OperationFixture.ts"
import { PlayedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { TestServer } from "../../lib/TestServer.ts"

const NAMES = ["gone", "kept"] as const

/** Mail addresses of the place's backups, as a restore to a sequence brings them back. */
const restoredMails = (folder: string, to: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { code, database, stderr } = yield* restoreTo(folder, to)
      expect([code, stderr]).toEqual([0, ""])
      const rows = Effect.flatMap(
        SqlClient,
        (sql) =>
          sql<{ readonly email: string }>`SELECT email FROM users WHERE role = 'buyer' ORDER BY created_at, email`
      )
      return (yield* Effect.provide(rows, layerOf(database.config))).map(({ email }) => email)
    })
  )

describe("emporion erase", () => {
  itLive(
    "asks for the id twice, forgets beside a running server, and no restore brings anybody back",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const [gone, kept] = yield* Effect.forEach(NAMES, (name) =>
          Effect.map(
            server.post<{ readonly id: string }>("/api/v1/auth/register", {
              email: `${name}@example.com`,
              password: PASSWORD,
              company_name: "One"
            }),
            ({ json }) => json.id
          )
        )
        const log = new PlayedLog(server)
        const folder = join(yield* temporaryFolder, "backups")
        const made = yield* server.run(backUp(log, folder))

        const erase = (...args: ReadonlyArray<string>) =>
          runEmporion(["erase", ...args], { env: onDatabase(server.databaseUrl) })
        const [once, other, nobody] = [
          yield* erase(gone ?? ""),
          yield* erase(gone ?? "", "--confirm", kept ?? ""),
          yield* erase("usr_nobody", "--confirm", "usr_nobody")
        ]
        expect([once.code, other.code, nobody.code]).toEqual([1, 1, 1])
        expect(once.stderr).toContain(`--confirm ${gone}`)
        expect(nobody.stderr).toContain("There is no user usr_nobody.\n")
        expect((yield* server.get(`/v1/users/${gone}`, yield* server.admin)).json).toMatchObject({
          email: "gone@example.com"
        })

        const erased = yield* erase(gone ?? "", "--confirm", gone ?? "", "--json")
        expect([erased.code, erased.stderr]).toEqual([0, ""])
        expect(JSON.parse(erased.stdout)).toMatchObject({ id: gone, companyErased: true })
        yield* server.run(Effect.flatMap(Erasures, ({ record }) => record))
        const events = yield* server.run(
          Effect.flatMap(
            SqlClient,
            (sql) => sql`SELECT count(*)::integer AS count FROM events WHERE type = 'UserErased'`
          )
        )
        expect(events).toEqual([{ count: 1 }])

        const first = `${made.seq}`
        expect(yield* restoredMails(folder, first)).toContain("gone@example.com")
        yield* server.run(backUp(log, folder))
        for (const to of [first, "latest"]) {
          const mails = yield* restoredMails(folder, to)
          expect([to, mails.includes("kept@example.com"), mails.includes("gone@example.com")]).toEqual([
            to,
            true,
            false
          ])
          expect(mails).toContain(`${gone}@erased.invalid`)
        }
      }),
    120_000
  )
})
