import { Context, Data } from "effect"
import type { Effect } from "effect"

/** A mail in plain text. It may hold a token, so it is logged by the sandbox's own transport alone. */
export interface MailMessage {
  /** One mail address. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** The mail was not taken. Its reason holds nothing of the mail's text. */
export class MailFailed extends Data.TaggedError("MailFailed")<{
  readonly reason: string
  /** Whether the same mail may be taken later. */
  readonly isTemporary: boolean
}> {}

/** What hands a mail over. */
export interface Transport {
  readonly send: (message: MailMessage) => Effect.Effect<void, MailFailed>
}

/** The way mails leave, where it is not the one that the settings ask for. */
export const MailTransport = Context.Reference<Transport | undefined>("emporion/mail/MailTransport", {
  defaultValue: () => undefined
})
