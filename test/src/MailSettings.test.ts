import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { Settings } from "../../src/Config.ts"
import { itEffect } from "../lib/Effects.ts"

const mailOf = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Settings, ({ mail }) => mail).pipe(Effect.provide(Settings.layerOf(variables)))

describe("Mail settings", () => {
  itEffect("have no mail server by default", () =>
    Effect.gen(function* () {
      expect(yield* mailOf({})).toEqual({ smtpUrl: undefined, from: "no-reply@emporion.local" })
    })
  )

  itEffect("take a server and a sender, and show no password", () =>
    Effect.gen(function* () {
      const mail = yield* mailOf({ SMTP_URL: "smtps://a:secret@mail.example", MAIL_FROM: "shop@example.com" })
      expect([mail.smtpUrl && Redacted.value(mail.smtpUrl).host, mail.from]).toEqual([
        "mail.example",
        "shop@example.com"
      ])
      expect(Bun.inspect(mail)).not.toContain("secret")
    })
  )

  itEffect("need a sender with a server, and a URL that is one", () =>
    Effect.gen(function* () {
      const refusal = (variables: Readonly<Record<string, string>>) => Effect.flip(mailOf(variables))
      expect((yield* refusal({ SMTP_URL: "smtp://mail.example" })).message).toBe(
        "MAIL_FROM: expected the mail address to send from, because SMTP_URL is given."
      )
      expect((yield* refusal({ SMTP_URL: "http://a:secret@mail.example" })).message).not.toContain("secret")
    })
  )
})
