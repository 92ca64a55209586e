import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import * as SmtpTransport from "../../../src/mail/SmtpTransport.ts"
import { itLive } from "../../lib/Effects.ts"

interface Received {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly user: string
  readonly data: string
}

const start = Effect.fnUntraced(function* (options: SMTPServerOptions) {
  const received: Array<Received> = []
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ password, username }, _, callback) =>
      password === "p@ss" ? callback(null, { user: username ?? "" }) : callback(new Error("wrong password")),
    onData: (stream, { envelope, user }, callback) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ from, to, user: String(user), data: Buffer.concat(chunks).toString() })
        callback()
      })
    },
    ...options
  })
  server.on("error", () => {})
  yield* Effect.addFinalizer(() => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve()))))
  yield* Effect.promise(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)))
  return { received, port: (server.server.address() as AddressInfo).port }
})

const sending = (url: string, to: string) =>
  SmtpTransport.make(Redacted.make(new URL(url)), "no-reply@emporion.example").send({
    to,
    subject: "Reset your password",
    text: "The token:\n\nmt_1\n.\nend"
  })

describe("SmtpTransport", () => {
  itLive("hands a mail to a server that asks for a password", () =>
    Effect.gen(function* () {
      const { port, received } = yield* start({})
      yield* sending(`smtp://ada:p%40ss@127.0.0.1:${port}`, "bob@example.com")
      expect(received).toMatchObject([{ from: "no-reply@emporion.example", to: ["bob@example.com"], user: "ada" }])
      expect(received[0]?.data).toContain("Subject: Reset your password")
      expect(received[0]?.data).toContain("Auto-Submitted: auto-generated")
      expect(received[0]?.data).toContain("mt_1")
    })
  )

  itLive("tells what may pass from what will not, and never repeats the mail or the password", () =>
    Effect.gen(function* () {
      const busy = (code: number): SMTPServerOptions => ({
        authOptional: true,
        onRcptTo: (_, __, callback) => callback(Object.assign(new Error("no"), { responseCode: code }))
      })
      for (const [code, isTemporary] of [
        [451, true],
        [550, false]
      ] as const) {
        const { port } = yield* start(busy(code))
        const error = yield* Effect.flip(sending(`smtp://127.0.0.1:${port}`, "bob@example.com"))
        expect(error).toMatchObject({ isTemporary, reason: `the mail server answered ${code}` })
      }
      const { port } = yield* start({})
      const wrong = yield* Effect.flip(sending(`smtp://ada:wrong-pass@127.0.0.1:${port}`, "bob@example.com"))
      expect(wrong.isTemporary).toBe(false)
      expect(Bun.inspect(wrong)).not.toMatch(/wrong-pass|mt_1/)
      const away = yield* Effect.flip(sending("smtp://127.0.0.1:1", "bob@example.com"))
      expect(away).toMatchObject({ isTemporary: true, reason: expect.stringMatching(/^the mail server failed: E/) })
    })
  )

  itLive("sends to one address alone", () =>
    Effect.gen(function* () {
      const { port, received } = yield* start({ authOptional: true })
      for (const to of ["a,b@example.com", "x<bob@example.com>", "a@example.com,b@example.com", '"a b"@example.com']) {
        expect((yield* Effect.flip(sending(`smtp://127.0.0.1:${port}`, to))).isTemporary).toBe(false)
      }
      expect(received).toEqual([])
    })
  )
})
