import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Seal from "../identity/secrets/Seal.ts"
import type { SealedColumn } from "../database/SealedColumn.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import type { KycFacts } from "./KycRecord.ts"

/** What identifies a person, encrypted under a key of the record's own, and that key under `SECRET_KEY`. */
export interface SealedFacts {
  readonly key: Uint8Array
  readonly phoneNumber: Uint8Array
  readonly identityId: Uint8Array
}

/** What a record's key is sealed for. It names the record, so that no record opens with the key of another. */
export const keyPurpose = (id: string): string => `kyc/${id}`

/** Where the records' keys are. */
export const sealedKeys: SealedColumn = { table: "kyc_records", key: "id", column: "sealed_key", purpose: keyPurpose }

const fieldPurpose = (id: string, field: "phoneNumber" | "identityId"): string => `kyc/${id}/${field}`

type Personal = Pick<KycFacts, "phoneNumber" | "identityId">

/** Encrypts under a new key. */
export const sealFacts = Effect.fnUntraced(function* (id: string, facts: Personal) {
  const random = yield* SecureRandom
  const key = yield* random.randomBytes(Seal.KEY_LENGTH)
  const box = Effect.fnUntraced(function* (field: keyof Personal) {
    const nonce = yield* random.randomBytes(Seal.NONCE_LENGTH)
    return Seal.seal(key, nonce, fieldPurpose(id, field), Buffer.from(Redacted.value(facts[field])))
  })
  const secrets = yield* Secrets
  return {
    key: yield* secrets.seal(keyPurpose(id), key),
    phoneNumber: yield* box("phoneNumber"),
    identityId: yield* box("identityId")
  } satisfies SealedFacts
})

/** Opens what {@link sealFacts} made for the same record. */
export const openFacts = Effect.fnUntraced(function* (
  id: string,
  sealed: SealedFacts
): Effect.fn.Return<Personal, Seal.Unsealable, Secrets> {
  const key = yield* (yield* Secrets).open(keyPurpose(id), sealed.key)
  const opened = (field: keyof Personal) =>
    Effect.map(Effect.fromResult(Seal.open(key, fieldPurpose(id, field), sealed[field])), (plain) =>
      Redacted.make(Buffer.from(plain).toString(), { label: field })
    )
  return { phoneNumber: yield* opened("phoneNumber"), identityId: yield* opened("identityId") }
})
