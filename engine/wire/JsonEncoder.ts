import { Exit, Predicate, Schema, SchemaAST, type SchemaGetter } from "effect"

/** From a value to what stands for it on the wire. */
type Encode = (value: unknown) => unknown

/** Thrown where a value is none of its schema, as far as that is seen: the schema then says what is wrong. */
const UNLIKE = new Error("The value is not of its schema")

const unlike = (): never => {
  throw UNLIKE
}

const same: Encode = (value) => value

/** What no rule below is about is encoded by the schema itself. */
const bySchema = (ast: SchemaAST.AST): Encode =>
  Schema.encodeUnknownSync(Schema.make<Schema.Codec<unknown, unknown>>(ast))

/** Has every key from the start, in the sequence of the schema: objects of one shape are filled and written fastest. */
const ofStruct = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Encode | undefined => {
  const names = propertySignatures.map(({ name }) => String(name))
  if (names.length === 0 || indexSignatures.length > 0 || names.includes("__proto__")) return undefined
  const blank = Object.fromEntries(names.map((name) => [name, undefined]))
  const encoders = propertySignatures.map(({ type }) => encodeOf(type))
  const isOptional = propertySignatures.map(({ type }) => SchemaAST.isOptional(type))
  return (value) => {
    if (!Predicate.isObject(value)) return unlike()
    const encoded: Record<string, unknown> = { ...blank }
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string
      const field = value[name]
      if (field !== undefined) encoded[name] = (encoders[index] as Encode)(field)
      else if (isOptional[index] !== true) return unlike()
    }
    return encoded
  }
}

const ofRecord = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Encode | undefined => {
  const [index] = indexSignatures
  if (index === undefined || index.parameter !== SchemaAST.string || propertySignatures.length > 0) return undefined
  const encode = encodeOf(index.type)
  if (encode === same) return same
  return (value) =>
    Predicate.isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, field]) => [key, encode(field)]))
      : unlike()
}

const ofArray = ({ elements, rest }: SchemaAST.Arrays): Encode | undefined => {
  const [item] = rest
  if (item === undefined || rest.length > 1 || elements.length > 0) return undefined
  const encode = encodeOf(item)
  return encode === same ? same : (value) => (Array.isArray(value) ? value.map((each) => encode(each)) : unlike())
}

/** The literal that a struct has under a key. */
const literalUnder = (ast: SchemaAST.AST, key: PropertyKey): unknown => {
  const field =
    SchemaAST.isObjects(ast) && ast.encoding === undefined
      ? ast.propertySignatures.find(({ name }) => name === key)?.type
      : undefined
  return field !== undefined && SchemaAST.isLiteral(field) ? field.literal : undefined
}

/** Structs that a key of theirs tells apart, such as `type`. */
const ofTagged = (members: ReadonlyArray<SchemaAST.AST>): Encode | undefined => {
  const [first] = members
  const names = first !== undefined && SchemaAST.isObjects(first) ? first.propertySignatures : []
  for (const { name } of names) {
    const tags = new Set(members.map((member) => literalUnder(member, name)))
    if (tags.size < members.length || tags.has(undefined)) continue
    const encoders = new Map(members.map((member) => [literalUnder(member, name), encodeOf(member)]))
    return (value) => {
      const encode = Predicate.isObject(value) ? encoders.get(value[name]) : undefined
      return encode === undefined ? unlike() : encode(value)
    }
  }
  return undefined
}

/** Those of which the wire has the very values, one that null may stand for, or structs by their tag. */
const ofUnion = ({ types }: SchemaAST.Union): Encode | undefined => {
  const members = types.filter((type) => !SchemaAST.isNull(type))
  const [only] = members
  if (members.every((type) => encodeOf(type) === same)) return same
  const encode = only !== undefined && members.length === 1 ? encodeOf(only) : ofTagged(members)
  if (encode === undefined || members.length === types.length) return encode
  return (value) => (value === null ? null : encode(value))
}

const ofBody = (ast: SchemaAST.AST): Encode | undefined => {
  switch (ast._tag) {
    case "String":
    case "Number":
    case "Boolean":
    case "Literal":
    case "Null":
    case "Unknown":
    case "Any":
      return same
    case "Objects":
      return ofStruct(ast) ?? ofRecord(ast)
    case "Arrays":
      return ofArray(ast)
    case "Union":
      return ofUnion(ast)
    default:
      return undefined
  }
}

const ofGetter = (getter: SchemaGetter.Getter<unknown, unknown>): Encode | undefined => {
  switch (getter._tag) {
    case "Passthrough":
      return same
    case "Transform":
      return getter.transform
    case "TransformEffect":
      return (value) => {
        const made = getter.transform(value, {})
        return Exit.isExit(made) && Exit.isSuccess(made) ? made.value : unlike()
      }
    default:
      return undefined
  }
}

/** A value that the program holds otherwise than the wire, such as an amount. */
const ofTransformed = (ast: SchemaAST.AST, { to, transformation }: SchemaAST.Link): Encode | undefined => {
  const isWhole = SchemaAST.isObjects(ast) || SchemaAST.isArrays(ast) || SchemaAST.isUnion(ast)
  if (isWhole || transformation._tag !== "Transformation") return undefined
  const turn = ofGetter(transformation.encode as SchemaGetter.Getter<unknown, unknown>)
  const encode = encodeOf(to)
  if (turn === undefined || encode === same) return turn
  return turn === same ? encode : (value) => encode(turn(value))
}

const encodeOf = (ast: SchemaAST.AST): Encode => {
  const [link, ...more] = ast.encoding ?? []
  if (link === undefined) return ofBody(ast) ?? bySchema(ast)
  return (more.length === 0 ? ofTransformed(ast, link) : undefined) ?? bySchema(ast)
}

/**
 * Encodes values as their schema does, made from it once: several times as fast, as it does not look whether a value is
 * what its type says. Keys that the schema lacks are left out. Where it cannot go on the schema encodes, and fails with what
 * is wrong. An optional key that has nothing may be there as undefined.
 */
export const wireOf = <A, I>(schema: Schema.Codec<A, I>): ((value: A) => I) => {
  const encode = encodeOf(schema.ast)
  const encodeWhole = bySchema(schema.ast)
  return (value) => {
    try {
      return encode(value) as I
    } catch (error) {
      if (error === UNLIKE) return encodeWhole(value) as I
      throw error
    }
  }
}

/** The JSON text of what {@link wireOf} makes. */
export const encoderOf = <A, I>(schema: Schema.Codec<A, I>): ((value: A) => string) => {
  const encode = wireOf(schema)
  return (value) => JSON.stringify(encode(value))
}
