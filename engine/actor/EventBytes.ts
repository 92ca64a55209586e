import { Schema, type SchemaAST } from "effect"
import { plain } from "./EventChain.ts"

/** Reads the events of a schema back from the bytes they were recorded with. Dies on bytes that none encodes to. */
export const eventDecoder = <Event>(schema: Schema.Codec<Event, unknown>): ((data: string) => Event) =>
  Schema.decodeUnknownSync(Schema.fromJsonString(schema))

/** The bytes of `encodeEvent` for the events of a schema, sooner: only what has bigints is copied. */
export const eventEncoder = (schema: Schema.Top): ((event: object) => string) => {
  const copy = plainOf(Schema.toType(schema).ast)
  return copy === undefined ? JSON.stringify : (event) => JSON.stringify(copy(event))
}

/** Copies a value with strings for its bigints. */
type Plain = (value: unknown) => unknown

/** Undefined where nothing of the type is a bigint. */
const plainOf = (ast: SchemaAST.AST): Plain | undefined => {
  switch (ast._tag) {
    case "BigInt":
      return String
    case "Objects":
      return ast.indexSignatures.length > 0 ? plain : plainFields(ast)
    case "Arrays":
      return plainItems(ast)
    case "Union":
      return plainChoice(ast)
    case "Suspend":
    case "Unknown":
      return plain
    default:
      return undefined
  }
}

const plainFields = ({ propertySignatures }: SchemaAST.Objects): Plain | undefined => {
  const parts = propertySignatures.flatMap(({ name, type }) => {
    const part = plainOf(type)
    return part === undefined ? [] : [{ name, part }]
  })
  if (parts.length === 0) return undefined
  return (value) => {
    const copy: Record<PropertyKey, unknown> = { ...(value as object) }
    for (const { name, part } of parts) if (copy[name] !== undefined) copy[name] = part(copy[name])
    return copy
  }
}

const plainItems = ({ elements, rest }: SchemaAST.Arrays): Plain | undefined => {
  const [item, ...more] = [...elements, ...rest].map(plainOf)
  if (more.length > 0) return plain
  return item === undefined ? undefined : (value) => (value as ReadonlyArray<unknown>).map((one) => item(one))
}

const plainChoice = ({ types }: SchemaAST.Union): Plain | undefined => {
  const others = types.filter(({ _tag }) => _tag !== "Null" && _tag !== "Undefined")
  const parts = others.map(plainOf)
  const [only] = parts
  if (only === undefined || parts.length > 1) return parts.every((part) => part === undefined) ? undefined : plain
  return (value) => (value === null || value === undefined ? value : only(value))
}
