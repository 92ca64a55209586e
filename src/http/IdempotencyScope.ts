import { Context, Effect } from "effect"

/** The `Idempotency-Key` of the request being served, with what the caller sent under it. */
export class KeyedRequest {
  /** Of caller, method, path and key: 64 hexadecimal digits; or the name by which another node sent it. */
  readonly key: string
  /** Of the content type, query and body: 64 hexadecimal digits; `@` under a name, which no other request has. */
  readonly fingerprint: string
  /** Whether the answer was written in the operation's own transaction. */
  stored = false

  constructor(key: string, fingerprint: string) {
    this.key = key
    this.fingerprint = fingerprint
  }
}

/** The keyed request, or undefined when the caller sent no key. */
export const IdempotencyScope = Context.Reference<KeyedRequest | undefined>("emporion/http/IdempotencyScope", {
  defaultValue: () => undefined
})

/**
 * Says that the operation's own transaction already kept the answer under the key. The kept status and body must be
 * those that the handler answers.
 */
export const markStored: Effect.Effect<void> = Effect.map(IdempotencyScope, (request) => {
  if (request !== undefined) request.stored = true
})
