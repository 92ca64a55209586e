import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"
import { Settings } from "../../../src/Config.ts"
import { serviceFindings } from "../../../src/checks/ServicesCheck.ts"
import { itLive } from "../../lib/Effects.ts"

type Variables = Readonly<Record<string, string>>

const examine = (variables: Variables) =>
  Effect.map(Effect.provide(serviceFindings, Settings.layerOf(variables)), (found) =>
    found.map(({ about, standing, text }) => [about, standing, text] as const)
  )

/** Answers every path with what is told of it, else 404. */
const serving = (answers: (url: string, key: string | null) => Readonly<Record<string, Response>>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        Bun.serve({
          port: 0,
          hostname: "127.0.0.1",
          fetch: ({ headers, url }) => {
            const { origin, pathname } = new URL(url)
            return answers(origin, headers.get("authorization"))[pathname] ?? new Response("none", { status: 404 })
          }
        })
      ),
      (server) => Effect.promise(() => server.stop(true))
    ),
    ({ port }) => `http://127.0.0.1:${port}`
  )

const mailServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = new SMTPServer({
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      logger: false,
      onAuth: ({ password }, _, callback) =>
        password === "p@ss" ? callback(null, { user: "ada" }) : callback(new Error("wrong password"))
    })
    server.on("error", () => {})
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    return server
  }),
  (server) => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
)

const signIn = (issuer: string): Variables => ({
  IDENTITY_PROVIDER_ISSUER: issuer,
  IDENTITY_PROVIDER_CLIENT_ID: "emporion",
  IDENTITY_PROVIDER_CLIENT_SECRET: "a secret of the client"
})

const stripe = (base: string, key = "sk_test_0123456789"): Variables => ({
  STRIPE_SECRET_KEY: key,
  STRIPE_API_BASE: base
})

const NOWHERE = "http://127.0.0.1:9"

describe("The services that the settings name", () => {
  itLive("are not asked where there are none", () =>
    Effect.gen(function* () {
      expect(yield* examine({})).toEqual([])
    })
  )

  itLive("are well when they answer as they should", () =>
    Effect.gen(function* () {
      const { server } = yield* mailServer
      const { port } = server.address() as AddressInfo
      const base = yield* serving((origin, key) => ({
        "/.well-known/openid-configuration": Response.json({ issuer: origin }),
        "/v1/balance": new Response("{}", { status: key === "Bearer sk_test_0123456789" ? 200 : 401 })
      }))
      const smtp = { SMTP_URL: `smtp://ada:p%40ss@127.0.0.1:${port}`, MAIL_FROM: "shop@example.com" }
      const found = yield* examine({ ...smtp, ...signIn(base), ...stripe(base) })
      expect(found).toEqual([
        ["mail", "ok", `127.0.0.1:${port} takes mails`],
        ["sign-in", "ok", `${base} answers; only a sign-in shows whether it knows the client`],
        ["Stripe", "ok", `${base} knows the key`]
      ])
      const wrong = yield* examine({
        ...smtp,
        SMTP_URL: `smtp://ada:wrong@127.0.0.1:${port}`,
        ...stripe(base, "sk_test_9876543210")
      })
      expect(wrong.map(([about, standing]) => [about, standing])).toEqual([
        ["mail", "warn"],
        ["Stripe", "warn"]
      ])
      expect(wrong[0]?.[2]).toContain("the mail server answered 535")
      expect(wrong[1]?.[2]).toContain("refuses the key (401): look at STRIPE_SECRET_KEY")
      expect(JSON.stringify([found, wrong])).not.toMatch(/p@ss|wrong@|9876543210/)
    })
  )

  itLive("are worth a look when they are away, or somebody else's", () =>
    Effect.gen(function* () {
      const other = yield* serving(() => ({
        "/.well-known/openid-configuration": Response.json({ issuer: "https://other.example" }),
        "/v1/balance": new Response("{}", { status: 403 })
      }))
      const away = {
        SMTP_URL: "smtp://127.0.0.1:9",
        MAIL_FROM: "shop@example.com",
        ...signIn(NOWHERE),
        ...stripe(NOWHERE)
      }
      expect((yield* examine(away)).map(([about, standing]) => [about, standing])).toEqual([
        ["mail", "warn"],
        ["sign-in", "warn"],
        ["Stripe", "warn"]
      ])
      expect(yield* examine({ ...signIn(other), ...stripe(other) })).toEqual([
        ["sign-in", "warn", `${other} names another issuer: set IDENTITY_PROVIDER_ISSUER to that one.`],
        ["Stripe", "ok", `${other} knows the key`]
      ])
    })
  )
})
