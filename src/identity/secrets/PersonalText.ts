import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHmac } from "node:crypto"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { SealedColumn } from "../../database/SealedColumn.ts"
import type { Direct } from "../../database/BoundedClient.ts"
import { PersonKeyRepository } from "./PersonKeyRepository.ts"
import * as Seal from "./Seal.ts"
import { Secrets } from "./Secrets.ts"

/** What a person's key is sealed for. */
const keyPurpose = (id: string): string => `person/${id}`

/** Where the keys of people and companies are. */
export const sealedPersonKeys: SealedColumn = {
  table: "person_keys",
  key: "id",
  column: "sealed_key",
  purpose: keyPurpose
}

const PREFIX = "sealed:v1:"

/** A sealed text names whose it is; the box is in base64url. */
const SEALED = /^sealed:v1:((?:usr|cmp)_[0-9a-z]{24}):([A-Za-z0-9_-]+)$/

/** The same as a string of JSON, which needs no escapes, or of JSON that is a string of JSON itself. */
const SEALED_STRING = /(\\?)"(sealed:v1:(?:usr|cmp)_[0-9a-z]{24}:[A-Za-z0-9_-]+)\1"/g

const PURPOSE = "personal"

/** How long a key may be used that another process has forgotten, in milliseconds. */
const FRESH_FOR = 30_000

/** Keys in memory. */
const CAPACITY = 50_000

/** A nonce that follows from the key and the text, so that the same text is sealed to the same. */
const nonceOf = (key: Uint8Array, plain: Uint8Array): Uint8Array =>
  createHmac("sha256", key).update(plain).digest().subarray(0, Seal.NONCE_LENGTH)

const sealUnder = (key: Uint8Array, of: string, text: string): string => {
  const plain = Buffer.from(text)
  const box = Seal.seal(key, nonceOf(key, plain), `${PURPOSE}/${of}`, plain)
  return `${PREFIX}${of}:${Buffer.from(box).toString("base64url")}`
}

const openUnder = (key: Uint8Array | undefined, of: string, box: string): string | undefined => {
  if (key === undefined) return undefined
  const opened = Seal.open(key, `${PURPOSE}/${of}`, Buffer.from(box, "base64url"))
  return opened._tag === "Success" ? Buffer.from(opened.success).toString() : undefined
}

interface Kept {
  readonly key: Uint8Array
  readonly until: number
}

const make = Effect.gen(function* () {
  const [repository, secrets, random] = [yield* PersonKeyRepository, yield* Secrets, yield* SecureRandom]
  const kept = new Map<string, Kept>()

  const read = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const now = yield* Clock.currentTimeMillis
    const keys = new Map<string, Uint8Array>()
    const missing: Array<string> = []
    for (const id of new Set(ids)) {
      const known = kept.get(id)
      if (known !== undefined && now < known.until) keys.set(id, known.key)
      else missing.push(id)
    }
    if (missing.length === 0) return keys
    const rows = yield* repository.find(missing)
    for (const { box, id } of rows) keys.set(id, yield* Effect.orDie(secrets.open(keyPurpose(id), box)))
    for (const { id } of rows) {
      if (kept.size >= CAPACITY) kept.clear()
      const key = keys.get(id)
      if (key !== undefined) kept.set(id, { key, until: now + FRESH_FOR })
    }
    return keys
  })

  const keyOf = Effect.fnUntraced(function* (id: string) {
    const found = (yield* read([id])).get(id)
    if (found !== undefined) return found
    const drawn = yield* secrets.seal(keyPurpose(id), yield* random.randomBytes(Seal.KEY_LENGTH))
    const { box } = yield* repository.add({ id, box: drawn })
    return yield* Effect.orDie(secrets.open(keyPurpose(id), box))
  })

  const openAll = Effect.fnUntraced(function* (all: ReadonlyArray<string>) {
    const boxes = all.map((text) => SEALED.exec(text))
    const keys = yield* read(boxes.flatMap((box) => box?.[1] ?? []))
    return all.map((text, at) => {
      const [, of, box] = boxes[at] ?? []
      return of === undefined || box === undefined ? text : openUnder(keys.get(of), of, box)
    })
  })

  const openIn = Effect.fnUntraced(function* (json: string) {
    if (!json.includes(PREFIX)) return json
    const sealed = [...new Set([...json.matchAll(SEALED_STRING)].map(([, , text = ""]) => text))]
    const opened = yield* openAll(sealed)
    const plain = new Map(sealed.map((text, at) => [text, opened[at]]))
    return json.replaceAll(SEALED_STRING, (_, escape: string, text: string) => {
      const value = JSON.stringify(plain.get(text) ?? null)
      return escape === "" ? value : JSON.stringify(value).slice(1, -1)
    })
  })

  return PersonalText.of({
    seal: Effect.fnUntraced(function* (of, text) {
      const key = yield* keyOf(of)
      const [, owner, box] = SEALED.exec(text) ?? []
      const isSealed = owner === of && box !== undefined && openUnder(key, of, box) !== undefined
      return isSealed ? text : sealUnder(key, of, text)
    }),
    open: (text) => Effect.map(openAll([text]), ([opened]) => opened),
    openIn,
    openValue: <A>(value: A) => Effect.map(openIn(JSON.stringify(value)), (json) => JSON.parse(json) as A)
  })
})

/**
 * Texts that identify somebody, sealed under a key of that person or company: so they stand in the journal, whose hashes
 * cover them as they are. Once the key is forgotten nobody reads them, and every hash holds.
 */
export class PersonalText extends Context.Service<
  PersonalText,
  {
    /**
     * Seals a text under the key of a user or company, which is drawn if there is none and durable at once, whatever
     * transaction is open. One that is sealed so stays.
     */
    readonly seal: (of: string, text: string) => Effect.Effect<string, Unavailable>
    /** A text as it was; undefined if its key is forgotten. One that is not sealed is answered as it is. */
    readonly open: (text: string) => Effect.Effect<string | undefined, Unavailable>
    /** JSON with every sealed string opened, or null in its place if its key is forgotten. */
    readonly openIn: (json: string) => Effect.Effect<string, Unavailable>
    /** The same of a value of JSON. */
    readonly openValue: <A>(value: A) => Effect.Effect<A, Unavailable>
  }
>()("emporion/identity/PersonalText") {
  static readonly layer: Layer.Layer<PersonalText, never, Direct | Secrets | SecureRandom> = Layer.effect(
    this,
    make
  ).pipe(Layer.provide(PersonKeyRepository.layer))
}
