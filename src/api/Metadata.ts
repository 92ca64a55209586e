import { Effect, Option, Schema, SchemaGetter, SchemaIssue, SchemaTransformation } from "effect"
import { SEALED_PREFIX } from "../../engine/erasure/SealedText.ts"
import { MAX_METADATA_KEYS, Metadata as Kept, newMetadata } from "../../engine/metadata/Metadata.ts"
import { Absent, clearable, optional } from "./Optional.ts"
import { WHOLE } from "./Text.ts"

/** Longest key and value of metadata, in characters. */
const MAX_KEY = 40
const MAX_VALUE = 500

const KEY = /^(?!__proto__$)[^:\p{Cc}\p{Cs}]+$/u
const VALUE = /^[^\p{Cc}\p{Cs}]*$/u

const EXPECTED =
  `at most ${MAX_METADATA_KEYS} keys of 1 to ${MAX_KEY} characters without colons, ` +
  `with texts of at most ${MAX_VALUE} characters without control characters and without ${SEALED_PREFIX}`

const isKey = (key: string): boolean => key.length <= MAX_KEY && KEY.test(key)

/** No value is taken for a sealed one of somebody else. */
const isValue = (value: string): boolean =>
  value.length <= MAX_VALUE && VALUE.test(value) && !value.includes(SEALED_PREFIX)

const isMetadata = (metadata: Readonly<Record<string, string | null>>): boolean => {
  const entries = Object.entries(metadata)
  return entries.length <= MAX_METADATA_KEYS && entries.every(([key, value]) => isKey(key) && isValue(value ?? ""))
}

/** Whether its keys and values are, which is said before anything else of them. */
const whole = Schema.makeFilter(
  (metadata: Readonly<Record<string, string | null>>) =>
    Object.entries(metadata).every(([key, value]) => key.isWellFormed() && (value ?? "").isWellFormed()),
  { expected: WHOLE }
).abort()

const checked = Schema.makeFilter(isMetadata, { expected: EXPECTED })

const Given = Schema.Record(Schema.String, Schema.NullOr(Schema.String)).check(whole, checked)

/** What a caller keeps with a thing by keys of its own, in an answer: an empty object where there is nothing. */
export const Metadata = Kept.annotate({
  description: "Extension: what was kept with it by keys of one's own."
})

/** The same of something new. */
export const NewMetadata = Schema.optionalKey(
  Schema.Union([Given, Absent]).annotate({
    description: `Extension: what is to be kept with it, without keys of null and "": ${EXPECTED}.`
  })
).pipe(
  Schema.decodeTo(Schema.optionalKey(Kept), {
    decode: SchemaGetter.transformOptional(
      Option.flatMap((given: typeof Given.Type | null | "") =>
        given === null || given === "" ? Option.none() : Option.fromUndefinedOr(newMetadata(given))
      )
    ),
    encode: SchemaGetter.passthrough({ strict: false })
  })
)

/** What is to be different of it. */
export const MetadataChange = clearable(Given, {
  description: `Extension: keys to be set; those that are not named stay, and null and "" remove one. In all ${EXPECTED}.`
})

const PAIR = "key:value, such as campaign:spring"

/** One key and its value, by which a list is filtered. */
export const MetadataFilter = optional(
  Schema.String.pipe(
    Schema.decodeTo(
      Schema.Struct({ key: Schema.String, value: Schema.String }),
      SchemaTransformation.transformEffect({
        decode: (written: string, options) => {
          const colon = written.indexOf(":")
          const [key, value] = [written.slice(0, colon), written.slice(colon + 1)]
          return colon > 0 && isMetadata({ [key]: value })
            ? Effect.succeed({ key, value })
            : Effect.fail(new SchemaIssue.InvalidValue({ message: `Expected ${PAIR}` }, written, options))
        },
        encode: ({ key, value }: { readonly key: string; readonly value: string }) => Effect.succeed(`${key}:${value}`)
      })
    )
  ),
  { description: `Extension: of those that have this in their metadata: ${PAIR}.` }
)
