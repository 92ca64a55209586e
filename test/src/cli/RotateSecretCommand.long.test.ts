import { describe, expect } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { atUrl } from "../../../src/database/CommandDatabase.ts"
import { ProcessLock } from "../../../src/database/ProcessLock.ts"
import { SigningKeys } from "../../../src/identity/tokens/SigningKeys.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { DemoAccount } from "../../../src/sandbox/DemoAccount.ts"
import { Endpoints } from "../../../src/webhooks/Endpoints.ts"
import { type CommandEnd, onDatabase, runEmporion } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { kycFacts, submitKyc } from "../../lib/rows/KycRows.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { TestServer } from "../../lib/TestServer.ts"
import { NEW_WEBHOOK } from "../../lib/WebhookFixture.ts"

const [OLD, NEXT, OTHER] = ["0a".repeat(32), "0b".repeat(32), "0c".repeat(32)]

interface MadeWebhook {
  readonly id: string
  readonly secret: string
}

type Variables = Readonly<Record<string, string>>

const rotate = (env: Variables): Effect.Effect<CommandEnd> => runEmporion(["keys", "rotate-secret", "--json"], { env })

const person = (server: TestServer) =>
  server.run(
    Effect.flatMap(Users, ({ register }) =>
      register({ email: "ada@example.com", password: Redacted.make("correct horse battery"), companyName: "Ada" })
    )
  )

/** What a record tells its subject now. */
const identityIdOf = (server: TestServer, userId: string, id: string) =>
  Effect.map(server.get<{ readonly identityId: string }>(`/v1/kyc/${id}`, userId), ({ json }) => json.identityId)

const kidOf = (server: TestServer) => Effect.map(server.service(SigningKeys).current, ({ kid }) => kid)

const demoSignsIn = Effect.fnUntraced(function* (server: TestServer) {
  const { demo } = server.service(DemoAccount)
  if (demo === undefined) return "no demo account"
  const user = yield* Effect.orDie(server.service(Users).login(demo.email, demo.password, "127.0.0.1"))
  return user.email
})

/** A server's database without its server. */
const aside = (url: string): Variables => ({ APP_MODE: "sandbox", DATABASE_URL: url })

describe("emporion keys rotate-secret", () => {
  itLive(
    "seals everything under the new key, with which alone the server works then",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make({ SECRET_KEY: OLD })
        const { id: userId } = yield* person(server)
        const record = yield* submitKyc({ server }, userId)
        const kid = yield* kidOf(server)
        const { json: webhook } = yield* server.post<MadeWebhook>("/v1/webhooks", NEW_WEBHOOK, { as: userId })
        const env = { ...onDatabase(server.databaseUrl, OLD), SECRET_KEY_NEXT: NEXT }
        const done = yield* rotate(env)
        expect([done.code, done.stderr]).toEqual([0, ""])
        expect(JSON.parse(done.stdout)).toEqual({
          before: false,
          kept: false,
          sealed: {
            "signing_keys.sealed_private_key": 1,
            "kyc_records.sealed_key": 3,
            "person_keys.sealed_key": 1,
            "beneficiaries.number_box": 0,
            "webhook_secrets.sealed": 1
          }
        })
        for (const shown of [OLD, NEXT]) expect(done.stdout).not.toContain(shown)
        yield* server.restart({ SECRET_KEY: NEXT })
        expect(yield* kidOf(server)).toBe(kid)
        expect(yield* identityIdOf(server, userId, record)).toBe(kycFacts.identityId)
        expect(yield* demoSignsIn(server)).toBe("demo@emporion.local")
        const endpoint = yield* Effect.orDie(server.service(Endpoints).find(webhook.id))
        expect(endpoint?.secrets).toEqual({ current: webhook.secret, previous: [] })
        const { json } = yield* server.get<ReadonlyArray<object>>(
          "/v1/audit?subject_id=SECRET_KEY",
          yield* server.admin
        )
        expect(json).toMatchObject([
          {
            act: "keys.rotate_secret",
            actor_id: "operator",
            after: { boxes: "6", key: expect.stringMatching(/^[0-9a-f]{16}$/) }
          }
        ])
        const again = yield* rotate(env)
        expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { before: true }])
      }),
    60_000
  )

  itLive(
    "changes nothing where a key is missing or wrong, or a server works",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make({ SECRET_KEY: OLD })
        const { id: userId } = yield* person(server)
        const record = yield* submitKyc({ server }, userId)
        const env = onDatabase(server.databaseUrl, OLD)
        const locked = rotate({ ...env, SECRET_KEY_NEXT: NEXT }).pipe(
          Effect.provide(ProcessLock.layer().pipe(Layer.provide(atUrl(Redacted.make(server.databaseUrl)))))
        )
        const refused = [
          [rotate(env), "SECRET_KEY_NEXT: expected the new key: 32 random bytes"],
          [rotate({ ...env, SECRET_KEY_NEXT: "short" }), "SECRET_KEY_NEXT: expected 32 random bytes"],
          [rotate({ ...env, SECRET_KEY_NEXT: OLD }), "SECRET_KEY_NEXT: expected another key than SECRET_KEY"],
          [rotate({ ...onDatabase(server.databaseUrl, OTHER), SECRET_KEY_NEXT: NEXT }), "opens under neither key"],
          [locked, "Another server works on this database"]
        ] as const
        for (const [run, message] of refused) {
          const { code, stderr, stdout } = yield* run
          expect([code, stdout]).toEqual([1, ""])
          expect(stderr).toContain(message)
          expect(stderr).not.toContain(OLD)
        }
        yield* server.restart()
        expect(yield* identityIdOf(server, userId, record)).toBe(kycFacts.identityId)
      }).pipe(Effect.orDie),
    60_000
  )

  itLive(
    "replaces the sandbox's own key, and finishes what was interrupted",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make({ SECRET_KEY: OLD })
        const folder = yield* temporaryFolder
        const [kept, next] = [join(folder, "secret.key"), join(folder, "secret.key.next")]
        const env = { ...aside(server.databaseUrl), DATA_DIR: folder }
        const none = yield* rotate(env)
        expect([none.code, none.stderr]).toMatchObject([1, expect.stringContaining(`There is no ${kept}`)])
        writeFileSync(kept, `${OLD}\n`)
        const given = yield* rotate({ ...env, SECRET_KEY_NEXT: NEXT })
        expect([given.code, given.stderr]).toMatchObject([
          1,
          expect.stringContaining("SECRET_KEY_NEXT: expected nothing")
        ])

        expect((yield* rotate(env)).code).toBe(0)
        const made = readFileSync(kept, "utf8").trim()
        expect([made === OLD, existsSync(next)]).toEqual([false, false])
        yield* server.restart({ SECRET_KEY: made })
        expect(yield* demoSignsIn(server)).toBe("demo@emporion.local")

        writeFileSync(next, `${made}\n`)
        writeFileSync(kept, `${OLD}\n`)
        const finished = yield* rotate(env)
        expect([finished.code, JSON.parse(finished.stdout)]).toMatchObject([0, { before: true, kept: true }])
        expect([readFileSync(kept, "utf8").trim() === made, existsSync(next)]).toEqual([true, false])
      }),
    60_000
  )
})
