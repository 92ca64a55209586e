import { Effect, Redacted } from "effect"
import * as Setting from "./Setting.ts"
import { SettingRefused } from "./Setting.ts"

/** How mails leave. */
export interface MailSettings {
  /** `SMTP_URL`: the mail server, as smtp:// or smtps:// with user and password. Undefined: none. */
  readonly smtpUrl: Redacted.Redacted<URL> | undefined
  /** `MAIL_FROM`: the sender. Required with `SMTP_URL`. */
  readonly from: string
}

const NOBODY = "no-reply@emporion.local"

/** Reads the settings of mails. */
export const readMail: Effect.Effect<MailSettings, SettingRefused> = Effect.gen(function* () {
  const url = yield* Setting.optional("SMTP_URL", Setting.url("smtp:", "smtps:"))
  const from = yield* Setting.optional("MAIL_FROM", Setting.email)
  if (url !== undefined && from === undefined) {
    const expected = "the mail address to send from, because SMTP_URL is given"
    return yield* new SettingRefused({ variable: "MAIL_FROM", given: undefined, expected })
  }
  return { smtpUrl: url === undefined ? undefined : Redacted.make(url), from: from ?? NOBODY }
})
