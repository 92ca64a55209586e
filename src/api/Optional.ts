import { Option, Schema, SchemaAST, SchemaGetter } from "effect"

/** What a client sends that has nothing to say: taken as if the field were not there. */
export const Absent = Schema.Union([Schema.Null, Schema.Literal("")]).annotate({
  identifier: "Absent",
  description: "Nothing: taken as if the field were not there."
})

/** Whether a schema is what says nothing, beside the values of a field that may be left out. */
export const isNothing = (ast: SchemaAST.AST): boolean => {
  const name = SchemaAST.resolveIdentifier(ast)
  return name === "Absent" || name === "Cleared"
}

/** Whether a value says something. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

type Note = { readonly description: string; readonly format?: string }

/** What a field decodes to, without the name that its wire form has in the document. */
const valueOf = <S extends Schema.Constraint>(schema: S) => Schema.toType(schema).annotate({ identifier: undefined })

/**
 * A field of a request that may be left out: `null` and `""` are taken as absent too, whatever its type. Specification 2
 * names the fields that are not required.
 */
export const optional = <S extends Schema.Constraint>(schema: S, note?: Note) => {
  const sent = Schema.Union([schema, Absent])
  return Schema.optionalKey(note === undefined ? sent : sent.annotate(note)).pipe(
    Schema.decodeTo(Schema.optionalKey(valueOf(schema)), {
      decode: SchemaGetter.transformOptional(
        Option.filter((value: S["Type"] | null | ""): value is S["Type"] => isGiven(value))
      ),
      encode: SchemaGetter.passthrough({ strict: false })
    })
  )
}

/** What empties a field of a change. */
export const Cleared = Schema.Union([Schema.Null, Schema.Literal("")]).annotate({
  identifier: "Cleared",
  description: "Empties the field."
})

/**
 * A field of a change that can be emptied: left out it stays as it is, `null` and `""` empty it. Decodes to null where it
 * is to be emptied.
 */
export const clearable = <S extends Schema.Constraint>(schema: S, note?: Note) => {
  const sent = Schema.Union([schema, Cleared])
  return Schema.optionalKey(note === undefined ? sent : sent.annotate(note)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.NullOr(valueOf(schema))), {
      decode: SchemaGetter.transform((value: S["Type"] | null | ""): S["Type"] | null =>
        isGiven(value) ? value : null
      ),
      encode: SchemaGetter.passthrough({ strict: false })
    })
  )
}
