import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHmac } from "node:crypto"
import { hasKey, SEALED_PREFIX, sealedIn, sealedParts, withOpened } from "../../../engine/erasure/SealedText.ts"
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

/** A sealed text as a string of JSON, which needs no escapes, or of JSON that is a string of JSON itself. */
const STRING = String.raw`(\\?)"(sealed:v1:(?:usr|cmp)_[0-9a-z]{24}:[A-Za-z0-9_-]+)\1"`

/** A key of an object, with its colon, and the sealed string behind it, if there is one; else a string alone. */
const SEALED_STRING = new RegExp(`${STRING}(?::\\1"(sealed:v1:(?:usr|cmp)_[0-9a-z]{24}:[A-Za-z0-9_-]+)\\1")?`, "g")

/** Stands for a pair of an object that nobody reads any more, where nothing can be taken out. */
const ERASED = "erased"

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
  return `${SEALED_PREFIX}${of}:${Buffer.from(box).toString("base64url")}`
}

const openUnder = (key: Uint8Array | undefined, of: string, box: string): string | undefined => {
  if (key === undefined) return undefined
  const opened = Seal.open(key, `${PURPOSE}/${of}`, Buffer.from(box, "base64url"))
  return opened._tag === "Success" ? Buffer.from(opened.success).toString() : undefined
}

const sealWith = (key: Uint8Array, of: string, text: string): string => {
  const parts = sealedParts(text)
  const isOwn = parts?.of === of && openUnder(key, of, parts.box) !== undefined
  return isOwn ? text : sealUnder(key, of, text)
}

interface Kept {
  readonly key: Uint8Array
  readonly until: number
}

/** The keys of people and companies, those of late in memory. */
const makeKeys = Effect.gen(function* () {
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

  return { read, keyOf, forgetAll: Effect.sync(() => kept.clear()) }
})

const make = Effect.gen(function* () {
  const { forgetAll, keyOf, read } = yield* makeKeys

  const openAll = Effect.fnUntraced(function* (all: Iterable<string>) {
    const boxes = Array.from(all, (text) => ({ text, parts: sealedParts(text) }))
    const keys = yield* read(boxes.flatMap(({ parts }) => parts?.of ?? []))
    const opened = new Map<string, string>()
    for (const { parts, text } of boxes) {
      const plain = parts === undefined ? text : openUnder(keys.get(parts.of), parts.of, parts.box)
      if (plain !== undefined) opened.set(text, plain)
    }
    return opened
  })

  const openIn = Effect.fnUntraced(function* (json: string) {
    if (!json.includes(SEALED_PREFIX)) return json
    const opened = yield* openAll(
      new Set([...json.matchAll(SEALED_STRING)].flatMap(([, , text, paired]) => [text ?? "", paired ?? ""]))
    )
    return json.replaceAll(SEALED_STRING, (_, escape: string, text: string, paired: string | undefined) => {
      const written = (value: string | null) =>
        escape === "" ? JSON.stringify(value) : JSON.stringify(JSON.stringify(value)).slice(1, -1)
      if (paired === undefined) return written(opened.get(text) ?? null)
      const [key, value] = [opened.get(text), opened.get(paired)]
      return key === undefined || value === undefined
        ? `${written(ERASED)}:${written(ERASED)}`
        : `${written(key)}:${written(value)}`
    })
  })

  const openFound = Effect.fnUntraced(function* (value: unknown, found: ReadonlySet<string>) {
    return withOpened(value, yield* openAll(found), ERASED)
  })

  const shown = <A>(value: A): Effect.Effect<A, Unavailable> => {
    const found = sealedIn(value)
    return found.size === 0 ? Effect.succeed(value) : (openFound(value, found) as Effect.Effect<A, Unavailable>)
  }

  return PersonalText.of({
    seal: (of, text) => (hasKey(of) ? Effect.map(keyOf(of), (key) => sealWith(key, of, text)) : Effect.succeed(text)),
    sealer: (of) =>
      hasKey(of)
        ? Effect.map(keyOf(of), (key) => (text: string) => sealWith(key, of, text))
        : Effect.succeed((text: string) => text),
    knownSealers: (of) =>
      Effect.map(read(of.filter(hasKey)), (keys) =>
        Array.from(
          keys,
          ([id, key]) =>
            (text: string) =>
              sealWith(key, id, text)
        )
      ),
    open: (text) => Effect.map(openAll([text]), (opened) => opened.get(text)),
    openIn,
    openValue: <A>(value: A) => Effect.map(openIn(JSON.stringify(value)), (json) => JSON.parse(json) as A),
    shown,
    forgetAll
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
     * transaction is open. One that is sealed so stays, and so does one of an account that is nobody's.
     */
    readonly seal: (of: string, text: string) => Effect.Effect<string, Unavailable>
    /** What seals one text after another so. */
    readonly sealer: (of: string) => Effect.Effect<(text: string) => string, Unavailable>
    /** The same for each of several that has a key already: nothing was ever sealed for the others. */
    readonly knownSealers: (
      of: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<(text: string) => string>, Unavailable>
    /** A text as it was; undefined if its key is forgotten. One that is not sealed is answered as it is. */
    readonly open: (text: string) => Effect.Effect<string | undefined, Unavailable>
    /** JSON with every sealed string opened, or null in its place if its key is forgotten. */
    readonly openIn: (json: string) => Effect.Effect<string, Unavailable>
    /** The same of a value of JSON, and of strings in it that are JSON themselves. */
    readonly openValue: <A>(value: A) => Effect.Effect<A, Unavailable>
    /** A value whose sealed texts are opened: `erased` stands for what nobody reads, and a pair of metadata goes. */
    readonly shown: <A>(value: A) => Effect.Effect<A, Unavailable>
    /** Forgets the keys in memory, so that those that were erased open nothing from now on. */
    readonly forgetAll: Effect.Effect<void>
  }
>()("emporion/identity/PersonalText") {
  static readonly layer: Layer.Layer<PersonalText, never, Direct | Secrets | SecureRandom> = Layer.effect(
    this,
    make
  ).pipe(Layer.provide(PersonKeyRepository.layer))
}
