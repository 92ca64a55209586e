import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { createHmac } from "node:crypto"
import { sealedInJson, sealedInStrings, withOpenedJson, withOpenedStrings } from "../../../engine/erasure/SealedJson.ts"
import { hasKey, SEALED_PREFIX, sealedIn, sealedParts, withOpened } from "../../../engine/erasure/SealedText.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { SealedColumn } from "../../database/SealedColumn.ts"
import type { Direct } from "../../database/BoundedClient.ts"
import { PersonKeyRepository } from "./PersonKeyRepository.ts"
import { keyPurpose, makePersonKeyring } from "./PersonKeyring.ts"
import * as Seal from "./Seal.ts"
import type { Secrets } from "./Secrets.ts"

/** Where the keys of people and companies are. */
export const sealedPersonKeys: SealedColumn = {
  table: "person_keys",
  key: "id",
  column: "sealed_key",
  purpose: keyPurpose
}

/** Stands for a text that nobody reads any more. */
const ERASED = "erased"

const PURPOSE = "personal"

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

const make = Effect.gen(function* () {
  const { forgetAll, keyOf, known, read } = yield* makePersonKeyring()

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
    const found = sealedInJson(json)
    return found.size === 0 ? json : withOpenedJson(json, yield* openAll(found), ERASED)
  })

  const openFound = Effect.fnUntraced(function* <A>(value: A, found: ReadonlySet<string>, unread: string | null) {
    return withOpened(value, yield* openAll(found), unread) as A
  })

  const openedOr =
    (unread: string | null) =>
    <A>(value: A): Effect.Effect<A, Unavailable> => {
      const found = sealedIn(value)
      return found.size === 0 ? Effect.succeed(value) : openFound(value, found, unread)
    }

  const openRecorded = Effect.fnUntraced(function* <A>(value: A) {
    const found = new Set([...sealedIn(value), ...sealedInStrings(value)])
    if (found.size === 0) return value
    const opened = yield* openAll(found)
    return withOpened(withOpenedStrings(value, opened, null), opened, null) as A
  })

  return PersonalText.of({
    seal: (of, text) => (hasKey(of) ? Effect.map(keyOf(of), (key) => sealWith(key, of, text)) : Effect.succeed(text)),
    sealer: (of) =>
      hasKey(of)
        ? Effect.map(keyOf(of), (key) => (text: string) => sealWith(key, of, text))
        : Effect.succeed((text: string) => text),
    sealerNow: (of, now) => {
      if (!hasKey(of)) return (text) => text
      const key = known(of, now)
      return key && ((text) => sealWith(key, of, text))
    },
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
    openValue: openedOr(null),
    openRecorded,
    shown: openedOr(ERASED),
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
    /** The same without waiting, at a time in milliseconds since 1970: undefined where the key has to be read or drawn. */
    readonly sealerNow: (of: string, now: number) => ((text: string) => string) | undefined
    /** What seals so for each of several that has a key already: nothing was ever sealed for the others. */
    readonly knownSealers: (
      of: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<(text: string) => string>, Unavailable>
    /** A text as it was; undefined if its key is forgotten. One that is not sealed is answered as it is. */
    readonly open: (text: string) => Effect.Effect<string | undefined, Unavailable>
    /**
     * JSON with every string that is sealed opened, as an answer shows the value. The other bytes stay as they are, and so
     * do strings that are JSON themselves.
     */
    readonly openIn: (json: string) => Effect.Effect<string, Unavailable>
    /** A value whose sealed texts are opened: null stands for what nobody reads, and a pair of metadata goes. */
    readonly openValue: <A>(value: A) => Effect.Effect<A, Unavailable>
    /** The same where strings may be objects in JSON, as a company's address is in the audit log: theirs are opened too. */
    readonly openRecorded: <A>(value: A) => Effect.Effect<A, Unavailable>
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
