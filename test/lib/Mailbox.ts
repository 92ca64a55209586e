import { Effect, Layer } from "effect"
import { type MailMessage, MailTransport } from "../../src/mail/MailTransport.ts"

interface Waiter {
  readonly to: string
  readonly resolve: (message: MailMessage) => void
}

/** Where a test's mails arrive. */
export class Mailbox {
  readonly #unread: Array<MailMessage> = []
  readonly #waiters: Array<Waiter> = []

  /** Mails go here, and nowhere else. */
  readonly layer = Layer.succeed(MailTransport, { send: (message) => Effect.sync(() => this.#arrive(message)) })

  #arrive(message: MailMessage): void {
    const at = this.#waiters.findIndex(({ to }) => to === message.to)
    if (at === -1) this.#unread.push(message)
    else this.#waiters.splice(at, 1)[0]?.resolve(message)
  }

  /** The oldest unread mail to an address, once there is one. */
  next(to: string): Effect.Effect<MailMessage> {
    return Effect.promise(() => {
      const at = this.#unread.findIndex((message) => message.to === to)
      const [found] = at === -1 ? [] : this.#unread.splice(at, 1)
      return found === undefined
        ? new Promise<MailMessage>((resolve) => this.#waiters.push({ to, resolve }))
        : Promise.resolve(found)
    })
  }

  /** Unread mails to an address that have arrived. */
  unread(to: string): number {
    return this.#unread.filter((message) => message.to === to).length
  }
}

/** The token in a mail. */
export const tokenIn = ({ text }: MailMessage): string => /\bmt_[\w-]+/.exec(text)?.[0] ?? ""
