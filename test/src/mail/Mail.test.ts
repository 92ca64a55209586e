import { describe, expect } from "bun:test"
import { Effect, Fiber, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { Settings } from "../../../src/Config.ts"
import { Mail, MAX_WAITING } from "../../../src/mail/Mail.ts"
import { MailFailed, type MailMessage, MailTransport } from "../../../src/mail/MailTransport.ts"
import { itEffect } from "../../lib/Effects.ts"

const message = (to: string): MailMessage => ({ to, subject: "Hello", text: "secret-token" })

interface Sent {
  readonly mails: Array<string>
  readonly lines: Array<string>
}

type Send = (mail: MailMessage, sent: Sent) => Effect.Effect<void, MailFailed>

const taken: Send = ({ to }, { mails }) => Effect.sync(() => void mails.push(to))

const withMail = <E>(
  send: Send | undefined,
  body: (mail: Mail["Service"], sent: Sent) => Effect.Effect<void, E>,
  variables: Readonly<Record<string, string>> = {}
) =>
  Effect.suspend(() => {
    const sent: Sent = { mails: [], lines: [] }
    const transport = send && Layer.succeed(MailTransport, { send: (mail) => send(mail, sent) })
    const logger = Logger.make(({ message }) => void sent.lines.push(String(message)))
    const logging = Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, "All"))
    const layer = Mail.layer.pipe(
      Layer.provide(Layer.orDie(Settings.layerOf(variables))),
      Layer.provideMerge(Layer.merge(transport ?? Layer.empty, logging))
    )
    return Effect.flatMap(Mail, (mail) => body(mail, sent)).pipe(Effect.provide(layer))
  })

const refusedTimes =
  (times: number, isTemporary: boolean): Send =>
  (mail, sent) =>
    Effect.suspend(() => {
      sent.mails.push(mail.to)
      return sent.mails.length <= times ? Effect.fail(new MailFailed({ reason: "busy", isTemporary })) : Effect.void
    })

describe("Mail", () => {
  itEffect("is sent in the background, and only where there is one to send", () =>
    withMail(taken, ({ post }, { mails }) =>
      Effect.gen(function* () {
        yield* post(Effect.succeed(message("ada@example.com")))
        yield* post(Effect.undefined)
        yield* post(Effect.fail("no database"))
        expect(mails).toEqual([])
        yield* TestClock.adjust(1)
        expect(mails).toEqual(["ada@example.com"])
      })
    )
  )

  itEffect("is tried again after 1, 5 and 25 seconds, and then given up", () =>
    withMail(refusedTimes(9, true), ({ post }, { lines, mails }) =>
      Effect.gen(function* () {
        yield* post(Effect.succeed(message("ada@example.com")))
        for (const [wait, tries] of [
          [0, 1],
          [999, 1],
          [1, 2],
          [4_999, 2],
          [1, 3],
          [25_000, 4],
          [600_000, 4]
        ] as const) {
          yield* TestClock.adjust(wait)
          expect(mails).toHaveLength(tries)
        }
        expect(lines).toEqual(["A mail was not sent: busy."])
      })
    )
  )

  itEffect("that is refused for good is not tried again", () =>
    withMail(refusedTimes(9, false), ({ post }, { mails }) =>
      Effect.gen(function* () {
        yield* post(Effect.succeed(message("ada@example.com")))
        yield* TestClock.adjust("1 hour")
        expect(mails).toHaveLength(1)
      })
    )
  )

  itEffect("waits in a bounded line, and a server that hangs holds nobody up for ever", () =>
    withMail(
      (mail, sent) => (mail.to === "slow" ? Effect.never : taken(mail, sent)),
      ({ post }, { lines, mails }) =>
        Effect.gen(function* () {
          yield* post(Effect.succeed(message("slow")))
          yield* post(Effect.succeed(message("slow")))
          yield* TestClock.adjust(1)
          const many = yield* Effect.forkChild(
            Effect.forEach(Array.from({ length: MAX_WAITING + 1 }), () => post(Effect.succeed(message("ada"))))
          )
          yield* Fiber.join(many)
          expect(lines).toEqual([`A mail was dropped: ${MAX_WAITING} wait to be sent.`])
          yield* TestClock.adjust("10 minutes")
          expect(mails).toHaveLength(MAX_WAITING)
        })
    )
  )

  itEffect("goes to the sandbox's log, and to no log of production", () =>
    Effect.gen(function* () {
      const posted = (mode: string) =>
        withMail(
          undefined,
          ({ post }, { lines }) =>
            Effect.gen(function* () {
              yield* post(Effect.succeed(message("ada@example.com")))
              yield* TestClock.adjust(1)
              expect(lines).toHaveLength(1)
              expect(lines.join().includes("secret-token")).toBe(mode === "sandbox")
              if (mode === "production") expect(lines).toEqual(["A mail was not sent: SMTP_URL is not set."])
            }),
          { APP_MODE: mode }
        )
      yield* posted("sandbox")
      yield* posted("production")
    })
  )
})
