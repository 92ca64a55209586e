import { Context, Effect, Layer, Queue, Schedule } from "effect"
import { Settings } from "../Config.ts"
import { MailFailed, MailTransport } from "./MailTransport.ts"
import type { MailMessage, Transport } from "./MailTransport.ts"
import * as SmtpTransport from "./SmtpTransport.ts"

/** Mails that may wait to be sent; further ones are dropped, and the log says so. */
export const MAX_WAITING = 1_000

/** Mails sent at once. */
const CONCURRENCY = 2

/** A mail that was not taken is tried again after 1, 5 and 25 seconds. */
const RETRIES = 3
const FIRST_RETRY = "1 second"
const RETRY_FACTOR = 5

/** How long one mail may take to be composed and handed over once. */
const PATIENCE = "30 seconds"

/** The sandbox's mails go to the log, where whoever runs it can read them. */
const logged: Transport = {
  send: ({ subject, text, to }) => Effect.logInfo(`Mail to ${to}: ${subject}\n${text}`)
}

const unset: Transport = {
  send: () => Effect.fail(new MailFailed({ reason: "SMTP_URL is not set", isTemporary: false }))
}

const transportOf = ({ mail, mode }: Settings["Service"]): Transport => {
  if (mail.smtpUrl !== undefined) return SmtpTransport.make(mail.smtpUrl, mail.from)
  return mode === "production" ? unset : logged
}

type Composed<E> = Effect.Effect<MailMessage | undefined, E>

const deliver = (transport: Transport, message: MailMessage) =>
  transport.send(message).pipe(
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () => Effect.fail(new MailFailed({ reason: "the mail server took too long", isTemporary: true }))
    }),
    Effect.retry({
      schedule: Schedule.exponential(FIRST_RETRY, RETRY_FACTOR),
      times: RETRIES,
      while: ({ isTemporary }) => isTemporary
    }),
    Effect.catch(({ reason }) => Effect.logWarning(`A mail was not sent: ${reason}.`))
  )

/**
 * Mails, sent in the background: whoever asks for one waits for nothing, so that the time of an answer tells nothing of
 * whether there was somebody to write to. What waits is lost when the server ends.
 */
export class Mail extends Context.Service<
  Mail,
  {
    /** Composes a mail and sends it, later. Undefined: there is none to send. */
    readonly post: <E>(composed: Composed<E>) => Effect.Effect<void>
  }
>()("emporion/mail/Mail") {
  static readonly layer: Layer.Layer<Mail, never, Settings> = Layer.effect(
    this,
    Effect.gen(function* () {
      const transport = (yield* MailTransport) ?? transportOf(yield* Settings)
      const waiting = yield* Queue.dropping<Effect.Effect<void>>(MAX_WAITING)
      const serve = Effect.flatten(Queue.take(waiting)).pipe(Effect.forever)
      for (let worker = 0; worker < CONCURRENCY; worker++) yield* Effect.forkScoped(serve)

      const sent = <E>(composed: Composed<E>): Effect.Effect<void> =>
        composed.pipe(
          Effect.timeout(PATIENCE),
          Effect.flatMap((message) => (message === undefined ? Effect.void : deliver(transport, message))),
          Effect.catchCause((cause) => Effect.logWarning("A mail was not composed", cause))
        )
      return Mail.of({
        post: Effect.fnUntraced(function* (composed) {
          const isTaken = yield* Queue.offer(waiting, sent(composed))
          if (!isTaken) yield* Effect.logWarning(`A mail was dropped: ${MAX_WAITING} wait to be sent.`)
        })
      })
    })
  )
}
