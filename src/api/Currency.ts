import { Schema, SchemaTransformation } from "effect"
import { FUND_ASSETS } from "../../engine/ledger/FundAsset.ts"

/** A pattern that takes a symbol in any case. */
const anyCase = (symbol: string): string =>
  [...symbol].map((letter) => (/[A-Z]/.test(letter) ? `[${letter}${letter.toLowerCase()}]` : letter)).join("")

const symbols = <const S extends string>(of: ReadonlyArray<S>) => {
  const expected = `one of ${of.join(", ")}, in any case`
  return Schema.String.check(Schema.isPattern(new RegExp(`^(?:${of.map(anyCase).join("|")})$`), { expected }))
    .annotate({ description: `${expected[0]?.toUpperCase()}${expected.slice(1)}.` })
    .pipe(
      Schema.decodeTo(
        Schema.Literals(of),
        SchemaTransformation.transform({
          decode: (sent: string) => sent.toUpperCase() as S,
          encode: (symbol: S): string => symbol
        })
      )
    )
}

/** What a fund can hold: a currency, metal or coin, in any case. */
export const Currency = symbols(FUND_ASSETS)

/** The currency that goods are priced in, in any case. */
export const Dollars = symbols(["USD"])
