import type { Idempotency } from "../../engine/actor/Journal.ts"

/** The key of a caller's request, and what is answered to its retries, made of what was decided. */
export interface KeptReply<A> {
  readonly key: string
  readonly fingerprint: string
  readonly answer: (decided: A) => { readonly status: number; readonly body: string }
}

/** As an entry of the journal takes it. */
export const idempotencyOf = <A>(kept: KeptReply<A> | undefined, decided: A): Idempotency | undefined =>
  kept === undefined ? undefined : { key: kept.key, fingerprint: kept.fingerprint, answer: kept.answer(decided) }
