import countries from "i18n-iso-countries/index.js"
import english from "i18n-iso-countries/langs/en.json" with { type: "json" }
import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { text } from "./Text.ts"

countries.registerLocale(english)

/** Longest text of a country. */
const MAX_COUNTRY = 100

const EXPECTED = "a country by its code of ISO 3166-1 or its English name, such as BE, BEL or Belgium"

const codeOf = (sent: string): string | undefined => {
  const name = sent.trim().replaceAll(/\s+/g, " ")
  const code = name.toUpperCase()
  if (countries.alpha2ToAlpha3(code) !== undefined) return code
  return countries.alpha3ToAlpha2(code) ?? countries.getSimpleAlpha2Code(name, "en")
}

/** A country as people write it: a code of two or three letters in any case, or an English name. Decodes to the two letters. */
export const Country = text(1, MAX_COUNTRY)
  .annotate({ description: "A code of ISO 3166-1 in any case, or an English name; kept as the two letters." })
  .pipe(
    Schema.decodeTo(
      Schema.String,
      SchemaTransformation.transformEffect({
        decode: (sent, options) => {
          const code = codeOf(sent)
          return code === undefined
            ? Effect.fail(new SchemaIssue.InvalidValue({ message: `Expected ${EXPECTED}` }, sent, options))
            : Effect.succeed(code)
        },
        encode: (code: string) => Effect.succeed(code)
      })
    )
  )
