import { Exit, Schema, SchemaAST } from "effect"
import fc from "fast-check"

const TEXTS = [
  "2026-01-31T12:00:00.000Z",
  "https://example.com/a",
  "usr_0123456789abcdef",
  `evt_${"4k2m".repeat(6)}`,
  "USD",
  "0.5",
  "__proto__",
  '"\\\n\u2028'
]

/** Days, milliseconds since 1970, and anything else that is whole. */
const wholes = fc.oneof(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: 4e12 }), fc.integer())

const numbers = fc.oneof(wholes, fc.double({ noNaN: true, noDefaultInfinity: true }))

/** What the contract holds otherwise than the wire. */
const DECLARED: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  "an amount": fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }),
  "a rate": fc.bigInt({ min: 0n, max: 10n ** 22n }),
  "a pair": fc.constantFrom({ base: "EUR", quote: "USD" }, { base: "XAU", quote: "EUR" })
}

const structOf = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): fc.Arbitrary<unknown> => {
  const [index] = indexSignatures
  if (index !== undefined) return fc.dictionary(fc.string({ unit: "grapheme" }), typeOf(index.type), { maxKeys: 4 })
  const required = propertySignatures.filter(({ type }) => !SchemaAST.isOptional(type))
  return fc
    .record(Object.fromEntries(propertySignatures.map(({ name, type }) => [name, typeOf(type)])), {
      requiredKeys: required.map(({ name }) => String(name))
    })
    .chain((known) => fc.constantFrom(known, { ...known, unknown: "of the schema" }, reversed(known)))
}

/** The same with its keys the other way round. */
const reversed = (struct: object): object => Object.fromEntries(Object.entries(struct).toReversed())

const bodyOf = (ast: SchemaAST.AST): fc.Arbitrary<unknown> => {
  switch (ast._tag) {
    case "String":
      return fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: "binary" }), fc.string())
    case "Number":
      return numbers
    case "Boolean":
      return fc.boolean()
    case "Literal":
      return fc.constant(ast.literal)
    case "Null":
      return fc.constant(null)
    case "Unknown":
      return fc.jsonValue({ maxDepth: 1 })
    case "Objects":
      return structOf(ast)
    case "Arrays":
      return fc.array(typeOf(ast.rest[0] ?? SchemaAST.never), { maxLength: 3 })
    case "Union":
      return fc.oneof(...ast.types.map(typeOf))
    default:
      return DECLARED[String(ast.annotations?.["expected"])] ?? fc.constant(undefined)
  }
}

const isComposite = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isObjects(ast) || SchemaAST.isArrays(ast) || SchemaAST.isUnion(ast)

const typeOf = (ast: SchemaAST.AST): fc.Arbitrary<unknown> => {
  if (isComposite(ast) && ast.checks === undefined) return bodyOf(ast)
  const encode = Schema.encodeUnknownExit(Schema.make<Schema.Codec<unknown, unknown>>(ast))
  const isOf = (value: unknown): boolean => {
    try {
      return Exit.isSuccess(encode(value))
    } catch {
      return false
    }
  }
  return bodyOf(ast).filter(isOf)
}

/** The values of a schema, as far as the contract's schemas go. Structs have keys that are no one's, in any sequence. */
export const valuesOf = <A, I>(schema: Schema.Codec<A, I>): fc.Arbitrary<A> => typeOf(schema.ast) as fc.Arbitrary<A>
