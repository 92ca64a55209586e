import { Effect, Redacted } from "effect"
import type { Transporter } from "nodemailer"
import { MailFailed } from "./MailTransport.ts"
import type { Transport } from "./MailTransport.ts"

/** How long the mail server may take to be reached, to greet, and to say anything at all, in milliseconds. */
const TIMEOUT = 10_000

const DEFAULT_PORT = { "smtp:": 587, "smtps:": 465 } as const

/** One address and nothing that a mail server could take for more than one. */
const PLAIN_ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/

const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || host.startsWith("127.")

const failed = (error: unknown): MailFailed => {
  const status = error instanceof Error && "responseCode" in error ? error.responseCode : undefined
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown"
  const reason = typeof status === "number" ? `the mail server answered ${status}` : `the mail server failed: ${code}`
  return new MailFailed({ reason, isTemporary: !(typeof status === "number" && status >= 500) })
}

const optionsOf = ({ hostname, password, port, protocol, username }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ""),
  port: port === "" ? (protocol === "smtps:" ? DEFAULT_PORT["smtps:"] : DEFAULT_PORT["smtp:"]) : Number(port),
  secure: protocol === "smtps:",
  requireTLS: protocol === "smtp:" && !isLoopback(hostname),
  ...(username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  connectionTimeout: TIMEOUT,
  greetingTimeout: TIMEOUT,
  socketTimeout: TIMEOUT,
  disableFileAccess: true,
  disableUrlAccess: true
})

/** A connection for each call. The code for it, a tenth of the program's, is loaded once there is a mail server to speak to. */
const asked = (url: Redacted.Redacted<URL>, ask: (transporter: Transporter) => Promise<unknown>) =>
  Effect.flatMap(
    Effect.promise(() => import("nodemailer")),
    ({ createTransport }) =>
      Effect.asVoid(
        Effect.tryPromise({ try: () => ask(createTransport(optionsOf(Redacted.value(url)))), catch: failed })
      )
  )

/** Greets the mail server and signs in, and sends nothing. */
export const greet = (url: Redacted.Redacted<URL>): Effect.Effect<void, MailFailed> =>
  asked(url, (transporter) => transporter.verify())

/** Sends mails to an SMTP server, over TLS unless it runs on this machine. RFC 5321, RFC 3207. */
export const make = (url: Redacted.Redacted<URL>, from: string): Transport => ({
  send: ({ subject, text, to }) =>
    PLAIN_ADDRESS.test(to)
      ? asked(url, (transporter) =>
          transporter.sendMail({
            from,
            to: { name: "", address: to },
            envelope: { from, to: [to] },
            subject,
            text,
            headers: { "Auto-Submitted": "auto-generated" }
          })
        )
      : Effect.fail(new MailFailed({ reason: "the address is not a plain one", isTemporary: false }))
})
